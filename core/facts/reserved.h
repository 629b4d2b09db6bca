#pragma once

#include "core/facts/report.h"

#include <optional>

namespace plimsoll {

/// Where a record of an allocator is judged as it is: the most bytes that it had reserved at once. The picture of such
/// a plan is higher, since all addresses that ever were reserved lie side by side in it. A plan that was handed in
/// counts as the record where it is exactly as high.
[[nodiscard]] std::optional<std::int64_t> reservedBytes(const Report& report);

/// The most bytes that are taken at once: these, else the height of the arenas.
[[nodiscard]] std::int64_t mostTakenBytes(const Report& report);

/// Findings that a process ran out of memory: nothing that a plan could break.
[[nodiscard]] std::size_t countRefusals(const Report& report);

} // namespace plimsoll
