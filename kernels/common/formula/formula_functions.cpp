#include "core/ops/derivatives/formula_shape.h"
#include "core/ops/dims.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/formula/formula_scope.h"

#include <algorithm>
#include <numeric>

/// Functions of formulas that take whole tensors: which steps of the backend they are made of.
namespace plimsoll::kernels {
namespace {

using Scope = FormulaScope;
using Value = FormulaValue;
using Arguments = FormulaArguments;

Value withShape(Value value, Shape shape)
{
    value.shape = std::move(shape);
    return value;
}

Shape reducedAxes(const Scope& scope)
{
    return intsAttribute(scope.call(), "grad.axes").value_or(Shape());
}

// --- Sums and shapes

Result<Value> along(const Scope& scope, Arguments x)
{
    Shape shape = x[0].shape;
    for (const std::int64_t axis : reducedAxes(scope)) {
        if (axis < static_cast<std::int64_t>(shape.size())) shape[static_cast<std::size_t>(axis)] = 1;
    }
    return scope.summed(x[0], shape);
}

Result<Value> expand(const Scope& scope, Arguments x)
{
    return withShape(x[0], withReducedAxes(x[0].shape, scope.sizes("g"), reducedAxes(scope), scope.target().size()));
}

Result<Value> reshape(const Scope& scope, Arguments x)
{
    if (elementCount(scope.target()) != x[0].elements())
        return refuse(scope.call(),
                      say("kernel.element-count", plimsoll::describe(x[0].shape), plimsoll::describe(scope.target())));
    return withShape(x[0], scope.target());
}

Result<Value> column(const Scope&, Arguments x)
{
    Shape shape = x[0].shape;
    shape.push_back(1);
    return withShape(x[0], std::move(shape));
}

Result<Value> batchSum(const Scope& scope, Arguments x)
{
    const Shape& shape = x[0].shape;
    return scope.summed(x[0], Shape(shape.begin() + (shape.empty() ? 0 : 1), shape.end()));
}

Result<Value> sumAxes(const Scope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(gone,
                    axisMask(scope.call(), intsAttribute(scope.call(), "axes").value_or(Shape()), x[0].shape.size()));
    const Reduction kept = reductionOver(x[0].shape, gone, false);
    PLIMSOLL_ASSIGN(sum, scope.summed(x[0], reductionOver(x[0].shape, gone, true).outShape));
    return withShape(std::move(sum), kept.outShape);
}

/// How many neighbouring channels one of \p numbers belongs to: before opset 21 GroupNormalization has one for a group.
std::int64_t channelsOfOne(std::int64_t channels, std::int64_t numbers)
{
    return numbers > 0 && channels % numbers == 0 ? channels / numbers : 1;
}

/// Of the channels that the numbers of the variable stand for.
Result<Value> channels(const Scope& scope, Arguments x)
{
    if (x[0].shape.size() < 2) return refuse(scope.call(), say("kernel.no-channel-axis"));
    Shape shape(x[0].shape.size(), 1);
    shape[1] = x[0].shape[1];
    const std::int64_t group = channelsOfOne(shape[1], productOf(scope.target()));
    PLIMSOLL_ASSIGN(each, scope.summed(x[0], shape));
    each.shape = {shape[1] / group, group};
    PLIMSOLL_ASSIGN(sum, scope.summed(each, {shape[1] / group, 1}));
    return withShape(std::move(sum), {shape[1] / group});
}

Result<Value> perChannel(const Scope& scope, Arguments x)
{
    const Shape g = scope.sizes("g");
    Value value = x[0];
    const std::int64_t count = value.elements();
    const std::int64_t group = g.size() < 2 ? 1 : channelsOfOne(g[1], count);
    value.shape = {count, 1};
    if (group > 1) {
        PLIMSOLL_ASSIGN(repeated, scope.written(value, {count, group}));
        value = std::move(repeated);
    }
    value.shape.assign(std::max<std::size_t>(g.size(), 2) - 1, 1);
    value.shape[0] = count * group;
    return value;
}

// --- Matrices

Result<Value> product(const Scope& scope, FormulaFactor a, FormulaFactor b)
{
    for (FormulaFactor* factor : {&a, &b}) {
        PLIMSOLL_ASSIGN(whole, scope.written(factor->value, factor->value.shape));
        factor->value = std::move(whole);
    }
    PLIMSOLL_ASSIGN(plan, planMatMul(scope.call(), a.shape(), b.shape()));
    return scope.steps().multiplied(scope, plan, a, b);
}

/// A vector on the left is a row, on the right a column.
Result<Value> matmul(const Scope& scope, Arguments x)
{
    return product(scope, {x[0]}, {x[1]});
}

/// g as it would be if both factors were matrices.
Value asMatrices(Value g, bool row, bool tall)
{
    if (tall) g.shape.push_back(1);
    if (row) g.shape.insert(g.shape.end() - 1, 1);
    return g;
}

Result<Value> matmulLeft(const Scope& scope, Arguments x)
{
    const bool row = scope.target().size() == 1;
    const bool tall = x[1].shape.size() == 1;
    Value other = x[1];
    if (tall) other.shape.push_back(1);
    PLIMSOLL_ASSIGN(result, product(scope, {asMatrices(x[0], row, tall)}, {std::move(other), true}));
    if (row) result.shape.erase(result.shape.end() - 2);
    return result;
}

Result<Value> matmulRight(const Scope& scope, Arguments x)
{
    const bool tall = scope.target().size() == 1;
    const bool row = x[0].shape.size() == 1;
    Value self = x[0];
    if (row) self.shape.insert(self.shape.begin(), 1);
    PLIMSOLL_ASSIGN(result, product(scope, {std::move(self), true}, {asMatrices(x[1], row, tall)}));
    if (tall) result.shape.pop_back();
    return result;
}

Result<Value> transpose(const Scope& scope, Arguments x)
{
    const std::size_t rank = x[0].shape.size();
    if (rank < 2 || x[0].number) return x[0];
    PLIMSOLL_ASSIGN(whole, scope.written(x[0], x[0].shape));
    return scope.steps().permuted(scope, whole, transposedView(whole.shape));
}

Result<Value> turned(const Scope& scope, Arguments x)
{
    if (!x[1].number) return refuse(scope.call(), say("kernel.tensor-setting"));
    return *x[1].number != 0 ? transpose(scope, x) : Result<Value>(x[0]);
}

// --- Places

Result<Value> cross(const Scope& scope, Arguments x)
{
    const auto full = broadcast(x[0].shape, x[1].shape);
    if (!full) return refuse(scope.call(), say("kernel.cross-misfit"));
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "dim", -1), full->size()));
    const AxisSplit split = splitAt(*full, axis);
    if (split.size != 3) return refuse(scope.call(), say("kernel.cross-axis"));
    PLIMSOLL_ASSIGN(a, scope.written(x[0], *full));
    PLIMSOLL_ASSIGN(b, scope.written(x[1], *full));
    return scope.steps().crossed(scope, a, b, split.inner);
}

template <auto FormulaSteps::*pick>
Result<Value> picked(const Scope& scope, Arguments x)
{
    if (x[1].number) return refuse(scope.call(), say("kernel.no-indices"));
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", 0), x[0].shape.size()));
    PLIMSOLL_ASSIGN(g, scope.written(x[0], x[0].shape));
    return (scope.steps().*pick)(scope, g, x[1], axis);
}

/// The sum runs the other way. Its axis is a constant of the graph.
Result<Value> cumsumBack(const Scope& scope, Arguments x)
{
    const auto input = scope.position("axis");
    if (!input) return refuse(scope.call(), say("kernel.no-axis"));
    PLIMSOLL_TRY(scope.steps().readOnHost(scope, *input));
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intInput(scope.call(), *input, 0), x[0].shape.size()));
    PLIMSOLL_ASSIGN(g, scope.written(x[0], x[0].shape));
    return scope.steps().runningSum(scope, g, axis, intAttribute(scope.call(), "exclusive", 0) != 0,
                                    intAttribute(scope.call(), "reverse", 0) == 0);
}

template <auto FormulaSteps::*step>
Result<Value> back(const Scope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(g, scope.written(x[0], scope.sizes("g")));
    return (scope.steps().*step)(scope, g);
}

// --- Layers

TensorView shapeOnly(const Scope& scope, const Shape& shape)
{
    return {scope.steps().dtype, shape, nullptr};
}

using PlanOf = Result<Convolution> (*)(const KernelCall&, const TensorView&, const TensorView&);

/// \p input and \p weights are the shapes of what the node read. What is named is written out.
Result<Value> convolved(const Scope& scope, PlanOf planOf, const Shape& input, const Shape& weights,
                        FormulaConvolution side)
{
    PLIMSOLL_ASSIGN(layer, planOf(scope.call(), shapeOnly(scope, input), shapeOnly(scope, weights)));
    side.layer = std::move(layer);
    std::vector<Value> whole;
    whole.reserve(3);
    for (const Value** part : {&side.planes, &side.weights, &side.windows}) {
        if (!*part) continue;
        PLIMSOLL_ASSIGN(written, scope.written(**part, (*part)->shape));
        *part = &whole.emplace_back(std::move(written));
    }
    return scope.steps().convolved(scope, side);
}

/// Of a layer's input: the gradient and the weights. A transposed layer makes planes of its windows.
template <PlanOf planOf, bool Transposed>
Result<Value> convolvedInput(const Scope& scope, Arguments x)
{
    FormulaConvolution side {.made = Transposed ? ConvolutionSide::Windows : ConvolutionSide::Planes, .weights = &x[1]};
    (Transposed ? side.planes : side.windows) = &x[0];
    return convolved(scope, planOf, scope.target(), x[1].shape, side);
}

/// Of a layer's weights: the gradient and the input.
template <PlanOf planOf, bool Transposed>
Result<Value> convolvedWeight(const Scope& scope, Arguments x)
{
    FormulaConvolution side {.made = ConvolutionSide::Weights, .planes = &x[1], .windows = &x[0]};
    if (Transposed) std::swap(side.planes, side.windows);
    return convolved(scope, planOf, x[1].shape, scope.target(), side);
}

Result<Windows> poolWindows(const Scope& scope)
{
    PLIMSOLL_ASSIGN(spatial, spatialShape(scope.call(), shapeOnly(scope, scope.target())));
    return windowsOver(scope.call(), spatial, {});
}

Result<Value> averagePoolBack(const Scope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(windows, poolWindows(scope));
    return scope.steps().averagePoolBack(scope, windows, x[0]);
}

Result<Value> maxPoolBack(const Scope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(windows, poolWindows(scope));
    PLIMSOLL_ASSIGN(input, scope.written(x[1], x[1].shape));
    return scope.steps().maxPoolBack(scope, windows, x[0], input);
}

using NormalizationOf = Result<Normalization> (*)(const Scope&, const Shape&);

Result<Normalization> rows(const Scope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", -1), shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    return Normalization {.count = productOf(shape, 0, at), .run = productOf(shape, at, shape.size())};
}

Result<Normalization> scaledRows(const Scope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(how, rows(scope, shape));
    how.centred = false;
    return how;
}

/// Each channel across the batch.
Result<Normalization> batch(const Scope& scope, const Shape& shape)
{
    if (shape.size() < 2) return refuse(scope.call(), say("kernel.no-channel-axis"));
    const std::int64_t plane = productOf(shape, 2, shape.size());
    return Normalization {.count = shape[1], .runs = shape[0], .run = plane, .stride = shape[1] * plane};
}

Result<Normalization> channelGroups(const Scope& scope, const Shape& shape, std::int64_t groups)
{
    if (shape.size() < 2 || groups < 1 || shape[1] % groups != 0)
        return refuse(scope.call(), say("kernel.channel-groups", word::Number(groups)));
    return Normalization {.count = shape[0] * groups, .run = shape[1] / groups * productOf(shape, 2, shape.size())};
}

Result<Normalization> instances(const Scope& scope, const Shape& shape)
{
    return channelGroups(scope, shape, shape.size() < 2 ? 0 : shape[1]);
}

Result<Normalization> groups(const Scope& scope, const Shape& shape)
{
    return channelGroups(scope, shape, intAttribute(scope.call(), "num_groups", 1));
}

/// Of x, the last argument; with g before it where its gradient is asked for.
template <NormalizationOf normalizationOf>
Result<Value> normalized(const Scope& scope, Arguments arguments)
{
    const Shape& shape = arguments.back().shape;
    PLIMSOLL_ASSIGN(how, normalizationOf(scope, shape));
    how.epsilon = floatAttribute(scope.call(), "epsilon", 1e-5);
    PLIMSOLL_ASSIGN(x, scope.written(arguments.back(), shape));
    if (arguments.size() == 1) return scope.steps().normalized(scope, how, x, nullptr);
    PLIMSOLL_ASSIGN(g, scope.written(arguments[0], shape));
    return scope.steps().normalized(scope, how, x, &g);
}

/// Of the gradient, the scores where the loss takes their softmax, the labels and weights, which are absent where they
/// are no tensor with dimensions.
template <bool ofScores>
Result<Value> lossBack(const Scope& scope, Arguments x)
{
    constexpr std::size_t Labels = ofScores ? 2 : 1;
    Value scores;
    if (ofScores) {
        PLIMSOLL_ASSIGN(whole, scope.written(x[1], scope.target()));
        scores = std::move(whole);
    }
    if (scope.target().size() < 2) return refuse(scope.call(), say("kernel.no-classes"));
    PLIMSOLL_ASSIGN(g, scope.written(x[0], x[0].shape));
    Value weights;
    const Value* weight = x.size() > Labels + 1 ? &x[Labels + 1] : nullptr;
    const bool weighted = weight && !weight->number && !weight->shape.empty();
    if (weighted) {
        PLIMSOLL_ASSIGN(whole, scope.written(*weight, weight->shape));
        weights = std::move(whole);
    }
    return scope.steps().lossBack(scope, g, ofScores ? &scores : nullptr, x[Labels], weighted ? &weights : nullptr);
}

struct Entry
{
    std::string_view name;
    TensorFunction run = nullptr;
};
constexpr Entry Table[] = {
    {"along", along},
    {"average_pool_back", averagePoolBack},
    {"batch_sum", batchSum},
    {"channels", channels},
    {"column", column},
    {"conv_input", convolvedInput<planConvolution, false>},
    {"conv_transpose_input", convolvedInput<planTransposed, true>},
    {"conv_transpose_weight", convolvedWeight<planTransposed, true>},
    {"conv_weight", convolvedWeight<planConvolution, false>},
    {"cross", cross},
    {"cross_entropy_back", lossBack<true>},
    {"cumsum_back", cumsumBack},
    {"expand", expand},
    {"matmul", matmul},
    {"matmul_left", matmulLeft},
    {"matmul_right", matmulRight},
    {"max_pool_back", maxPoolBack},
    {"moved_back", back<&FormulaSteps::movedBack>},
    {"nll_back", lossBack<false>},
    {"normalized_batch", normalized<batch>},
    {"normalized_batch_back", normalized<batch>},
    {"normalized_groups", normalized<groups>},
    {"normalized_groups_back", normalized<groups>},
    {"normalized_instances", normalized<instances>},
    {"normalized_instances_back", normalized<instances>},
    {"normalized_rows", normalized<rows>},
    {"normalized_rows_back", normalized<rows>},
    {"per_channel", perChannel},
    {"pick", picked<&FormulaSteps::picked>},
    {"pick_elements", picked<&FormulaSteps::pickedElements>},
    {"reduce", along},
    {"reshape", reshape},
    {"resized_back", back<&FormulaSteps::resizedBack>},
    {"scaled_rows", normalized<scaledRows>},
    {"scaled_rows_back", normalized<scaledRows>},
    {"sum_axes", sumAxes},
    {"transpose", transpose},
    {"turned", turned},
};

} // namespace

Shape FormulaFactor::shape() const
{
    Shape shape = value.shape;
    if (transposed && shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

PermutedView transposedView(const Shape& shape)
{
    PermutedView view {shape, Shape(shape.size())};
    std::iota(view.order.begin(), view.order.end(), std::int64_t {0});
    std::swap(view.order[shape.size() - 1], view.order[shape.size() - 2]);
    return view;
}

TensorFunction findTensorFunction(std::string_view name)
{
    const auto* found =
        std::find_if(std::begin(Table), std::end(Table), [name](const Entry& entry) { return entry.name == name; });
    return found == std::end(Table) ? nullptr : found->run;
}

} // namespace plimsoll::kernels
