#pragma once

#include "core/graph/schedule.h"
#include "core/plan/live_ranges.h"

#include <vector>

namespace plimsoll {

/// When the bytes of every value matter, by ValueId: from the step that writes them to the last one that reads them.
///
/// - A leaf node reads and writes at its step; an input whose content it ignores is not a read.
/// - Graph outputs live to the end; inputs, parameters and constants the whole time, \p donated inputs (by ValueId; may
///   be empty) from the first step to the last read. A graph without steps is handed all that it hands on: [0, 1).
/// - An owner reads its inputs at Enter; what a loop takes slices of, up to its Leave; a vendor operator's, up to Exit.
/// - The outputs of an If are written at the Leave of each branch, so that they have gaps while another branch runs:
///
///       step    0      1       2     3      4       5      6     7
///               Enter  then.a  Leave else.b else.c  Leave  Exit  reader
///       output                 [--)                 [---------------)
///
/// - What only some branches read matters up to the Enter and then in each of these, up to the last read there.
/// - What a loop hands to its body (state, condition, iteration number, slices) is written at Enter and at every
///   Leave. It lives to the last read in an iteration, and from the Leave to the Exit; between these its bytes are
///   free:
///
///       step    0      1          2      3      4
///               Enter  last read  other  Leave  Exit
///       state   [------------)           [----------)
///
/// - A value from outside that a loop reads lives to its Exit: the next iteration reads it again.
/// - Stacked outputs of a loop are written at every Leave and live from Enter; final state is written at Exit.
/// - What is fused away is never written.
/// - A value that is never read lives at the step that writes it. A value that is never written has no ranges.
[[nodiscard]] std::vector<LiveRanges> findLiveRanges(const Graph& graph, const Schedule& schedule,
                                                     const std::vector<bool>& donated = {});

} // namespace plimsoll
