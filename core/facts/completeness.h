#pragma once

#include "core/facts/report.h"

#include <string>
#include <vector>

namespace plimsoll {

/// What the file says too little of. \p lacking and \p because are InferredGraph's, by ValueId; values that were added
/// since (gradients) count with what they follow from.
[[nodiscard]] Completeness findGaps(const Graph& graph, const std::vector<ValueId>& lacking,
                                    const std::vector<Message>& because);

/// "253 of 416 values have no size (the file gives no shape for 'data')", or "nothing to plan was found". Empty where a
/// plan is complete.
[[nodiscard]] Message incompleteText(const Report& report);

/// How a gap is closed: "give one with --shape data=…". May be empty.
[[nodiscard]] Message remedyFor(const Graph& graph, const Gap& gap);

/// "incomplete: 253 of 416 values have no size (…); give one with --shape data=…"; empty where a plan is complete.
[[nodiscard]] Message incompleteLine(const Report& report);

/// Weights and constants without a size, apart from gaps: no plan has a place for them, and only externalBytes lacks
/// their bytes.
[[nodiscard]] std::vector<std::string> unsizedWeights(const Report& report);

/// The gap about that value; null where there is none.
[[nodiscard]] const Gap* gapOf(const Report& report, ValueId value);

/// Puts an error finding "incomplete" in front of the others, where the plan is.
void addIncompleteFinding(Report& report);

} // namespace plimsoll
