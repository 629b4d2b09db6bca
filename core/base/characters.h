#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

/// Bytes of the well-formed sequence at the beginning of \p text; 0 when there is none (Unicode 15, table 3-7).
[[nodiscard]] std::size_t sequenceLength(std::string_view text);

/// Of a well-formed sequence.
[[nodiscard]] std::uint32_t codePoint(std::string_view sequence);

/// What shows nothing, or turns the text round it about: controls (C0, DEL, C1), what joins, separates or directs and
/// has no width, fillers, and tags. Two names that look alike may differ in these alone.
[[nodiscard]] bool isHidden(std::uint32_t codePoint);

/// \p text with what is hidden, but for the characters of \p stays, written out: "\x1b", "\u202e", "\U000e0001", and
/// "\xff" for bytes that are no UTF-8.
[[nodiscard]] std::string writtenOut(std::string_view text, std::string_view stays = {});

} // namespace plimsoll
