#include "core/ops/inner_access.h"

#include "core/ops/safe_int.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// So many ways to read one operand are told apart; more read anything.
constexpr std::size_t MostWays = 32;

using Ways = std::vector<AccessMap>;

void add(Ways& ways, AccessMap map)
{
    if (map.kind == AccessMap::Kind::Nothing || std::ranges::find(ways, map) != ways.end()) return;
    ways.push_back(std::move(map));
    if (ways.size() > MostWays) ways = {AccessMap {}};
}

/// \p inner looks along an axis where \p outer does.
AccessAxis composed(const AccessAxis& outer, const AccessAxis& inner)
{
    if (outer.from == AccessAxis::Any) return {};
    const auto step = (SafeInt(outer.step) * inner.step).get();
    const auto start = (SafeInt(outer.start) * inner.step + inner.start).get();
    if (!step || !start) return {};
    AccessAxis axis {outer.from, *step, *start, inner.moved};
    for (const auto& [what, times] : outer.moved) {
        const auto sum = (SafeInt(times) * inner.step + axis.moved[what]).get();
        if (!sum) return {};
        axis.moved[what] = *sum;
        if (*sum == 0) axis.moved.erase(what);
    }
    return axis;
}

} // namespace

AccessMap composed(const AccessMap& outer, const AccessMap& inner)
{
    using Kind = AccessMap::Kind;
    if (outer.kind == Kind::Nothing || inner.kind == Kind::Nothing) return {Kind::Nothing};
    if (outer.kind == Kind::Anything || inner.kind == Kind::Anything) return {};
    if (outer.kind == Kind::Order || inner.kind == Kind::Order)
        return staysInPlace(outer) && staysInPlace(inner) ? AccessMap {Kind::Order} : AccessMap {};
    AccessMap map = inner;
    for (AccessAxis& axis : map.axes) {
        if (axis.from < 0) continue;
        if (static_cast<std::size_t>(axis.from) >= outer.axes.size()) return {};
        axis = composed(outer.axes[static_cast<std::size_t>(axis.from)], axis);
    }
    return map;
}

std::vector<std::vector<AccessMap>> waysTo(const InnerOperations& inside, int input)
{
    std::vector<Ways> ways(inside.operands.size());
    for (std::size_t i = 0; i < ways.size(); ++i) {
        for (const InnerOperand& operand : inside.operands[i]) {
            if (operand.early) continue;
            if (!operand.inner && operand.index == static_cast<std::size_t>(input)) add(ways[i], operand.map);
            if (!operand.inner) continue;
            for (const AccessMap& before : ways[operand.index])
                add(ways[i], composed(operand.map, before));
        }
    }
    std::vector<Ways> made;
    for (const std::size_t result : inside.results)
        made.push_back(ways[result]);
    return made;
}

bool readsElsewhere(const Graph& graph, NodeId id, int input)
{
    const Node& node = graph[id];
    const ValueId read = valueAt(node.inputs, input);
    if (!node.inside || !read.valid()) return false;
    const std::vector<Ways> ways = waysTo(*node.inside, input);
    const auto from = graph[read].type.shape();
    for (std::size_t i = 0; i < std::min(ways.size(), node.outputs.size()); ++i) {
        if (!node.outputs[i].valid() || ways[i].empty()) continue;
        const auto to = graph[node.outputs[i]].type.shape();
        const bool sameCount = from && to && elementCount(*from) == elementCount(*to);
        const auto stays = [&](const AccessMap& map) {
            return staysInPlace(map) && (map.kind == AccessMap::Kind::Axes ? from == to : sameCount);
        };
        if (!from || !std::ranges::all_of(ways[i], stays)) return true;
    }
    return false;
}

} // namespace plimsoll
