#pragma once

#include "kernels/common/matmul_plan.h"
#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/kernels/cuda_product.h"
#include "kernels/cuda/launch/cuda_walk.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// From one row or column of a factor to the next, and along the depth. Elements.
struct FactorStrides
{
    std::int64_t aRow = 0;
    std::int64_t aDepth = 1;
    std::int64_t bDepth = 1;
    std::int64_t bColumn = 0;
};

/// What is added to a product: beta · c, which may be absent.
template <typename T>
struct Addend
{
    float beta = 0;
    const T* c = nullptr;
    std::int64_t row = 0; ///< Elements from one to the next; 0 where it repeats.
    std::int64_t column = 0;
};

/// Matrices in batches, each walked with strides of its own; y = alpha · a · b + what is added.
template <typename T>
struct MatrixProblem
{
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t depth;
    std::int64_t parts;
    const T* aAt;
    const T* bAt;
    T* y;
    Walk<2> batch; ///< Where the matrices of a part begin.
    FactorStrides strides;
    float alpha = 1;
    Addend<T> added {};

    PLIMSOLL_DEVICE float a(std::int64_t part, std::int64_t row, std::int64_t k) const
    {
        return load(aAt[batch.at(part)[0] + row * strides.aRow + k * strides.aDepth]);
    }
    PLIMSOLL_DEVICE float b(std::int64_t part, std::int64_t k, std::int64_t column) const
    {
        return load(bAt[batch.at(part)[1] + k * strides.bDepth + column * strides.bColumn]);
    }
    PLIMSOLL_DEVICE void write(std::int64_t part, std::int64_t row, std::int64_t column, float sum) const
    {
        const float more = added.c ? added.beta * load(added.c[row * added.row + column * added.column]) : 0;
        y[(part * rows + row) * columns + column] = rounded<T>(alpha * sum + more);
    }
};

/// numpy's product of two dense tensors, the last two dimensions of either transposed before.
template <typename T>
Result<MatrixProblem<T>> matrixProblem(const KernelCall& call, const MatMulPlan& plan, bool transposeA, bool transposeB)
{
    const auto batch = walkOver<2>(plan.batch, {plan.batchStridesA, plan.batchStridesB});
    if (!batch) return decline(call, say("cuda.batch-repeats"));
    const ProductSize& size = plan.size;
    MatrixProblem<T> problem {};
    problem.rows = size.rows;
    problem.columns = size.columns;
    problem.depth = size.depth;
    problem.parts = batch->count;
    problem.batch = *batch;
    problem.strides = {transposeA ? 1 : size.depth, transposeA ? size.rows : 1, transposeB ? 1 : size.columns,
                       transposeB ? size.depth : 1};
    problem.alpha = 1;
    return problem;
}

inline double operationsOf(const MatMulPlan& plan)
{
    return 2.0 * static_cast<double>(productOf(plan.batch)) * static_cast<double>(plan.size.rows) *
           static_cast<double>(plan.size.columns) * static_cast<double>(plan.size.depth);
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
