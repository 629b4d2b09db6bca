#include "kernels/reference/gradients/host_steps.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/layers/softmax.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

using Scope = FormulaScope;
using Value = FormulaValue;

/// Where elements meet: a weight, a plane of the one side, the windows of the other, and what each window reads there.
struct Meeting
{
    std::int64_t weight = 0;
    std::int64_t plane = 0;   ///< Its first element.
    std::int64_t windows = 0; ///< Its first element.
    const std::int64_t* sources = nullptr;
    std::int64_t count = 0; ///< Windows.
};

template <typename Visit>
void slide(const Convolution& layer, const Visit& visit)
{
    const std::int64_t plane = productOf(layer.windows.input);
    const std::int64_t windows = productOf(layer.windows.output);
    const std::int64_t kernel = productOf(layer.windows.kernel);
    const std::int64_t planes = layer.channels / layer.groups;
    const std::int64_t filters = layer.filters / layer.groups;
    std::vector<std::int64_t> sources;
    windowSources(layer.windows, 0, windows, sources);
    for (std::int64_t part = 0; part < layer.batch * layer.groups; ++part) {
        for (std::int64_t f = 0; f < filters; ++f) {
            const std::int64_t filter = part % layer.groups * filters + f;
            for (std::int64_t p = 0; p < planes; ++p) {
                for (std::int64_t k = 0; k < kernel; ++k)
                    visit(Meeting {(filter * planes + p) * kernel + k, (part * planes + p) * plane,
                                   (part * filters + f) * windows, sources.data() + k * windows, windows});
            }
        }
    }
}

/// Which elements are normalized together, by index.
std::size_t groupOf(const Normalization& how, std::size_t index)
{
    return static_cast<std::size_t>(static_cast<std::int64_t>(index) / how.run % how.count);
}

std::vector<double> means(const Normalization& how, const std::vector<double>& numbers)
{
    std::vector<double> sums(static_cast<std::size_t>(how.count), 0);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sums[groupOf(how, i)] += numbers[i];
    for (double& sum : sums)
        sum *= static_cast<double>(how.count) / static_cast<double>(numbers.size());
    return sums;
}

/// The normalized numbers; \p scales is 1 / deviation by group.
std::vector<double> normalize(const Normalization& how, std::vector<double> x, std::vector<double>& scales)
{
    if (how.centred) {
        const std::vector<double> mean = means(how, x);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] -= mean[groupOf(how, i)];
    }
    std::vector<double> squares = x;
    for (double& number : squares)
        number *= number;
    scales = means(how, squares);
    for (double& scale : scales)
        scale = 1 / std::sqrt(scale + how.epsilon);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] *= scales[groupOf(how, i)];
    return x;
}

/// The factor of each place's loss: g, the weight of its class, the mean. 0 where it is ignored.
Result<std::vector<double>> lossFactors(const Scope& scope, const Value& g, const std::vector<double>& labels,
                                        const Value* weights, std::int64_t classes)
{
    const bool ignores = hasAttribute(scope.call(), "ignore_index");
    const auto ignored = static_cast<double>(intAttribute(scope.call(), "ignore_index", -1));
    const bool weighted = weights && weights->elements() == classes;
    std::vector<double> factors;
    double total = 0;
    for (const double label : labels) {
        const bool counts = !ignores || label != ignored;
        if (counts && (label < 0 || label >= static_cast<double>(classes)))
            return refuse(scope.call(), say("kernel.no-class"));
        factors.push_back(!counts ? 0 : weighted ? weights->as<double>()[static_cast<std::size_t>(label)] : 1);
        total += factors.back();
    }
    const bool mean = textAttribute(scope.call(), "reduction", "mean") == "mean";
    const bool byPlace = g.elements() == static_cast<std::int64_t>(factors.size());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] *= g.as<double>()[byPlace ? i : 0];
        if (mean) factors[i] /= total;
    }
    return factors;
}

std::size_t scoreIndex(const Shape& shape, std::size_t place, std::size_t label)
{
    const auto places = static_cast<std::size_t>(productOf(shape, 2, shape.size()));
    const auto classes = static_cast<std::size_t>(shape[1]);
    return (place / places * classes + label) * places + place % places;
}

} // namespace

Result<FormulaValue> convolvedOnHost(const FormulaScope& scope, const FormulaConvolution& side)
{
    PLIMSOLL_TRY(scope.call().announce({side.layer.products()}));
    Value result = hostValue(scope.target());
    double* to = roomOf(result);
    const double* planes = side.planes ? side.planes->as<double>() : nullptr;
    const double* weights = side.weights ? side.weights->as<double>() : nullptr;
    const double* windows = side.windows ? side.windows->as<double>() : nullptr;
    if (side.made == ConvolutionSide::Planes) {
        slide(side.layer, [&](const Meeting& at) {
            for (std::int64_t j = 0; j < at.count; ++j) {
                if (at.sources[j] >= 0) to[at.plane + at.sources[j]] += weights[at.weight] * windows[at.windows + j];
            }
        });
    } else if (side.made == ConvolutionSide::Weights) {
        slide(side.layer, [&](const Meeting& at) {
            double sum = 0;
            for (std::int64_t j = 0; j < at.count; ++j)
                sum += at.sources[j] >= 0 ? windows[at.windows + j] * planes[at.plane + at.sources[j]] : 0;
            to[at.weight] += sum;
        });
    } else {
        slide(side.layer, [&](const Meeting& at) {
            for (std::int64_t j = 0; j < at.count; ++j)
                to[at.windows + j] += at.sources[j] >= 0 ? weights[at.weight] * planes[at.plane + at.sources[j]] : 0;
        });
    }
    return result;
}

/// Asks the operator which elements it chose.
Result<FormulaValue> maxPoolBackOnHost(const FormulaScope& scope, const Windows& /*windows*/, const FormulaValue& g,
                                       const FormulaValue& x)
{
    Node node = scope.call().node();
    node.domain = {};
    node.attributes.edit().erase("storage_order");
    node.outputs.assign(2, ValueId());
    RuntimeValue input;
    input.kind = RuntimeValue::Kind::Tensor;
    input.tensor = x.view();
    InnerCall inner(scope.call(), std::move(node), {std::move(input)});
    PLIMSOLL_TRY(runReference(inner));
    Value result = hostValue(x.shape);
    const std::vector<std::int64_t> chosen = integersOf(inner.results()[1].tensor);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        roomOf(result)[chosen[i]] += g.as<double>()[i];
    return result;
}

Result<FormulaValue> averagePoolBackOnHost(const FormulaScope& scope, const Windows& windows, const FormulaValue& g)
{
    const Shape shape = scope.target();
    const bool includePad = intAttribute(scope.call(), "count_include_pad", 0) != 0;
    const std::int64_t total = productOf(windows.output);
    const std::int64_t kernel = productOf(windows.kernel);
    const std::int64_t plane = productOf(windows.input);
    PLIMSOLL_TRY(scope.call().announce({loopPasses({shape[0], shape[1], total, kernel})}));
    std::vector<std::int64_t> sources;
    windowSources(windows, 0, total, sources);
    Value result = hostValue(shape);
    for (std::int64_t window = 0; window < total; ++window) {
        const auto source = [&](std::int64_t k) { return sources[static_cast<std::size_t>(k * total + window)]; };
        double count = 0;
        for (std::int64_t k = 0; k < kernel; ++k)
            count += source(k) >= 0 || (includePad && source(k) == InPadding) ? 1 : 0;
        for (std::int64_t p = 0; p < shape[0] * shape[1]; ++p) {
            const double share = g.as<double>()[p * total + window] / count;
            for (std::int64_t k = 0; k < kernel; ++k) {
                if (source(k) >= 0) roomOf(result)[p * plane + source(k)] += share;
            }
        }
    }
    return result;
}

Result<FormulaValue> normalizedOnHost(const FormulaScope&, const Normalization& how, const FormulaValue& x,
                                      const FormulaValue* g)
{
    std::vector<double> scales;
    const std::vector<double> unit = normalize(how, doublesOf(x.view()), scales);
    Value result = hostValue(x.shape);
    double* to = roomOf(result);
    if (!g) {
        std::copy(unit.begin(), unit.end(), to);
        return result;
    }
    const std::vector<double> incoming = doublesOf(g->view());
    std::vector<double> along = incoming;
    for (std::size_t i = 0; i < along.size(); ++i)
        along[i] *= unit[i];
    const std::vector<double> slope = means(how, along);
    const std::vector<double> mean = how.centred ? means(how, incoming) : std::vector<double>(scales.size(), 0);
    for (std::size_t i = 0; i < unit.size(); ++i) {
        const std::size_t group = groupOf(how, i);
        to[i] = scales[group] * (incoming[i] - mean[group] - unit[i] * slope[group]);
    }
    return result;
}

Result<FormulaValue> lossBackOnHost(const FormulaScope& scope, const FormulaValue& g, const FormulaValue* scores,
                                    const FormulaValue& labels, const FormulaValue* weights)
{
    if (labels.number) return refuse(scope.call(), say("kernel.no-labels"));
    const Shape shape = scope.target();
    const std::vector<double> right = doublesOf(labels.view());
    PLIMSOLL_ASSIGN(factors, lossFactors(scope, g, right, weights, shape[1]));
    Value result = hostValue(shape);
    std::vector<double> slice(static_cast<std::size_t>(shape[1]));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i] == 0) continue;
        if (!scores) {
            roomOf(result)[scoreIndex(shape, i, static_cast<std::size_t>(right[i]))] = -factors[i];
            continue;
        }
        for (std::size_t c = 0; c < slice.size(); ++c)
            slice[c] = scores->as<double>()[scoreIndex(shape, i, c)];
        logSoftmaxInPlace(slice);
        for (std::size_t c = 0; c < slice.size(); ++c)
            roomOf(result)[scoreIndex(shape, i, c)] =
                factors[i] * (std::exp(slice[c]) - (static_cast<double>(c) == right[i] ? 1 : 0));
    }
    return result;
}

} // namespace plimsoll::kernels
