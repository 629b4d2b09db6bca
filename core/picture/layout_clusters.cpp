#include "core/picture/layout_clusters.h"

#include "core/base/narrow.h"
#include "core/picture/side_routes.h"

#include <algorithm>
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

class ClusterLayout
{
public:
    ClusterLayout(const LayoutProblem& problem, const Context& context)
        : m_problem(problem), m_context(context), m_boxes(problem.boxes.size()),
          m_levels(problem.clusterParents.size() + 1)
    {
    }

    Result<GraphLayout> run()
    {
        collectItems();
        collectEdges();
        for (std::size_t i = m_levels.size(); i-- > 0;)
            PLIMSOLL_TRY(layOut(i));
        return assemble();
    }

private:
    /// Level 0 is outermost; the content of cluster c is level c + 1.
    [[nodiscard]] std::size_t levelOf(Item item) const
    {
        const auto i = static_cast<std::size_t>(item);
        return static_cast<std::size_t>((i < m_boxes ? m_problem.clusterOf[i] : m_problem.clusterParents[i - m_boxes]) +
                                        1);
    }
    [[nodiscard]] Item itemOf(std::size_t level) const { return static_cast<Item>(m_boxes + level - 1); }

    void collectItems()
    {
        m_local.assign(m_boxes + m_problem.clusterParents.size(), -1);
        m_depth.assign(m_levels.size(), 0);
        for (std::size_t i = 1; i < m_levels.size(); ++i)
            m_depth[i] = m_depth[levelOf(itemOf(i))] + 1;
        for (std::size_t box = 0; box < m_boxes; ++box) { // a cluster stands where its first box does
            Item item = static_cast<Item>(box);
            while (m_local[static_cast<std::size_t>(item)] < 0) {
                Level& level = m_levels[levelOf(item)];
                m_local[static_cast<std::size_t>(item)] = narrow<std::int32_t>(level.items.size());
                level.items.push_back(item);
                if (levelOf(item) == 0) break;
                item = itemOf(levelOf(item));
            }
        }
    }

    /// An edge belongs to the innermost level that has both its ends in it.
    void collectEdges()
    {
        for (std::size_t i = 0; i < m_problem.edges.size(); ++i) {
            Item from = m_problem.edges[i].from;
            Item to = m_problem.edges[i].to;
            while (levelOf(from) != levelOf(to)) {
                Item& inner = m_depth[levelOf(from)] >= m_depth[levelOf(to)] ? from : to;
                inner = itemOf(levelOf(inner));
            }
            Level& level = m_levels[levelOf(from)];
            level.problem.edges.push_back(
                {m_local[static_cast<std::size_t>(from)], m_local[static_cast<std::size_t>(to)]});
            level.originalEdges.push_back(i);
        }
    }

    /// How far to the right of the middle of the item that stands for it in \p level a box is.
    [[nodiscard]] double offsetIn(std::size_t level, Item box) const
    {
        double offset = 0;
        for (Item item = box; levelOf(item) != level; item = itemOf(levelOf(item))) {
            const GraphLayout& around = m_levels[levelOf(item)].layout;
            offset +=
                around.centres[static_cast<std::size_t>(m_local[static_cast<std::size_t>(item)])].x - around.width / 2;
        }
        return offset;
    }

    [[nodiscard]] LayoutBox sizeOf(Item item) const
    {
        const auto i = static_cast<std::size_t>(item);
        if (i < m_boxes) return m_problem.boxes[i];
        const GraphLayout& inside = m_levels[i - m_boxes + 1].layout;
        return {std::max(inside.width + 2 * FrameAir, NarrowestFrame), inside.height + 2 * FrameAir + FrameTitle};
    }

    /// Those inside have been laid out before.
    Status layOut(std::size_t index)
    {
        Level& level = m_levels[index];
        level.problem.rankGap = m_problem.rankGap;
        level.problem.boxGap = m_problem.boxGap;
        for (Item item : level.items)
            level.problem.boxes.push_back(sizeOf(item));
        for (std::size_t edge : level.originalEdges) {
            const auto [from, to] = m_problem.edges[edge];
            level.problem.ends.push_back({offsetIn(index, from), offsetIn(index, to)});
        }
        PLIMSOLL_ASSIGN(layout, layoutLayered(level.problem, m_context));
        level.layout = std::move(layout);
        return {};
    }

    GraphLayout assemble()
    {
        GraphLayout all;
        all.width = m_levels[0].layout.width;
        all.height = m_levels[0].layout.height;
        all.centres.resize(m_boxes);
        all.routes.resize(m_problem.edges.size());
        for (const Level& level : m_levels) { // those around come before those inside
            for (std::size_t k = 0; k < level.items.size(); ++k) {
                const Point centre {level.origin.x + level.layout.centres[k].x,
                                    level.origin.y + level.layout.centres[k].y};
                const auto item = static_cast<std::size_t>(level.items[k]);
                if (item < m_boxes) {
                    all.centres[item] = centre;
                    continue;
                }
                Level& inside = m_levels[item - m_boxes + 1];
                inside.origin = {centre.x - inside.layout.width / 2,
                                 centre.y - sizeOf(level.items[k]).height / 2 + FrameAir + FrameTitle};
            }
        }
        std::vector<std::size_t> crossing;
        for (const Level& level : m_levels) {
            for (std::size_t k = 0; k < level.originalEdges.size(); ++k) {
                const std::size_t edge = level.originalEdges[k];
                all.routes[edge] = route(level, k, all.centres);
                if (all.routes[edge].size() > level.layout.routes[k].size()) crossing.push_back(edge);
            }
        }
        passBoxes(crossing, all);
        return all;
    }

    /// Where an end is inside a cluster, the route goes straight up or down to it.
    [[nodiscard]] std::vector<Point> route(const Level& level, std::size_t k, const std::vector<Point>& centres) const
    {
        std::vector<Point> points = level.layout.routes[k];
        for (Point& point : points)
            point = {point.x + level.origin.x, point.y + level.origin.y};
        if (points.empty()) return points;
        const auto from = static_cast<std::size_t>(m_problem.edges[level.originalEdges[k]].from);
        const auto to = static_cast<std::size_t>(m_problem.edges[level.originalEdges[k]].to);
        const Point start {centres[from].x, centres[from].y + m_problem.boxes[from].height / 2};
        const Point end {centres[to].x, centres[to].y - m_problem.boxes[to].height / 2};
        if (level.items[static_cast<std::size_t>(level.problem.edges[k].from)] != static_cast<Item>(from))
            points.insert(points.begin(), start);
        if (level.items[static_cast<std::size_t>(level.problem.edges[k].to)] != static_cast<Item>(to))
            points.push_back(end);
        return points;
    }

    /// Of the edges that cross the border of a cluster, those that would run over boxes go beside them.
    void passBoxes(const std::vector<std::size_t>& crossing, GraphLayout& all) const
    {
        const std::vector<std::size_t> over = edgesOverBoxes(m_problem, crossing, all);
        for (std::size_t edge : over) {
            auto& points = all.routes[edge];
            points = {points.front(), points.back()};
        }
        routeAround(m_problem, over, all);
    }

    const LayoutProblem& m_problem;
    const Context& m_context;
    const std::size_t m_boxes;
    std::vector<Level> m_levels;
    std::vector<std::int32_t> m_local; ///< By item: its number in its level; -1 for a cluster without boxes.
    std::vector<std::int32_t> m_depth; ///< By level.
};

} // namespace

Result<GraphLayout> layoutClustered(const LayoutProblem& problem, const Context& context)
{
    if (problem.clusterParents.empty()) return layoutLayered(problem, context);
    return ClusterLayout(problem, context).run();
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

std::vector<Sides> sidesOf(const LayoutProblem& problem, const std::vector<Point>& centres)
{
    std::vector<Sides> sides(problem.clusterParents.size());
    for (std::size_t i = 0; i < problem.clusterOf.size(); ++i) {
        if (problem.clusterOf[i] < 0) continue;
        const auto [x, y] = centres[i];
        const auto [w, h] = problem.boxes[i];
        sides[static_cast<std::size_t>(problem.clusterOf[i])].unite({x - w / 2, y - h / 2, x + w / 2, y + h / 2});
    }
    return sides;
}

std::vector<LayoutFrame> framesAround(const LayoutProblem& problem, std::vector<Sides> sides)
{
    std::vector<LayoutFrame> frames(sides.size());
    for (std::size_t i = sides.size(); i-- > 0;) { // those inside come before those around
        Sides& s = sides[i];
        if (s.left > s.right) continue;
        const double wider = std::max(FrameAir, (NarrowestFrame - (s.right - s.left)) / 2);
        s = {s.left - wider, s.top - FrameAir - FrameTitle, s.right + wider, s.bottom + FrameAir};
        frames[i] = {{s.left, s.top}, {s.right - s.left, s.bottom - s.top}};
        if (problem.clusterParents[i] >= 0) sides[static_cast<std::size_t>(problem.clusterParents[i])].unite(s);
    }
    return frames;
}

} // namespace

std::vector<LayoutFrame> framesOf(const LayoutProblem& problem, const std::vector<Point>& centres)
{
    return framesAround(problem, sidesOf(problem, centres));
}

std::vector<LayoutFrame> framesOf(const LayoutProblem& problem, const GraphLayout& layout)
{
    std::vector<Sides> sides = sidesOf(problem, layout.centres);
    for (std::size_t i = 0; i < problem.edges.size() && !layout.curved && !sides.empty(); ++i) {
        const std::int32_t cluster = problem.clusterOf[static_cast<std::size_t>(problem.edges[i].from)];
        if (cluster < 0 || cluster != problem.clusterOf[static_cast<std::size_t>(problem.edges[i].to)]) continue;
        for (const Point& point : layout.routes[i])
            sides[static_cast<std::size_t>(cluster)].unite({point.x, point.y, point.x, point.y});
    }
    return framesAround(problem, std::move(sides));
}

} // namespace plimsoll
