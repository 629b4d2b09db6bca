#pragma once

#include "kernels/common/matmul_plan.h"
#include "kernels/common/strides.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace plimsoll::kernels {

/// Of loops along rows that may be compiled to vectors: sixteen numbers at a time, stored with every cycle.
[[nodiscard]] inline Effort rowEffort(double operations)
{
    return {operations, 6e10};
}

/// c += a · b for dense row-major matrices. Sums run along the depth in order, so the same numbers always come out;
/// the innermost loop runs along rows of b and c. Integers wrap around.
template <typename T>
void addProduct(const T* a, const T* b, T* c, const ProductSize& size)
{
    constexpr std::int64_t Block = 1024; // columns: a row of c and one of b stay in the first cache
    for (std::int64_t begin = 0; begin < size.columns; begin += Block) {
        const std::int64_t count = std::min(Block, size.columns - begin);
        for (std::int64_t i = 0; i < size.rows; ++i) {
            T* row = c + i * size.columns + begin;
            for (std::int64_t k = 0; k < size.depth; ++k) {
                const T factor = a[i * size.depth + k];
                const T* other = b + k * size.columns + begin;
                if constexpr (std::is_floating_point_v<T>) {
                    for (std::int64_t j = 0; j < count; ++j)
                        row[j] += factor * other[j];
                } else {
                    const auto wide = static_cast<std::uint64_t>(factor);
                    for (std::int64_t j = 0; j < count; ++j) {
                        row[j] = static_cast<T>(static_cast<std::uint64_t>(row[j]) +
                                                wide * static_cast<std::uint64_t>(other[j]));
                    }
                }
            }
        }
    }
}

/// The transpose of a dense rows×columns matrix.
template <typename T>
[[nodiscard]] std::vector<T> transposed(const T* matrix, std::int64_t rows, std::int64_t columns)
{
    std::vector<T> result(static_cast<std::size_t>(rows * columns));
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j)
            result[static_cast<std::size_t>(j * rows + i)] = matrix[i * columns + j];
    }
    return result;
}

/// out = a · b for each batch; \p out is zeroed first.
template <typename T>
void multiplyBatches(const MatMulPlan& plan, const T* a, const T* b, T* out)
{
    const std::int64_t block = plan.size.rows * plan.size.columns;
    std::fill_n(out, productOf(plan.batch) * block, T {0});
    const Shape dense = rowMajorStrides(plan.batch);
    for (RowWalk walk(plan.batch, {plan.batchStridesA, plan.batchStridesB, dense}); walk.valid(); walk.advance()) {
        for (std::int64_t i = 0; i < walk.count(); ++i) {
            addProduct(a + walk.offset(0) + i * walk.step(0), b + walk.offset(1) + i * walk.step(1),
                       out + (walk.offset(2) + i * walk.step(2)) * block, plan.size);
        }
    }
}

} // namespace plimsoll::kernels
