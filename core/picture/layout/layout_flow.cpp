#include "core/picture/layout/layout_flow.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

/// Frames have their titles above them: side by side in the layout means one above the other in the drawing.
constexpr double RoomForTitles = 20;

} // namespace

LayoutProblem standing(LayoutProblem problem, FlowDirection direction)
{
    if (direction != FlowDirection::Right) return problem;
    for (LayoutBox& box : problem.boxes)
        std::swap(box.width, box.height);
    if (!problem.clusterParents.empty()) problem.boxGap += RoomForTitles;
    return problem;
}

GraphLayout directed(const LayoutProblem& problem, GraphLayout layout, FlowDirection direction, LayoutBox view)
{
    if (direction == FlowDirection::Fitting) return inColumns(problem, std::move(layout), view);
    if (direction == FlowDirection::Down) return layout;
    std::swap(layout.width, layout.height);
    for (Point& centre : layout.centres)
        std::swap(centre.x, centre.y);
    for (std::vector<Point>& route : layout.routes) {
        for (Point& point : route)
            std::swap(point.x, point.y);
    }
    layout.rightwards = true;
    return layout;
}

} // namespace plimsoll
