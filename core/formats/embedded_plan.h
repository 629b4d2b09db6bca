#pragma once

#include "core/base/result.h"
#include "core/plan/plan_file.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>

namespace plimsoll {

/// The plan that a graph file of such a kind brings along: the offsets of a table of buffers or of a memory
/// snapshot, those in a TensorFlow Lite model or an ExecuTorch program. \p file may be "FILE#NAME". An Error where it
/// leaves something without a place. Nothing: no graph of this kind has plans.
[[nodiscard]] std::optional<Result<PlanFile>> embeddedPlan(std::span<const std::byte> bytes,
                                                           const std::filesystem::path& file);

} // namespace plimsoll
