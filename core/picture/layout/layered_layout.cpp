#include "core/picture/layout/layered_layout.h"

#include "core/base/grouped.h"
#include "core/base/narrow.h"
#include "core/picture/layout/layout_layers.h"
#include "core/picture/layout/side_routes.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

/// Edges that span more ranks than this get no dummies, which would cost quadratic room: they are routed afterwards.
constexpr std::int32_t LongestChain = 32;
constexpr double DummyWidth = 4;
/// Shorter straight pieces are left out.
constexpr double Straightness = 0.5;

/// Edges by the box they leave.
Grouped<std::int32_t> outgoingOf(const LayoutProblem& problem)
{
    return positionsBy(problem.boxes.size(), problem.edges.size(),
                       [&](std::size_t i) { return static_cast<std::size_t>(problem.edges[i].from); });
}

/// Edges to a box that a depth-first walk has not left yet.
std::vector<char> findCycleEdges(const LayoutProblem& problem, const Grouped<std::int32_t>& out)
{
    enum : char { New, Open, Done };
    std::vector<char> state(problem.boxes.size(), New);
    std::vector<char> closes(problem.edges.size(), 0);
    std::vector<std::size_t> next(problem.boxes.size(), 0);
    std::vector<std::int32_t> path;
    for (std::size_t root = 0; root < problem.boxes.size(); ++root) {
        if (state[root] != New) continue;
        path.push_back(static_cast<std::int32_t>(root));
        state[root] = Open;
        while (!path.empty()) {
            const std::int32_t box = path.back();
            if (next[box] == out[box].size()) {
                state[box] = Done;
                path.pop_back();
                continue;
            }
            const std::int32_t edge = out[box][next[box]++];
            const std::int32_t to = problem.edges[edge].to;
            if (state[to] == Open) closes[edge] = 1;
            if (state[to] != New) continue;
            state[to] = Open;
            path.push_back(to);
        }
    }
    return closes;
}

/// Boxes in topological order, each with the rank of its longest path from the sources.
std::vector<std::int32_t> rankFromSources(const LayoutProblem& problem, const Grouped<std::int32_t>& out,
                                          Ranking& ranking)
{
    const std::size_t count = problem.boxes.size();
    std::vector<std::int32_t> waiting(count, 0);
    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        if (!ranking.closesCycle[i]) ++waiting[problem.edges[i].to];
    }
    std::vector<std::int32_t> order;
    order.reserve(count);
    for (std::size_t box = 0; box < count; ++box) {
        if (waiting[box] == 0) order.push_back(static_cast<std::int32_t>(box));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const std::int32_t edge : out[order[i]]) {
            if (ranking.closesCycle[edge]) continue;
            const std::int32_t to = problem.edges[edge].to;
            ranking.rank[to] = std::max(ranking.rank[to], ranking.rank[order[i]] + 1);
            if (--waiting[to] == 0) order.push_back(to);
        }
    }
    return order;
}

/// The rank right above the first reader, by \p rank; the box's own where it is not read.
std::int32_t rankAboveReaders(const LayoutProblem& problem, const Grouped<std::int32_t>& out, const Ranking& ranking,
                              const std::vector<std::int32_t>& rank, std::int32_t box)
{
    std::int32_t nearest = -1;
    for (const std::int32_t edge : out[box]) {
        if (ranking.closesCycle[edge]) continue;
        const std::int32_t below = rank[problem.edges[edge].to];
        if (nearest < 0 || below < nearest) nearest = below;
    }
    return nearest < 0 ? rank[box] : nearest - 1;
}

/// A source stands right above its first reader, and so does what only such sources feed: all boxes that could stand
/// lower, as could everything that leads to them.
void pullDown(const LayoutProblem& problem, const Grouped<std::int32_t>& out, const std::vector<std::int32_t>& order,
              Ranking& ranking)
{
    std::vector<std::int32_t> latest = ranking.rank;
    for (auto box = order.rbegin(); box != order.rend(); ++box)
        latest[*box] = rankAboveReaders(problem, out, ranking, latest, *box);
    std::vector<char> stays(problem.boxes.size(), 0);
    for (std::int32_t box : order) {
        if (latest[box] == ranking.rank[box]) stays[box] = 1;
        for (const std::int32_t edge : out[box])
            if (stays[box] && !ranking.closesCycle[edge]) stays[problem.edges[edge].to] = 1;
    }
    for (auto box = order.rbegin(); box != order.rend(); ++box) {
        if (!stays[*box]) ranking.rank[*box] = rankAboveReaders(problem, out, ranking, ranking.rank, *box);
    }
}

/// The dummies that an edge passes: \c count of them from \c first on, one a rank.
struct Passage
{
    std::int32_t first = 0;
    std::int32_t count = 0;
};

std::int32_t spanOf(const LayoutEdge& edge, const Ranking& ranking)
{
    return ranking.rank[edge.to] - ranking.rank[edge.from];
}

/// One chain of dummies below each source, as long as its longest edge wants, shared by all its edges.
LayerGraph layersOf(const LayoutProblem& problem, const Ranking& ranking, const Grouped<std::int32_t>& out,
                    std::vector<Passage>& passages)
{
    LayerGraph graph;
    graph.boxes = problem.boxes.size();
    graph.rank = ranking.rank;
    for (const LayoutBox& box : problem.boxes)
        graph.width.push_back(box.width);
    passages.assign(problem.edges.size(), {});
    for (std::size_t box = 0; box < graph.boxes; ++box) {
        std::int32_t chain = 0;
        const auto first = narrow<std::int32_t>(graph.rank.size());
        for (const std::int32_t edge : out[box]) {
            const std::int32_t span = spanOf(problem.edges[edge], ranking);
            if (ranking.closesCycle[edge] || span > LongestChain) continue;
            for (; chain < span - 1; ++chain) {
                const std::int32_t above = chain == 0 ? static_cast<std::int32_t>(box) : first + chain - 1;
                graph.rank.push_back(ranking.rank[box] + chain + 1);
                graph.width.push_back(DummyWidth);
                graph.segments.push_back({above, first + chain});
            }
            passages[edge] = {first, span - 1};
            const std::int32_t last = span == 1 ? static_cast<std::int32_t>(box) : first + span - 2;
            graph.segments.push_back({last, problem.edges[edge].to});
        }
    }
    linkVertices(graph);
    return graph;
}

/// Top and bottom of every rank.
using Bands = std::vector<std::pair<double, double>>;

struct Placed
{
    const LayoutProblem& problem;
    const Ranking& ranking;
    const std::vector<Passage>& passages;
    const std::vector<double>& x; ///< By vertex.
    const Bands& bands;
    const std::vector<Point>& centres;
};

/// Bends only between two ranks: beside a box that is less high than its rank, the route is straight.
std::vector<Point> routeOf(const Placed& placed, std::size_t edge)
{
    const auto [from, to] = placed.problem.edges[edge];
    const EdgeEnds shift = placed.problem.ends.empty() ? EdgeEnds() : placed.problem.ends[edge];
    const Point a {placed.centres[from].x + shift.leaves,
                   placed.centres[from].y + placed.problem.boxes[from].height / 2};
    const Point b {placed.centres[to].x + shift.arrives, placed.centres[to].y - placed.problem.boxes[to].height / 2};
    const std::int32_t rank = placed.ranking.rank[from];
    const std::int32_t below = placed.ranking.rank[to];
    std::vector<Point> route = {a};
    if (rank < below && placed.bands[rank].second > a.y + Straightness)
        route.push_back({a.x, placed.bands[rank].second});
    const Passage& passage = placed.passages[edge];
    for (std::int32_t k = 0; k < passage.count; ++k) {
        const double along = placed.x[passage.first + k];
        route.push_back({along, placed.bands[rank + 1 + k].first});
        route.push_back({along, placed.bands[rank + 1 + k].second});
    }
    if (rank < below && placed.bands[below].first < b.y - Straightness)
        route.push_back({b.x, placed.bands[below].first});
    route.push_back(b);
    return route;
}

GraphLayout assemble(const LayoutProblem& problem, const Ranking& ranking, const std::vector<Passage>& passages,
                     const std::vector<double>& x)
{
    Bands bands(ranking.ranks);
    for (std::size_t box = 0; box < problem.boxes.size(); ++box) {
        double& height = bands[ranking.rank[box]].second;
        height = std::max(height, problem.boxes[box].height);
    }
    double y = 0;
    for (auto& [top, bottom] : bands) {
        top = y;
        bottom += y;
        y = bottom + problem.rankGap;
    }
    GraphLayout layout;
    layout.height = bands.empty() ? 0 : bands.back().second;
    for (std::size_t box = 0; box < problem.boxes.size(); ++box) {
        const auto [top, bottom] = bands[ranking.rank[box]];
        layout.centres.push_back({x[box], (top + bottom) / 2});
        layout.width = std::max(layout.width, x[box] + problem.boxes[box].width / 2);
    }
    const Placed placed {problem, ranking, passages, x, bands, layout.centres};
    layout.routes.resize(problem.edges.size());
    std::vector<std::size_t> withoutPassage; // neither with dummies nor between neighbouring ranks
    for (std::size_t i = 0; i < problem.edges.size(); ++i) {
        if (passages[i].count == 0 && spanOf(problem.edges[i], ranking) > 1) withoutPassage.push_back(i);
        if (problem.edges[i].from == problem.edges[i].to) continue;
        layout.routes[i] = routeOf(placed, i);
        for (std::int32_t k = 0; k < passages[i].count; ++k)
            layout.width = std::max(layout.width, x[passages[i].first + k] + DummyWidth / 2);
    }
    routeAround(problem, withoutPassage, layout);
    return layout;
}

} // namespace

Ranking rankBoxes(const LayoutProblem& problem)
{
    const Grouped<std::int32_t> out = outgoingOf(problem);
    Ranking ranking;
    ranking.rank.assign(problem.boxes.size(), 0);
    ranking.closesCycle = findCycleEdges(problem, out);
    pullDown(problem, out, rankFromSources(problem, out, ranking), ranking);
    for (std::int32_t rank : ranking.rank)
        ranking.ranks = std::max(ranking.ranks, rank + 1);
    return ranking;
}

Result<GraphLayout> layoutLayered(const LayoutProblem& problem, const Context& context)
{
    if (context.stopped()) return layoutStopped();
    const Ranking ranking = rankBoxes(problem);
    std::vector<Passage> passages;
    LayerGraph graph = layersOf(problem, ranking, outgoingOf(problem), passages);
    graph.layers.resize(ranking.ranks);
    context.report("layout", 0.2);
    PLIMSOLL_TRY(orderLayers(graph, context));
    context.report("layout", 0.6);
    PLIMSOLL_ASSIGN(x, placeVertices(graph, problem.boxGap, context));
    return assemble(problem, ranking, passages, x);
}

} // namespace plimsoll
