#pragma once

#include "core/picture/layout/layered_layout.h"

namespace plimsoll {

/// The rectangle around the boxes of a cluster, or around those in one column.
struct LayoutFrame
{
    Point topLeft;
    LayoutBox size; ///< Zero for a cluster without boxes.
    std::int32_t cluster = 0;
    bool goesOn = false; ///< Another part of it stands in a column before.
};

/// Air between a frame and what is in it, and the room for its title above that.
inline constexpr double FrameAir = 14;
inline constexpr double FrameTitle = 20;
inline constexpr double NarrowestFrame = 150;

/// As layoutLayered, but the boxes of each cluster stand together, apart from all others: every cluster is laid out for
/// itself, from the inside out, and is one large box in the layout around it. Edges into a cluster enter it from above.
[[nodiscard]] Result<GraphLayout> layoutClustered(const LayoutProblem& problem, const Context& context);

/// By cluster, around its boxes.
[[nodiscard]] std::vector<LayoutFrame> framesOf(const LayoutProblem& problem, const std::vector<Point>& centres);
/// The same, around the routes between its own boxes too; in layouts of our own, which leave room for them.
[[nodiscard]] std::vector<LayoutFrame> framesOf(const LayoutProblem& problem, const GraphLayout& layout);
/// The same, a part for each column that a cluster reaches into; none of clusters without boxes. By cluster.
[[nodiscard]] std::vector<LayoutFrame> framePartsOf(const LayoutProblem& problem, const GraphLayout& layout);

} // namespace plimsoll
