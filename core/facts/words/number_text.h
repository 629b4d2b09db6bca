#pragma once

#include "core/base/interval.h"
#include "core/plan/live_ranges.h"

#include <cstdint>
#include <string>

namespace plimsoll {

/// How sizes and addresses read where there is little room. A face has one for all that it shows.
struct NumberForm
{
    bool exactBytes = false;       ///< "1,468,006 B" instead of "1.40 MiB".
    bool decimalAddresses = false; ///< "221,184" instead of "0x36000".
    friend bool operator==(NumberForm, NumberForm) = default;
};

/// Exact and readable: "1,234,567 (1.2 MiB)"; "unknown" below 0.
[[nodiscard]] std::string bytesText(std::int64_t bytes);
[[nodiscard]] std::string sizeText(std::int64_t bytes, NumberForm form = {}); ///< "38.2 MiB"; "unknown" below 0.
[[nodiscard]] std::string exactBytesText(std::int64_t bytes);                 ///< "40,055,123 bytes"
/// A size beside another: exact where both would read the same and are not.
[[nodiscard]] std::string sizeTextBeside(std::int64_t bytes, std::int64_t other, NumberForm form = {});
[[nodiscard]] std::string changeText(std::int64_t bytes, NumberForm form = {}); ///< "+3.1 MiB", "−512 B", "same".
/// "+3,250,586 (+3.1 MiB)"
[[nodiscard]] std::string exactChangeText(std::int64_t bytes);
[[nodiscard]] std::string addressText(std::int64_t offset, NumberForm form = {}); ///< "0x1a0000"
[[nodiscard]] std::string addressText(Interval bytes, NumberForm form = {});      ///< "[0x0, 0x40)"

/// "12.7 %"; "under 0.1 %" for what would read as nothing.
[[nodiscard]] std::string percentText(double fraction);
[[nodiscard]] std::string percentText(std::int64_t part, std::int64_t whole); ///< Of nothing: "0.0 %".

[[nodiscard]] std::string durationText(double seconds); ///< "9.08 µs", "12.3 ms", "4.2 s", "1,234 s".

/// "[0, 1,024)", in steps or in bytes.
[[nodiscard]] std::string rangeText(Interval range);
[[nodiscard]] std::string rangesText(const LiveRanges& live); ///< "[0, 4) [6, 9)", "none".

} // namespace plimsoll
