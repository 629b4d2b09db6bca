#pragma once

#include "core/lower/choose/dispatch.h"

/// Where an implementation may write over an input though its operator as such may not. Private to the folder.
namespace plimsoll::dispatching {

/// Notes in the graph the pairs in place of each chosen implementation that the operator does not have, so that
/// planner, judge and run know them:
///
///     pool = MaxPool(x), offer [[0, 0]]     x ████████        the backend takes its own word for it that what a window
///                                           y ████████        still reads is not overwritten
///
/// Only between dense tensors of the same size, where the access maps of its operators, as far as they are known, stay
/// in place, and in the forward half: what backward nodes write over is donated, or not, before. What else an offer
/// names leaves a Decision that says why not.
void widenInPlace(Dispatch& made, const DecisionLog& log);

} // namespace plimsoll::dispatching
