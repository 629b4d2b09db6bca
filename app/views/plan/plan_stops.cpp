#include "app/views/plan/plan_stops.h"

#include "app/models/window_text.h"

#include <QLineF>
#include <QObject>
#include <QPainter>

namespace plimsoll::app {
namespace {

constexpr double Radius = 4;
constexpr double Reach = 7; ///< Of the pointer.

/// Where its step begins: beside the operator's name.
QPointF placeOf(const StopMark& stop, const QRectF& ruler, const PlanViewport& view)
{
    return {view.xOf(double(stop.step)), ruler.bottom() - Radius - 1};
}

} // namespace

void paintStops(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const std::vector<StopMark>& stops,
                const Style& style)
{
    painter.save();
    painter.setClipRect(ruler.adjusted(-Radius - 1, 0, 0, 0));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(toColor(style.palette->background), 1.5));
    painter.setBrush(toColor(style.palette->accent));
    for (const StopMark& stop : stops)
        painter.drawEllipse(placeOf(stop, ruler, view), Radius, Radius);
    painter.restore();
}

const StopMark* stopAt(const QRectF& ruler, const PlanViewport& view, const std::vector<StopMark>& stops, QPointF at)
{
    const StopMark* found = nullptr;
    double nearest = ruler.adjusted(-Reach, 0, 0, 0).contains(at) ? Reach : 0;
    for (const StopMark& stop : stops) {
        const double away = QLineF(at, placeOf(stop, ruler, view)).length();
        if (away >= nearest) continue;
        nearest = away;
        found = &stop;
    }
    return found;
}

QString stopText(const StopMark& stop)
{
    return QObject::tr("Stop at step %1: %2").arg(countText(stop.step), stop.name);
}

} // namespace plimsoll::app
