#include "core/verify/inner_reads.h"

#include "core/ops/inner_access.h"
#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

using Kind = AccessMap::Kind;

/// So many ways are told apart in which one operation is made of one input; more are taken for any.
constexpr std::int64_t MostWays = 24;

const AccessMap Any {};

/// One axis, where what is looked at is itself found along an axis of the result. Numbers that do not fit: any index.
AccessAxis along(const AccessAxis& read, const AccessAxis& found)
{
    const auto start = (SafeInt(read.step) * found.start + read.start).get();
    const auto step = (SafeInt(read.step) * found.step).get();
    if (found.from == AccessAxis::Any || !start || !step) return {};
    AccessAxis axis {found.from, *step, *start, read.moved};
    for (const auto& [what, times] : found.moved) {
        const auto sum = (SafeInt(axis.moved[what]) + SafeInt(read.step) * times).get();
        if (!sum) return {};
        axis.moved[what] = *sum;
    }
    std::erase_if(axis.moved, [](const auto& moved) { return moved.second == 0; });
    return axis;
}

/// What an operation is made of that reads \p read of an operand, which is made of \p made.
AccessMap through(const AccessMap& read, const AccessMap& made)
{
    if (read.kind == Kind::Nothing) return read;
    if (read.kind == Kind::Axes && made.kind == Kind::Axes) {
        AccessMap map {Kind::Axes};
        for (const AccessAxis& axis : made.axes) {
            const auto from = static_cast<std::size_t>(axis.from);
            if (axis.from >= 0 && from >= read.axes.size()) return Any;
            map.axes.push_back(axis.from < 0 ? axis : along(axis, read.axes[from]));
        }
        return map;
    }
    const bool moves = !staysInPlace(read) || !staysInPlace(made);
    return moves ? Any : AccessMap {Kind::Order};
}

/// One way in which an operation is made of an input.
struct Way
{
    std::size_t input = 0;
    AccessMap map;
    friend bool operator==(const Way&, const Way&) = default;
};

void add(std::vector<Way>& ways, Way way)
{
    if (way.map.kind == Kind::Nothing || std::ranges::find(ways, way) != ways.end()) return;
    if (std::ranges::count(ways, way.input, &Way::input) < MostWays) {
        ways.push_back(std::move(way));
        return;
    }
    std::erase_if(ways, [&](const Way& other) { return other.input == way.input; });
    ways.push_back({way.input, Any});
}

/// By operation.
std::vector<std::vector<Way>> waysOf(const InnerOperations& inside)
{
    std::vector<std::vector<Way>> ways;
    for (const std::vector<InnerOperand>& operands : inside.operands) {
        std::vector<Way> made;
        for (const InnerOperand& operand : operands) {
            if (operand.early) continue;
            if (!operand.inner) add(made, {operand.index, operand.map});
            if (!operand.inner) continue;
            for (const Way& before : ways[operand.index])
                add(made, {before.input, through(operand.map, before.map)});
        }
        ways.push_back(std::move(made));
    }
    return ways;
}

/// Whether an element of the result comes from the place in the input where it would be written.
bool comesFromItsPlace(const TensorType& result, const TensorType& input, const AccessMap& map)
{
    const auto to = result.shape();
    const auto from = input.shape();
    if (!to || !from || !staysInPlace(map)) return false;
    return map.kind == Kind::Order ? elementCount(*to) == elementCount(*from) : to == from;
}

} // namespace

std::vector<ValueId> readElsewhere(const Graph& graph, NodeId id)
{
    std::vector<ValueId> elsewhere;
    const Node& node = graph[id];
    const auto inside = operationsInside(graph, id);
    if (!inside) return elsewhere;
    const auto ways = waysOf(*inside);
    for (std::size_t i = 0; i < std::min(node.outputs.size(), inside->results.size()); ++i) {
        for (const Way& way : ways[inside->results[i]]) {
            const ValueId read = node.inputs[way.input];
            const bool known = read.valid() && node.outputs[i].valid();
            if (known && !comesFromItsPlace(graph[node.outputs[i]].type, graph[read].type, way.map))
                elsewhere.push_back(read);
        }
    }
    return elsewhere;
}

} // namespace plimsoll::verifying
