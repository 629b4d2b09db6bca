#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

/// Files may name streams 0 to 63.
inline constexpr std::int64_t MostStreams = 64;

/// What is wrong with a stream of that number; empty: nothing.
[[nodiscard]] inline std::string whyNoStream(std::int64_t number)
{
    if (number >= 0 && number < MostStreams) return {};
    return "There is no stream " + std::to_string(number) + ": they count from 0 to " +
           std::to_string(MostStreams - 1) + ".";
}

} // namespace plimsoll
