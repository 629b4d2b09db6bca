#pragma once

#include "kernels/common/strides.h"
#include "kernels/reference/layers/product.h"

namespace plimsoll::kernels {

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
