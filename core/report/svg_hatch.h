#pragma once

#include "core/picture/plan_picture.h"

#include <string>

namespace plimsoll {

/// A rectangle in pixels; y grows downwards.
struct PixelRect
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// The lines of a pattern inside a rectangle, as the data of one path; empty for Plain, or where it is too small to
/// show any. Written out line by line, since not every viewer of SVG knows pattern fills.
[[nodiscard]] std::string hatchPath(Pattern pattern, const PixelRect& rect);

} // namespace plimsoll
