#include "kernels/cuda/kernels/cuda_matmul.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/map.h"
#include "kernels/cuda/launch/region.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// The last two dimensions the other way round.
Shape transposedShape(Shape shape, bool transposed)
{
    if (transposed) std::swap(shape[shape.size() - 2], shape[shape.size() - 1]);
    return shape;
}

/// What a product reads: transposed first, and scaled behind.
struct Factors
{
    TensorView a;
    TensorView b;
    bool transposeA = false;
    bool transposeB = false;
    float alpha = 1;
};

Result<Factors> factorsOf(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    return Factors {call.input(0).tensor, call.input(1).tensor};
}

Result<Factors> fusedFactorsOf(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, factorsOf(call));
    if (factors.a.shape.size() < 2 || factors.b.shape.size() < 2) return decline(call, "its factors are no matrices");
    if (intAttribute(call, "transBatchA", 0) != 0 || intAttribute(call, "transBatchB", 0) != 0)
        return decline(call, "its batches are transposed");
    factors.transposeA = intAttribute(call, "transA", 0) != 0;
    factors.transposeB = intAttribute(call, "transB", 0) != 0;
    factors.alpha = static_cast<float>(floatAttribute(call, "alpha", 1));
    return factors;
}

Result<MatMulPlan> planOf(const DeviceCall& call, const Factors& factors)
{
    return planMatMul(call, transposedShape(factors.a.shape, factors.transposeA),
                      transposedShape(factors.b.shape, factors.transposeB));
}

using FactorsOf = Result<Factors> (*)(DeviceCall&);

template <FactorsOf factorsOf>
Status matMul(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, factorsOf(call));
    const TensorView& a = factors.a;
    const TensorView& b = factors.b;
    if (!isComputedReal(a.dtype)) return declineType(call, a.dtype);
    PLIMSOLL_ASSIGN(plan, planOf(call, factors));
    PLIMSOLL_ASSIGN(y, call.output(0, a.dtype, plan.outShape));
    call.noteOperations(operationsOf(plan));
    Status status;
    visitReal(a.dtype, [&]<typename T>() {
        auto problem = matrixProblem<T>(call, plan, factors.transposeA, factors.transposeB);
        if (!problem.ok()) {
            status = problem.error();
            return;
        }
        problem.value().aAt = a.as<const T>();
        problem.value().bAt = b.as<const T>();
        problem.value().y = y.as<T>();
        problem.value().alpha = factors.alpha;
        multiply(call.queue(), problem.value());
    });
    return status;
}

/// What is added broadcasts to the output.
template <typename T>
void addTo(MatrixProblem<T>& problem, const DeviceCall& call, const TensorView& c, const Shape& shape)
{
    const Shape strides = broadcastStrides(c.shape, shape);
    problem.added = {static_cast<float>(floatAttribute(call, "beta", 1)), c.as<const T>(), strides[0], strides[1]};
}

template <typename T>
Status gemmOf(DeviceCall& call, const MatMulPlan& plan, bool transposeA, bool transposeB, const TensorView& y)
{
    PLIMSOLL_ASSIGN(problem, matrixProblem<T>(call, plan, transposeA, transposeB));
    problem.aAt = call.input(0).tensor.as<const T>();
    problem.bAt = call.input(1).tensor.as<const T>();
    problem.y = y.as<T>();
    problem.alpha = static_cast<float>(floatAttribute(call, "alpha", 1));
    if (const TensorView* c = optionalInput(call, 2)) addTo(problem, call, *c, plan.outShape);
    multiply(call.queue(), problem);
    return {};
}

/// y = alpha · a' · b' + beta · c
Status gemm(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView a = call.input(0).tensor;
    const TensorView b = call.input(1).tensor;
    const TensorView* c = optionalInput(call, 2);
    if (!isComputedReal(a.dtype) || (c && c->dtype != a.dtype)) return declineType(call, a.dtype);
    if (a.shape.size() != 2 || b.shape.size() != 2) return decline(call, "its factors are no matrices");
    const bool transposeA = intAttribute(call, "transA", 0) != 0;
    const bool transposeB = intAttribute(call, "transB", 0) != 0;
    PLIMSOLL_ASSIGN(plan, planMatMul(call, transposedShape(a.shape, transposeA), transposedShape(b.shape, transposeB)));
    if (c && broadcastShape(c->shape, plan.outShape) != plan.outShape) return decline(call, "c does not fit");
    PLIMSOLL_ASSIGN(y, call.output(0, a.dtype, plan.outShape));
    if (c && c->shape == plan.outShape) call.mayLieOver(0, 2);
    call.noteOperations(operationsOf(plan));
    Status status;
    visitReal(a.dtype, [&]<typename T>() { status = gemmOf<T>(call, plan, transposeA, transposeB, y); });
    return status;
}

constexpr std::int64_t WorkspaceBytes = std::int64_t {4} << 20; // cuBLAS's own default before Hopper

/// Through the library: batches that lie evenly apart, in float32.
Status throughLibrary(DeviceCall& call, const MatMulPlan& plan, LibraryProduct product)
{
    const auto batch = walkOver<2>(plan.batch, {plan.batchStridesA, plan.batchStridesB});
    if (!batch || batch->rank > 1) return decline(call, "its batches lie unevenly");
    const bool empty = plan.size.rows * plan.size.columns * plan.size.depth == 0;
    if (empty || batch->count == 0) return decline(call, "there is nothing to multiply");
    PLIMSOLL_ASSIGN(workspace, call.scratch<std::byte>(WorkspaceBytes));
    product.rows = plan.size.rows;
    product.columns = plan.size.columns;
    product.depth = plan.size.depth;
    product.parts = batch->count;
    product.aStep = batch->strides[0][0];
    product.bStep = batch->strides[1][0];
    product.workspace = workspace;
    product.workspaceBytes = WorkspaceBytes;
    call.noteOperations(operationsOf(plan));
    ++call.queue().launches;
    if (call.queue().rehearsal) return {};
    if (!call.queue().library) return decline(call, "cuBLAS is not found here");
    return call.queue().library->multiply(product, call.queue());
}

template <FactorsOf factorsOf>
Status libraryMatMul(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, factorsOf(call));
    if (factors.a.dtype != DType::Float32) return declineType(call, factors.a.dtype);
    PLIMSOLL_ASSIGN(plan, planOf(call, factors));
    PLIMSOLL_ASSIGN(y, call.output(0, factors.a.dtype, plan.outShape));
    return throughLibrary(call, plan,
                          {.a = factors.a.as<const float>(),
                           .b = factors.b.as<const float>(),
                           .y = y.as<float>(),
                           .transposeA = factors.transposeA,
                           .transposeB = factors.transposeB,
                           .alpha = factors.alpha});
}

/// What is added is brought to the output first.
Status libraryGemm(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView a = call.input(0).tensor;
    const TensorView b = call.input(1).tensor;
    const TensorView* c = optionalInput(call, 2);
    if (a.dtype != DType::Float32 || (c && c->dtype != a.dtype)) return declineType(call, a.dtype);
    if (a.shape.size() != 2 || b.shape.size() != 2) return decline(call, "its factors are no matrices");
    LibraryProduct product {.transposeA = intAttribute(call, "transA", 0) != 0,
                            .transposeB = intAttribute(call, "transB", 0) != 0};
    PLIMSOLL_ASSIGN(plan, planMatMul(call, transposedShape(a.shape, product.transposeA),
                                     transposedShape(b.shape, product.transposeB)));
    if (c && broadcastShape(c->shape, plan.outShape) != plan.outShape) return decline(call, "c does not fit");
    PLIMSOLL_ASSIGN(y, call.output(0, a.dtype, plan.outShape));
    product.a = a.as<const float>();
    product.b = b.as<const float>();
    product.y = y.as<float>();
    product.alpha = static_cast<float>(floatAttribute(call, "alpha", 1));
    product.beta = c ? static_cast<float>(floatAttribute(call, "beta", 1)) : 0.0F;
    if (c && c->shape == plan.outShape) {
        call.mayLieOver(0, 2);
        copyElements(call.queue(), *c, y);
    } else if (c) {
        const Shape strides = broadcastStrides(c->shape, plan.outShape);
        PLIMSOLL_TRY(copyRegion(call, {*c, 0, strides}, {y, 0, rowMajorStrides(plan.outShape)}, plan.outShape));
    }
    return throughLibrary(call, plan, product);
}

constexpr std::int64_t LibraryAlignment = 256; // the library chooses its kernels by it

constexpr DeviceKernel Table[] = {
    {"", "Gemm", "cublas", libraryGemm, LibraryAlignment},
    {"", "MatMul", "cublas", libraryMatMul<factorsOf>, LibraryAlignment},
    {"com.microsoft", "FusedMatMul", "cublas", libraryMatMul<fusedFactorsOf>, LibraryAlignment},
    {"", "Gemm", "tiled", gemm},
    {"", "MatMul", "tiled", matMul<factorsOf>},
    {"com.microsoft", "FusedMatMul", "tiled", matMul<fusedFactorsOf>},
};

} // namespace

constinit const DeviceTable matmulKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
