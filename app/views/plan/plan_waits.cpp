#include "app/views/plan/plan_marks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// Smaller ones would be a smear.
constexpr double SmallestWait = 7;

} // namespace

void paintWaitLine(QPainter& painter, double left, double right, double y, const Style& style)
{
    painter.setPen(QPen(toColor(style.palette->bound), 1, Qt::DotLine));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    painter.setPen(QPen(toColor(style.palette->bound), 1));
    painter.drawLine(QPointF(right, y - 3), QPointF(right, y + 3));
}

void paintWaits(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    for (const WaitMark& mark : scene.picture.waits) {
        const auto base = double(scene.picture.lanes[static_cast<std::size_t>(mark.lane)].base);
        const QRectF rect = view.rectOf(double(mark.steps.begin), double(mark.steps.end),
                                        base + double(mark.bytes.begin), base + double(mark.bytes.end));
        if (!rect.intersects(view.area) || rect.height() < SmallestWait || rect.width() < SmallestWait) continue;
        const double left = std::max(rect.left(), view.area.left() - 4);
        const double right = std::min(rect.right() - 1, view.area.right() + 4);
        paintWaitLine(painter, left, right, std::round(rect.center().y()) + 0.5, style);
    }
}

} // namespace plimsoll::app
