#pragma once

#include "core/base/interval.h"
#include "core/plan/live_ranges.h"

#include <cstdint>
#include <string>

namespace plimsoll {

/// Exact and readable: "1,234,567 (1.2 MiB)"; "unknown" below 0.
[[nodiscard]] std::string bytesText(std::int64_t bytes);

/// "12.7 %"; "under 0.1 %" for what would read as nothing.
[[nodiscard]] std::string percentText(double fraction);
[[nodiscard]] std::string percentText(std::int64_t part, std::int64_t whole); ///< Of nothing: "0.0 %".

/// "[0, 1,024)", in steps or in bytes.
[[nodiscard]] std::string rangeText(Interval range);
[[nodiscard]] std::string rangesText(const LiveRanges& live); ///< "[0, 4) [6, 9)", "none".

} // namespace plimsoll
