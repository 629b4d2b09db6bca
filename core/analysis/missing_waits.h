#pragma once

#include "core/analysis/alias_sets.h"
#include "core/analysis/stream_order.h"

namespace plimsoll {

struct Program;

/// Of pairs of nodes that touch the same bytes, and that nothing orders, as few events as order them all, in the order
/// of the nodes that wait. \p needed may be in any order.
///
///     stream 0   a ──────────────► d ──► f      d needs what b and c write, f what b writes, and nothing waits:
///     stream 1     ╲─► b ──► c                  the event c → d is enough
[[nodiscard]] std::vector<StreamEvent> fewestEvents(const StreamOrder& order, const Schedule& schedule,
                                                    std::vector<StreamEvent> needed);

/// An event that a plan of several streams lacks, and what goes wrong without it.
struct MissingWait
{
    StreamEvent event;
    ValueId value; ///< What the one writes and the other uses.
};

/// Those without which a value may be used before it is written, or while it is: whatever bytes it has. In the order of
/// the nodes that wait.
[[nodiscard]] std::vector<MissingWait> missingWaits(const Program& program, const AliasSets& aliases);

} // namespace plimsoll
