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

/// What a product reads: alpha · a' · b' + beta · c, where a and b may be transposed.
struct Factors
{
    TensorView a;
    TensorView b;
    bool transposeA = false;
    bool transposeB = false;
    float alpha = 1;
    const TensorView* c = nullptr; ///< Broadcasts to the output; may be absent.
    float beta = 1;
};

Result<Factors> factorsOf(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    return Factors {call.input(0).tensor, call.input(1).tensor};
}

Result<Factors> scaledFactorsOf(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, factorsOf(call));
    factors.transposeA = intAttribute(call, "transA", 0) != 0;
    factors.transposeB = intAttribute(call, "transB", 0) != 0;
    factors.alpha = static_cast<float>(floatAttribute(call, "alpha", 1));
    return factors;
}

Result<Factors> fusedFactorsOf(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, scaledFactorsOf(call));
    if (factors.a.shape.size() < 2 || factors.b.shape.size() < 2) return decline(call, say("cuda.factor-rank"));
    if (intAttribute(call, "transBatchA", 0) != 0 || intAttribute(call, "transBatchB", 0) != 0)
        return decline(call, say("cuda.transposed-batches"));
    return factors;
}

Result<Factors> gemmFactorsOf(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, scaledFactorsOf(call));
    if (factors.a.shape.size() != 2 || factors.b.shape.size() != 2) return decline(call, say("cuda.factor-rank"));
    factors.c = optionalInput(call, 2);
    factors.beta = static_cast<float>(floatAttribute(call, "beta", 1));
    if (factors.c && factors.c->dtype != factors.a.dtype) return declineType(call, factors.c->dtype);
    return factors;
}

Result<MatMulPlan> planOf(DeviceCall& call, const Factors& factors)
{
    PLIMSOLL_ASSIGN(plan, planMatMul(call, transposedShape(factors.a.shape, factors.transposeA),
                                     transposedShape(factors.b.shape, factors.transposeB)));
    if (!factors.c) return plan;
    if (broadcastShape(factors.c->shape, plan.outShape) != plan.outShape) return decline(call, say("cuda.c-misfit"));
    if (factors.c->shape == plan.outShape) call.mayLieOver(0, 2);
    return plan;
}

using FactorsOf = Result<Factors> (*)(DeviceCall&);

template <typename T>
Status multiplyTiles(DeviceCall& call, const MatMulPlan& plan, const Factors& factors, const TensorView& y)
{
    PLIMSOLL_ASSIGN(problem, matrixProblem<T>(call, plan, factors.transposeA, factors.transposeB));
    problem.aAt = factors.a.as<const T>();
    problem.bAt = factors.b.as<const T>();
    problem.y = y.as<T>();
    problem.alpha = factors.alpha;
    if (factors.c) {
        const Shape strides = broadcastStrides(factors.c->shape, plan.outShape);
        problem.added = {factors.beta, factors.c->as<const T>(), strides[0], strides[1]};
    }
    multiply(call.queue(), problem);
    return {};
}

template <FactorsOf factorsOf>
Status matMul(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, factorsOf(call));
    if (!isComputedReal(factors.a.dtype)) return declineType(call, factors.a.dtype);
    PLIMSOLL_ASSIGN(plan, planOf(call, factors));
    PLIMSOLL_ASSIGN(y, call.output(0, factors.a.dtype, plan.outShape));
    call.noteOperations(operationsOf(plan));
    Status status;
    visitReal(factors.a.dtype, [&]<typename T>() { status = multiplyTiles<T>(call, plan, factors, y); });
    return status;
}

constexpr std::int64_t WorkspaceBytes = std::int64_t {4} << 20; // cuBLAS's own default before Hopper

/// Through the library: batches that lie evenly apart, in float32.
Status throughLibrary(DeviceCall& call, const MatMulPlan& plan, LibraryProduct product)
{
    const auto batch = walkOver<2>(plan.batch, {plan.batchStridesA, plan.batchStridesB});
    if (!batch || batch->rank > 1) return decline(call, say("cuda.uneven-batches"));
    const bool empty = plan.size.rows * plan.size.columns * plan.size.depth == 0;
    if (empty || batch->count == 0) return decline(call, say("cuda.nothing-to-multiply"));
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
    if (!call.queue().library) return decline(call, say("cuda.no-cublas"));
    return call.queue().library->multiply(product, call.queue());
}

/// What is added is brought to the output first.
template <FactorsOf factorsOf>
Status libraryMatMul(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(factors, factorsOf(call));
    if (factors.a.dtype != DType::Float32) return declineType(call, factors.a.dtype);
    PLIMSOLL_ASSIGN(plan, planOf(call, factors));
    PLIMSOLL_ASSIGN(y, call.output(0, factors.a.dtype, plan.outShape));
    if (factors.c && factors.c->shape == plan.outShape) {
        copyElements(call.queue(), *factors.c, y);
    } else if (factors.c) {
        const Shape strides = broadcastStrides(factors.c->shape, plan.outShape);
        PLIMSOLL_TRY(copyRegion(call, {*factors.c, 0, strides}, {y, 0, rowMajorStrides(plan.outShape)}, plan.outShape));
    }
    return throughLibrary(call, plan,
                          {.a = factors.a.as<const float>(),
                           .b = factors.b.as<const float>(),
                           .y = y.as<float>(),
                           .transposeA = factors.transposeA,
                           .transposeB = factors.transposeB,
                           .alpha = factors.alpha,
                           .beta = factors.c ? factors.beta : 0.0F});
}

constexpr std::int64_t LibraryAlignment = 256; // the library chooses its kernels by it

constexpr DeviceKernel Table[] = {
    {"", "Gemm", "cublas", libraryMatMul<gemmFactorsOf>, LibraryAlignment},
    {"", "MatMul", "cublas", libraryMatMul<factorsOf>, LibraryAlignment},
    {"com.microsoft", "FusedMatMul", "cublas", libraryMatMul<fusedFactorsOf>, LibraryAlignment},
    {"", "Gemm", "tiled", matMul<gemmFactorsOf>},
    {"", "MatMul", "tiled", matMul<factorsOf>},
    {"com.microsoft", "FusedMatMul", "tiled", matMul<fusedFactorsOf>},
};

} // namespace

constinit const DeviceTable matmulKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
