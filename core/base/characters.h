#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plimsoll {

/// Bytes of the well-formed sequence at the beginning of \p text; 0 when there is none (Unicode 15, table 3-7).
[[nodiscard]] std::size_t sequenceLength(std::string_view text);

/// Of a well-formed sequence.
[[nodiscard]] std::uint32_t codePoint(std::string_view sequence);

/// What shows nothing, or turns the text round it about: controls (C0, DEL, C1), what joins, separates or directs and
/// has no width, fillers, and tags. Two names that look alike may differ in these alone.
[[nodiscard]] bool isHidden(std::uint32_t codePoint);

} // namespace plimsoll
