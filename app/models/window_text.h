#pragma once

#include "core/base/bytes.h"
#include "core/facts/cell.h"
#include "core/facts/words/number_text.h"

#include <QString>

#include <string_view>

namespace plimsoll::app {

/// How numbers read in all windows of this process, as its language and theme are. What shows numbers asks when it
/// makes its texts, also on a worker; a new form is told by QEvent::LanguageChange.
[[nodiscard]] NumberForm numberForm();
void setNumberForm(NumberForm form);

[[nodiscard]] QString toQString(std::string_view text);
/// A word of core in the language of the window: the title of a column.
[[nodiscard]] QString translated(std::string_view literal);
/// A message in the words of the window: a choice of a policy is 'Saved tensors: exact', an option the field for it.
[[nodiscard]] QString windowText(const Message& message);
[[nodiscard]] std::string windowWords(const Remedy& remedy);

/// A text for a label: the middle of a word of more than \p most letters, as names in files may be, is left out before
/// anything measures it, and what is hidden in it or turns text round is written out. The whole leaves by copying.
constexpr int LabelLetters = 200;
constexpr int TipLetters = 2'000; ///< More fill the screen.
[[nodiscard]] QString labelText(const QString& text, int most = LabelLetters);

/// A cell in little room, and what is told of it when pointed at, in the words of the window.
[[nodiscard]] QString cellText(const Cell& cell);
[[nodiscard]] QString cellTip(const Cell& cell);

/// Of a size when pointed at: "1.40 MiB (1,468,006 B)", whatever the form.
[[nodiscard]] QString sizeTip(std::int64_t bytes);

/// The verdict, with what the window has for what is lacking.
[[nodiscard]] QString windowVerdict(const Report& report);

/// Sizes in a list such as "cpu=512000,sram=65536" in units that say them exactly: "cpu=500KiB,sram=64KiB".
[[nodiscard]] QString shortSizesText(const QString& list);
/// "1 value", "1,234 values": \p one or \p many, in which %1 is the number.
[[nodiscard]] QString countedText(std::int64_t number, const QString& one, const QString& many);

// The functions of number_text.h for Qt.
// clang-format off
[[nodiscard]] inline QString sizeText(std::int64_t bytes) { return toQString(plimsoll::sizeText(bytes, numberForm())); }
[[nodiscard]] inline QString addressText(std::int64_t byte) { return toQString(plimsoll::addressText(byte, numberForm())); }
[[nodiscard]] inline QString exactBytesText(std::int64_t bytes) { return toQString(plimsoll::exactBytesText(bytes)); }
[[nodiscard]] inline QString sizeTextBeside(std::int64_t bytes, std::int64_t other) { return toQString(plimsoll::sizeTextBeside(bytes, other, numberForm())); }
[[nodiscard]] inline QString changeText(std::int64_t bytes) { return toQString(plimsoll::changeText(bytes, numberForm())); }
[[nodiscard]] inline QString countText(std::int64_t number) { return toQString(formatCount(number)); }
[[nodiscard]] inline QString realText(double number, int digits) { return toQString(formatReal(number, digits)); }
[[nodiscard]] inline QString percentText(double fraction) { return toQString(plimsoll::percentText(fraction)); }
[[nodiscard]] inline QString durationText(double seconds) { return toQString(plimsoll::durationText(seconds)); }
[[nodiscard]] inline QString stepsText(Interval steps) { return toQString(rangesText(LiveRanges(steps))); }
[[nodiscard]] inline QString stepsText(const LiveRanges& live) { return toQString(rangesText(live)); }
// clang-format on

} // namespace plimsoll::app
