#include "core/picture/layout/side_routes.h"

#include "core/picture/layout/layout_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace plimsoll {
namespace {

constexpr std::size_t MostComparisons = 500'000;
/// Between a column and what it passes; two columns stand closer by so much.
constexpr double ColumnAir = 10;
constexpr double Closer = 4;
/// Columns stand this finely.
constexpr double BinWidth = 2;

struct Rect
{
    double left = 0, top = 0, right = 0, bottom = 0;
};

Rect rectOf(Point centre, LayoutBox size)
{
    return {centre.x - size.width / 2, centre.y - size.height / 2, centre.x + size.width / 2,
            centre.y + size.height / 2};
}

/// A way down from one box to another, between two heights.
struct Wanted
{
    std::int32_t from = 0, to = 0;
    double startX = 0, endX = 0, top = 0, bottom = 0;
};

struct Column
{
    std::int32_t from = 0;
    double x = 0, top = 0, bottom = 0;
};

class SideRouter
{
public:
    SideRouter(const LayoutProblem& problem, GraphLayout& layout) : m_problem(problem), m_layout(layout)
    {
        for (std::size_t i = 0; i < problem.boxes.size(); ++i)
            m_boxes.push_back(rectOf(layout.centres[i], problem.boxes[i]));
        for (const LayoutFrame& frame : framesOf(problem, layout.centres)) {
            const auto [x, y] = frame.topLeft;
            m_frames.push_back({x, y, x + frame.size.width, y + frame.size.height});
        }
        for (const auto* rects : {&m_boxes, &m_frames}) {
            for (const Rect& rect : *rects)
                cover(rect.left, rect.right);
        }
    }

    void run(const std::vector<std::size_t>& edges)
    {
        for (std::size_t edge : edges) {
            if (m_work > MostComparisons) break;
            route(edge);
        }
        double left = 0;
        for (const Column& column : m_columns) {
            left = std::min(left, column.x - ColumnAir / 2);
            m_layout.width = std::max(m_layout.width, column.x + ColumnAir / 2);
        }
        if (left >= 0) return;
        m_layout.width -= left;
        for (Point& centre : m_layout.centres)
            centre.x -= left;
        for (auto& points : m_layout.routes) {
            for (Point& point : points)
                point.x -= left;
        }
    }

private:
    void cover(double left, double right)
    {
        constexpr double Beyond = ColumnAir + 2 * BinWidth;
        m_left = std::min(m_left, left - Beyond);
        m_right = std::max(m_right, right + Beyond);
    }

    /// Straight pieces at the ends of the route that there is, beside higher boxes, stay.
    void route(std::size_t edge)
    {
        const std::int32_t from = m_problem.edges[edge].from;
        const std::int32_t to = m_problem.edges[edge].to;
        const std::vector<Point>& now = m_layout.routes[edge];
        if (now.size() < 2) return;
        const std::size_t last = now.size() - 1;
        const bool leads = last > 1 && now[1].x == now[0].x;
        const bool trails = last > (leads ? 2U : 1U) && now[last - 1].x == now[last].x;
        const Point start = now[leads ? 1 : 0];
        const Point end = now[trails ? last - 1 : last];
        const double top = start.y + m_problem.rankGap;
        const double bottom = end.y - m_problem.rankGap;
        if (bottom <= top) return;
        const double x = freeColumn({from, to, start.x, end.x, top, bottom});
        m_columns.push_back({from, x, top, bottom});
        cover(x, x);
        std::vector<Point> points = {now.front()};
        if (leads) points.push_back(start);
        points.insert(points.end(), {{x, top}, {x, bottom}});
        if (trails) points.push_back(end);
        points.push_back(now.back());
        m_layout.routes[edge] = std::move(points);
    }

    /// The x nearest to both ends at which nothing stands between the two heights.
    double freeColumn(const Wanted& wanted)
    {
        // By bin of the width: how many things a column there would meet. First as changes from bin to bin.
        m_blocking.assign(static_cast<std::size_t>((m_right - m_left) / BinWidth) + 2, 0);
        const auto block = [&](const Rect& rect) {
            if (rect.top >= wanted.bottom || rect.bottom <= wanted.top) return;
            ++m_blocking[binOf(rect.left - ColumnAir)];
            --m_blocking[binOf(rect.right + ColumnAir) + 1];
        };
        for (const Rect& box : m_boxes)
            block(box);
        for (std::size_t i = 0; i < m_frames.size(); ++i) {
            if (m_frames[i].right > m_frames[i].left && !inside(wanted.from, i) && !inside(wanted.to, i))
                block(m_frames[i]);
        }
        for (const Column& column : m_columns) {
            if (column.from == wanted.from) continue;
            block({column.x + Closer, column.top, column.x - Closer, column.bottom});
        }
        std::partial_sum(m_blocking.begin(), m_blocking.end(), m_blocking.begin());
        m_work += m_boxes.size() + m_columns.size() + m_blocking.size();
        double best = wanted.startX;
        double bestCost = std::numeric_limits<double>::max();
        const auto consider = [&](double x) {
            const double cost = std::abs(x - wanted.startX) * 1.001 + std::abs(x - wanted.endX);
            if (cost >= bestCost) return;
            best = x;
            bestCost = cost;
        };
        if (m_blocking[binOf(wanted.startX)] == 0) consider(wanted.startX);
        if (m_blocking[binOf(wanted.endX)] == 0) consider(wanted.endX);
        for (std::size_t bin = 0; bin < m_blocking.size(); ++bin) {
            if (m_blocking[bin] == 0) consider(m_left + (static_cast<double>(bin) + 0.5) * BinWidth);
        }
        return best;
    }

    [[nodiscard]] std::size_t binOf(double x) const
    {
        const double last = static_cast<double>(m_blocking.size()) - 1;
        return static_cast<std::size_t>(std::clamp(std::floor((x - m_left) / BinWidth), 0.0, last));
    }

    [[nodiscard]] bool inside(std::int32_t box, std::size_t cluster) const
    {
        std::int32_t around = m_problem.clusterOf[box];
        while (around >= 0 && around != static_cast<std::int32_t>(cluster))
            around = m_problem.clusterParents[around];
        return around >= 0;
    }

    const LayoutProblem& m_problem;
    GraphLayout& m_layout;
    std::vector<Rect> m_boxes;
    std::vector<Rect> m_frames;
    std::vector<Column> m_columns;
    std::vector<int> m_blocking; ///< By bin.
    double m_left = 0;           ///< Of the first bin; there is always a free one at either end.
    double m_right = 0;
    std::size_t m_work = 0;
};

/// Whether the piece from \p a to \p b, which bends where it is not vertical, meets the inside of the rectangle.
bool meets(Point a, Point b, const Rect& rect)
{
    if (std::min(a.y, b.y) >= rect.bottom || std::max(a.y, b.y) <= rect.top) return false;
    if (std::min(a.x, b.x) >= rect.right || std::max(a.x, b.x) <= rect.left) return false;
    if (a.x == b.x) return true;
    for (int k = 1; k < 8; ++k) { // along the bend
        const double t = k / 8.0;
        const double x = a.x + (b.x - a.x) * t * t * (3 - 2 * t);
        const double y = a.y + (b.y - a.y) * t;
        if (x > rect.left && x < rect.right && y > rect.top && y < rect.bottom) return true;
    }
    return false;
}

} // namespace

void routeAround(const LayoutProblem& problem, const std::vector<std::size_t>& edges, GraphLayout& layout)
{
    if (!edges.empty()) SideRouter(problem, layout).run(edges);
}

std::vector<std::size_t> edgesOverBoxes(const LayoutProblem& problem, const std::vector<std::size_t>& edges,
                                        const GraphLayout& layout)
{
    std::vector<std::size_t> found;
    std::size_t work = 0;
    for (std::size_t edge : edges) {
        const auto& route = layout.routes[edge];
        work += problem.boxes.size();
        if (work > MostComparisons) break;
        bool over = false;
        for (std::size_t box = 0; box < problem.boxes.size() && !over; ++box) {
            const Rect rect = rectOf(layout.centres[box], problem.boxes[box]);
            if (static_cast<std::int32_t>(box) == problem.edges[edge].from ||
                static_cast<std::int32_t>(box) == problem.edges[edge].to)
                continue;
            for (std::size_t k = 1; k < route.size() && !over; ++k)
                over = meets(route[k - 1], route[k], rect);
        }
        if (over) found.push_back(edge);
    }
    return found;
}

} // namespace plimsoll
