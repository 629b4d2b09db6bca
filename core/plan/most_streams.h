#pragma once

#include <cstdint>

namespace plimsoll {

/// Files may name streams 0 to 63.
inline constexpr std::int64_t MostStreams = 64;

} // namespace plimsoll
