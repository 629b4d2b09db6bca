#include "core/base/grouped.h"
#include "core/base/narrow.h"
#include "core/picture/layout/layout_layers.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace plimsoll {
namespace {

using Links = Grouped<LayerGraph::Link>;

/// The links back along \p ways, those of every vertex ordered from left to right.
Links backFromLeft(const LayerGraph& graph, const Links& ways)
{
    return {graph.rank.size(), [&](auto add) {
                for (const auto& layer : graph.layers) {
                    for (const std::int32_t vertex : layer) {
                        for (const auto& [other, segment] : ways[vertex])
                            add(other, LayerGraph::Link {vertex, segment});
                    }
                }
            }};
}

/// Segments that cross an inner segment (of dummy to dummy), and must give way to it so that long edges stay straight.
std::vector<char> findYielding(const LayerGraph& graph, const Links& up)
{
    std::vector<char> yields(graph.segments.size(), 0);
    for (std::size_t rank = 1; rank < graph.layers.size(); ++rank) {
        const auto& layer = graph.layers[rank];
        std::int32_t left = 0;
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            std::int32_t inner = -1;
            for (const auto& link : up[layer[i]]) {
                if (graph.dummy(layer[i]) && graph.dummy(link.vertex)) inner = graph.position[link.vertex];
            }
            if (inner < 0 && i + 1 < layer.size()) continue;
            const auto right = inner >= 0 ? inner : narrow<std::int32_t>(graph.layers[rank - 1].size()) - 1;
            for (; scanned <= i; ++scanned) {
                for (const auto& link : up[layer[scanned]]) {
                    const std::int32_t position = graph.position[link.vertex];
                    const bool crosses = position < left || position > right;
                    if (crosses && !(graph.dummy(layer[scanned]) && graph.dummy(link.vertex))) yields[link.segment] = 1;
                }
            }
            left = right;
        }
    }
    return yields;
}

struct Ways
{
    Links up;
    Links down;
};

struct Spacing
{
    std::int32_t left = 0; ///< Root of a block.
    std::int32_t right = 0;
    double apart = 0; ///< Between the centres.
};

/// Blocks as far left as they go, by longest paths; then each as far right as its right neighbours let it.
std::vector<double> compact(const std::vector<std::int32_t>& root, const std::vector<Spacing>& all)
{
    const std::size_t count = root.size();
    const auto byLeft =
        positionsBy(count, all.size(), [&](std::size_t i) { return static_cast<std::size_t>(all[i].left); });
    std::vector<std::int32_t> waiting(count, 0);
    for (const Spacing& c : all)
        ++waiting[c.right];
    std::vector<std::int32_t> order;
    order.reserve(count);
    for (std::size_t v = 0; v < count; ++v) {
        if (root[v] == static_cast<std::int32_t>(v) && waiting[v] == 0) order.push_back(static_cast<std::int32_t>(v));
    }
    std::vector<double> x(count, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const std::int32_t k : byLeft[order[i]]) {
            const Spacing& c = all[k];
            x[c.right] = std::max(x[c.right], x[c.left] + c.apart);
            if (--waiting[c.right] == 0) order.push_back(c.right);
        }
    }
    for (std::size_t i = order.size(); i-- > 0;) {
        double limit = std::numeric_limits<double>::infinity();
        for (const std::int32_t k : byLeft[order[i]])
            limit = std::min(limit, x[all[k].right] - all[k].apart);
        if (limit < std::numeric_limits<double>::infinity()) x[order[i]] = std::max(x[order[i]], limit);
    }
    for (std::size_t v = 0; v < count; ++v)
        x[v] = x[root[v]];
    return x;
}

/// One of the four extreme assignments. Written for "aligned with the layer above, pushed to the left"; the others are
/// the same with the picture turned over.
class ExtremeAssignment
{
public:
    ExtremeAssignment(const LayerGraph& graph, const Ways& ways, bool upwards, bool mirrored)
        : m_graph(graph), m_links(upwards ? ways.down : ways.up), m_back(upwards ? ways.up : ways.down),
          m_upwards(upwards), m_mirrored(mirrored), m_root(graph.rank.size()), m_align(graph.rank.size())
    {
        std::iota(m_root.begin(), m_root.end(), 0);
        std::iota(m_align.begin(), m_align.end(), 0);
    }

    std::vector<double> run(const std::vector<char>& yields, double gap)
    {
        alignVertically(yields);
        std::vector<Spacing> spacings;
        spacings.reserve(m_graph.rank.size());
        for (const auto& layer : m_graph.layers) {
            for (std::size_t k = 1; k < layer.size(); ++k) {
                const std::int32_t a = at(layer, k - 1);
                const std::int32_t b = at(layer, k);
                const double room = m_graph.dummy(a) || m_graph.dummy(b) ? gap / 2 : gap;
                spacings.push_back({m_root[a], m_root[b], (m_graph.width[a] + m_graph.width[b]) / 2 + room});
            }
        }
        std::vector<double> x = compact(m_root, spacings);
        if (m_mirrored) {
            for (double& value : x)
                value = -value;
        }
        return x;
    }

private:
    [[nodiscard]] std::int32_t place(std::int32_t vertex) const
    {
        const std::int32_t position = m_graph.position[vertex];
        if (!m_mirrored) return position;
        return narrow<std::int32_t>(m_graph.layers[m_graph.rank[vertex]].size()) - 1 - position;
    }
    [[nodiscard]] std::int32_t at(const std::vector<std::int32_t>& layer, std::size_t place) const
    {
        return m_mirrored ? layer[layer.size() - 1 - place] : layer[place];
    }

    /// Each vertex joins the block of one of its median neighbours, if no segment between has been taken already.
    void alignVertically(const std::vector<char>& yields)
    {
        const std::size_t count = m_graph.layers.size();
        for (std::size_t i = 1; i < count; ++i) {
            const auto& layer = m_graph.layers[m_upwards ? count - 1 - i : i];
            std::int32_t taken = -1;
            for (std::size_t k = 0; k < layer.size(); ++k) {
                const std::int32_t vertex = at(layer, k);
                collectPartners(vertex);
                const auto& links = m_partners;
                if (links.empty()) continue;
                const std::size_t low = (links.size() - 1) / 2;
                const std::size_t high = links.size() / 2;
                tryAlign(vertex, links[m_mirrored ? high : low], yields, taken);
                tryAlign(vertex, links[m_mirrored ? low : high], yields, taken);
            }
        }
    }

    /// A box with one neighbour: it must not bend the line that its neighbour stands in.
    [[nodiscard]] bool leaf(std::int32_t vertex) const { return m_links[vertex].size() + m_back[vertex].size() <= 1; }

    /// Those that the vertex may be aligned with: not leaves, unless there is nothing else.
    void collectPartners(std::int32_t vertex)
    {
        m_partners.clear();
        const auto isLeaf = [this](const LayerGraph::Link& link) { return leaf(link.vertex); };
        for (const auto& link : m_links[vertex]) {
            if (!isLeaf(link)) m_partners.push_back(link);
        }
        if (m_partners.empty()) m_partners.assign(m_links[vertex].begin(), m_links[vertex].end());
        if (!leaf(vertex)) return;
        std::erase_if(m_partners, [&](const LayerGraph::Link& link) {
            const auto others = m_back[link.vertex];
            return !std::all_of(others.begin(), others.end(), isLeaf);
        });
    }

    void tryAlign(std::int32_t vertex, LayerGraph::Link link, const std::vector<char>& yields, std::int32_t& taken)
    {
        if (m_align[vertex] != vertex || yields[link.segment] || place(link.vertex) <= taken) return;
        m_align[link.vertex] = vertex;
        m_root[vertex] = m_root[link.vertex];
        m_align[vertex] = m_root[vertex];
        taken = place(link.vertex);
    }

    const LayerGraph& m_graph;
    const Links& m_links; ///< To the layer that is aligned with.
    const Links& m_back;
    std::vector<LayerGraph::Link> m_partners;
    bool m_upwards;
    bool m_mirrored;
    std::vector<std::int32_t> m_root;
    std::vector<std::int32_t> m_align;
};

struct Extent
{
    double left = std::numeric_limits<double>::infinity();
    double right = -std::numeric_limits<double>::infinity();
    [[nodiscard]] double width() const { return right - left; }
};

Extent extentOf(const LayerGraph& graph, const std::vector<double>& x)
{
    Extent extent;
    for (std::size_t v = 0; v < x.size(); ++v) {
        extent.left = std::min(extent.left, x[v] - graph.width[v] / 2);
        extent.right = std::max(extent.right, x[v] + graph.width[v] / 2);
    }
    return extent;
}

} // namespace

Result<std::vector<double>> placeVertices(const LayerGraph& graph, double gap, const Context& context)
{
    if (graph.rank.empty()) return std::vector<double>();
    const Ways ways {backFromLeft(graph, graph.down), backFromLeft(graph, graph.up)};
    const std::vector<char> yields = findYielding(graph, ways.up);
    std::array<std::vector<double>, 4> runs;
    for (std::size_t i = 0; i < 4; ++i) {
        if (context.stopped()) return layoutStopped();
        const bool upwards = i >= 2;
        runs[i] = ExtremeAssignment(graph, ways, upwards, i % 2 == 1).run(yields, gap);
    }
    // The four move onto the narrowest one, those pushed left by their left side and those pushed right by their right;
    // then the mean of the middle two for each vertex.
    std::array<Extent, 4> extents;
    for (std::size_t i = 0; i < 4; ++i)
        extents[i] = extentOf(graph, runs[i]);
    const Extent narrowest = *std::min_element(extents.begin(), extents.end(),
                                               [](const Extent& a, const Extent& b) { return a.width() < b.width(); });
    for (std::size_t i = 0; i < 4; ++i) {
        const bool pushedRight = i % 2 == 1;
        const double shift = pushedRight ? narrowest.right - extents[i].right : narrowest.left - extents[i].left;
        for (double& value : runs[i])
            value += shift;
    }
    std::vector<double> x(runs[0].size());
    for (std::size_t v = 0; v < x.size(); ++v) {
        std::array<double, 4> four = {runs[0][v], runs[1][v], runs[2][v], runs[3][v]};
        std::sort(four.begin(), four.end());
        x[v] = (four[1] + four[2]) / 2;
    }
    const double left = extentOf(graph, x).left;
    for (double& value : x)
        value -= left;
    return x;
}

} // namespace plimsoll
