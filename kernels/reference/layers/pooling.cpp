#include "kernels/common/numbers.h"
#include "kernels/common/sliding_windows.h"
#include "kernels/reference/kernel_families.h"

#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

Shape pooledShape(const TensorView& x, const Shape& spatial)
{
    Shape shape {x.shape[0], x.shape[1]};
    shape.insert(shape.end(), spatial.begin(), spatial.end());
    return shape;
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

template <typename T>
void poolMax(const Windows& windows, std::int64_t planes, const T* x, T* y, std::vector<std::int64_t>& best)
{
    const std::int64_t inPlane = productOf(windows.input);
    const std::int64_t outPlane = productOf(windows.output);
    best.assign(static_cast<std::size_t>(planes * outPlane), -1);
    std::fill_n(y, planes * outPlane, std::numeric_limits<T>::lowest());
    forEachElement(windows, planes, [&](std::int64_t plane, std::int64_t window, std::int64_t source) {
        if (source < 0) return;
        const std::int64_t out = plane * outPlane + window;
        const T candidate = x[plane * inPlane + source];
        std::int64_t& chosen = best[static_cast<std::size_t>(out)];
        if (chosen >= 0 && !(candidate > y[out]) && candidate == candidate) return;
        y[out] = candidate;
        chosen = plane * inPlane + source;
    });
}

/// Indexes count over the whole tensor, row by row, or column by column within a plane with storage_order.
void writeIndices(const Windows& windows, bool columnMajor, const std::vector<std::int64_t>& best,
                  const TensorView& out)
{
    const std::int64_t plane = productOf(windows.input);
    for (std::size_t i = 0; i < best.size(); ++i) {
        std::int64_t index = std::max<std::int64_t>(best[i], 0);
        if (columnMajor && windows.input.size() == 2) {
            const std::int64_t inside = index % plane;
            const std::int64_t row = inside / windows.input[1];
            index = index - inside + inside % windows.input[1] * windows.input[0] + row;
        }
        out.as<std::int64_t>()[i] = index;
    }
}

Status maxPool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    const Shape shape = pooledShape(x, windows.output);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    std::vector<std::int64_t> best;
    visitNumeric(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        poolMax(windows, x.shape[0] * x.shape[1], in.data(), out.data(), best);
    });
    if (!call.wantsOutput(1)) return {};
    PLIMSOLL_ASSIGN(indices, call.output(1, DType::Int64, shape));
    writeIndices(windows, intAttribute(call, "storage_order", 0) != 0, best, indices);
    return {};
}

Status averagePool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    const bool includePad = intAttribute(call, "count_include_pad", 0) != 0;
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooledShape(x, windows.output)));
    const std::vector<double> in = doublesOf(x);
    std::vector<double> sums(static_cast<std::size_t>(y.elements()), 0);
    std::vector<std::int64_t> counts(sums.size(), 0);
    const std::int64_t inPlane = productOf(windows.input);
    const std::int64_t outPlane = productOf(windows.output);
    forEachElement(windows, x.shape[0] * x.shape[1], [&](std::int64_t plane, std::int64_t window, std::int64_t source) {
        const auto out = static_cast<std::size_t>(plane * outPlane + window);
        if (source >= 0) sums[out] += in[static_cast<std::size_t>(plane * inPlane + source)];
        if (source >= 0 || (includePad && source == InPadding)) ++counts[out];
    });
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] = counts[i] == 0 ? 0 : sums[i] / static_cast<double>(counts[i]);
    storeNumbers(sums.data(), y);
    return {};
}

Status lpPool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    const double p = hasAttribute(call, "p") && call.opset() < 2 ? floatAttribute(call, "p", 2)
                                                                 : static_cast<double>(intAttribute(call, "p", 2));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooledShape(x, windows.output)));
    const std::vector<double> in = doublesOf(x);
    std::vector<double> sums(static_cast<std::size_t>(y.elements()), 0);
    const std::int64_t inPlane = productOf(windows.input);
    const std::int64_t outPlane = productOf(windows.output);
    forEachElement(windows, x.shape[0] * x.shape[1], [&](std::int64_t plane, std::int64_t window, std::int64_t source) {
        if (source < 0) return;
        sums[static_cast<std::size_t>(plane * outPlane + window)] +=
            std::pow(std::fabs(in[static_cast<std::size_t>(plane * inPlane + source)]), p);
    });
    for (double& sum : sums)
        sum = std::pow(sum, 1 / p);
    storeNumbers(sums.data(), y);
    return {};
}

/// Folds each plane to one number.
template <typename Fold>
Status globalPool(KernelCall& call, const Fold& fold)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, pooledShape(x, Shape(spatial.size(), 1))));
    const std::vector<double> in = doublesOf(x);
    const std::int64_t plane = productOf(spatial);
    std::vector<double> results;
    for (std::int64_t i = 0; i < y.elements(); ++i)
        results.push_back(fold(in.data() + i * plane, plane));
    storeNumbers(results.data(), y);
    return {};
}

Status globalAveragePool(KernelCall& call)
{
    return globalPool(call, [](const double* plane, std::int64_t count) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += plane[i];
        return sum / static_cast<double>(count);
    });
}

Status globalMaxPool(KernelCall& call)
{
    return globalPool(call, [](const double* plane, std::int64_t count) {
        double most = -std::numeric_limits<double>::infinity();
        for (std::int64_t i = 0; i < count; ++i)
            most = plane[i] > most || std::isnan(plane[i]) ? plane[i] : most;
        return most;
    });
}

Status globalLpPool(KernelCall& call)
{
    const double p = call.opset() < 2 ? floatAttribute(call, "p", 2) : static_cast<double>(intAttribute(call, "p", 2));
    return globalPool(call, [p](const double* plane, std::int64_t count) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i)
            sum += std::pow(std::fabs(plane[i]), p);
        return std::pow(sum, 1 / p);
    });
}

/// Puts each number back where MaxPool's second output says it came from.
Status maxUnpool(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    if (indices.shape != x.shape)
        return refuse(call, describe(indices) + " has not one index for each number of " + describe(x) + ".");
    Shape inferred {x.shape[0], x.shape[1]};
    for (std::size_t d = 0; d < spatial.size(); ++d) {
        inferred.push_back((spatial[d] - 1) * windows.strides[d] + windows.kernel[d] - windows.padBegin[d] -
                           windows.padEnd[d]);
    }
    const TensorView* wanted = optionalInput(call, 2);
    const Shape shape = wanted ? integersOf(*wanted) : inferred;
    if (shape.size() != x.shape.size())
        return refuse(call, "the output shape " + plimsoll::describe(shape) + " does not fit " + describe(x) + ".");
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
            return refuse(call,
                          "index " + std::to_string(places[i]) + " lies outside " + plimsoll::describe(shape) + ".");
        numbers[static_cast<std::size_t>(place)] = in[i];
    }
    storeNumbers(numbers.data(), y);
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "AveragePool", averagePool},
    {"", "GlobalAveragePool", globalAveragePool},
    {"", "GlobalLpPool", globalLpPool},
    {"", "GlobalMaxPool", globalMaxPool},
    {"", "LpPool", lpPool},
    {"", "MaxPool", maxPool},
    {"", "MaxUnpool", maxUnpool},
};

} // namespace

constinit const KernelTable poolingKernels = Table;

} // namespace plimsoll::kernels
