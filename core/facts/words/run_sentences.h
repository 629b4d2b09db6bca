#pragma once

#include "core/plan/run_result.h"

#include <string_view>

namespace plimsoll {

/// The probe in sentences: "writing 'y0' changed 'y1' (16 B)". The first are about its writes, one each.
[[nodiscard]] std::vector<Message> probeSentences(const WriteProbe& probe);

/// In place of "all equal" where a run compared no value.
inline constexpr std::string_view NothingCompared = "No value was compared with the oracle.";

/// How much of the graph was run, where that is not all of it: "Ran 12 of 40 nodes: the others are in loops and
/// branches that these inputs do not enter."
[[nodiscard]] std::vector<Message> scopeSentences(const RunResult& run);

/// "'y' of the first replay was changed by the second: 4 of 4 elements differ, …"; empty where none was made.
[[nodiscard]] std::vector<Message> replaySentences(const RunResult& run);

/// What a run on a device held and took: "2 copies from cpu to cuda:0: 512 B in 0.01 ms"; empty for one that used none.
[[nodiscard]] std::vector<Message> deviceSentences(const RunResult& run);

} // namespace plimsoll
