#include "app/views/graph_events.h"

#include <QPainter>
#include <QPainterPath>

namespace plimsoll::app {
namespace {

constexpr double HeadSize = 6;

/// Between the sides that face each other; between the right sides of boxes one below the other.
void paintEvent(QPainter& painter, const QRectF& from, const QRectF& to, const GraphViewport& view)
{
    const bool apart = from.right() < to.left() || to.right() < from.left();
    const bool rightwards = !apart || from.center().x() < to.center().x();
    const QPointF a = view.toScreen(QPointF(rightwards ? from.right() : from.left(), from.center().y()));
    const bool enterLeft = apart && rightwards;
    const QPointF b = view.toScreen(QPointF(enterLeft ? to.left() : to.right(), to.center().y()));
    const double out = 26 * view.scale;
    QPainterPath path(a);
    path.cubicTo(a + QPointF(rightwards ? out : -out, 0), b + QPointF(enterLeft ? -out : out, 0), b);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    const double size = HeadSize * view.scale;
    const double back = enterLeft ? -size : size;
    painter.drawPolyline(QPolygonF({b + QPointF(back, -size * 0.6), b, b + QPointF(back, size * 0.6)}));
}

} // namespace

void paintEvents(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view, const Style& style)
{
    const auto& boxes = drawing.picture.boxOfNode;
    painter.save();
    painter.setPen(QPen(toColor(style.palette->bound), 1.2, Qt::DashLine));
    for (const StreamEvent& event : drawing.made.report->streams.events) {
        const std::int32_t from = boxes[event.after.index()];
        const std::int32_t to = boxes[event.before.index()];
        if (from < 0 || to < 0 || from == to) continue;
        const QRectF& source = drawing.boxRects[static_cast<std::size_t>(from)];
        const QRectF& target = drawing.boxRects[static_cast<std::size_t>(to)];
        if (source.united(target).intersects(view.visible())) paintEvent(painter, source, target, view);
    }
    painter.restore();
}

} // namespace plimsoll::app
