#pragma once

#include "kernels/common/sliding_windows.h"

namespace plimsoll::kernels {

/// Sizes of a convolution: planes, which windows slide over, filters, which have a number for each window, and how both
/// are grouped. Weights are [filters, channels of a group, kernel].
struct Convolution
{
    Windows windows;
    std::int64_t batch = 0;
    std::int64_t channels = 0; ///< Planes of all groups.
    std::int64_t filters = 0;
    std::int64_t groups = 1;

    /// Of the side with a number for each window, …
    [[nodiscard]] Shape windowShape() const;
    /// … and of the planes.
    [[nodiscard]] Shape planeShape() const;
    /// How many there are, whichever side is made.
    [[nodiscard]] double products() const;
};
/// The three tensors of a convolution; any of them can be made of the two others.
enum class ConvolutionSide : std::uint8_t { Planes, Weights, Windows };

[[nodiscard]] Result<Convolution> planConvolution(const KernelCall& call, const TensorView& x, const TensorView& w);
/// The transpose of a convolution: windows slide over its output, and its input says what each window adds there.
[[nodiscard]] Result<Convolution> planTransposed(const KernelCall& call, const TensorView& x, const TensorView& w);

} // namespace plimsoll::kernels
