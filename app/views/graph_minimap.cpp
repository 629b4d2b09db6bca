#include "app/views/graph_painter.h"

#include <QPainter>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr double Margin = 12;
constexpr double Air = 6;
/// Of the canvas, in either direction.
constexpr double LargestShare = 0.3;
constexpr double LargestSide = 220;
constexpr double NarrowestSide = 28;
constexpr double SmallestCanvas = 240;

} // namespace

QRectF minimapArea(const GraphDrawing& drawing, const GraphViewport& view)
{
    const QRectF bounds = drawing.bounds();
    const bool small = std::min(view.area.width(), view.area.height()) < SmallestCanvas;
    if (small || bounds.isEmpty() || view.visible().contains(bounds)) return {};
    const double width = std::min(LargestSide, view.area.width() * LargestShare);
    const double height = std::min(LargestSide, view.area.height() * LargestShare);
    const double scale = std::min(width / bounds.width(), height / bounds.height());
    const QSizeF size(std::max(bounds.width() * scale, NarrowestSide) + 2 * Air,
                      std::max(bounds.height() * scale, NarrowestSide) + 2 * Air);
    return {view.area.bottomRight() - QPointF(size.width() + Margin, size.height() + Margin), size};
}

void paintMinimap(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view, const Style& style)
{
    const QRectF area = minimapArea(drawing, view);
    if (area.isEmpty()) return;
    const QRectF inside = area.adjusted(Air, Air, -Air, -Air);
    const QRectF bounds = drawing.bounds();
    const double across = inside.width() / bounds.width();
    const double down = inside.height() / bounds.height();
    const auto onMap = [&](const QRectF& rect) {
        return QRectF(inside.left() + rect.left() * across, inside.top() + rect.top() * down, rect.width() * across,
                      rect.height() * down);
    };
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(area, toColor(style.palette->panel, 0.92));
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
