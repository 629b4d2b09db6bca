#pragma once

#include "kernels/run/run.h"
#include "kernels/run/step/compare.h"

#include <functional>
#include <span>

namespace plimsoll::kernels {

/// Compares the planned bytes with the oracle's: every value when it is written and again whenever it is read, so that
/// a value spoiled in between is caught at its first reader. What happens next (which branch, how many iterations) is
/// always decided by the oracle, so a spoiled condition cannot lead the run astray.

/// Stopped on request. Poisons what died between the last step and this one.
[[nodiscard]] Status beginStep(Run& run, std::int64_t step);
void endStep(Run& run); ///< Guard zones, time, record.

/// A device that has failed: the run cannot go on.
[[nodiscard]] Status health(const Run& run);
void noteFailure(Run& run, const Status& status);

/// Poisons what the current step is about to write, before it reads; \p bytes: only those of the value.
void poisonWritten(Run& run, ValueId value, Interval bytes = {0, -1});
/// So of a node, and its scratchpad.
void poisonWrites(Run& run, NodeId node);
/// Bytes that a value needs and the plan does not reserve are not kept.
void poisonBeyond(Run& run, ValueId value);
/// The planned bytes of what the current step reads, against the oracle's.
void checkRead(Run& run, ValueId value);
/// The same for what it has written; counted.
void checkWritten(Run& run, ValueId value);

/// Writes \p target in both memories. An Error in the oracle is returned; an Error in the planned memory alone is a
/// mismatch, and the oracle's content is put there so that the run can go on.
[[nodiscard]] Status writeBoth(Run& run, ValueId target, const std::function<Status(Memory&)>& writer);
/// The second half of writeBoth(), once the oracle has its values.
void settlePlanned(Run& run, const ValueIds& targets, const Status& planned);

struct Move
{
    ValueId from;
    ValueId to;
};
/// Copies values as if all at once: overlapping sources and targets go through temporaries.
[[nodiscard]] Status moveBoth(Run& run, const std::vector<Move>& moves);

/// Runs the planned half of a step and counts its time; the oracle's does not count.
[[nodiscard]] Status timed(Run& run, const std::function<Status()>& work);

void release(Run& run, std::span<const ValueId> values);

/// For a run in another order than the captured one. \p oracle has kept what its run made: it is there from the
/// beginning, and a planned value that is read before it is written is what lies in its bytes. Nothing is poisoned:
/// which bytes are dead at a step holds for the captured order.
void adoptOracle(Run& run, const Memory& oracle);

} // namespace plimsoll::kernels
