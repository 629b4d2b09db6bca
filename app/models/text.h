#pragma once

#include "core/plan/live_ranges.h"
#include "core/report/report.h"

#include <QString>

#include <string_view>

namespace plimsoll::app {

[[nodiscard]] QString toQString(std::string_view text);
[[nodiscard]] QString sizeText(std::int64_t bytes);       ///< "38.2 MiB"; "unknown" below 0.
[[nodiscard]] QString exactBytesText(std::int64_t bytes); ///< "40,055,123 bytes"
[[nodiscard]] QString countText(std::int64_t number);     ///< "1,234"
[[nodiscard]] QString addressText(std::int64_t offset);   ///< "0x1a0000"
/// First and last step, as people count: "14 to 19", "3", "2 to 4, 9".
[[nodiscard]] QString stepsText(Interval steps);
[[nodiscard]] QString stepsText(const LiveRanges& live);
[[nodiscard]] QString storageText(StorageId storage); ///< "s12"
[[nodiscard]] QString roleText(ValueRole role);       ///< "input", "parameter", …
[[nodiscard]] QString aliasText(AliasKind kind);      ///< "in place", "view", …; empty for Fresh.
[[nodiscard]] QString percentText(double fraction);   ///< "12.7 %"

/// Why the bytes of a value are not in a planned arena, or the arena's space: "cpu", "caller's bytes", "at run time".
[[nodiscard]] QString whereText(const Report& report, ValueId value);

} // namespace plimsoll::app
