#include "kernels/cuda/matmul.h"

#include "kernels/cuda/families.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

Status matMul(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView a = call.input(0).tensor;
    const TensorView b = call.input(1).tensor;
    if (!isComputedReal(a.dtype)) return declineType(call, a.dtype);
    PLIMSOLL_ASSIGN(plan, planMatMul(call, a.shape, b.shape));
    PLIMSOLL_ASSIGN(y, call.output(0, a.dtype, plan.outShape));
    call.noteOperations(operationsOf(plan));
    Status status;
    visitReal(a.dtype, [&]<typename T>() {
        auto problem = matrixProblem<T>(call, plan, false, false);
        if (!problem.ok()) {
            status = problem.error();
            return;
        }
        problem.value().aAt = a.as<const T>();
        problem.value().bAt = b.as<const T>();
        problem.value().y = y.as<T>();
        multiply(call.queue(), problem.value());
    });
    return status;
}

Shape turnedShape(Shape shape, bool turned)
{
    if (turned) std::swap(shape[0], shape[1]);
    return shape;
}

/// y = alpha · a' · b' + beta · c
Status gemm(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView a = call.input(0).tensor;
    const TensorView b = call.input(1).tensor;
    const TensorView* c = optionalInput(call, 2);
    if (a.dtype != DType::Float32 || (c && c->dtype != a.dtype)) return declineType(call, a.dtype);
    if (a.shape.size() != 2 || b.shape.size() != 2) return decline(call, "its factors are no matrices");
    const bool turnA = intAttribute(call, "transA", 0) != 0;
    const bool turnB = intAttribute(call, "transB", 0) != 0;
    PLIMSOLL_ASSIGN(plan, planMatMul(call, turnedShape(a.shape, turnA), turnedShape(b.shape, turnB)));
    if (c && broadcastShape(c->shape, plan.outShape) != plan.outShape) return decline(call, "c does not fit");
    PLIMSOLL_ASSIGN(y, call.output(0, a.dtype, plan.outShape));
    PLIMSOLL_ASSIGN(problem, matrixProblem<float>(call, plan, turnA, turnB));
    problem.aAt = a.as<const float>();
    problem.bAt = b.as<const float>();
    problem.y = y.as<float>();
    problem.alpha = static_cast<float>(floatAttribute(call, "alpha", 1));
    problem.beta = c ? static_cast<float>(floatAttribute(call, "beta", 1)) : 0.0F;
    if (c) {
        const Shape strides = broadcastStrides(c->shape, plan.outShape);
        problem.c = c->as<const float>();
        problem.cRow = strides[0];
        problem.cColumn = strides[1];
        if (c->shape == plan.outShape) call.mayLieOver(0, 2);
    }
    call.noteOperations(operationsOf(plan));
    multiply(call.queue(), problem);
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Gemm", "tiled", gemm},
    {"", "MatMul", "tiled", matMul},
};

} // namespace

DeviceTable matmulKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
