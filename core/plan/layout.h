#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// How the elements of a tensor lie in memory. Row-major is "plain"; other layouts are named as libraries name them:
///
///     "nChw16c"       axis 1 is cut into blocks of 16; inside a block 16 channels lie side by side
///     "nhwc"          the axes in another order, nothing cut
///     "ABcd16b16a"    axes by letter (a is axis 0), for tensors that are no images; several blocks, innermost last
///
///     nChw4c of 1 x 6 x 1 x 2:   c0 c1 c2 c3 | c0 c1 c2 c3 | c4 c5 .. .. | c4 c5 .. ..      .. are pad lanes
///                                 w0            w1            w0            w1
///
/// A cut axis is rounded up to whole blocks, so a layout may need more bytes than the tensor has.
struct Layout
{
    struct Block
    {
        std::size_t axis = 0;
        std::int64_t size = 1;
        friend bool operator==(const Block&, const Block&) = default;
    };
    std::vector<std::size_t> order; ///< Axes, outermost first.
    std::vector<Block> blocks;      ///< Innermost last.
    friend bool operator==(const Layout&, const Layout&) = default;
};

inline constexpr std::string_view PlainLayout = "plain";

/// The layout of that name for a tensor of \p rank axes. Empty for a name that means nothing there.
[[nodiscard]] std::optional<Layout> layoutFromName(std::string_view name, std::size_t rank);
/// Its name; "plain" where it is row-major. With \p asImage the axes of 3 to 5 are called n, c, d, h, w.
[[nodiscard]] std::string layoutName(const Layout& layout, bool asImage);

/// The shape with every cut axis rounded up to whole blocks. Empty on overflow.
[[nodiscard]] std::optional<Shape> paddedShape(const Layout& layout, const Shape& shape);
/// Bytes of the tensor in that layout, pad lanes included. Real backends say themselves what they need; this is for
/// tables and tests. Empty on overflow, or for elements without a whole number of bytes.
[[nodiscard]] std::optional<std::int64_t> layoutBytes(const Layout& layout, DType dtype, const Shape& shape);

/// By axis: elements from one block of the axis to the next, in a tensor of \p padded shape.
[[nodiscard]] std::vector<std::int64_t> blockStrides(const Layout& layout, const Shape& padded);

} // namespace plimsoll
