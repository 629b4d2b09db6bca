#pragma once

#include "kernels/kernel.h"

namespace plimsoll::kernels {

/// Sizes of rows×depth · depth×columns.
struct ProductSize
{
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    std::int64_t columns = 0;

    [[nodiscard]] double products() const;
};

/// numpy's matmul of two shapes: batches broadcast, vectors get a dimension that the outcome loses again.
struct MatMulPlan
{
    ProductSize size;
    Shape batch;
    Shape batchStridesA; ///< Elements.
    Shape batchStridesB;
    Shape outShape;

    [[nodiscard]] double products() const;
};
[[nodiscard]] Result<MatMulPlan> planMatMul(const KernelCall& call, Shape a, Shape b);

} // namespace plimsoll::kernels
