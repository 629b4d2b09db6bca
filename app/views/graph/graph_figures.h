#pragma once

#include "core/facts/report.h"
#include "core/picture/graph_picture.h"

namespace plimsoll::app {

/// How much higher a box with figures is, and how wide at least.
inline constexpr double FiguresHeight = 14;
inline constexpr double FiguresWidth = 176;

/// Nodes and closed groups say what the values take that are written there, how long that takes, and how much of the
/// peak they are: "1.5 MiB · 0.31 ms · 18 % peak". Times of a run are as measured, those of offers have a "~".
/// \p run null: there was none. \p larger: the boxes grow by what the line needs.
void addFigures(const Report& report, const RunResult* run, GraphPicture& picture, bool larger);

} // namespace plimsoll::app
