#pragma once

#include "core/picture/plan_picture.h"
#include "core/picture/storage_colours.h"

#include <string>

namespace plimsoll {

/// How colours get into the picture.
enum class SvgInk : std::uint8_t {
    Literal, ///< A file of its own: "#2d78c3", light theme, with the namespace of SVG.
    Classes, ///< Inside a page that defines the classes with svgStyle().
};

/// The time × address picture over the curve of live bytes, as one svg element. At most about 20,000 shapes.
[[nodiscard]] std::string planSvg(const Report& report, SvgInk ink);

/// CSS for the classes of SvgInk::Classes in one theme: ".s0{fill:#2d78c3}…".
[[nodiscard]] std::string svgStyle(Theme theme);

} // namespace plimsoll
