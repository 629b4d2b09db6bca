#include "core/ops/derivatives/formula.h"
#include "core/ops/derivatives/formula_shape.h"
#include "core/ops/dims.h"
#include "kernels/reference/call_tools.h"
#include "kernels/reference/gradients/formula_scope.h"
#include "kernels/reference/gradients/inner_call.h"
#include "kernels/reference/layers/product.h"
#include "kernels/reference/layers/resize.h"
#include "kernels/reference/numbers.h"
#include "kernels/tensor_value.h"

#include <algorithm>
#include <numeric>

/// Functions of formulas that multiply matrices, sum along axes and move elements.
namespace plimsoll::kernels {
namespace {

using Arguments = std::span<const Numbers>;

std::vector<std::int64_t> axesOf(const FormulaScope& scope)
{
    return intsAttribute(scope.call(), "grad.axes").value_or(std::vector<std::int64_t>());
}

Numbers summedAlong(const Numbers& x, const std::vector<std::int64_t>& axes)
{
    Shape shape = x.shape;
    for (const std::int64_t axis : axes) {
        if (axis < static_cast<std::int64_t>(shape.size())) shape[static_cast<std::size_t>(axis)] = 1;
    }
    return summedTo(x, shape);
}

Result<Numbers> along(const FormulaScope& scope, Arguments x)
{
    return summedAlong(x[0], axesOf(scope));
}

Result<Numbers> expand(const FormulaScope& scope, Arguments x)
{
    const Shape target = scope.target();
    return Numbers {withReducedAxes(x[0].shape, scope.sizes("g"), axesOf(scope), target.size()), x[0].data};
}

Result<Numbers> reshape(const FormulaScope& scope, Arguments x)
{
    if (elementCount(scope.target()) != static_cast<std::int64_t>(x[0].data.size()))
        return refuse(scope.call(), plimsoll::describe(x[0].shape) + " has not the elements of " +
                                        plimsoll::describe(scope.target()) + ".");
    return Numbers {scope.target(), x[0].data};
}

Result<Numbers> column(const FormulaScope&, Arguments x)
{
    Shape shape = x[0].shape;
    shape.push_back(1);
    return Numbers {std::move(shape), x[0].data};
}

Numbers transposedMatrix(const Numbers& x)
{
    const std::size_t rank = x.shape.size();
    if (rank < 2) return x;
    Numbers result {x.shape, {}};
    std::swap(result.shape[rank - 1], result.shape[rank - 2]);
    const std::int64_t block = x.shape[rank - 1] * x.shape[rank - 2];
    for (std::int64_t at = 0; at < static_cast<std::int64_t>(x.data.size()); at += std::max<std::int64_t>(block, 1)) {
        const std::vector<double> part = transposed(x.data.data() + at, x.shape[rank - 2], x.shape[rank - 1]);
        result.data.insert(result.data.end(), part.begin(), part.end());
    }
    return result;
}

Result<Numbers> transpose(const FormulaScope&, Arguments x)
{
    return transposedMatrix(x[0]);
}

Result<Numbers> turned(const FormulaScope&, Arguments x)
{
    return x[1].data[0] != 0 ? transposedMatrix(x[0]) : x[0];
}

/// Of matrices in batches that broadcast.
Result<Numbers> product(const FormulaScope& scope, const Numbers& a, const Numbers& b)
{
    const auto batchOf = [](const Shape& shape) { return Shape(shape.begin(), shape.end() - 2); };
    const std::size_t rankA = a.shape.size();
    const std::size_t rankB = b.shape.size();
    const bool matrices = rankA >= 2 && rankB >= 2 && a.shape[rankA - 1] == b.shape[rankB - 2];
    const auto batch = matrices ? broadcast(batchOf(a.shape), batchOf(b.shape)) : std::nullopt;
    if (!batch)
        return refuse(scope.call(),
                      plimsoll::describe(a.shape) + " and " + plimsoll::describe(b.shape) + " cannot be multiplied.");
    const ProductSize size {a.shape[rankA - 2], a.shape[rankA - 1], b.shape[rankB - 1]};
    Shape shape = *batch;
    shape.insert(shape.end(), {size.rows, size.columns});
    Numbers result = Numbers::zeros(std::move(shape));
    const auto fromA = broadcastOffsets(batchOf(a.shape), *batch);
    const auto fromB = broadcastOffsets(batchOf(b.shape), *batch);
    for (std::size_t i = 0; i < fromA.size(); ++i)
        addProduct(a.data.data() + fromA[i] * size.rows * size.depth,
                   b.data.data() + fromB[i] * size.depth * size.columns,
                   result.data.data() + static_cast<std::int64_t>(i) * size.rows * size.columns, size);
    return result;
}

/// A vector on the left is a row, on the right a column.
Result<Numbers> matmul(const FormulaScope& scope, Arguments x)
{
    Numbers a = x[0];
    Numbers b = x[1];
    const bool row = a.shape.size() == 1;
    const bool tall = b.shape.size() == 1;
    if (row) a.shape.insert(a.shape.begin(), 1);
    if (tall) b.shape.push_back(1);
    PLIMSOLL_ASSIGN(result, product(scope, a, b));
    if (tall) result.shape.pop_back();
    if (row) result.shape.erase(result.shape.end() - (tall ? 1 : 2));
    return result;
}

/// g as it would be if both factors were matrices.
Numbers asMatrices(Numbers g, bool row, bool tall)
{
    if (tall) g.shape.push_back(1);
    if (row) g.shape.insert(g.shape.end() - 1, 1);
    return g;
}

Result<Numbers> matmulLeft(const FormulaScope& scope, Arguments x)
{
    const bool row = scope.target().size() == 1;
    Numbers other = x[1];
    const bool tall = other.shape.size() == 1;
    if (tall) other.shape.push_back(1);
    PLIMSOLL_ASSIGN(result, product(scope, asMatrices(x[0], row, tall), transposedMatrix(other)));
    if (row) result.shape.erase(result.shape.end() - 2);
    return result;
}

Result<Numbers> matmulRight(const FormulaScope& scope, Arguments x)
{
    const bool tall = scope.target().size() == 1;
    Numbers self = x[0];
    const bool row = self.shape.size() == 1;
    if (row) self.shape.insert(self.shape.begin(), 1);
    PLIMSOLL_ASSIGN(result, product(scope, transposedMatrix(self), asMatrices(x[1], row, tall)));
    if (tall) result.shape.pop_back();
    return result;
}

Result<Numbers> cross(const FormulaScope& scope, Arguments x)
{
    const auto full = broadcast(x[0].shape, x[1].shape);
    const auto axis = full ? plimsoll::normalAxis(intAttribute(scope.call(), "dim", -1), full->size()) : std::nullopt;
    if (!axis || (*full)[*axis] != 3) return refuse(scope.call(), "a cross product needs an axis of 3.");
    const Numbers a = expandedTo(x[0], *full);
    const Numbers b = expandedTo(x[1], *full);
    Numbers result = Numbers::zeros(*full);
    const auto inner = static_cast<std::size_t>(productOf(*full, *axis + 1, full->size()));
    for (std::size_t i = 0; i < result.data.size(); ++i) {
        const std::size_t part = i / inner % 3;
        const std::size_t base = i - part * inner;
        const std::size_t next = base + (part + 1) % 3 * inner;
        const std::size_t last = base + (part + 2) % 3 * inner;
        result.data[i] = a.data[next] * b.data[last] - a.data[last] * b.data[next];
    }
    return result;
}

Result<std::size_t> axisOf(const FormulaScope& scope, std::size_t rank)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), rank));
    return static_cast<std::size_t>(axis);
}

Result<std::int64_t> indexIn(const FormulaScope& scope, double index, std::int64_t size)
{
    const std::int64_t at = truncated(index);
    if (at < -size || at >= size) return refuse(scope.call(), "index " + std::to_string(at) + " is outside.");
    return at < 0 ? at + size : at;
}

Result<Numbers> pick(const FormulaScope& scope, Arguments x)
{
    const Numbers& g = x[0];
    PLIMSOLL_ASSIGN(axis, axisOf(scope, g.shape.size()));
    const AxisSplit split = splitAt(g.shape, static_cast<std::int64_t>(axis));
    Shape shape = g.shape;
    shape[axis] = static_cast<std::int64_t>(x[1].data.size());
    Numbers result {shape, {}};
    for (std::int64_t outer = 0; outer < split.outer; ++outer) {
        for (const double index : x[1].data) {
            PLIMSOLL_ASSIGN(at, indexIn(scope, index, split.size));
            const double* from = g.data.data() + (outer * split.size + at) * split.inner;
            result.data.insert(result.data.end(), from, from + split.inner);
        }
    }
    return result;
}

Result<Numbers> pickElements(const FormulaScope& scope, Arguments x)
{
    const Numbers& g = x[0];
    PLIMSOLL_ASSIGN(axis, axisOf(scope, g.shape.size()));
    const Shape strides = rowMajorStrides(g.shape);
    Numbers result = Numbers::zeros(x[1].shape);
    std::size_t position = 0;
    for (IndexWalk walk(x[1].shape); walk.valid(); walk.advance(), ++position) {
        PLIMSOLL_ASSIGN(index, indexIn(scope, x[1].data[position], g.shape[axis]));
        std::int64_t at = 0;
        for (std::size_t d = 0; d < strides.size(); ++d)
            at += strides[d] * (d == axis ? index : walk[d]);
        result.data[position] = g.data[static_cast<std::size_t>(at)];
    }
    return result;
}

/// The sum runs the other way.
Result<Numbers> cumsumBack(const FormulaScope& scope, Arguments x)
{
    const Numbers& g = x[0];
    const auto axis = x[1].data.empty() ? std::nullopt : plimsoll::normalAxis(truncated(x[1].data[0]), g.shape.size());
    if (!axis) return refuse(scope.call(), "its axis is outside.");
    const AxisSplit split = splitAt(g.shape, static_cast<std::int64_t>(*axis));
    const bool forwards = intAttribute(scope.call(), "reverse", 0) != 0;
    const bool exclusive = intAttribute(scope.call(), "exclusive", 0) != 0;
    Numbers result = g;
    for (std::int64_t line = 0; line < split.outer * split.inner; ++line) {
        double sum = 0;
        for (std::int64_t k = 0; k < split.size; ++k) {
            const std::int64_t place = forwards ? k : split.size - 1 - k;
            const auto at =
                static_cast<std::size_t>((line / split.inner * split.size + place) * split.inner + line % split.inner);
            result.data[at] = exclusive ? sum : sum + g.data[at];
            sum += g.data[at];
        }
    }
    return result;
}

/// 1, 2, 3, …: each element says where it is, and 0 stays for what is filled in.
RuntimeValue positions(const Shape& shape)
{
    HostTensor tensor(DType::Int64, shape);
    std::iota(tensor.view().as<std::int64_t>(), tensor.view().as<std::int64_t>() + tensor.view().elements(), 1);
    return tensorValue(std::move(tensor));
}

/// The forward node, as far as the backward node tells.
Node forwardNode(const KernelCall& call)
{
    Node node = call.node();
    const std::size_t colons = node.op.rfind("::");
    node.domain = colons == std::string::npos ? std::string() : node.op.substr(0, colons);
    if (colons != std::string::npos) node.op = node.op.substr(colons + 2);
    node.inputs.clear();
    node.outputs.clear();
    return node;
}

/// The inputs of the forward node, with \p variable for the one whose gradient it is.
std::vector<RuntimeValue> forwardInputs(const FormulaScope& scope, const RuntimeValue& variable)
{
    std::vector<RuntimeValue> inputs;
    for (const std::string& name : textsAttribute(scope.call(), "grad.arguments")) {
        const TensorView* given = scope.input(name);
        const bool member = name.find('.') != std::string::npos;
        RuntimeValue value;
        if (name == scope.variable()) {
            value = variable;
        } else if (given) {
            value.kind = RuntimeValue::Kind::Tensor;
            value.tensor = *given;
        } else if (member) {
            value = tensorValue(HostTensor(DType::Int64, scope.sizes(name)));
        }
        inputs.push_back(std::move(value));
    }
    return inputs;
}

/// The operator is asked to move positions instead of elements.
Result<Numbers> movedBack(const FormulaScope& scope, Arguments)
{
    KernelCall& call = scope.call();
    Node node = forwardNode(call);
    while (hasAttribute(call, "grad.sizes." + gradientName(node.outputs.size())))
        node.outputs.emplace_back();
    InnerCall inner(call, node, forwardInputs(scope, positions(scope.target())));
    PLIMSOLL_TRY(inner.run());
    Numbers result = Numbers::zeros(scope.target());
    for (std::size_t output = 0; output < node.outputs.size(); ++output) {
        if (!scope.input(gradientName(output))) continue;
        const Numbers g = expandedTo(scope.value(gradientName(output)), scope.sizes(gradientName(output)));
        const std::vector<std::int64_t> from = integersOf(inner.result(output).tensor);
        for (std::size_t i = 0; i < std::min(from.size(), g.data.size()); ++i) {
            if (from[i] > 0) result.data[static_cast<std::size_t>(from[i]) - 1] += g.data[i];
        }
    }
    return result;
}

Result<Numbers> resizedBack(const FormulaScope& scope, Arguments x)
{
    const InnerCall forward(scope.call(), forwardNode(scope.call()), forwardInputs(scope, {}));
    const TensorView variable {DType::Float64, scope.target(), nullptr};
    PLIMSOLL_ASSIGN(numbers, resizeBack(forward, variable, expandedTo(x[0], scope.sizes("g")).data));
    return Numbers {scope.target(), std::move(numbers)};
}

Result<Numbers> batchSum(const FormulaScope&, Arguments x)
{
    const Shape& shape = x[0].shape;
    return summedTo(x[0], Shape(shape.begin() + (shape.empty() ? 0 : 1), shape.end()));
}

Result<Numbers> sumAxes(const FormulaScope& scope, Arguments x)
{
    std::vector<bool> gone(x[0].shape.size(), false);
    for (const std::int64_t axis : intsAttribute(scope.call(), "axes").value_or(Shape {})) {
        PLIMSOLL_ASSIGN(at, normalAxis(scope.call(), axis, gone.size()));
        gone[static_cast<std::size_t>(at)] = true;
    }
    Shape kept;
    Shape shape = x[0].shape;
    for (std::size_t axis = 0; axis < gone.size(); ++axis) {
        if (gone[axis]) shape[axis] = 1;
        if (!gone[axis]) kept.push_back(shape[axis]);
    }
    return Numbers {std::move(kept), summedTo(x[0], shape).data};
}

constexpr TensorFunctionEntry Table[] = {
    {"along", along},
    {"batch_sum", batchSum},
    {"column", column},
    {"cross", cross},
    {"cumsum_back", cumsumBack},
    {"expand", expand},
    {"matmul", matmul},
    {"matmul_left", matmulLeft},
    {"matmul_right", matmulRight},
    {"moved_back", movedBack},
    {"pick", pick},
    {"pick_elements", pickElements},
    {"reduce", along},
    {"reshape", reshape},
    {"resized_back", resizedBack},
    {"sum_axes", sumAxes},
    {"transpose", transpose},
    {"turned", turned},
};

} // namespace

std::span<const TensorFunctionEntry> shapeFormulaFunctions()
{
    return Table;
}

} // namespace plimsoll::kernels
