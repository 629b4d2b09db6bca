#pragma once

#include "app/views/plan/plan_scene.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace plimsoll::app {

/// Bars of the plan before that are not where they were: steps × stacked bytes, in the lanes of that plan. Things are
/// the same by name, since a change of policies may number them anew.
[[nodiscard]] std::vector<QRectF> makeGhost(const PlanScene& now, const Report& before);

/// As thin outlines over what is there now.
void paintGhost(QPainter& painter, const std::vector<QRectF>& ghost, const PlanViewport& view, const Style& style);

} // namespace plimsoll::app
