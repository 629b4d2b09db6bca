#pragma once

#include "core/formats/tflite/tflite_emitter.h"
#include "core/plan/plan_file.h"

#include <optional>
#include <vector>

namespace plimsoll::tflite {

/// The memory plan that a model brings along (metadata OfflineMemoryAllocation).
struct OfflinePlan
{
    std::size_t subgraph = 0;
    std::vector<std::int64_t> offsets; ///< By tensor; -1: the interpreter finds a place.
};

/// Nothing where the model has none. Errors: a list that is cut off, offsets for a subgraph or tensors that are not
/// there.
///
///     int32: version, subgraph, n, offset 0, … offset n-1
///
/// Vela writes the number of subgraphs where the interpreter's documentation has the index of one.
[[nodiscard]] Result<std::optional<OfflinePlan>> readOfflinePlan(const Model& model);

/// By tensor, whether the plan has an offset for it.
[[nodiscard]] std::vector<bool> placedTensors(const OfflinePlan& plan);

/// The plan by names. Nothing where it leaves a place open that \p placed needs; an error where it reaches beyond 63
/// bits.
[[nodiscard]] Result<std::optional<PlanFile>> completePlan(const OfflinePlan& plan,
                                                           const std::vector<PlacedName>& placed);

/// The offset of a value in it, where it has one.
[[nodiscard]] std::optional<std::int64_t> offsetOf(const OfflinePlan& plan, const PlacedName& name);

} // namespace plimsoll::tflite
