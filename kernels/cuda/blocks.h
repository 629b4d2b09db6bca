#pragma once

#include "kernels/cuda/device_call.h"
#include "kernels/cuda/launch.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A dense tensor seen with other dimensions, and in which order these are walked: what rearranges blocks is a
/// transposition of such a view.
struct PermutedView
{
    Shape shape;
    Shape order;

    [[nodiscard]] Shape permuted() const
    {
        Shape sizes;
        for (const std::int64_t from : order)
            sizes.push_back(shape[static_cast<std::size_t>(from)]);
        return sizes;
    }
    /// Elements, of each dimension in that order.
    [[nodiscard]] Shape strides() const
    {
        const Shape dense = rowMajorStrides(shape);
        Shape strides;
        for (const std::int64_t from : order)
            strides.push_back(dense[static_cast<std::size_t>(from)]);
        return strides;
    }
};

/// Of what DepthToSpace reads, in the order in which it writes.
inline Result<PermutedView> depthToSpaceView(const KernelCall& call, const Shape& x)
{
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    if (x.size() != 4 || b < 1 || b > x[1] || x[1] % (b * b) != 0)
        return decline(call, "its depth does not divide into blocks");
    const std::int64_t depth = x[1] / (b * b);
    if (textAttribute(call, "mode", "DCR") == "CRD")
        return PermutedView {{x[0], depth, b, b, x[2], x[3]}, {0, 1, 4, 2, 5, 3}};
    return PermutedView {{x[0], b, b, depth, x[2], x[3]}, {0, 3, 4, 1, 5, 2}};
}

inline Result<PermutedView> spaceToDepthView(const KernelCall& call, const Shape& x)
{
    const std::int64_t b = intAttribute(call, "blocksize", 0);
    if (x.size() != 4 || b < 1 || x[2] % b != 0 || x[3] % b != 0)
        return decline(call, "its planes do not divide into blocks");
    const bool channelFirst = textAttribute(call, "mode", "DCR") == "CRD";
    return PermutedView {{x[0], x[1], x[2] / b, b, x[3] / b, b},
                         channelFirst ? Shape {0, 1, 3, 5, 2, 4} : Shape {0, 3, 5, 1, 2, 4}};
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
