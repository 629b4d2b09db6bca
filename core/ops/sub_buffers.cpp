#include "core/ops/sub_buffers.h"

#include "core/base/narrow.h"
#include "core/ops/graph_facts.h"
#include "core/ops/op_schema.h"
#include "core/plan/layout_pieces.h"

#include <algorithm>
#include <optional>

namespace plimsoll {
namespace {

/// Operand and result axis by axis. An axis that only one of them has is one index wide in the other.
struct SideBySide
{
    Shape input {};
    Shape output {};
    Shape start {}; ///< Of the result, in the operand.

    void add(std::int64_t in, std::int64_t out, std::int64_t begin)
    {
        input.push_back(in);
        output.push_back(out);
        start.push_back(begin);
    }
};

/// Empty where elements do not keep their order.
std::optional<SideBySide> sideBySide(const AccessMap& map, const Shape& from, const Shape& to)
{
    if (map.kind != AccessMap::Kind::Axes || map.axes.size() != from.size()) return std::nullopt;
    SideBySide both;
    std::size_t next = 0; // of the result's axes
    const auto stacked = [&] {
        for (auto at = map.only.find(next); at != map.only.end() && next < to.size(); at = map.only.find(++next))
            both.add(1, to[next], -at->second);
    };
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        stacked();
        const AccessAxis& one = map.axes[axis];
        const bool dropped = one.from == AccessAxis::One;
        const bool inOrder = dropped || (one.from == narrow<int>(next) && one.step == 1 && next < to.size());
        if (!inOrder || !one.moved.empty()) return std::nullopt;
        both.add(from[axis], dropped ? 1 : to[next++], one.start);
    }
    stacked();
    return next == to.size() ? std::optional(std::move(both)) : std::nullopt;
}

std::optional<SubBuffer> subBuffer(const Value& input, const Value& output, const AccessMap& map,
                                   std::string_view layoutName)
{
    const auto from = input.type.shape();
    const auto to = output.type.shape();
    const int bits = dtypeBits(input.type.dtype);
    const bool alike = input.at->strides.empty() && output.at->strides.empty() &&
                       input.type.dtype == output.type.dtype && !input.type.isSparse() && !output.type.isSparse();
    if (!from || !to || !alike || bits < 8) return std::nullopt;
    if (from->size() != to->size() && layoutName != PlainLayout) return std::nullopt;
    auto both = sideBySide(map, *from, *to);
    if (!both || input.type.bytes().value_or(0) <= 0 || output.type.bytes().value_or(0) <= 0) return std::nullopt;
    const auto layout = layoutFromName(layoutName, both->start.size());
    if (!layout) return std::nullopt;
    auto piece = pieceOf(*layout, both->output, both->input, both->start);
    const bool inputIsPart = !piece;
    for (std::int64_t& start : both->start)
        start = -start;
    if (!piece) piece = pieceOf(*layout, both->input, both->output, both->start);
    if (!piece) return std::nullopt;
    return SubBuffer {0, 0, inputIsPart, piece->begin * (bits / 8), piece->length() * (bits / 8)};
}

} // namespace

AccessMap accessMap(const Graph& graph, NodeId node, int input, int output)
{
    const OpSchema* schema = findSchema(graph[node].domain, graph[node].op);
    if (!schema || !schema->access) return {};
    GraphFacts source(graph);
    NodeFacts facts(graph, node, source);
    return schema->access(facts, static_cast<std::size_t>(input), static_cast<std::size_t>(output));
}

std::vector<SubBuffer> subBuffers(const Graph& graph, NodeId id, const Implementation& how)
{
    const Node& node = graph[id];
    const OpSchema* schema = findSchema(node.domain, node.op);
    if (!schema || !schema->access || !schema->moves || node.declared->traits) return {};
    GraphFacts source(graph);
    NodeFacts facts(graph, id, source);
    std::vector<SubBuffer> all;
    for (std::size_t o = 0; o < node.outputs.size(); ++o) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.outputs[o].valid() || !node.inputs[i].valid()) continue;
            const std::string_view layout = inputLayout(how, narrow<int>(i));
            if (layout != outputLayout(how, narrow<int>(o))) continue;
            auto one = subBuffer(graph[node.inputs[i]], graph[node.outputs[o]], schema->access(facts, i, o), layout);
            if (!one) continue;
            one->output = narrow<int>(o);
            one->input = narrow<int>(i);
            all.push_back(*one);
        }
    }
    return all;
}

} // namespace plimsoll
