#include "core/ops/derivatives/formula_shape.h"
#include "core/ops/dims.h"
#include "kernels/cuda/cuda_formula.h"
#include "kernels/cuda/cuda_matmul.h"
#include "kernels/cuda/region.h"

#include <algorithm>

/// Functions of formulas that multiply matrices, sum along axes and transpose tensors.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

using Arguments = std::span<const Part>;

Shape gradientAxes(const DeviceScope& scope)
{
    return intsAttribute(scope.call(), "grad.axes").value_or(Shape());
}

Part withShape(Part part, Shape shape)
{
    part.shape = std::move(shape);
    return part;
}

Result<Part> along(const DeviceScope& scope, Arguments x)
{
    Shape shape = x[0].shape;
    for (const std::int64_t axis : gradientAxes(scope)) {
        if (axis < static_cast<std::int64_t>(shape.size())) shape[static_cast<std::size_t>(axis)] = 1;
    }
    return scope.summed(x[0], shape);
}

Result<Part> expand(const DeviceScope& scope, Arguments x)
{
    return withShape(x[0], withReducedAxes(x[0].shape, scope.sizes("g"), gradientAxes(scope), scope.target().size()));
}

Result<Part> reshape(const DeviceScope& scope, Arguments x)
{
    if (elementCount(scope.target()) != x[0].elements()) return decline(scope.call(), "a gradient has other elements");
    return withShape(x[0], scope.target());
}

Result<Part> column(const DeviceScope&, Arguments x)
{
    Shape shape = x[0].shape;
    shape.push_back(1);
    return withShape(x[0], shape);
}

Result<Part> batchSum(const DeviceScope& scope, Arguments x)
{
    const Shape& shape = x[0].shape;
    return scope.summed(x[0], Shape(shape.begin() + (shape.empty() ? 0 : 1), shape.end()));
}

Result<Part> sumAxes(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(gone,
                    axisMask(scope.call(), intsAttribute(scope.call(), "axes").value_or(Shape()), x[0].shape.size()));
    Shape kept;
    Shape shape = x[0].shape;
    for (std::size_t axis = 0; axis < gone.size(); ++axis) {
        if (gone[axis]) shape[axis] = 1;
        if (!gone[axis]) kept.push_back(shape[axis]);
    }
    PLIMSOLL_ASSIGN(sum, scope.summed(x[0], shape));
    return withShape(sum, kept);
}

/// A matrix, or a batch of them, and whether its last two dimensions are to be read the other way round.
struct Factor
{
    Part part;
    bool transposed = false;
    [[nodiscard]] Shape shape() const
    {
        Shape shape = part.shape;
        if (transposed) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
        return shape;
    }
};

Result<Part> product(const DeviceScope& scope, const Factor& a, const Factor& b)
{
    DeviceCall& call = scope.call();
    PLIMSOLL_ASSIGN(left, scope.written(a.part, a.part.shape));
    PLIMSOLL_ASSIGN(right, scope.written(b.part, b.part.shape));
    PLIMSOLL_ASSIGN(plan, planMatMul(call, a.shape(), b.shape()));
    PLIMSOLL_ASSIGN(problem, matrixProblem<float>(call, plan, a.transposed, b.transposed));
    PLIMSOLL_ASSIGN(data, scope.room(plan.outShape));
    problem.aAt = left.floats();
    problem.bAt = right.floats();
    problem.y = data;
    call.noteOperations(operationsOf(plan));
    multiply(call.queue(), problem);
    return Part {plan.outShape, DType::Float32, data};
}

/// A vector on the left is a row, on the right a column.
Result<Part> matmul(const DeviceScope& scope, Arguments x)
{
    return product(scope, {x[0]}, {x[1]});
}

/// g as it would be if both factors were matrices.
Part asMatrices(Part g, bool row, bool tall)
{
    if (tall) g.shape.push_back(1);
    if (row) g.shape.insert(g.shape.end() - 1, 1);
    return g;
}

Result<Part> matmulLeft(const DeviceScope& scope, Arguments x)
{
    const bool row = scope.target().size() == 1;
    const bool tall = x[1].shape.size() == 1;
    Part other = x[1];
    if (tall) other.shape.push_back(1);
    PLIMSOLL_ASSIGN(result, product(scope, {asMatrices(x[0], row, tall)}, {other, true}));
    if (row) result.shape.erase(result.shape.end() - 2);
    return result;
}

Result<Part> matmulRight(const DeviceScope& scope, Arguments x)
{
    const bool tall = scope.target().size() == 1;
    const bool row = x[0].shape.size() == 1;
    Part self = x[0];
    if (row) self.shape.insert(self.shape.begin(), 1);
    PLIMSOLL_ASSIGN(result, product(scope, {self, true}, {asMatrices(x[1], row, tall)}));
    if (tall) result.shape.pop_back();
    return result;
}

Result<Part> transpose(const DeviceScope& scope, Arguments x)
{
    const std::size_t rank = x[0].shape.size();
    if (rank < 2 || x[0].number) return x[0];
    PLIMSOLL_ASSIGN(whole, scope.written(x[0], x[0].shape));
    Shape shape = whole.shape;
    Shape strides = rowMajorStrides(shape);
    std::swap(shape[rank - 1], shape[rank - 2]);
    std::swap(strides[rank - 1], strides[rank - 2]);
    PLIMSOLL_ASSIGN(data, scope.room(shape));
    const TensorView from {DType::Float32, whole.shape, const_cast<void*>(whole.data)};
    const TensorView to {DType::Float32, shape, data};
    PLIMSOLL_TRY(copyRegion(scope.call(), {from, 0, strides}, {to, 0, rowMajorStrides(shape)}, shape));
    return Part {shape, DType::Float32, data};
}

Result<Part> turned(const DeviceScope& scope, Arguments x)
{
    if (!x[1].number) return decline(scope.call(), "a setting that is a tensor");
    return *x[1].number != 0 ? transpose(scope, x) : Result<Part>(x[0]);
}

constexpr DeviceFunctionEntry Table[] = {
    {"along", along},
    {"batch_sum", batchSum},
    {"column", column},
    {"expand", expand},
    {"matmul", matmul},
    {"matmul_left", matmulLeft},
    {"matmul_right", matmulRight},
    {"moved_back", movedBack},
    {"reduce", along},
    {"reshape", reshape},
    {"resized_back", resizedBack},
    {"sum_axes", sumAxes},
    {"transpose", transpose},
    {"turned", turned},
};

} // namespace

std::span<const DeviceFunctionEntry> shapeFunctions()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
