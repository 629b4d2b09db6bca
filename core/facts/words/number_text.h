#pragma once

#include "core/base/interval.h"
#include "core/plan/live_ranges.h"

#include <cstdint>
#include <string>

namespace plimsoll {

/// Exact and readable: "1,234,567 (1.2 MiB)"; "unknown" below 0.
[[nodiscard]] std::string bytesText(std::int64_t bytes);
[[nodiscard]] std::string sizeText(std::int64_t bytes);       ///< "38.2 MiB"; "unknown" below 0.
[[nodiscard]] std::string exactBytesText(std::int64_t bytes); ///< "40,055,123 bytes"
/// A size beside another: exact where both would read the same and are not.
[[nodiscard]] std::string sizeTextBeside(std::int64_t bytes, std::int64_t other);
[[nodiscard]] std::string changeText(std::int64_t bytes); ///< "+3.1 MiB", "−512 B", "same".
/// "+3,250,586 (+3.1 MiB)"
[[nodiscard]] std::string exactChangeText(std::int64_t bytes);
[[nodiscard]] std::string hexText(std::int64_t offset); ///< "0x1a0000"

/// "12.7 %"; "under 0.1 %" for what would read as nothing.
[[nodiscard]] std::string percentText(double fraction);
[[nodiscard]] std::string percentText(std::int64_t part, std::int64_t whole); ///< Of nothing: "0.0 %".

[[nodiscard]] std::string durationText(double seconds); ///< "9.08 µs", "12.3 ms", "4.2 s", "1,234 s".

/// "[0, 1,024)", in steps or in bytes.
[[nodiscard]] std::string rangeText(Interval range);
[[nodiscard]] std::string rangesText(const LiveRanges& live); ///< "[0, 4) [6, 9)", "none".

} // namespace plimsoll
