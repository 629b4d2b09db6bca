#pragma once

#include "app/views/plan/plan_viewport.h"
#include "app/views/style.h"

#include <QString>

#include <vector>

class QPainter;

namespace plimsoll::app {

/// A stop, at the first step where playing ends there.
struct StopMark
{
    std::int64_t step = 0;
    QString name; ///< What it was set at.
};

/// A dot on the ruler for each stop.
void paintStops(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const std::vector<StopMark>& stops,
                const Style& style);
/// The nearest whose dot lies there; null: none.
[[nodiscard]] const StopMark* stopAt(const QRectF& ruler, const PlanViewport& view, const std::vector<StopMark>& stops,
                                     QPointF at);
/// "Stop at step 4: conv1_out".
[[nodiscard]] QString stopText(const StopMark& stop);

} // namespace plimsoll::app
