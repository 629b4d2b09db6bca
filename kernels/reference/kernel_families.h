#pragma once

#include "kernels/kernel.h"

#include <span>

namespace plimsoll::kernels {

/// The kernels of one family of operators; registry.cpp joins them.
using KernelTable = std::span<const KernelEntry>;

[[nodiscard]] KernelTable activationKernels();
[[nodiscard]] KernelTable arithmeticKernels();
[[nodiscard]] KernelTable atenKernels();
[[nodiscard]] KernelTable attentionKernels();
[[nodiscard]] KernelTable boxKernels();
[[nodiscard]] KernelTable castKernels();
[[nodiscard]] KernelTable columnKernels();
[[nodiscard]] KernelTable comparisonKernels();
[[nodiscard]] KernelTable concatKernels();
[[nodiscard]] KernelTable constantKernels();
[[nodiscard]] KernelTable convolutionKernels();
[[nodiscard]] KernelTable cumulativeKernels();
[[nodiscard]] KernelTable einsumKernels();
[[nodiscard]] KernelTable fourierKernels();
[[nodiscard]] KernelTable gatherKernels();
[[nodiscard]] KernelTable gridKernels();
[[nodiscard]] KernelTable linearAlgebraKernels();
[[nodiscard]] KernelTable linearAttentionKernels();
[[nodiscard]] KernelTable lossKernels();
[[nodiscard]] KernelTable mathKernels();
[[nodiscard]] KernelTable mxnetElementwiseKernels();
[[nodiscard]] KernelTable mxnetLayerKernels();
[[nodiscard]] KernelTable mxnetMovementKernels();
[[nodiscard]] KernelTable normalizationKernels();
[[nodiscard]] KernelTable padKernels();
[[nodiscard]] KernelTable plimsollKernels();
[[nodiscard]] KernelTable poolingKernels();
[[nodiscard]] KernelTable quantizeKernels();
[[nodiscard]] KernelTable quantizedKernels();
[[nodiscard]] KernelTable randomKernels();
[[nodiscard]] KernelTable recurrentKernels();
[[nodiscard]] KernelTable reduceKernels();
[[nodiscard]] KernelTable resizeKernels();
[[nodiscard]] KernelTable rotaryKernels();
[[nodiscard]] KernelTable scatterKernels();
[[nodiscard]] KernelTable selectKernels();
[[nodiscard]] KernelTable sequenceKernels();
[[nodiscard]] KernelTable shapeKernels();
[[nodiscard]] KernelTable sliceKernels();
[[nodiscard]] KernelTable softmaxKernels();
[[nodiscard]] KernelTable sortKernels();
[[nodiscard]] KernelTable textKernels();
[[nodiscard]] KernelTable trainingKernels();
[[nodiscard]] KernelTable transposeKernels();
[[nodiscard]] KernelTable vendorKernels();

} // namespace plimsoll::kernels
