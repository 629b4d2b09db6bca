#include "app/views/graph/graph_painter.h"

#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr double Margin = 12;
constexpr double Air = 6;
/// Of the canvas, across the strip in which the map stands.
constexpr double LargestShare = 0.16;
constexpr double LargestSide = 160;
constexpr double NarrowestSide = 28;
constexpr double SmallestCanvas = 240;
/// A small graph needs no large map.
constexpr double LargestScale = 0.2;

} // namespace

GraphParts graphParts(const QRectF& canvas, const GraphDrawing& drawing, const GraphViewport& view)
{
    const QRectF bounds = drawing.bounds();
    const QRectF seen(view.origin, canvas.size() / view.scale);
    const bool small = std::min(canvas.width(), canvas.height()) < SmallestCanvas;
    if (small || bounds.isEmpty() || seen.contains(bounds)) return {canvas, {}};
    const bool high = bounds.height() * canvas.width() >= bounds.width() * canvas.height();
    // A high graph has its strip at the right, where across is the width; a wide one beneath, where it is the height.
    const double across = high ? canvas.width() : canvas.height();
    const double most = std::min(LargestSide, across * LargestShare) - 2 * Air;
    const double along = (high ? canvas.height() : canvas.width()) - 2 * (Margin + Air);
    const double scale = std::min({LargestScale, most / (high ? bounds.width() : bounds.height()),
                                   along / (high ? bounds.height() : bounds.width())});
    const QSizeF size(std::max(bounds.width() * scale, NarrowestSide) + 2 * Air,
                      std::max(bounds.height() * scale, NarrowestSide) + 2 * Air);
    GraphParts parts {canvas, {}};
    if (high)
        parts.picture.setRight(canvas.right() - size.width() - 2 * Margin);
    else
        parts.picture.setBottom(canvas.bottom() - size.height() - 2 * Margin);
    const QPointF corner = high ? parts.picture.topRight() : parts.picture.bottomLeft();
    parts.map = QRectF(corner + QPointF(Margin, Margin), size);
    return parts;
}

void paintMinimap(QPainter& painter, const QRectF& canvas, const GraphDrawing& drawing, const GraphViewport& view,
                  const Style& style)
{
    const auto [picture, area] = graphParts(canvas, drawing, view);
    if (area.isEmpty()) return;
    const bool right = picture.right() < canvas.right();
    const QRectF strip(right ? picture.topRight() : picture.bottomLeft(), canvas.bottomRight());
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(strip, toColor(style.palette->panel));
    painter.setPen(QPen(toColor(style.palette->grid), 1));
    painter.drawLine(strip.topLeft(), right ? strip.bottomLeft() : strip.topRight());
    const QRectF inside = area.adjusted(Air, Air, -Air, -Air);
    const QRectF bounds = drawing.bounds();
    const double across = inside.width() / bounds.width();
    const double down = inside.height() / bounds.height();
    const auto onMap = [&](const QRectF& rect) {
        return QRectF(inside.left() + rect.left() * across, inside.top() + rect.top() * down, rect.width() * across,
                      rect.height() * down);
    };
    painter.fillRect(area, toColor(style.palette->background));
    for (std::size_t i = 0; i < drawing.boxRects.size(); ++i) {
        QRectF rect = onMap(drawing.boxRects[i]);
        rect.setSize({std::max(rect.width(), 1.0), std::max(rect.height(), 1.0)});
        const GraphBox& box = drawing.picture.boxes[i];
        const bool plain = box.kind == BoxKind::Group && !box.node.valid();
        painter.fillRect(rect, toColor(plain ? style.palette->outline : style.fill(box.colour)));
    }
    for (std::size_t i = 0; i < drawing.alarms.size(); ++i) {
        if (drawing.alarms[i] == 0) continue;
        const Rgb colour = drawing.alarms[i] == 2 ? style.palette->violation : style.palette->warning;
        const QPointF at = onMap(drawing.boxRects[i]).center();
        painter.fillRect(QRectF(at - QPointF(2, 2), QSizeF(4, 4)), toColor(colour));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->outline), 1));
    painter.drawRect(area);
    painter.setPen(QPen(toColor(style.palette->accent), 1.5));
    painter.drawRect(onMap(view.visible()).intersected(area.adjusted(1, 1, -1, -1)));
}

} // namespace plimsoll::app
