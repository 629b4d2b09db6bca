#pragma once

#include "kernels/common/convolution_plan.h"
#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/launch.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// A side of a convolution from the two others by an algorithm of cuDNN, its workspace in the scratchpad. Unsupported
/// where the library has nothing for it, or is not there.
Status convolveByLibrary(DeviceCall& call, const Convolution& layer, DType dtype, ConvolutionSide made, int algorithm,
                         ConvolutionTensors tensors);

/// A layer without weights by cuDNN. Unsupported where the library cannot describe it, or is not there.
Status computeByLibrary(DeviceCall& call, const LibraryLayer& layer, const LayerTensors& tensors);

/// A function of each element of such a tensor, by the library's number.
[[nodiscard]] LibraryLayer libraryActivation(const TensorView& x, int mode);

/// Greatest numbers or averages of windows over \p x, as the node's attributes say. Unsupported where the library would
/// read or count other elements.
[[nodiscard]] Result<LibraryLayer> libraryMaxPool(const KernelCall& call, const Windows& windows, const TensorView& x);
[[nodiscard]] Result<LibraryLayer> libraryAveragePool(const KernelCall& call, const Windows& windows,
                                                      const TensorView& x);
using LayerOver = Result<LibraryLayer> (*)(const KernelCall&, const Windows&, const TensorView&);

/// Whether a node that goes through cuDNN is computed by our own kernel: where the host stands in for a device, and
/// nothing for the library.
[[nodiscard]] bool standsInForLibrary(const Queue& queue);

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
