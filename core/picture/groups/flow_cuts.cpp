#include "core/picture/groups/flow_cuts.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll {
namespace {

/// More tensors than this over a border, and it parts nothing.
constexpr int MostCrossing = 4;

std::vector<char> findData(const Graph& graph)
{
    std::vector<char> data(graph.values.size(), 0);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = graph.values[i].role == ValueRole::Input || graph.values[i].role == ValueRole::BodyInput;
    for (const Body& body : graph.bodies) {
        for (const NodeId id : body.nodes) {
            const Node& node = graph[id];
            const bool reads = !node.bodies.empty() || std::ranges::any_of(node.inputs, [&](ValueId input) {
                return input.valid() && data[input.index()];
            });
            for (const ValueId output : node.outputs)
                if (output.valid()) data[output.index()] = reads;
        }
    }
    return data;
}

/// Of a value in a run.
struct Use
{
    std::size_t writer = RunFlow::NoFork; ///< NoFork: before the run.
    std::size_t last = 0;                 ///< Its writer or last reader so far.
    int readers = 0;
};

} // namespace

std::vector<int> RunFlow::behind(std::size_t reach) const
{
    std::vector<int> crossing(nodes + 1, 0);
    std::vector<int> forks(nodes, 0);
    for (const Stretch& stretch : stretches) {
        if (stretch.to - stretch.from > reach) continue;
        crossing[stretch.from] += 2;
        crossing[stretch.to] -= 2;
        if (stretch.forks != NoFork) forks[stretch.forks] = 1;
    }
    std::vector<int> cost(nodes);
    int flows = 0;
    for (std::size_t i = 0; i < nodes; ++i) {
        flows += crossing[i];
        cost[i] = flows + 1 - forks[i];
    }
    return cost;
}

FlowCuts::FlowCuts(const Graph& graph) : m_graph(graph), m_data(findData(graph)) {}

RunFlow FlowCuts::along(std::span<const NodeId> nodes) const
{
    RunFlow flow {.stretches = {}, .nodes = nodes.size()};
    std::unordered_map<std::size_t, Use> uses;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueId input : m_graph[nodes[i]].inputs) {
            if (!input.valid() || !m_data[input.index()]) continue;
            Use& use = uses.try_emplace(input.index(), Use {.last = i}).first->second;
            const bool forks = use.readers++ > 0;
            if (use.last < i) flow.stretches.push_back({use.last, i, forks ? use.writer : RunFlow::NoFork});
            use.last = i;
        }
        for (const ValueId output : m_graph[nodes[i]].outputs)
            if (output.valid()) uses[output.index()] = {.writer = i, .last = i};
    }
    return flow;
}

std::vector<std::size_t> FlowCuts::of(std::span<const NodeId> nodes) const
{
    const std::vector<int> cost = along(nodes).behind(nodes.size());
    std::vector<std::size_t> begins = {0};
    while (nodes.size() - begins.back() > LargestBlock) {
        std::size_t best = begins.back() + SmallestBlock - 1; // the block's last node
        for (std::size_t i = best + 1; i < begins.back() + LargestBlock; ++i)
            if (cost[i] <= cost[best]) best = i;
        if (cost[best] > 2 * MostCrossing + 1) return {};
        begins.push_back(best + 1);
    }
    return begins;
}

} // namespace plimsoll
