#pragma once

#include "core/plan/run_result.h"

namespace plimsoll {

/// The probe in sentences: "writing 'y0' changed 'y1' (16 B)". The first are about its writes, one each.
[[nodiscard]] std::vector<Message> probeSentences(const WriteProbe& probe);

/// "'y' at node 'n3', step 3: 4 of 4 elements differ, …"
[[nodiscard]] Message mismatchText(const RunResult::Mismatch& mismatch);

/// "poison: 12 KiB filled; guards: 2 zones, none touched"; empty where the run did neither.
[[nodiscard]] Message watchedSentence(const RunResult& run);

/// "12 values (1 KiB) compared with the oracle: all equal".
[[nodiscard]] Message comparedSentence(const RunResult& run);

/// How much of the graph was run, where that is not all of it: "Ran 12 of 40 nodes: the others are in loops and
/// branches that were not entered."
[[nodiscard]] std::vector<Message> scopeSentences(const RunResult& run);

/// What forced runs added; empty where there were none.
[[nodiscard]] Message forcedSentence(const RunResult& run);

/// "'y' of the first replay was changed by the second: 4 of 4 elements differ, …"; empty where none was made.
[[nodiscard]] std::vector<Message> replaySentences(const RunResult& run);

/// What a run on a device held and took: "2 copies from cpu to cuda:0: 512 B in 0.01 ms"; empty for one that used none.
[[nodiscard]] std::vector<Message> deviceSentences(const RunResult& run);

} // namespace plimsoll
