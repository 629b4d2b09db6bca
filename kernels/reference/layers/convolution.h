#pragma once

#include "kernels/common/convolution_plan.h"
#include "kernels/reference/layers/product.h"

namespace plimsoll::kernels {

/// y += x * w (y holds the bias). Padding counts as 0.
///
/// A block of windows becomes a matrix with a row for each weight, which the weights multiply.
template <typename T>
void convolve(const Convolution& plan, const T* x, const T* w, T* y)
{
    const std::int64_t plane = productOf(plan.windows.input);
    const std::int64_t windows = productOf(plan.windows.output);
    const std::int64_t kernel = productOf(plan.windows.kernel);
    const std::int64_t channels = plan.channels / plan.groups;
    const std::int64_t filters = plan.filters / plan.groups;
    std::vector<std::int64_t> sources;
    std::vector<T> columns;
    std::vector<T> product;
    for (std::int64_t begin = 0; begin < windows; begin += WindowBlock) {
        const std::int64_t count = std::min(WindowBlock, windows - begin);
        windowSources(plan.windows, begin, begin + count, sources);
        columns.resize(static_cast<std::size_t>(channels * kernel * count));
        for (std::int64_t part = 0; part < plan.batch * plan.groups; ++part) {
            const T* planes = x + part * channels * plane;
            std::size_t writeAt = 0;
            for (std::int64_t c = 0; c < channels; ++c) {
                for (const std::int64_t source : sources)
                    columns[writeAt++] = source < 0 ? T {0} : planes[c * plane + source];
            }
            product.assign(static_cast<std::size_t>(filters * count), T {0});
            addProduct(w + part % plan.groups * filters * channels * kernel, columns.data(), product.data(),
                       {filters, channels * kernel, count});
            for (std::int64_t f = 0; f < filters; ++f) {
                T* out = y + (part * filters + f) * windows + begin;
                for (std::int64_t j = 0; j < count; ++j)
                    out[j] = static_cast<T>(out[j] + product[static_cast<std::size_t>(f * count + j)]);
            }
        }
    }
}

} // namespace plimsoll::kernels
