#include "kernels/reference/layers/softmax.h"

#include "kernels/common/call_tools.h"
#include "kernels/common/movement.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <cmath>

namespace plimsoll::kernels {
namespace {

/// Reads each slice whole before it is written, so that both tensors may be the same bytes.
template <void (*function)(std::vector<double>&)>
Status mapSlices(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(split, softmaxSlices(call, x.shape));
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

/// 1 at the first of the largest numbers, 0 elsewhere.
void hardmaxInPlace(std::vector<double>& slice)
{
    const auto best = std::max_element(slice.begin(), slice.end()) - slice.begin();
    std::fill(slice.begin(), slice.end(), 0.0);
    slice[static_cast<std::size_t>(best)] = 1;
}

constexpr KernelEntry SoftmaxKernels[] = {
    {"", "Hardmax", mapSlices<hardmaxInPlace>},
    {"", "LogSoftmax", mapSlices<logSoftmaxInPlace>},
    {"", "Softmax", mapSlices<softmaxInPlace>},
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

constinit const KernelTable softmaxKernels = SoftmaxKernels;

} // namespace plimsoll::kernels
