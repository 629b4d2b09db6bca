#pragma once

#include "kernels/common/call_tools.h"

namespace plimsoll::kernels {

/// How windows slide over the spatial dimensions of a tensor: convolution, pooling and their transposes.
struct Windows
{
    Shape input;  ///< Spatial sizes that the windows slide over.
    Shape kernel; ///< Elements of a window.
    Shape strides;
    Shape dilations;
    Shape padBegin;
    Shape padEnd;
    Shape output; ///< Number of windows.
};

/// What the attributes kernel_shape (or \p kernel, where it is not empty), strides, dilations, pads, auto_pad and
/// ceil_mode say about a tensor with the given spatial sizes.
[[nodiscard]] Result<Windows> windowsOver(const KernelCall& call, const Shape& input, const Shape& kernel);

/// The spatial dimensions of a tensor of [batch, channels, …]; an Error when it has none.
[[nodiscard]] Result<Shape> spatialShape(const KernelCall& call, const TensorView& tensor);

inline constexpr std::int64_t InPadding = -1;
inline constexpr std::int64_t BeyondPadding = -2; ///< Where ceil_mode lets a window hang over.

/// For windows [begin, end): where element k of window j lies in the plane, at [k · (end - begin) + j - begin]; a
/// negative constant from above where it lies outside.
void windowSources(const Windows& windows, std::int64_t begin, std::int64_t end, std::vector<std::int64_t>& sources);

/// Windows are handled this many at a time, so that tables stay small.
inline constexpr std::int64_t WindowBlock = 1024;

} // namespace plimsoll::kernels
