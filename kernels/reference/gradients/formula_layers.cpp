#include "kernels/reference/gradients/formula_parts.h"
#include "kernels/reference/gradients/formula_scope.h"
#include "kernels/reference/gradients/inner_call.h"
#include "kernels/reference/layers/convolution.h"
#include "kernels/reference/layers/softmax.h"
#include "kernels/reference/numbers.h"
#include "kernels/tensor_value.h"

#include <algorithm>
#include <cmath>

/// Functions of formulas for the layers of networks: convolution, pooling, normalization, losses.
namespace plimsoll::kernels {
namespace {

using Arguments = std::span<const Numbers>;

/// Windows over planes: one side has a number for each place of a plane, the other one for each window.
struct Sliding
{
    Windows windows;
    std::int64_t batch = 0;
    std::int64_t groups = 1;
    std::int64_t planes = 0;  ///< Channels of a group on the side of the planes.
    std::int64_t filters = 0; ///< Channels of a group on the side of the windows.
};

TensorView shapeOnly(Shape shape)
{
    return {DType::Float64, std::move(shape), nullptr};
}

Result<Sliding> slidingOf(const FormulaScope& scope, const Shape& x, const Shape& w)
{
    PLIMSOLL_ASSIGN(plan, planConvolution(scope.call(), shapeOnly(x), shapeOnly(w)));
    return Sliding {plan.windows, plan.batch, plan.groups, plan.channels / plan.groups, plan.filters / plan.groups};
}

/// A transposed convolution slides over its output; its input is on the side of the windows.
Result<Sliding> transposedSlidingOf(const FormulaScope& scope, const Shape& x, const Shape& w)
{
    PLIMSOLL_ASSIGN(plan, planTransposed(scope.call(), shapeOnly(x), shapeOnly(w)));
    return Sliding {plan.windows, x[0], plan.groups, plan.filters / plan.groups, plan.channels / plan.groups};
}

/// Calls \p visit(weight, plane element, window element) for all that meet; each is an index into its tensor.
template <typename Visit>
void slide(const Sliding& sliding, const Visit& visit)
{
    const std::int64_t plane = productOf(sliding.windows.input);
    const std::int64_t windows = productOf(sliding.windows.output);
    const std::int64_t kernel = productOf(sliding.windows.kernel);
    std::vector<std::int64_t> sources;
    windowSources(sliding.windows, 0, windows, sources);
    for (std::int64_t part = 0; part < sliding.batch * sliding.groups; ++part) {
        for (std::int64_t f = 0; f < sliding.filters; ++f) {
            const std::int64_t filter = part % sliding.groups * sliding.filters + f;
            for (std::int64_t p = 0; p < sliding.planes; ++p) {
                for (std::int64_t k = 0; k < kernel; ++k) {
                    const std::int64_t weight = (filter * sliding.planes + p) * kernel + k;
                    const std::int64_t inPlane = (part * sliding.planes + p) * plane;
                    const std::int64_t inWindows = (part * sliding.filters + f) * windows;
                    visit(weight, inPlane, inWindows, sources.data() + k * windows, windows);
                }
            }
        }
    }
}

Numbers planesFrom(const Sliding& sliding, const Numbers& windowed, const Numbers& weights, const Shape& shape)
{
    Numbers result = Numbers::zeros(shape);
    slide(sliding, [&](std::int64_t weight, std::int64_t plane, std::int64_t window, const std::int64_t* sources,
                       std::int64_t count) {
        const double factor = weights.data[static_cast<std::size_t>(weight)];
        const double* from = windowed.data.data() + window;
        double* to = result.data.data() + plane;
        for (std::int64_t j = 0; j < count; ++j) {
            if (sources[j] >= 0) to[sources[j]] += factor * from[j];
        }
    });
    return result;
}

Numbers weightsFrom(const Sliding& sliding, const Numbers& windowed, const Numbers& planes, const Shape& shape)
{
    Numbers result = Numbers::zeros(shape);
    slide(sliding, [&](std::int64_t weight, std::int64_t plane, std::int64_t window, const std::int64_t* sources,
                       std::int64_t count) {
        const double* a = windowed.data.data() + window;
        const double* b = planes.data.data() + plane;
        double sum = 0;
        for (std::int64_t j = 0; j < count; ++j)
            sum += sources[j] >= 0 ? a[j] * b[sources[j]] : 0;
        result.data[static_cast<std::size_t>(weight)] += sum;
    });
    return result;
}

Numbers windowsFrom(const Sliding& sliding, const Numbers& planes, const Numbers& weights, const Shape& shape)
{
    Numbers result = Numbers::zeros(shape);
    slide(sliding, [&](std::int64_t weight, std::int64_t plane, std::int64_t window, const std::int64_t* sources,
                       std::int64_t count) {
        const double factor = weights.data[static_cast<std::size_t>(weight)];
        const double* from = planes.data.data() + plane;
        double* to = result.data.data() + window;
        for (std::int64_t j = 0; j < count; ++j)
            to[j] += sources[j] >= 0 ? factor * from[sources[j]] : 0;
    });
    return result;
}

Result<Numbers> convInput(const FormulaScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(sliding, slidingOf(scope, scope.target(), x[1].shape));
    return planesFrom(sliding, x[0], x[1], scope.target());
}

Result<Numbers> convWeight(const FormulaScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(sliding, slidingOf(scope, x[1].shape, scope.target()));
    return weightsFrom(sliding, x[0], x[1], scope.target());
}

Result<Numbers> convTransposeInput(const FormulaScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(sliding, transposedSlidingOf(scope, scope.target(), x[1].shape));
    return windowsFrom(sliding, x[0], x[1], scope.target());
}

Result<Numbers> convTransposeWeight(const FormulaScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(sliding, transposedSlidingOf(scope, x[1].shape, scope.target()));
    return weightsFrom(sliding, x[1], x[0], scope.target());
}

Result<Numbers> channels(const FormulaScope& scope, Arguments x)
{
    if (x[0].shape.size() < 2) return refuse(scope.call(), "there is no axis of channels.");
    Shape shape(x[0].shape.size(), 1);
    shape[1] = x[0].shape[1];
    const std::int64_t group = channelsOfOne(shape[1], productOf(scope.target()));
    const Numbers sums {{shape[1] / group, group}, summedTo(x[0], shape).data};
    return Numbers {{shape[1] / group}, summedTo(sums, {shape[1] / group, 1}).data};
}

Result<Numbers> perChannel(const FormulaScope& scope, Arguments x)
{
    const Shape g = scope.sizes("g");
    const auto count = static_cast<std::int64_t>(x[0].data.size());
    const std::int64_t group = g.size() < 2 ? 1 : channelsOfOne(g[1], count);
    Shape shape(std::max<std::size_t>(g.size(), 2) - 1, 1);
    shape[0] = count * group;
    return Numbers {std::move(shape), expandedTo({{count, 1}, x[0].data}, {count, group}).data};
}

/// Asks the operator which elements it chose.
Result<Numbers> maxPoolBack(const FormulaScope& scope, Arguments x)
{
    Node node = scope.call().node();
    node.domain.clear();
    node.attributes.erase("storage_order");
    node.outputs.assign(2, ValueId());
    HostTensor input(DType::Float64, x[1].shape);
    storeNumbers(x[1].data.data(), input.view());
    InnerCall inner(scope.call(), std::move(node), {tensorValue(std::move(input))});
    PLIMSOLL_TRY(inner.run());
    Numbers result = Numbers::zeros(x[1].shape);
    const std::vector<std::int64_t> chosen = integersOf(inner.result(1).tensor);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        result.data[static_cast<std::size_t>(chosen[i])] += x[0].data[i];
    return result;
}

Result<Numbers> averagePoolBack(const FormulaScope& scope, Arguments x)
{
    const Shape shape = scope.target();
    PLIMSOLL_ASSIGN(spatial, spatialShape(scope.call(), shapeOnly(shape)));
    PLIMSOLL_ASSIGN(windows, windowsOver(scope.call(), spatial, {}));
    const bool includePad = intAttribute(scope.call(), "count_include_pad", 0) != 0;
    const std::int64_t total = productOf(windows.output);
    const std::int64_t kernel = productOf(windows.kernel);
    std::vector<std::int64_t> sources;
    windowSources(windows, 0, total, sources);
    Numbers result = Numbers::zeros(shape);
    for (std::int64_t window = 0; window < total; ++window) {
        const auto source = [&](std::int64_t k) { return sources[static_cast<std::size_t>(k * total + window)]; };
        double count = 0;
        for (std::int64_t k = 0; k < kernel; ++k)
            count += source(k) >= 0 || (includePad && source(k) == InPadding) ? 1 : 0;
        for (std::int64_t plane = 0; plane < shape[0] * shape[1]; ++plane) {
            const double share = x[0].data[static_cast<std::size_t>(plane * total + window)] / count;
            for (std::int64_t k = 0; k < kernel; ++k) {
                if (source(k) >= 0)
                    result.data[static_cast<std::size_t>(plane * productOf(spatial) + source(k))] += share;
            }
        }
    }
    return result;
}

/// Which elements are normalized together: those with the same index / divisor % count.
struct Grouping
{
    std::int64_t divisor = 1;
    std::int64_t count = 1;
    bool centred = true;

    [[nodiscard]] std::size_t of(std::size_t index) const
    {
        return static_cast<std::size_t>(static_cast<std::int64_t>(index) / divisor % count);
    }
};

using GroupingOf = Result<Grouping> (*)(const FormulaScope&, const Shape&);

Result<Grouping> rows(const FormulaScope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", -1), shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    return Grouping {productOf(shape, at, shape.size()), productOf(shape, 0, at), true};
}

Result<Grouping> scaledRows(const FormulaScope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(grouping, rows(scope, shape));
    grouping.centred = false;
    return grouping;
}

Result<Grouping> groupsOf(const FormulaScope& scope, const Shape& shape, std::int64_t groups, bool acrossBatch)
{
    if (shape.size() < 2 || groups < 1 || shape[1] % groups != 0)
        return refuse(scope.call(), "its channels do not fall into " + std::to_string(groups) + " groups.");
    const std::int64_t size = shape[1] / groups * productOf(shape, 2, shape.size());
    return Grouping {size, acrossBatch ? groups : groups * shape[0], true};
}

Result<Grouping> batch(const FormulaScope& scope, const Shape& shape)
{
    return groupsOf(scope, shape, shape.size() < 2 ? 0 : shape[1], true);
}

Result<Grouping> instances(const FormulaScope& scope, const Shape& shape)
{
    return groupsOf(scope, shape, shape.size() < 2 ? 0 : shape[1], false);
}

Result<Grouping> groups(const FormulaScope& scope, const Shape& shape)
{
    return groupsOf(scope, shape, intAttribute(scope.call(), "num_groups", 1), false);
}

std::vector<double> means(const Grouping& grouping, const std::vector<double>& numbers)
{
    std::vector<double> sums(static_cast<std::size_t>(grouping.count), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sums[grouping.of(i)] += numbers[i];
    for (double& sum : sums)
        sum *= static_cast<double>(grouping.count) / static_cast<double>(numbers.size());
    return sums;
}

/// The normalized numbers; \p scales is 1 / deviation by group.
std::vector<double> normalize(const FormulaScope& scope, const Grouping& grouping, std::vector<double> x,
                              std::vector<double>& scales)
{
    if (grouping.centred) {
        const std::vector<double> mean = means(grouping, x);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] -= mean[grouping.of(i)];
    }
    std::vector<double> squares = x;
    for (double& number : squares)
        number *= number;
    scales = means(grouping, squares);
    for (double& scale : scales)
        scale = 1 / std::sqrt(scale + floatAttribute(scope.call(), "epsilon", 1e-5));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] *= scales[grouping.of(i)];
    return x;
}

template <GroupingOf groupingOf>
Result<Numbers> normalized(const FormulaScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(grouping, groupingOf(scope, x[0].shape));
    std::vector<double> scales;
    return Numbers {x[0].shape, normalize(scope, grouping, x[0].data, scales)};
}

template <GroupingOf groupingOf>
Result<Numbers> normalizedBack(const FormulaScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(grouping, groupingOf(scope, x[1].shape));
    std::vector<double> scales;
    const std::vector<double> unit = normalize(scope, grouping, x[1].data, scales);
    Numbers result = expandedTo(x[0], x[1].shape);
    std::vector<double> along = result.data;
    for (std::size_t i = 0; i < along.size(); ++i)
        along[i] *= unit[i];
    const std::vector<double> slope = means(grouping, along);
    const std::vector<double> mean =
        grouping.centred ? means(grouping, result.data) : std::vector<double>(scales.size(), 0);
    for (std::size_t i = 0; i < unit.size(); ++i) {
        const std::size_t group = grouping.of(i);
        result.data[i] = scales[group] * (result.data[i] - mean[group] - unit[i] * slope[group]);
    }
    return result;
}

/// The factor of each place's loss: g, the weight of its class, the mean. 0 where it is ignored.
Result<std::vector<double>> lossFactors(const FormulaScope& scope, const Numbers& g, const Numbers& target,
                                        const Numbers& weight, std::int64_t classes)
{
    const bool ignores = hasAttribute(scope.call(), "ignore_index");
    const auto ignored = static_cast<double>(intAttribute(scope.call(), "ignore_index", -1));
    std::vector<double> factors;
    double total = 0;
    for (const double label : target.data) {
        const bool counts = !ignores || label != ignored;
        if (counts && (label < 0 || label >= static_cast<double>(classes)))
            return refuse(scope.call(), "a target is no class.");
        const bool weighted = static_cast<std::int64_t>(weight.data.size()) == classes && !weight.shape.empty();
        factors.push_back(!counts ? 0 : weighted ? weight.data[static_cast<std::size_t>(label)] : 1);
        total += factors.back();
    }
    const std::string reduction = textAttribute(scope.call(), "reduction", "mean");
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] *= g.data.size() == factors.size() ? g.data[i] : g.data[0];
        if (reduction == "mean") factors[i] /= total;
    }
    return factors;
}

std::size_t scoreIndex(const Shape& shape, std::size_t place, double label)
{
    const auto places = static_cast<std::size_t>(productOf(shape, 2, shape.size()));
    const auto classes = static_cast<std::size_t>(shape[1]);
    return (place / places * classes + static_cast<std::size_t>(label)) * places + place % places;
}

Result<Numbers> nllBack(const FormulaScope& scope, Arguments x)
{
    const Shape shape = scope.target();
    if (shape.size() < 2) return refuse(scope.call(), "its scores have no classes.");
    const Numbers none = Numbers::ofScalar(1);
    PLIMSOLL_ASSIGN(factors, lossFactors(scope, x[0], x[1], x.size() > 2 ? x[2] : none, shape[1]));
    Numbers result = Numbers::zeros(shape);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i] != 0) result.data[scoreIndex(shape, i, x[1].data[i])] = -factors[i];
    }
    return result;
}

Result<Numbers> crossEntropyBack(const FormulaScope& scope, Arguments x)
{
    const Shape& shape = x[1].shape;
    if (shape.size() < 2) return refuse(scope.call(), "its scores have no classes.");
    const Numbers none = Numbers::ofScalar(1);
    PLIMSOLL_ASSIGN(factors, lossFactors(scope, x[0], x[2], x.size() > 3 ? x[3] : none, shape[1]));
    Numbers result = Numbers::zeros(shape);
    std::vector<double> slice(static_cast<std::size_t>(shape[1]));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i] == 0) continue;
        for (std::size_t c = 0; c < slice.size(); ++c)
            slice[c] = x[1].data[scoreIndex(shape, i, static_cast<double>(c))];
        logSoftmaxInPlace(slice);
        for (std::size_t c = 0; c < slice.size(); ++c) {
            const double right = static_cast<double>(c) == x[2].data[i] ? 1 : 0;
            result.data[scoreIndex(shape, i, static_cast<double>(c))] = factors[i] * (std::exp(slice[c]) - right);
        }
    }
    return result;
}

constexpr TensorFunctionEntry Table[] = {
    {"average_pool_back", averagePoolBack},
    {"channels", channels},
    {"conv_input", convInput},
    {"conv_transpose_input", convTransposeInput},
    {"conv_transpose_weight", convTransposeWeight},
    {"conv_weight", convWeight},
    {"cross_entropy_back", crossEntropyBack},
    {"max_pool_back", maxPoolBack},
    {"nll_back", nllBack},
    {"normalized_batch", normalized<batch>},
    {"normalized_batch_back", normalizedBack<batch>},
    {"normalized_groups", normalized<groups>},
    {"normalized_groups_back", normalizedBack<groups>},
    {"normalized_instances", normalized<instances>},
    {"normalized_instances_back", normalizedBack<instances>},
    {"normalized_rows", normalized<rows>},
    {"normalized_rows_back", normalizedBack<rows>},
    {"per_channel", perChannel},
    {"scaled_rows", normalized<scaledRows>},
    {"scaled_rows_back", normalizedBack<scaledRows>},
};

} // namespace

std::span<const TensorFunctionEntry> layerFormulaFunctions()
{
    return Table;
}

} // namespace plimsoll::kernels
