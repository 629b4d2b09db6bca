// Long thin layouts in columns.
#include "core/base/narrow.h"
#include "core/picture/layout/layout_clusters.h"
#include "core/picture/layout/layout_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace plimsoll {
namespace {

constexpr double Infinite = std::numeric_limits<double>::infinity();
/// All must become so much larger in the view, or it stays in one column.
constexpr double WorthColumns = 1.2;
constexpr std::size_t MostColumns = 400;
/// Between a column and the lanes beside it, and between two lanes.
constexpr double ColumnAir = 26;
constexpr double LaneGap = 9;
/// Many lanes stand closer.
constexpr double MostForLanes = 160;
constexpr double CornerRadius = 7;
/// A cut may lie this share of a column's height above or below where all columns are equally high.
constexpr double CutReach = 0.25;
/// One more edge over a cut, or one more frame around it, is as bad as this share of a column's height.
constexpr double CrossingCost = 0.3;
constexpr double FrameCost = 0.1;

/// What stands beside each other: no cut goes through it.
struct Band
{
    double top = 0, bottom = 0;
    double left = Infinite, right = -Infinite;
    int crossing = 0; ///< Boxes with edges over the border below it.
    int frames = 0;   ///< Around it, of those that may be cut.
    int framesOn = 0; ///< Of those, the ones that go on below.

    void widen(double from, double to)
    {
        left = std::min(left, from);
        right = std::max(right, to);
    }
};

/// What a column is in the layout that is cut.
struct Column
{
    double left = 0, right = 0, top = 0, bottom = 0;
    int lanes = 0;      ///< Boxes with edges out of it.
    double above = 0;   ///< The room for frames over its first boxes…
    double beneath = 0; ///< …and under its last ones.

    [[nodiscard]] double height() const { return above + bottom - top + beneath; }
};

double gapOf(int lanes)
{
    return std::min(LaneGap, MostForLanes / std::max(lanes, 1));
}

/// The room for lanes, with the air between them and a column.
double roomFor(int lanes)
{
    return lanes > 0 ? ColumnAir + lanes * gapOf(lanes) : 0;
}

double gutterOf(const Column& column)
{
    return ColumnAir + std::max(roomFor(column.lanes), ColumnAir);
}

std::vector<Band> boxBands(const LayoutProblem& problem, const GraphLayout& layout)
{
    std::vector<Band> things;
    for (std::size_t i = 0; i < problem.boxes.size(); ++i) {
        const auto [width, height] = problem.boxes[i];
        const auto [x, y] = layout.centres[i];
        things.push_back({y - height / 2, y + height / 2, x - width / 2, x + width / 2});
    }
    std::vector<Band> around; // frames that may be cut
    for (const LayoutFrame& frame : framesOf(problem, layout)) {
        if (frame.size.width <= 0) continue;
        const auto [x, y] = frame.topLeft;
        const bool wraps = !problem.clusterWraps.empty() && problem.clusterWraps[frame.cluster];
        (wraps ? around : things).push_back({y, y + frame.size.height, x, x + frame.size.width});
    }
    std::ranges::sort(things, {}, &Band::top);
    std::vector<Band> bands;
    for (const Band& thing : things) {
        if (bands.empty() || thing.top >= bands.back().bottom)
            bands.push_back({.top = thing.top, .bottom = thing.bottom});
        bands.back().bottom = std::max(bands.back().bottom, thing.bottom);
        bands.back().widen(thing.left, thing.right);
    }
    for (const Band& frame : around) {
        auto band = std::ranges::lower_bound(bands, frame.top, {}, &Band::bottom);
        for (; band != bands.end() && band->top < frame.bottom; ++band) {
            ++band->frames;
            band->framesOn += band + 1 != bands.end() && (band + 1)->top < frame.bottom ? 1 : 0;
            band->widen(frame.left, frame.right);
        }
    }
    return bands;
}

/// Where columns begin and end.
class Cuts
{
public:
    Cuts(const LayoutProblem& problem, const GraphLayout& layout) : m_bands(boxBands(problem, layout))
    {
        std::vector<std::size_t> last; // by box: the lowest band that an edge joins it to
        for (const Point& centre : layout.centres)
            last.push_back(bandAt(centre.y));
        const std::vector<std::size_t> own = last;
        for (std::size_t i = 0; i < problem.edges.size(); ++i) {
            const auto [from, to] = problem.edges[i];
            last[from] = std::max(last[from], own[to]);
            last[to] = std::max(last[to], own[from]);
            for (const Point& point : layout.routes[i])
                m_bands[bandAt(point.y)].widen(point.x, point.x);
        }
        for (std::size_t box = 0; box < last.size(); ++box) {
            ++m_bands[own[box]].crossing;
            --m_bands[last[box]].crossing;
        }
        for (std::size_t i = 1; i < m_bands.size(); ++i)
            m_bands[i].crossing += m_bands[i - 1].crossing;
    }

    /// Those in which all is largest in \p view; empty where one column is as good.
    [[nodiscard]] std::vector<Column> bestIn(LayoutBox view, LayoutBox now) const
    {
        std::vector<Column> best;
        double largest = scaleIn(view, now) * WorthColumns;
        for (std::size_t count = 2; count <= std::min(MostColumns, m_bands.size() / 2); count += 1 + count / 10) {
            std::vector<Column> columns = cutInto(count);
            const double scale = scaleIn(view, sizeOf(columns));
            if (scale <= largest) continue;
            largest = scale;
            best = std::move(columns);
        }
        return best;
    }

private:
    /// No larger than life.
    static double scaleIn(LayoutBox view, LayoutBox size)
    {
        return std::min({view.width / size.width, view.height / size.height, 1.0});
    }

    static LayoutBox sizeOf(const std::vector<Column>& columns)
    {
        LayoutBox size;
        for (const Column& column : columns) {
            size.width += column.right - column.left + gutterOf(column);
            size.height = std::max(size.height, column.height() + 2 * roomFor(column.lanes));
        }
        return size;
    }

    /// The band at a height, or else the next one below.
    [[nodiscard]] std::size_t bandAt(double y) const
    {
        const auto at = std::ranges::lower_bound(m_bands, y, {}, &Band::bottom);
        return static_cast<std::size_t>(std::min(at, m_bands.end() - 1) - m_bands.begin());
    }

    /// The band that ends a column best, which would end at \p wanted and be \p height high.
    [[nodiscard]] std::size_t bestEnd(std::size_t begin, double wanted, double height) const
    {
        const std::size_t first = std::max(begin, bandAt(wanted - CutReach * height));
        const std::size_t last = std::max(first, std::min(bandAt(wanted + CutReach * height), m_bands.size() - 2));
        const auto costOf = [&](std::size_t i) {
            return CrossingCost * m_bands[i].crossing + FrameCost * m_bands[i].framesOn +
                   std::abs(m_bands[i].bottom - wanted) / height;
        };
        std::size_t best = first;
        for (std::size_t i = first; i <= last; ++i)
            if (costOf(i) < costOf(best)) best = i;
        return best;
    }

    [[nodiscard]] std::vector<Column> cutInto(std::size_t count) const
    {
        std::vector<Column> columns;
        for (std::size_t begin = 0; begin < m_bands.size();) {
            const std::size_t left = count - std::min(columns.size(), count - 1);
            const double top = m_bands[begin].top;
            const double height = (m_bands.back().bottom - top) / static_cast<double>(left);
            const bool last = left == 1 || begin + 1 == m_bands.size();
            const std::size_t end = last ? m_bands.size() : bestEnd(begin, top + height, height) + 1;
            Band around;
            for (std::size_t i = begin; i < end; ++i)
                around.widen(m_bands[i].left, m_bands[i].right);
            columns.push_back({around.left, around.right, top, m_bands[end - 1].bottom,
                               end < m_bands.size() ? m_bands[end - 1].crossing : 0,
                               m_bands[begin].frames * (FrameAir + FrameTitle), m_bands[end - 1].frames * FrameAir});
            begin = end;
        }
        return columns;
    }

    std::vector<Band> m_bands; ///< Downwards.
};

/// Of the corners between pieces that run along the axes.
std::vector<Point> rounded(const std::vector<Point>& route)
{
    std::vector<Point> points = {route.front()};
    for (std::size_t i = 1; i + 1 < route.size(); ++i) {
        const Point a = points.back();
        const Point b = route[i];
        const Point c = route[i + 1];
        const bool turns = (a.x == b.x && b.y == c.y) || (a.y == b.y && b.x == c.x);
        const double radius = std::min(
            {CornerRadius, std::abs(a.x - b.x) + std::abs(a.y - b.y), (std::abs(c.x - b.x) + std::abs(c.y - b.y)) / 2});
        if (!turns || radius < 1) {
            points.push_back(b);
            continue;
        }
        const auto towards = [&](Point other) {
            return Point {b.x + std::clamp(other.x - b.x, -radius, radius),
                          b.y + std::clamp(other.y - b.y, -radius, radius)};
        };
        const Point p = towards(a);
        const Point q = towards(c);
        for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            const auto blend = [t](double u, double v, double w) {
                return (1 - t) * (1 - t) * u + 2 * t * (1 - t) * v + t * t * w;
            };
            points.push_back({blend(p.x, b.x, q.x), blend(p.y, b.y, q.y)});
        }
    }
    points.push_back(route.back());
    return points;
}

/// Sets a layout that runs downwards anew, in columns.
class ColumnSetter
{
public:
    ColumnSetter(const LayoutProblem& problem, std::vector<Column> columns, GraphLayout& layout)
        : m_problem(problem), m_columns(std::move(columns)), m_layout(layout)
    {
        for (const Point& centre : layout.centres) {
            const auto below = std::ranges::lower_bound(m_columns, centre.y, {}, &Column::bottom);
            m_columnOf.push_back(static_cast<std::size_t>(std::min(below, m_columns.end() - 1) - m_columns.begin()));
        }
    }

    void run()
    {
        orderLanes();
        double x = 0;
        m_layout.height = 0;
        for (const Column& column : m_columns) {
            m_shift.push_back({x - column.left, m_above + column.above - column.top});
            m_layout.width = x + column.right - column.left;
            m_layout.height = std::max(m_layout.height, m_above + column.height() + roomFor(column.lanes));
            x = m_layout.width + gutterOf(column);
        }
        m_layout.wraps.assign(m_problem.edges.size(), 0);
        for (std::size_t i = 0; i < m_problem.edges.size(); ++i)
            if (!m_layout.routes[i].empty()) setRoute(i);
        for (std::size_t box = 0; box < m_columnOf.size(); ++box) {
            move(m_layout.centres[box], m_columnOf[box]);
            m_layout.columnOf.push_back(narrow<std::int32_t>(m_columnOf[box]));
        }
    }

private:
    /// One lane for all edges of a box to other columns; those that start further right are nearer to the column.
    /// Above the columns, edges that pass over a whole one have lanes of their own.
    void orderLanes()
    {
        std::vector<std::map<std::int32_t, double>> leaving(m_columns.size()); // box: where it leaves
        std::vector<std::size_t> reach = m_columnOf;
        for (std::size_t i = 0; i < m_problem.edges.size(); ++i) {
            const auto [from, to] = m_problem.edges[i];
            if (m_columnOf[from] == m_columnOf[to] || m_layout.routes[i].empty()) continue;
            leaving[m_columnOf[from]].emplace(from, -m_layout.routes[i][leading(i) - 1].x);
            if (m_columnOf[to] < m_columnOf[from]) reach[from] = m_columns.size();
            reach[from] = std::max(reach[from], m_columnOf[to]);
        }
        m_lane.assign(m_problem.boxes.size(), 0);
        m_over = m_lane;
        int most = 0;
        std::vector<std::size_t> taken; // by lane above all others: up to which column
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            std::vector<std::pair<double, std::int32_t>> order;
            for (const auto& [box, at] : leaving[c])
                order.emplace_back(at, box);
            std::ranges::sort(order);
            m_columns[c].lanes = narrow<int>(order.size());
            most = std::max(most, m_columns[c].lanes);
            for (std::size_t k = 0; k < order.size(); ++k) {
                const std::int32_t box = order[k].second;
                m_lane[box] = m_over[box] = narrow<int>(k);
                if (reach[box] <= c + 1) continue;
                const auto free = std::ranges::find_if(taken, [&](std::size_t until) { return until <= c; });
                m_over[box] = -narrow<int>(free - taken.begin()) - 1;
                if (free == taken.end()) taken.push_back(0);
                taken[static_cast<std::size_t>(-m_over[box] - 1)] = reach[box];
            }
        }
        for (int& over : m_over)
            if (over < 0) over = most - over - 1;
        m_lanesAbove = most + narrow<int>(taken.size());
        m_above = roomFor(m_lanesAbove);
    }

    void move(Point& point, std::size_t column) const
    {
        point.x += m_shift[column].x;
        point.y += m_shift[column].y;
    }

    /// How many points of a route to another column lie in that of its source, from its beginning.
    [[nodiscard]] std::size_t leading(std::size_t edge) const
    {
        const auto [from, to] = m_problem.edges[edge];
        const std::vector<Point>& route = m_layout.routes[edge];
        const double bottom = m_columns[m_columnOf[from]].bottom;
        std::size_t count = 1;
        while (m_columnOf[from] < m_columnOf[to] && count < route.size() && route[count].y <= bottom)
            ++count;
        return count;
    }

    /// The same from its end, in that of its target.
    [[nodiscard]] std::size_t trailing(std::size_t edge) const
    {
        const auto [from, to] = m_problem.edges[edge];
        const std::vector<Point>& route = m_layout.routes[edge];
        const double top = m_columns[m_columnOf[to]].top;
        std::size_t count = 1;
        while (m_columnOf[from] < m_columnOf[to] && count < route.size() && route[route.size() - 1 - count].y >= top)
            ++count;
        return count;
    }

    void setRoute(std::size_t edge)
    {
        std::vector<Point>& route = m_layout.routes[edge];
        const std::int32_t box = m_problem.edges[edge].from;
        const std::size_t from = m_columnOf[box];
        const std::size_t to = m_columnOf[m_problem.edges[edge].to];
        if (from == to) {
            for (Point& point : route)
                move(point, from);
            return;
        }
        std::vector<Point> points(route.begin(), route.begin() + static_cast<std::ptrdiff_t>(leading(edge)));
        std::vector<Point> tail(route.end() - static_cast<std::ptrdiff_t>(trailing(edge)), route.end());
        for (Point& point : points)
            move(point, from);
        for (Point& point : tail)
            move(point, to);
        const Column& column = m_columns[from];
        const double along = m_lane[box] * gapOf(column.lanes);
        const double beneath = m_above + column.height() + ColumnAir / 2 + along;
        const double beside = column.right + m_shift[from].x + ColumnAir + along;
        const double over = m_above - ColumnAir - m_over[box] * gapOf(m_lanesAbove);
        for (const Point corner : {Point {points.back().x, beneath}, Point {beside, beneath}, Point {beside, over},
                                   Point {tail.front().x, over}})
            points.push_back(corner);
        points.insert(points.end(), tail.begin(), tail.end());
        route = rounded(points);
        m_layout.wraps[edge] = 1;
    }

    const LayoutProblem& m_problem;
    std::vector<Column> m_columns;
    GraphLayout& m_layout;
    std::vector<std::size_t> m_columnOf; ///< By box.
    std::vector<Point> m_shift;          ///< By column.
    std::vector<int> m_lane;             ///< By box, of its edges to other columns: below and beside its own…
    std::vector<int> m_over;             ///< …and above the others.
    int m_lanesAbove = 0;
    double m_above = 0; ///< Room for those.
};

} // namespace

GraphLayout inColumns(const LayoutProblem& problem, GraphLayout layout, LayoutBox view)
{
    if (problem.boxes.empty() || view.width <= 0 || view.height <= 0) return layout;
    std::vector<Column> columns = Cuts(problem, layout).bestIn(view, {layout.width, layout.height});
    if (!columns.empty()) ColumnSetter(problem, std::move(columns), layout).run();
    return layout;
}

} // namespace plimsoll
