#pragma once

#include "kernels/cuda/cublas.h"
#include "kernels/cuda/device_call.h"
#include "kernels/cuda/launch.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// The kernels of one family of operators; kernel_table.cu joins them.
[[nodiscard]] DeviceTable convolutionKernels();
[[nodiscard]] DeviceTable cumulativeKernels();
[[nodiscard]] DeviceTable dropoutKernels();
[[nodiscard]] DeviceTable fillKernels();
[[nodiscard]] DeviceTable gatherKernels();
[[nodiscard]] DeviceTable gradientKernels();
[[nodiscard]] DeviceTable lossKernels();
[[nodiscard]] DeviceTable matmulKernels();
[[nodiscard]] DeviceTable movementKernels();
[[nodiscard]] DeviceTable pairKernels();
[[nodiscard]] DeviceTable poolingKernels();
[[nodiscard]] DeviceTable recurrentKernels();
[[nodiscard]] DeviceTable reduceKernels();
[[nodiscard]] DeviceTable resizeKernels();
[[nodiscard]] DeviceTable rowKernels();
[[nodiscard]] DeviceTable scalarKernels();
[[nodiscard]] DeviceTable selectKernels();
[[nodiscard]] DeviceTable unaryKernels();

/// cuBLAS; Unsupported, with the reason, where it is not found. On the host something stands in for it.
[[nodiscard]] Result<std::unique_ptr<Library>> loadLibrary();

/// All kernels of an operator, the preferred one first.
[[nodiscard]] std::vector<const DeviceKernel*> findKernels(const Node& node);
/// The one of that name, or nullptr.
[[nodiscard]] const DeviceKernel* findKernel(const Node& node, std::string_view name);

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
