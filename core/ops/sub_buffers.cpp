#include "core/ops/sub_buffers.h"

#include "core/base/narrow.h"
#include "core/ops/graph_facts.h"
#include "core/ops/op_schema.h"
#include "core/plan/layout_pieces.h"

#include <algorithm>
#include <optional>

namespace plimsoll {
namespace {

/// Where along each axis the operand begins, seen from the result; nothing where elements do not keep their order.
std::optional<std::vector<std::int64_t>> startsOf(const AccessMap& map, std::size_t rank)
{
    if (map.kind != AccessMap::Kind::Axes || map.axes.size() != rank) return std::nullopt;
    std::vector<std::int64_t> starts;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const AccessAxis& one = map.axes[axis];
        if (one.from != narrow<int>(axis) || one.step != 1 || !one.moved.empty()) return std::nullopt;
        starts.push_back(one.start);
    }
    return starts;
}

std::optional<SubBuffer> subBuffer(const Value& input, const Value& output, const AccessMap& map,
                                   std::string_view layoutName)
{
    const auto from = input.type.shape();
    const auto to = output.type.shape();
    const int bits = dtypeBits(input.type.dtype);
    const bool alike = input.strides.empty() && output.strides.empty() && input.type.dtype == output.type.dtype &&
                       !input.type.isSparse() && !output.type.isSparse();
    if (!from || !to || !alike || bits < 8 || from->size() != to->size()) return std::nullopt;
    const auto layout = layoutFromName(layoutName, from->size());
    auto starts = startsOf(map, from->size());
    if (!layout || !starts || input.type.bytes().value_or(0) <= 0 || output.type.bytes().value_or(0) <= 0)
        return std::nullopt;
    auto piece = pieceOf(*layout, *to, *from, *starts);
    const bool inputIsPart = !piece;
    for (std::int64_t& start : *starts)
        start = -start;
    if (!piece) piece = pieceOf(*layout, *from, *to, *starts);
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
    if (!schema || !schema->access || !schema->moves || node.declaredTraits) return {};
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
