#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <vector>

namespace plimsoll {

struct Point
{
    double x = 0;
    double y = 0;
    friend bool operator==(Point, Point) = default;
};

/// A box to place. Units are those of the picture at zoom 1: pixels.
struct LayoutBox
{
    double width = 0;
    double height = 0;
};

/// Boxes by position in LayoutProblem::boxes.
struct LayoutEdge
{
    std::int32_t from = 0;
    std::int32_t to = 0;
};

struct EdgeEnds
{
    double leaves = 0;
    double arrives = 0;
};

/// What is to be laid out. Boxes stand in the order of execution, which decides ties and breaks cycles.
struct LayoutProblem
{
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges; ///< Repeats and self-loops are allowed.
    double rankGap = 44;           ///< Between the boxes of two ranks.
    double boxGap = 20;            ///< Between two boxes of a rank.
    /// By edge, or empty: how far to the right of the middle of its boxes it leaves and arrives.
    std::vector<EdgeEnds> ends;
    /// By box: the cluster it stands in, -1 for none. Clusters matter to layoutClustered and to `dot` only.
    std::vector<std::int32_t> clusterOf;
    std::vector<std::int32_t> clusterParents; ///< By cluster: an earlier one around it, or -1.
    std::vector<char> clusterWraps; ///< By cluster, or empty: it may reach from one column of boxes into the next.
};

/// Where everything went. Edges go downwards (y grows), except those that close a cycle.
struct GraphLayout
{
    std::vector<Point> centres; ///< By box.
    std::vector<std::vector<Point>>
        routes; ///< By edge: from the bottom of one box to the top of the other; empty for self-loops.
    double width = 0;
    double height = 0;
    bool curved = false;     ///< Routes follow curves already and need no rounding.
    bool rightwards = false; ///< Edges go to the right instead, from the right of one box to the left of the other.
    std::vector<char> wraps; ///< By edge: it leads from one column of boxes to another. Empty: there is one column.
    std::vector<std::int32_t> columnOf; ///< By box; empty likewise.
};

/// Layered layout after Sugiyama: ranks by longest path (sources, and what only they feed, pulled down to
/// their first reader), one chain of
/// dummies for all edges of a source up to a span of 32 ranks (longer ones pass the boxes between), median sweeps that
/// keep the best order by crossings, and coordinates by sweeps of weighted isotonic regression, in which dummies of a
/// chain weigh most, so that long edges are straight and the picture does not drift sideways. Deterministic. About
/// linear: 100,000 boxes in a fraction of a second. Stopped is the only error.
[[nodiscard]] Result<GraphLayout> layoutLayered(const LayoutProblem& problem, const Context& context);

/// The rank of every box by longest path, edges that close a cycle left out; and which edges those are.
struct Ranking
{
    std::vector<std::int32_t> rank; ///< By box.
    std::vector<char> closesCycle;  ///< By edge.
    std::int32_t ranks = 0;
};
[[nodiscard]] Ranking rankBoxes(const LayoutProblem& problem);

} // namespace plimsoll
