#include "core/picture/layout/layout_layers.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

constexpr int MostSweeps = 8;
/// Sweeps without fewer crossings before it gives up.
constexpr int Patience = 3;

using Layer = std::vector<std::int32_t>;

void number(LayerGraph& graph, const Layer& layer)
{
    for (std::size_t i = 0; i < layer.size(); ++i)
        graph.position[layer[i]] = static_cast<std::int32_t>(i);
}

/// What hangs together comes to stand together: a depth-first walk downwards from the sources, in order of execution.
void orderDepthFirst(LayerGraph& graph)
{
    std::vector<char> seen(graph.rank.size(), 0);
    std::vector<std::int32_t> open;
    const auto walk = [&](std::int32_t from) {
        open.push_back(from);
        while (!open.empty()) {
            const std::int32_t vertex = open.back();
            open.pop_back();
            if (seen[vertex]) continue;
            seen[vertex] = 1;
            graph.layers[graph.rank[vertex]].push_back(vertex);
            const auto below = graph.down[vertex];
            for (std::size_t i = below.size(); i-- > 0;) {
                if (!seen[below[i].vertex]) open.push_back(below[i].vertex);
            }
        }
    };
    for (std::size_t box = 0; box < graph.boxes; ++box) {
        if (graph.up[box].empty()) walk(static_cast<std::int32_t>(box));
    }
    for (const Layer& layer : graph.layers)
        number(graph, layer);
}

/// Sorts one layer by the medians of its neighbours, the mean of the middle two positions; vertices without any keep
/// their places.
class MedianSorter
{
public:
    void sort(LayerGraph& graph, Layer& layer, const Grouped<LayerGraph::Link>& links)
    {
        m_entries.clear();
        m_slots.clear();
        for (std::size_t i = 0; i < layer.size(); ++i) {
            m_positions.clear();
            for (const auto& link : links[layer[i]])
                m_positions.push_back(graph.position[link.vertex]);
            if (m_positions.empty()) continue;
            const auto middle = m_positions.begin() + std::ssize(m_positions) / 2;
            std::nth_element(m_positions.begin(), middle, m_positions.end());
            const std::int32_t below =
                m_positions.size() % 2 == 1 ? *middle : *std::max_element(m_positions.begin(), middle);
            m_entries.push_back({(below + *middle) / 2.0, layer[i]});
            m_slots.push_back(i);
        }
        std::stable_sort(m_entries.begin(), m_entries.end(),
                         [](const Entry& a, const Entry& b) { return a.median < b.median; });
        for (std::size_t i = 0; i < m_slots.size(); ++i)
            layer[m_slots[i]] = m_entries[i].vertex;
        number(graph, layer);
    }

private:
    struct Entry
    {
        double median = 0;
        std::int32_t vertex = 0;
    };
    std::vector<Entry> m_entries;
    std::vector<std::size_t> m_slots;
    std::vector<std::int32_t> m_positions;
};

/// Counts, in a tree of sums, how many of the ends seen so far are to the right of the next one.
class EndCounter
{
public:
    void reset(std::size_t size)
    {
        m_sums.assign(size + 1, 0);
        m_seen = 0;
    }
    std::int64_t toTheRightOf(std::size_t position) const
    {
        std::int64_t upTo = 0;
        for (std::size_t i = position + 1; i > 0; i -= i & (~i + 1))
            upTo += m_sums[i];
        return m_seen - upTo;
    }
    void add(std::size_t position)
    {
        ++m_seen;
        for (std::size_t i = position + 1; i < m_sums.size(); i += i & (~i + 1))
            ++m_sums[i];
    }

private:
    std::vector<std::int32_t> m_sums;
    std::int64_t m_seen = 0;
};

void sweep(LayerGraph& graph, MedianSorter& sorter, bool downwards)
{
    const auto count = static_cast<std::ptrdiff_t>(graph.layers.size());
    for (std::ptrdiff_t i = 1; i < count; ++i) {
        Layer& layer = graph.layers[downwards ? i : count - 1 - i];
        if (layer.size() > 1) sorter.sort(graph, layer, downwards ? graph.up : graph.down);
    }
}

} // namespace

Error layoutStopped()
{
    return {ErrorCode::Stopped, say("stopped.layout"), "", ""};
}

std::int64_t countCrossings(const LayerGraph& graph)
{
    std::int64_t crossings = 0;
    EndCounter counter;
    std::vector<std::int32_t> ends;
    for (std::size_t rank = 0; rank + 1 < graph.layers.size(); ++rank) {
        if (graph.layers[rank].size() < 2 || graph.layers[rank + 1].size() < 2) continue;
        counter.reset(graph.layers[rank + 1].size());
        for (std::int32_t vertex : graph.layers[rank]) {
            ends.clear();
            for (const auto& link : graph.down[vertex])
                ends.push_back(graph.position[link.vertex]);
            for (std::int32_t end : ends)
                crossings += counter.toTheRightOf(end);
            for (std::int32_t end : ends)
                counter.add(end);
        }
    }
    return crossings;
}

void linkVertices(LayerGraph& graph)
{
    const auto links = [&](bool downwards) {
        return Grouped<LayerGraph::Link>(graph.rank.size(), [&](auto add) {
            for (std::size_t i = 0; i < graph.segments.size(); ++i) {
                const auto [from, to] = graph.segments[i];
                add(downwards ? from : to, {downwards ? to : from, static_cast<std::int32_t>(i)});
            }
        });
    };
    graph.up = links(false);
    graph.down = links(true);
}

Status orderLayers(LayerGraph& graph, const Context& context)
{
    graph.position.assign(graph.rank.size(), 0);
    orderDepthFirst(graph);
    std::int64_t fewest = countCrossings(graph);
    auto best = graph.layers;
    MedianSorter sorter;
    int inVain = 0;
    for (int i = 0; i < MostSweeps && fewest > 0 && inVain < Patience; ++i) {
        if (context.stopped()) return layoutStopped();
        sweep(graph, sorter, i % 2 == 0);
        const std::int64_t crossings = countCrossings(graph);
        ++inVain;
        if (crossings >= fewest) continue;
        fewest = crossings;
        best = graph.layers;
        inVain = 0;
    }
    graph.layers = std::move(best);
    for (const Layer& layer : graph.layers)
        number(graph, layer);
    return {};
}

} // namespace plimsoll
