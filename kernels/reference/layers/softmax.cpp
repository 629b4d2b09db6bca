#include "kernels/reference/layers/softmax.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <cmath>

namespace plimsoll::kernels {
namespace {

/// Before opset 13 everything from the axis on is one slice, and the axis is 1; since then it is the axis alone, the
/// last one unless said otherwise.
Result<AxisSplit> slicesOf(const KernelCall& call, const TensorView& x)
{
    const bool joined = call.opset() > 0 && call.opset() < 13;
    const std::int64_t given = intAttribute(call, "axis", joined ? 1 : -1);
    const auto rank = static_cast<std::int64_t>(x.shape.size());
    if (joined && given == rank) return AxisSplit {x.elements(), 1, 1};
    if (rank == 0) return AxisSplit {1, 1, 1};
    PLIMSOLL_ASSIGN(axis, normalAxis(call, given, x.shape.size()));
    if (!joined) return splitAt(x.shape, axis);
    const auto at = static_cast<std::size_t>(axis);
    return AxisSplit {productOf(x.shape, 0, at), productOf(x.shape, at, x.shape.size()), 1};
}

/// Reads each slice whole before it is written, so that both tensors may be the same bytes.
template <typename Function>
Status mapSlices(KernelCall& call, const Function& function)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(split, slicesOf(call, x));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        std::vector<double> slice(static_cast<std::size_t>(split.size));
        for (std::int64_t o = 0; split.size > 0 && o < split.outer * split.inner; ++o) {
            const std::int64_t base = o / split.inner * split.size * split.inner + o % split.inner;
            for (std::int64_t i = 0; i < split.size; ++i)
                slice[static_cast<std::size_t>(i)] = static_cast<double>(in[base + i * split.inner]);
            function(slice);
            for (std::int64_t i = 0; i < split.size; ++i)
                out[base + i * split.inner] = static_cast<T>(slice[static_cast<std::size_t>(i)]);
        }
    });
    return {};
}

Status softmax(KernelCall& call)
{
    return mapSlices(call, softmaxInPlace);
}

Status logSoftmax(KernelCall& call)
{
    return mapSlices(call, logSoftmaxInPlace);
}

/// 1 at the first of the largest numbers, 0 elsewhere.
Status hardmax(KernelCall& call)
{
    return mapSlices(call, [](std::vector<double>& slice) {
        const auto best = std::max_element(slice.begin(), slice.end()) - slice.begin();
        std::fill(slice.begin(), slice.end(), 0.0);
        slice[static_cast<std::size_t>(best)] = 1;
    });
}

constexpr KernelEntry Table[] = {
    {"", "Hardmax", hardmax},
    {"", "LogSoftmax", logSoftmax},
    {"", "Softmax", softmax},
};

} // namespace

void softmaxInPlace(std::vector<double>& slice)
{
    const double most = *std::max_element(slice.begin(), slice.end());
    double sum = 0;
    for (double& x : slice) {
        x = std::exp(x - most);
        sum += x;
    }
    for (double& x : slice)
        x /= sum;
}

void logSoftmaxInPlace(std::vector<double>& slice)
{
    const double most = *std::max_element(slice.begin(), slice.end());
    double sum = 0;
    for (const double x : slice)
        sum += std::exp(x - most);
    const double shift = most + std::log(sum);
    for (double& x : slice)
        x -= shift;
}

constinit const KernelTable softmaxKernels = Table;

} // namespace plimsoll::kernels
