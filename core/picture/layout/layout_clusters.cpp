#include "core/picture/layout/layout_clusters.h"

#include "core/base/narrow.h"
#include "core/picture/layout/side_routes.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace plimsoll {
namespace {

/// A box, or a cluster that is one box in the layout around it: clusters are numbered after the boxes.
using Item = std::int32_t;

/// What is laid out at once: the content of one cluster, or the outermost things.
struct Level
{
    LayoutProblem problem;
    std::vector<Item> items;                ///< By box of the problem.
    std::vector<std::size_t> originalEdges; ///< By edge of the problem.
    GraphLayout layout;
    Point origin;
};

/// A problem by levels. Level 0 is outermost; the content of cluster c is level c + 1.
struct Nest
{
    const LayoutProblem& problem;
    std::vector<Level> levels;
    std::vector<std::int32_t> local; ///< By item: its number in its level; -1 for a cluster without boxes.

    [[nodiscard]] bool isBox(Item item) const { return static_cast<std::size_t>(item) < problem.boxes.size(); }
    [[nodiscard]] std::size_t insideOf(Item cluster) const { return cluster - problem.boxes.size() + 1; }
    [[nodiscard]] Item itemOf(std::size_t level) const { return narrow<Item>(problem.boxes.size() + level - 1); }
    [[nodiscard]] std::size_t levelOf(Item item) const
    {
        const std::int32_t around =
            isBox(item) ? problem.clusterOf[item] : problem.clusterParents[item - problem.boxes.size()];
        return static_cast<std::size_t>(around + 1);
    }
};

Nest nestOf(const LayoutProblem& problem)
{
    const std::size_t boxes = problem.boxes.size();
    Nest nest {problem, std::vector<Level>(problem.clusterParents.size() + 1),
               std::vector<std::int32_t>(boxes + problem.clusterParents.size(), -1)};
    std::vector<std::int32_t> depth(nest.levels.size(), 0);
    for (std::size_t i = 1; i < nest.levels.size(); ++i)
        depth[i] = depth[nest.levelOf(nest.itemOf(i))] + 1;
    for (std::size_t box = 0; box < boxes; ++box) { // a cluster stands where its first box does
        Item item = static_cast<Item>(box);
        while (nest.local[item] < 0) {
            Level& level = nest.levels[nest.levelOf(item)];
            nest.local[item] = narrow<std::int32_t>(level.items.size());
            level.items.push_back(item);
            if (nest.levelOf(item) == 0) break;
            item = nest.itemOf(nest.levelOf(item));
        }
    }
    for (std::size_t i = 0; i < problem.edges.size(); ++i) { // to the innermost level that has both ends in it
        auto [from, to] = problem.edges[i];
        while (nest.levelOf(from) != nest.levelOf(to)) {
            Item& inner = depth[nest.levelOf(from)] >= depth[nest.levelOf(to)] ? from : to;
            inner = nest.itemOf(nest.levelOf(inner));
        }
        Level& level = nest.levels[nest.levelOf(from)];
        level.problem.edges.push_back({nest.local[from], nest.local[to]});
        level.originalEdges.push_back(i);
    }
    return nest;
}

/// How far to the right of the middle of the item that stands for it in \p level a box is.
double offsetIn(const Nest& nest, std::size_t level, Item box)
{
    double offset = 0;
    for (Item item = box; nest.levelOf(item) != level; item = nest.itemOf(nest.levelOf(item))) {
        const GraphLayout& around = nest.levels[nest.levelOf(item)].layout;
        offset += around.centres[nest.local[item]].x - around.width / 2;
    }
    return offset;
}

LayoutBox sizeOf(const Nest& nest, Item item)
{
    if (nest.isBox(item)) return nest.problem.boxes[item];
    const GraphLayout& inside = nest.levels[nest.insideOf(item)].layout;
    return {std::max(inside.width + 2 * FrameAir, NarrowestFrame), inside.height + 2 * FrameAir + FrameTitle};
}

/// Those inside have been laid out before.
Status layOut(Nest& nest, std::size_t index, const Context& context)
{
    Level& level = nest.levels[index];
    level.problem.rankGap = nest.problem.rankGap;
    level.problem.boxGap = nest.problem.boxGap;
    for (Item item : level.items)
        level.problem.boxes.push_back(sizeOf(nest, item));
    for (std::size_t edge : level.originalEdges) {
        const auto [from, to] = nest.problem.edges[edge];
        level.problem.ends.push_back({offsetIn(nest, index, from), offsetIn(nest, index, to)});
    }
    PLIMSOLL_ASSIGN(layout, layoutLayered(level.problem, context));
    level.layout = std::move(layout);
    return {};
}

/// Of an edge of a level; where an end is inside a cluster, the route goes straight up or down to it.
std::vector<Point> routeOf(const Nest& nest, const Level& level, std::size_t k, const std::vector<Point>& centres)
{
    std::vector<Point> points = level.layout.routes[k];
    for (Point& point : points)
        point = {point.x + level.origin.x, point.y + level.origin.y};
    if (points.empty()) return points;
    const auto [from, to] = nest.problem.edges[level.originalEdges[k]];
    const Point start {centres[from].x, centres[from].y + nest.problem.boxes[from].height / 2};
    const Point end {centres[to].x, centres[to].y - nest.problem.boxes[to].height / 2};
    if (level.items[level.problem.edges[k].from] != from) points.insert(points.begin(), start);
    if (level.items[level.problem.edges[k].to] != to) points.push_back(end);
    return points;
}

GraphLayout assemble(Nest& nest)
{
    GraphLayout all;
    all.width = nest.levels[0].layout.width;
    all.height = nest.levels[0].layout.height;
    all.centres.resize(nest.problem.boxes.size());
    all.routes.resize(nest.problem.edges.size());
    for (const Level& level : nest.levels) { // those around come before those inside
        for (std::size_t k = 0; k < level.items.size(); ++k) {
            const Point centre {level.origin.x + level.layout.centres[k].x, level.origin.y + level.layout.centres[k].y};
            const Item item = level.items[k];
            if (nest.isBox(item)) {
                all.centres[item] = centre;
                continue;
            }
            Level& inside = nest.levels[nest.insideOf(item)];
            inside.origin = {centre.x - inside.layout.width / 2,
                             centre.y - sizeOf(nest, item).height / 2 + FrameAir + FrameTitle};
        }
    }
    std::vector<std::size_t> crossing;
    for (const Level& level : nest.levels) {
        for (std::size_t k = 0; k < level.originalEdges.size(); ++k) {
            const std::size_t edge = level.originalEdges[k];
            all.routes[edge] = routeOf(nest, level, k, all.centres);
            if (all.routes[edge].size() > level.layout.routes[k].size()) crossing.push_back(edge);
        }
    }
    // Of the edges that cross the border of a cluster, those that would run over boxes go beside them.
    const std::vector<std::size_t> over = edgesOverBoxes(nest.problem, crossing, all);
    for (std::size_t edge : over)
        all.routes[edge] = {all.routes[edge].front(), all.routes[edge].back()};
    routeAround(nest.problem, over, all);
    return all;
}

} // namespace

Result<GraphLayout> layoutClustered(const LayoutProblem& problem, const Context& context)
{
    if (problem.clusterParents.empty()) return layoutLayered(problem, context);
    Nest nest = nestOf(problem);
    for (std::size_t i = nest.levels.size(); i-- > 0;)
        PLIMSOLL_TRY(layOut(nest, i, context));
    return assemble(nest);
}

namespace {

constexpr double Far = std::numeric_limits<double>::max();

struct Sides
{
    double left = Far, top = Far, right = -Far, bottom = -Far;
    void unite(const Sides& other)
    {
        left = std::min(left, other.left);
        top = std::min(top, other.top);
        right = std::max(right, other.right);
        bottom = std::max(bottom, other.bottom);
    }
};

/// Of what stands in one column; of -1 everything.
class SideFinder
{
public:
    explicit SideFinder(const LayoutProblem& problem, std::int32_t column = -1)
        : m_problem(problem), m_column(column), m_sides(problem.clusterParents.size())
    {
    }

    void addBoxes(const GraphLayout& layout, const std::vector<Point>& centres)
    {
        for (std::size_t i = 0; i < m_problem.clusterOf.size(); ++i) {
            if (m_problem.clusterOf[i] < 0 || !takes(layout, i)) continue;
            const auto [x, y] = centres[i];
            const auto [w, h] = m_problem.boxes[i];
            m_sides[m_problem.clusterOf[i]].unite({x - w / 2, y - h / 2, x + w / 2, y + h / 2});
        }
    }

    void addRoutes(const GraphLayout& layout)
    {
        for (std::size_t i = 0; i < m_problem.edges.size() && !layout.curved && !m_sides.empty(); ++i) {
            const auto [from, to] = m_problem.edges[i];
            const std::int32_t cluster = m_problem.clusterOf[from];
            if (cluster < 0 || cluster != m_problem.clusterOf[to]) continue;
            if (!takes(layout, from) || (!layout.wraps.empty() && layout.wraps[i])) continue;
            for (const Point& point : layout.routes[i])
                m_sides[cluster].unite({point.x, point.y, point.x, point.y});
        }
    }

    [[nodiscard]] std::vector<LayoutFrame> frames()
    {
        std::vector<LayoutFrame> frames(m_sides.size());
        for (std::size_t i = m_sides.size(); i-- > 0;) { // those inside come before those around
            Sides& s = m_sides[i];
            frames[i].cluster = narrow<std::int32_t>(i);
            if (s.left > s.right) continue;
            const double wider = std::max(FrameAir, (NarrowestFrame - (s.right - s.left)) / 2);
            s = {s.left - wider, s.top - FrameAir - FrameTitle, s.right + wider, s.bottom + FrameAir};
            frames[i].topLeft = {s.left, s.top};
            frames[i].size = {s.right - s.left, s.bottom - s.top};
            if (m_problem.clusterParents[i] >= 0) m_sides[m_problem.clusterParents[i]].unite(s);
        }
        return frames;
    }

private:
    [[nodiscard]] bool takes(const GraphLayout& layout, std::size_t box) const
    {
        return m_column < 0 || layout.columnOf[box] == m_column;
    }

    const LayoutProblem& m_problem;
    std::int32_t m_column;
    std::vector<Sides> m_sides; ///< By cluster.
};

} // namespace

std::vector<LayoutFrame> framesOf(const LayoutProblem& problem, const std::vector<Point>& centres)
{
    SideFinder sides(problem);
    sides.addBoxes({}, centres);
    return sides.frames();
}

std::vector<LayoutFrame> framesOf(const LayoutProblem& problem, const GraphLayout& layout)
{
    SideFinder sides(problem);
    sides.addBoxes(layout, layout.centres);
    sides.addRoutes(layout);
    return sides.frames();
}

std::vector<LayoutFrame> framePartsOf(const LayoutProblem& problem, const GraphLayout& layout)
{
    std::vector<LayoutFrame> parts;
    const auto take = [&](const std::vector<LayoutFrame>& frames) {
        std::ranges::copy_if(frames, std::back_inserter(parts),
                             [](const LayoutFrame& frame) { return frame.size.width > 0; });
    };
    if (layout.columnOf.empty()) {
        take(framesOf(problem, layout));
        return parts;
    }
    for (std::int32_t column = 0; column <= std::ranges::max(layout.columnOf); ++column) {
        SideFinder sides(problem, column);
        sides.addBoxes(layout, layout.centres);
        sides.addRoutes(layout);
        take(sides.frames());
    }
    std::ranges::stable_sort(parts, {}, &LayoutFrame::cluster);
    for (std::size_t i = 1; i < parts.size(); ++i)
        parts[i].goesOn = parts[i].cluster == parts[i - 1].cluster;
    return parts;
}

} // namespace plimsoll
