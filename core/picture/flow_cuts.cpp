#include "core/picture/flow_cuts.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll {
namespace {

/// More tensors than this over a border, and it parts nothing.
constexpr int MostCrossing = 4;

/// What flows over the border behind each node of a run.
struct Borders
{
    std::vector<int> crossing; ///< Values that are read on the other side.
    std::vector<char> forks;   ///< The node writes a value that several nodes of the run read.
};

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
    std::size_t written = 0; ///< Its writer's position, 0 for one before the run.
    std::size_t last = 0;    ///< The last reader's.
    int readers = 0;
};

Borders bordersOf(const Graph& graph, const std::vector<char>& data, std::span<const NodeId> nodes)
{
    std::unordered_map<std::size_t, Use> uses;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueId input : graph[nodes[i]].inputs) {
            if (!input.valid() || !data[input.index()]) continue;
            Use& use = uses[input.index()];
            ++use.readers;
            use.last = i;
        }
        for (const ValueId output : graph[nodes[i]].outputs)
            if (output.valid()) uses[output.index()].written = i;
    }
    Borders borders {std::vector<int>(nodes.size() + 1, 0), std::vector<char>(nodes.size(), 0)};
    for (const auto& [value, use] : uses) { // over all borders from its writer to its last reader
        if (use.readers == 0 || use.last <= use.written) continue;
        ++borders.crossing[use.written];
        --borders.crossing[use.last];
        if (use.readers > 1 && graph[ValueId(value)].producer == nodes[use.written]) borders.forks[use.written] = 1;
    }
    for (std::size_t i = 1; i < borders.crossing.size(); ++i)
        borders.crossing[i] += borders.crossing[i - 1];
    return borders;
}

} // namespace

FlowCuts::FlowCuts(const Graph& graph) : m_graph(graph), m_data(findData(graph)) {}

std::vector<std::size_t> FlowCuts::of(std::span<const NodeId> nodes) const
{
    const Borders borders = bordersOf(m_graph, m_data, nodes);
    std::vector<std::size_t> begins = {0};
    while (nodes.size() - begins.back() > LargestBlock) {
        std::size_t best = begins.back() + SmallestBlock - 1; // the block's last node
        for (std::size_t i = best + 1; i < begins.back() + LargestBlock; ++i) {
            const auto rank = [&](std::size_t border) {
                return std::pair(borders.crossing[border], borders.forks[border] ? 0 : 1);
            };
            if (rank(i) <= rank(best)) best = i;
        }
        if (borders.crossing[best] > MostCrossing) return {};
        begins.push_back(best + 1);
    }
    return begins;
}

} // namespace plimsoll
