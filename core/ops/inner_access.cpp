#include "core/ops/inner_access.h"

#include "core/base/narrow.h"
#include "core/ops/op_schema.h"
#include "core/ops/op_traits.h"
#include "core/ops/safe_int.h"
#include "core/ops/sub_buffers.h"

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

std::optional<AccessMap> knownAccess(const Graph& graph, NodeId node, std::size_t position)
{
    if (!graph[node].inputs[position].valid()) return std::nullopt;
    const auto input = narrow<int>(position);
    const bool widened = std::ranges::find(graph.decided[node].inPlace, InPlaceOperands {0, input}) !=
                         graph.decided[node].inPlace.end(); // an implementation's word, which the maps are to check
    const auto over = [&](const AliasTrait& trait) {
        const bool same = trait.kind == AliasKind::MayBeInPlace || trait.kind == AliasKind::Identity;
        return same && !widened && trait.input == input && trait.output == 0;
    };
    if (std::ranges::any_of(aliasTraits(graph, node), over)) return AccessMap {AccessMap::Kind::Order};
    const OpSchema* schema = findSchema(graph[node].domain, graph[node].op);
    if (!schema || !schema->access) return std::nullopt;
    return accessMap(graph, node, input, 0);
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

std::shared_ptr<const InnerOperations> operationsInside(const Graph& graph, NodeId id)
{
    const std::vector<FusedNode>& behind = graph.decided[id].fused;
    if (graph[id].declared->inside || (behind.empty() && graph.decided[id].inPlace.empty()))
        return graph[id].declared->inside;
    auto inside = std::make_shared<InnerOperations>();
    std::size_t next = 0;
    const auto add = [&](NodeId node, std::size_t count, int fromBefore) {
        std::vector<InnerOperand>& operands = inside->operands.emplace_back();
        for (std::size_t input = 0; input < count; ++input) {
            const bool inner = narrow<int>(input) == fromBefore;
            const std::size_t index = inner ? inside->operands.size() - 2 : next++;
            const auto map = knownAccess(graph, node, input);
            const AccessMap unknown {fromBefore < 0 ? AccessMap::Kind::Order : AccessMap::Kind::Anything};
            operands.push_back({inner, index, map.value_or(unknown)});
        }
    };
    add(id, ownInputs(graph, id), -1);
    for (const FusedNode& one : behind)
        add(one.node, graph[one.node].inputs.size(), one.input);
    inside->results = {behind.size()};
    return inside;
}

bool readsElsewhere(const Graph& graph, NodeId id, int input)
{
    const Node& node = graph[id];
    const ValueId read = valueAt(node.inputs, input);
    const auto inside = operationsInside(graph, id);
    if (!inside || !read.valid()) return false;
    const std::vector<Ways> ways = waysTo(*inside, input);
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
