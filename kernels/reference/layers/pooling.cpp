#include "kernels/common/numbers.h"
#include "kernels/common/sliding_windows.h"
#include "kernels/reference/kernel_families.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace plimsoll::kernels {
namespace {

Shape pooledShape(const TensorView& x, const Shape& spatial)
{
    Shape shape {x.shape[0], x.shape[1]};
    shape.insert(shape.end(), spatial.begin(), spatial.end());
    return shape;
}

/// Of what forEachElement does.
Effort windowEffort(const Windows& windows, const TensorView& x)
{
    return {loopPasses({x.shape[0], x.shape[1]}) * loopPasses(windows.output) * loopPasses(windows.kernel)};
}

/// Calls \p fold(plane, window, element, source) for every element of every window in every plane, windows innermost.
template <typename Fold>
void forEachElement(const Windows& windows, std::int64_t planes, const Fold& fold)
{
    const std::int64_t total = productOf(windows.output);
    const std::int64_t kernel = productOf(windows.kernel);
    std::vector<std::int64_t> sources;
    for (std::int64_t begin = 0; begin < total; begin += WindowBlock) {
        const std::int64_t count = std::min(WindowBlock, total - begin);
        windowSources(windows, begin, begin + count, sources);
        for (std::int64_t plane = 0; plane < planes; ++plane) {
            for (std::int64_t k = 0; k < kernel; ++k) {
                for (std::int64_t j = 0; j < count; ++j)
                    fold(plane, begin + j, sources[static_cast<std::size_t>(k * count + j)]);
            }
        }
    }
}

Status maxPool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    PLIMSOLL_TRY(call.announce(windowEffort(windows, x)));
    const Shape shape = pooledShape(x, windows.output);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const std::int64_t inPlane = productOf(windows.input);
    const std::int64_t outPlane = productOf(windows.output);
    std::vector<std::int64_t> best(static_cast<std::size_t>(y.elements()), -1);
    visitNumeric(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        std::fill_n(out.data(), y.elements(), std::numeric_limits<T>::lowest());
        forEachElement(windows, x.shape[0] * x.shape[1],
                       [&](std::int64_t plane, std::int64_t window, std::int64_t source) {
                           if (source < 0) return;
                           const std::int64_t at = plane * outPlane + window;
                           const T candidate = in[plane * inPlane + source];
                           std::int64_t& chosen = best[static_cast<std::size_t>(at)];
                           const bool isNumber = !std::isnan(static_cast<double>(candidate));
                           if (chosen >= 0 && isNumber && !(candidate > out[at])) return;
                           out[at] = candidate;
                           chosen = plane * inPlane + source;
                       });
    });
    if (!call.wantsOutput(1)) return {};
    PLIMSOLL_ASSIGN(indices, call.output(1, DType::Int64, shape));
    // They count over the whole tensor, row by row, or column by column within a plane with storage_order.
    const bool columnMajor = intAttribute(call, "storage_order", 0) != 0 && windows.input.size() == 2;
    for (std::size_t i = 0; i < best.size(); ++i) {
        std::int64_t index = std::max<std::int64_t>(best[i], 0);
        const std::int64_t inside = columnMajor ? index % inPlane : 0;
        if (columnMajor) index += inside % windows.input[1] * windows.input[0] + inside / windows.input[1] - inside;
        indices.as<std::int64_t>()[i] = index;
    }
    return {};
}

/// Sums the terms of each window. Padding counts as elements where the attribute says so.
template <typename Term, typename Finish>
Status sumWindows(KernelCall& call, const Term& term, const Finish& finish)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    PLIMSOLL_TRY(call.announce(windowEffort(windows, x)));
    const bool includePad = intAttribute(call, "count_include_pad", 0) != 0;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooledShape(x, windows.output)));
    const std::vector<double> in = doublesOf(x);
    std::vector<double> sums(static_cast<std::size_t>(y.elements()), 0);
    std::vector<std::int64_t> counts(sums.size(), 0);
    const std::int64_t inPlane = productOf(windows.input);
    const std::int64_t outPlane = productOf(windows.output);
    forEachElement(windows, x.shape[0] * x.shape[1], [&](std::int64_t plane, std::int64_t window, std::int64_t source) {
        const auto out = static_cast<std::size_t>(plane * outPlane + window);
        if (source >= 0) sums[out] += term(in[static_cast<std::size_t>(plane * inPlane + source)]);
        if (source >= 0 || (includePad && source == InPadding)) ++counts[out];
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] = finish(sums[i], counts[i]);
    storeNumbers(sums.data(), y);
    return {};
}

Status averagePool(KernelCall& call)
{
    return sumWindows(
        call, [](double x) { return x; },
        [](double sum, std::int64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); });
}

/// The attribute p is a float in opset 1.
double orderOf(const KernelCall& call)
{
    return hasAttribute(call, "p") && call.opset() < 2 ? floatAttribute(call, "p", 2)
                                                       : static_cast<double>(intAttribute(call, "p", 2));
}

Status lpPool(KernelCall& call)
{
    const double p = orderOf(call);
    return sumWindows(
        call, [p](double x) { return std::pow(std::fabs(x), p); },
        [p](double sum, std::int64_t) { return std::pow(sum, 1 / p); });
}

/// Folds each plane to one number.
template <double (*fold)(const KernelCall&, std::span<const double>)>
Status globalPool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    const Shape shape = pooledShape(x, Shape(spatial.size(), 1));
    const std::vector<double> in = doublesOf(x);
    const auto plane = static_cast<std::size_t>(productOf(spatial));
    std::vector<double> results;
    for (std::size_t i = 0; i < static_cast<std::size_t>(productOf(shape)); ++i)
        results.push_back(fold(call, std::span(in).subspan(i * plane, plane)));
    return writeNumbers(call, 0, x.dtype, shape, results);
}

double meanOf(const KernelCall&, std::span<const double> plane)
{
    return std::accumulate(plane.begin(), plane.end(), 0.0) / static_cast<double>(plane.size());
}

/// NaN wins.
double mostOf(const KernelCall&, std::span<const double> plane)
{
    double most = -std::numeric_limits<double>::infinity();
    for (const double x : plane)
        most = x > most || std::isnan(x) ? x : most;
    return most;
}

double normOf(const KernelCall& call, std::span<const double> plane)
{
    const double p = orderOf(call);
    const auto add = [p](double sum, double x) { return sum + std::pow(std::fabs(x), p); };
    return std::pow(std::accumulate(plane.begin(), plane.end(), 0.0, add), 1 / p);
}

/// Puts each number back where MaxPool's second output says it came from.
Status maxUnpool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    if (indices.shape != x.shape) return refuse(call, say("kernel.index-count", describe(indices), describe(x)));
    Shape inferred {x.shape[0], x.shape[1]};
    for (std::size_t d = 0; d < spatial.size(); ++d) {
        inferred.push_back((spatial[d] - 1) * windows.strides[d] + windows.kernel[d] - windows.padBegin[d] -
                           windows.padEnd[d]);
    }
    const TensorView* wanted = optionalInput(call, 2);
    const Shape shape = wanted ? integersOf(*wanted) : inferred;
    if (shape.size() != x.shape.size())
        return refuse(call, say("kernel.output-shape", plimsoll::describe(shape), describe(x)));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const std::vector<double> in = doublesOf(x);
    const std::vector<std::int64_t> places = integersOf(indices);
    std::vector<double> numbers(static_cast<std::size_t>(y.elements()), 0);
    const Shape inferredStrides = rowMajorStrides(inferred);
    const Shape strides = rowMajorStrides(shape);
    for (std::size_t i = 0; i < in.size(); ++i) {
        // The index counts over the inferred shape, which may be smaller than the one asked for.
        std::int64_t place = 0;
        bool inside = places[i] >= 0 && places[i] < productOf(inferred);
        for (std::size_t d = 0; inside && d < shape.size(); ++d) {
            const std::int64_t at = places[i] / inferredStrides[d] % inferred[d];
            inside = at < shape[d];
            place += at * strides[d];
        }
        if (!inside)
            return refuse(call, say("kernel.index-lies-outside", word::Number(places[i]), plimsoll::describe(shape)));
        numbers[static_cast<std::size_t>(place)] = in[i];
    }
    storeNumbers(numbers.data(), y);
    return {};
}

constexpr KernelEntry PoolingKernels[] = {
    {"", "AveragePool", averagePool},
    {"", "GlobalAveragePool", globalPool<meanOf>},
    {"", "GlobalLpPool", globalPool<normOf>},
    {"", "GlobalMaxPool", globalPool<mostOf>},
    {"", "LpPool", lpPool},
    {"", "MaxPool", maxPool},
    {"", "MaxUnpool", maxUnpool},
};

} // namespace

constinit const KernelTable poolingKernels = PoolingKernels;

} // namespace plimsoll::kernels
