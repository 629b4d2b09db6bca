#pragma once

#include "app/views/graph_painter.h"

namespace plimsoll::app {

/// Thin dashed arrows between nodes of different streams where one waits for the other, from side to side, so that they
/// do not cover the values that flow from box to box.
void paintEvents(QPainter& painter, const GraphDrawing& drawing, const GraphViewport& view, const Style& style);

} // namespace plimsoll::app
