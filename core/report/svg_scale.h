#pragma once

#include "core/picture/palette.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// Where a chart stands in a picture, in pixels.
struct SvgFrame
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// "12", "12.5", "0.25": up to two decimals, never an exponent, a dot whatever the locale.
[[nodiscard]] std::string decimal(double number);

/// Round numbers in [0, \p end], about \p wanted of them, 1, 2 or 5 times a power of ten apart.
[[nodiscard]] std::vector<std::int64_t> ticks(std::int64_t end, int wanted);

/// The same for bytes: powers of two apart.
[[nodiscard]] std::vector<std::int64_t> byteTicks(std::int64_t end, int wanted);

/// The colour that a role of the picture has: "s0" to "s11", "on-s0" (text on it), "external", "text", "grid", …
[[nodiscard]] Rgb roleColour(const Palette& palette, std::string_view role);

} // namespace plimsoll
