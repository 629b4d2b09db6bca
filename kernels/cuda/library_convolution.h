#pragma once

#include "kernels/cuda/device_call.h"
#include "kernels/cuda/launch.h"
#include "kernels/reference/convolution.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A side of a convolution from the two others by an algorithm of cuDNN, its workspace in the scratchpad. Unsupported
/// where the library has nothing for it, or is not there.
Status convolveByLibrary(DeviceCall& call, const Convolution& layer, DType dtype, ConvolutionSide made, int algorithm,
                         ConvolutionTensors tensors);

/// Whether a node that goes through cuDNN is computed by our own kernel: where the host stands in for a device, and
/// nothing for the library.
[[nodiscard]] bool standsInForLibrary(const Queue& queue);

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
