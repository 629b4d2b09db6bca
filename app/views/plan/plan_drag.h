#pragma once

#include "app/views/plan/plan_scene.h"
#include "core/facts/about/neighbours.h"

namespace plimsoll::app {

/// What goes up and down with the pointer.
struct BarDrag
{
    std::size_t bar = 0; ///< In PlanPicture::bars: the one that was taken hold of.
    Focus what;
    Movable moved;
    std::vector<Neighbour> neighbours;
    std::vector<std::int64_t> snug; ///< Offsets at which it touches one of them.
    double grip = 0;                ///< From its first byte to where it was taken hold of.
    std::int64_t offset = 0;        ///< Where it would lie.
    QPointF at;                     ///< The pointer.
};

/// Of the bar under \p at, or of its storage where that is picked; nothing where there is none, or heights are no
/// addresses.
[[nodiscard]] std::optional<BarDrag> holdOfBar(const PlanScene& scene, const PlanViewport& view, const Focus& picked,
                                               QPointF at);
/// To a place on the grid of the arena; where a neighbour is near, beside that.
void dragBarTo(BarDrag& drag, const PlanScene& scene, const PlanViewport& view, QPointF at);

/// "meets a, b and 2 more"
[[nodiscard]] QString metText(const Graph& graph, const std::vector<Neighbour>& met);
/// It where it would lie, what it would meet there, and the tip: from where to where.
void paintBarDrag(QPainter& painter, const QRectF& bounds, const PlanScene& scene, const PlanViewport& view,
                  const BarDrag& drag, const Style& style);

} // namespace plimsoll::app
