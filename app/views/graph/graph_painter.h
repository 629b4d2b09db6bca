#pragma once

#include "app/views/graph/graph_drawing.h"
#include "app/views/style.h"

#include <QPointF>

class QPainter;

namespace plimsoll::app {

/// How a drawing is looked at: its point \c origin is at the top left of the area, a unit is \c scale pixels.
struct GraphViewport
{
    QRectF area;
    QPointF origin;
    double scale = 1;

    [[nodiscard]] QPointF toScreen(QPointF point) const { return area.topLeft() + (point - origin) * scale; }
    [[nodiscard]] QPointF toDrawing(QPointF pixel) const { return origin + (pixel - area.topLeft()) / scale; }
    [[nodiscard]] QRectF toScreen(const QRectF& rect) const { return {toScreen(rect.topLeft()), rect.size() * scale}; }
    [[nodiscard]] QRectF visible() const { return {origin, area.size() / scale}; }

    void zoom(double factor, QPointF aboutPixel);
    void pan(QPointF pixels) { origin -= pixels / scale; }
    void centre(QPointF point);
    /// Shows all of \p bounds, with air, but no larger than life.
    void fit(const QRectF& bounds);

    static constexpr double SmallestScale = 0.002;
    static constexpr double LargestScale = 4;
};

/// What the title of a frame is on the screen, and the minus before it that closes the group; empty from far away, and
/// where another column has it.
struct FrameHandle
{
    QRectF title;
    QRectF minus;
};
[[nodiscard]] FrameHandle handleOf(const FramePart& part, const GraphViewport& view);
/// The innermost frame whose title is there.
[[nodiscard]] const FramePart* frameTitledAt(const GraphDrawing& drawing, const GraphViewport& view, QPointF pixel);

void paintGraph(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view,
                const GraphEmphasis& emphasis, const Style& style);

/// In a strip above the picture: what of the graph is looked at, where that is not all of it, or what is wrong with the
/// filter.
void paintScope(QPainter& painter, const GraphDrawing& drawing, const QRectF& strip, const Style& style);
/// Where a path begins whose end is not told yet.
void paintMark(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view, const Style& style);

/// The canvas while not all of the graph shows: a map of the whole of it stands beside the picture, at the right of a
/// high graph and beneath a wide one. The map is empty while everything shows, and where there is no room.
struct GraphParts
{
    QRectF picture;
    QRectF map;
};
[[nodiscard]] GraphParts graphParts(const QRectF& canvas, const GraphDrawing& drawing, const GraphViewport& view);
/// The map with what part of the graph shows, in what \p canvas has beside the picture.
void paintMinimap(QPainter& painter, const QRectF& canvas, const GraphDrawing& drawing, const GraphViewport& view,
                  const Style& style);

} // namespace plimsoll::app
