#pragma once

#include "app/views/plan/plan_viewport.h"
#include "app/views/style.h"
#include "core/facts/report.h"
#include "core/picture/plan_picture.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace plimsoll::app {

/// The ground of quiet stretches that are narrower than their steps.
void paintQuietSteps(QPainter& painter, const QRectF& area, const PlanViewport& view, const Style& style);

/// Vertical lines at the steps that the ruler names, and the ground of quiet stretches.
void paintStepGrid(QPainter& painter, const PlanViewport& view, const Style& style);

/// Step numbers under the picture; where a step is wide enough, the operator that runs then; of a quiet stretch how
/// many steps it has.
void paintStepRuler(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const Report& report,
                    const Style& style);

/// Triangles for the steps at which the picked value is written (solid) and read (hollow).
void paintAccesses(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const Accesses& accesses,
                   const Style& style);

/// Byte numbers left of the picture, from the bottom of each lane.
void paintByteAxis(QPainter& painter, const QRectF& axis, const PlanViewport& view, const PlanPicture& picture,
                   const Style& style);

/// What stands in each row instead; of low rows some.
void paintRowAxis(QPainter& painter, const QRectF& axis, const PlanViewport& view, const PlanPicture& picture,
                  const Report& report, const Style& style);

/// Where the names of these lines go, and what they are: what else has a name keeps out of their way.
struct PassTurnWords
{
    QRectF rect;
    QString text;
};
[[nodiscard]] std::vector<PassTurnWords> passTurnWords(const QRectF& area, const PlanViewport& view,
                                                       const std::vector<PassTurn>& turns, const Report& report,
                                                       const Style& style);
/// The lines between forward and backward over \p area, each named where there is room, the first with the bytes that
/// are kept across it.
void paintPassTurns(QPainter& painter, const QRectF& area, const PlanViewport& view, const std::vector<PassTurn>& turns,
                    const Report& report, const Style& style);

/// The step cursor over \p area.
void paintStepCursor(QPainter& painter, const QRectF& area, const PlanViewport& view, std::int64_t step,
                     const Style& style);

} // namespace plimsoll::app
