#pragma once

#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/launch.h"
#include "kernels/cuda/libraries/cublas.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// The kernels of one family of operators; kernel_table.cu joins them.
extern const DeviceTable convolutionKernels;
extern const DeviceTable dropoutKernels;
extern const DeviceTable gatherKernels;
extern const DeviceTable gradientKernels;
extern const DeviceTable lossKernels;
extern const DeviceTable matmulKernels;
extern const DeviceTable movementKernels;
extern const DeviceTable pairKernels;
extern const DeviceTable poolingKernels;
extern const DeviceTable recurrentKernels;
extern const DeviceTable reduceKernels;
extern const DeviceTable resizeKernels;
extern const DeviceTable rowKernels;
extern const DeviceTable selectKernels;
extern const DeviceTable unaryKernels;

/// cuBLAS; Unsupported, with the reason, where it is not found. On the host something stands in for it.
[[nodiscard]] Result<std::unique_ptr<Library>> loadLibrary();

/// All kernels of an operator, the preferred one first.
[[nodiscard]] std::vector<const DeviceKernel*> findKernels(const Node& node);
/// The one of that name, or nullptr.
[[nodiscard]] const DeviceKernel* findKernel(const Node& node, std::string_view name);

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
