#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

namespace plimsoll {

/// The steps that a stop at what is picked means, rising: of a node those at which it begins; of a value those that
/// write or read it, and those that write into its bytes while it is alive; of a storage or a hole those that write
/// there in its time, of bytes all that do; of a finding its first; else the step cursor. Empty: nothing ever happens
/// there.
[[nodiscard]] std::vector<std::int64_t> stopSteps(const Report& report, const Focus& focus);

/// "'c' writes into the bytes of 'a'": what else than the value itself is written at a stop at it; empty where nothing
/// is.
[[nodiscard]] Message writtenOver(const Report& report, const Focus& focus, std::int64_t step);

} // namespace plimsoll
