#pragma once

#include "kernels/run/run.h"

namespace plimsoll::kernels {

/// What nodes read before it is made in the order of the program, in its nested graphs, too.
[[nodiscard]] std::set<ValueId> findTooEarly(const Program& program);

/// A run in the captured order keeps what its oracle has made of such a value, of each iteration.
void keepEarly(Run& run, ValueId value);
/// In a run in the other order that is there as soon as the nested graph begins; a planned value that is read before it
/// is written is what lies in its bytes.
void adoptEarly(Run& run, BodyId body);

} // namespace plimsoll::kernels
