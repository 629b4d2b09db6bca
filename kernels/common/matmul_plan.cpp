#include "kernels/common/matmul_plan.h"

#include "kernels/common/call_tools.h"

namespace plimsoll::kernels {

double ProductSize::products() const
{
    return loopPasses({rows, depth, columns});
}

double MatMulPlan::products() const
{
    return loopPasses(batch) * size.products();
}

Result<MatMulPlan> planMatMul(const KernelCall& call, Shape a, Shape b)
{
    const Error mismatch = refuse(call, say("kernel.not-multiply", plimsoll::describe(a), plimsoll::describe(b)));
    if (a.empty() || b.empty()) return mismatch;
    const bool vectorA = a.size() == 1;
    const bool vectorB = b.size() == 1;
    if (vectorA) a.insert(a.begin(), 1);
    if (vectorB) b.push_back(1);
    MatMulPlan plan;
    plan.size = {a[a.size() - 2], a.back(), b.back()};
    if (b[b.size() - 2] != plan.size.depth) return mismatch;
    const Shape batchA(a.begin(), a.end() - 2);
    const Shape batchB(b.begin(), b.end() - 2);
    const auto batch = broadcastShape(batchA, batchB);
    if (!batch) return mismatch;
    plan.batch = *batch;
    plan.batchStridesA = broadcastStrides(batchA, *batch);
    plan.batchStridesB = broadcastStrides(batchB, *batch);
    for (std::int64_t& stride : plan.batchStridesA)
        stride *= plan.size.rows * plan.size.depth;
    for (std::int64_t& stride : plan.batchStridesB)
        stride *= plan.size.depth * plan.size.columns;
    plan.outShape = *batch;
    if (!vectorA) plan.outShape.push_back(plan.size.rows);
    if (!vectorB) plan.outShape.push_back(plan.size.columns);
    return plan;
}

} // namespace plimsoll::kernels
