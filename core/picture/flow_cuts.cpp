#include "core/picture/flow_cuts.h"

#include <algorithm>

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

/// By ValueId: whether it comes from an input of the graph; what is made of weights and constants alone does not.
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

Borders bordersOf(const Graph& graph, std::span<const NodeId> nodes)
{
    const std::vector<char> data = findData(graph);
    std::vector<std::size_t> last(graph.values.size(), 0); // the last reader's position + 1
    std::vector<int> readers(graph.values.size(), 0);
    std::vector<std::size_t> written(graph.values.size(), 0); // its writer's position, 0 for one before the run
    std::vector<ValueId> read;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueId input : graph[nodes[i]].inputs) {
            if (!input.valid() || !data[input.index()]) continue;
            if (readers[input.index()]++ == 0) read.push_back(input);
            last[input.index()] = i + 1;
        }
        for (const ValueId output : graph[nodes[i]].outputs)
            if (output.valid()) written[output.index()] = i;
    }
    Borders borders {std::vector<int>(nodes.size() + 1, 0), std::vector<char>(nodes.size(), 0)};
    for (const ValueId value : read) { // over all borders from its writer to its last reader
        const std::size_t from = written[value.index()];
        const std::size_t to = last[value.index()] - 1;
        if (to <= from) continue;
        ++borders.crossing[from];
        --borders.crossing[to];
        if (readers[value.index()] > 1 && graph[value].producer == nodes[from]) borders.forks[from] = 1;
    }
    for (std::size_t i = 1; i < borders.crossing.size(); ++i)
        borders.crossing[i] += borders.crossing[i - 1];
    return borders;
}

} // namespace

std::vector<std::size_t> cutByFlow(const Graph& graph, std::span<const NodeId> nodes)
{
    const Borders borders = bordersOf(graph, nodes);
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
