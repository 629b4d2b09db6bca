#pragma once

#include "core/base/message.h"
#include "core/facts/report.h"
#include "core/plan/live_ranges.h"

#include <QString>

#include <string_view>

namespace plimsoll::app {

[[nodiscard]] QString toQString(std::string_view text);
/// The text of an error, and of what a run says, in the words of the window: until those are messages, too.
[[nodiscard]] QString saidText(std::string_view sentence);
/// A message in the words of the window: a choice of a policy is 'Saved tensors: exact', an option the field for it.
[[nodiscard]] QString windowText(const Message& message);
[[nodiscard]] std::string windowWords(const Remedy& remedy);
[[nodiscard]] QString sizeText(std::int64_t bytes);       ///< "38.2 MiB"; "unknown" below 0.
[[nodiscard]] QString exactBytesText(std::int64_t bytes); ///< "40,055,123 bytes"
/// Sizes in a list such as "cpu=512000,sram=65536" in units that say them exactly: "cpu=500KiB,sram=64KiB".
[[nodiscard]] QString shortSizesText(const QString& list);
[[nodiscard]] QString countText(std::int64_t number); ///< "1,234"
/// "1 value", "1,234 values": \p one or \p many, in which %1 is the number.
[[nodiscard]] QString countedText(std::int64_t number, const QString& one, const QString& many);
/// A size beside another: exact where both would read the same and are not.
[[nodiscard]] QString sizeTextBeside(std::int64_t bytes, std::int64_t other);
[[nodiscard]] QString durationText(double seconds);     ///< "9.08 µs", "12.3 ms", "4.2 s", "1,234 s".
[[nodiscard]] QString addressText(std::int64_t offset); ///< "0x1a0000"
/// "[14, 20)", "[2, 5) [1,009, 1,010)", as everywhere; "none".
[[nodiscard]] QString stepsText(Interval steps);
[[nodiscard]] QString stepsText(const LiveRanges& live);
[[nodiscard]] QString storageText(StorageId storage); ///< "s12"
[[nodiscard]] QString roleText(ValueRole role);       ///< "input", "parameter", …
[[nodiscard]] QString aliasText(AliasKind kind);      ///< "in place", "view", …; empty for Fresh.
[[nodiscard]] QString percentText(double fraction);   ///< "12.7 %"; "under 0.1 %" for what would read as nothing.

/// Why the bytes of a value are not in a planned arena, or the arena's space: "cpu", "caller's bytes", "at run time".
[[nodiscard]] QString whereText(const Report& report, ValueId value);

} // namespace plimsoll::app
