#include "kernels/run/control/loop_budget.h"

#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

std::int64_t nodesOf(const Graph& graph, BodyId body)
{
    std::int64_t nodes = 0;
    for (const NodeId id : graph[body].nodes) {
        const Node& node = graph[id];
        if (graph.decided[id].ahead) continue;
        std::int64_t inside = 0;
        for (const BodyId inner : node.bodies) {
            const BodyRule rule = bodyRule(graph, id);
            if (rule == BodyRule::Branch) inside = std::max(inside, nodesOf(graph, inner));
            if (rule == BodyRule::Once) inside += nodesOf(graph, inner);
        }
        nodes += 1 + inside;
    }
    return nodes;
}

} // namespace

bool LoopBudget::take(const Graph& graph, BodyId body)
{
    const auto [size, isNew] = m_sizes.try_emplace(body, 1);
    if (isNew) size->second = std::max<std::int64_t>(1, nodesOf(graph, body));
    if (size->second > m_most - m_taken) return false;
    m_taken += size->second;
    return true;
}

RunResult::Cut LoopBudget::cut(const Graph& graph) const
{
    RunResult::Cut cut {m_most, {}};
    for (const auto& [owner, iterations] : m_cut)
        cut.loops.push_back({graph[owner].name, iterations});
    return cut;
}

} // namespace plimsoll::kernels
