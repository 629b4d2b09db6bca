#pragma once

#include "kernels/common/convolution_plan.h"
#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/kernels/cuda_product.h"
#include "kernels/cuda/launch/number.h"
#include "kernels/cuda/launch/sliding.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Channels on the two sides of a convolution: planes that windows slide over, filters that have a number for each
/// window. Weights are [groups · filters, planes, kernel].
struct ConvolutionSizes
{
    Sliding sliding;
    std::int64_t batch;
    std::int64_t groups;
    std::int64_t planes;  ///< Of a group.
    std::int64_t filters; ///< Of a group.

    [[nodiscard]] double operations() const
    {
        const double products =
            static_cast<double>(groups * filters * planes) * static_cast<double>(sliding.kernelSize.size);
        return 2 * static_cast<double>(batch) * products * static_cast<double>(sliding.windowCount.size);
    }
};

inline Result<ConvolutionSizes> sizesOf(const KernelCall& call, const Convolution& layer)
{
    const auto sliding = slidingOf(layer.windows, std::max({layer.batch, layer.channels, layer.filters}));
    if (!sliding) return decline(call, say("cuda.empty-or-spatial-rank"));
    return ConvolutionSizes {*sliding, layer.batch, layer.groups, layer.channels / layer.groups,
                             layer.filters / layer.groups};
}

/// Of the column of a product in [batch, channel, \p size]: a column is a place in any batch.
PLIMSOLL_DEVICE inline std::int64_t placeIn(std::int64_t channels, std::int64_t channel, std::int64_t column,
                                            const Divisor& size)
{
    return (column / size * channels + channel) * size.size + column % size;
}

/// windows(filter, window) = Σ weight(filter, plane, element) · plane(where it lies)
///
/// A row is a filter, the depth runs over planes and elements of a window, a column is a window of any batch.
template <typename T>
struct ForwardProblem
{
    ConvolutionSizes sizes;
    const T* x;
    const T* weights;
    const T* bias;
    T* y;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t depth;
    std::int64_t parts;

    PLIMSOLL_DEVICE float a(std::int64_t group, std::int64_t filter, std::int64_t k) const
    {
        return load(weights[(group * rows + filter) * depth + k]);
    }
    PLIMSOLL_DEVICE float b(std::int64_t group, std::int64_t k, std::int64_t column) const
    {
        const Sliding& sliding = sizes.sliding;
        const std::int64_t batch = column / sliding.windowCount;
        const auto window = static_cast<std::int32_t>(column - batch * sliding.windowCount.size);
        const auto element = static_cast<std::int32_t>(k % sliding.kernelSize);
        const std::int64_t at = sliding.source(window, element);
        const std::int64_t plane = (batch * sizes.groups + group) * sizes.planes + k / sliding.kernelSize;
        return at < 0 ? 0 : load(x[plane * sliding.planeSize.size + at]);
    }
    PLIMSOLL_DEVICE void write(std::int64_t group, std::int64_t filter, std::int64_t column, float sum) const
    {
        const std::int64_t channel = group * rows + filter;
        const float biased = sum + (bias ? load(bias[channel]) : 0);
        y[placeIn(sizes.groups * rows, channel, column, sizes.sliding.windowCount)] = rounded<T>(biased);
    }
};

/// plane(p) = Σ weight(filter, plane, element) · windows(filter, the window whose element lies at p): the transposed
/// convolution, and the gradient of a convolution's input.
template <typename T>
struct BackwardProblem
{
    ConvolutionSizes sizes;
    const T* windowed;
    const T* weights;
    const T* bias;
    T* y;
    std::int64_t rows;    ///< Planes.
    std::int64_t columns; ///< Places of a plane, of any batch.
    std::int64_t depth;   ///< Filters and elements of a window.
    std::int64_t parts;

    PLIMSOLL_DEVICE float a(std::int64_t group, std::int64_t plane, std::int64_t k) const
    {
        const Divisor& kernel = sizes.sliding.kernelSize;
        const std::int64_t filter = group * sizes.filters + k / kernel;
        return load(weights[(filter * sizes.planes + plane) * kernel.size + k % kernel]);
    }
    PLIMSOLL_DEVICE float b(std::int64_t group, std::int64_t k, std::int64_t column) const
    {
        const Sliding& sliding = sizes.sliding;
        const std::int64_t batch = column / sliding.planeSize;
        const auto place = static_cast<std::int32_t>(column - batch * sliding.planeSize.size);
        const std::int64_t window = sliding.windowAt(place, static_cast<std::int32_t>(k % sliding.kernelSize));
        const std::int64_t channel = (batch * sizes.groups + group) * sizes.filters + k / sliding.kernelSize;
        return window < 0 ? 0 : load(windowed[channel * sliding.windowCount.size + window]);
    }
    PLIMSOLL_DEVICE void write(std::int64_t group, std::int64_t plane, std::int64_t column, float sum) const
    {
        const std::int64_t channel = group * rows + plane;
        const float biased = sum + (bias ? load(bias[channel]) : 0);
        y[placeIn(sizes.groups * rows, channel, column, sizes.sliding.planeSize)] = rounded<T>(biased);
    }
};

/// weight(filter, plane, element) = Σ windows(filter, window) · plane(where it lies), over windows of all batches.
struct WeightProblem
{
    ConvolutionSizes sizes;
    const float* x;
    const float* windowed;
    float* y;
    std::int64_t rows;    ///< Filters.
    std::int64_t columns; ///< Planes and elements of a window.
    std::int64_t depth;   ///< Windows of all batches.
    std::int64_t parts;

    PLIMSOLL_DEVICE float a(std::int64_t group, std::int64_t filter, std::int64_t k) const
    {
        const Divisor& count = sizes.sliding.windowCount;
        return windowed[((k / count * sizes.groups + group) * rows + filter) * count.size + k % count];
    }
    PLIMSOLL_DEVICE float b(std::int64_t group, std::int64_t k, std::int64_t column) const
    {
        const Sliding& sliding = sizes.sliding;
        const Divisor& count = sliding.windowCount;
        const auto window = static_cast<std::int32_t>(k % count);
        const std::int64_t at = sliding.source(window, static_cast<std::int32_t>(column % sliding.kernelSize));
        const std::int64_t plane = (k / count * sizes.groups + group) * sizes.planes + column / sliding.kernelSize;
        return at < 0 ? 0 : x[plane * sliding.planeSize.size + at];
    }
    PLIMSOLL_DEVICE void write(std::int64_t group, std::int64_t filter, std::int64_t column, float sum) const
    {
        y[(group * rows + filter) * columns + column] = sum;
    }
};

template <typename T>
void convolve(Queue& queue, const ConvolutionSizes& sizes, const T* x, const T* weights, const T* bias, T* y)
{
    const std::int64_t kernel = sizes.sliding.kernelSize.size;
    const std::int64_t count = sizes.sliding.windowCount.size;
    multiply(queue, ForwardProblem<T> {sizes, x, weights, bias, y, sizes.filters, sizes.batch * count,
                                       sizes.planes * kernel, sizes.groups});
}

template <typename T>
void convolveBack(Queue& queue, const ConvolutionSizes& sizes, const T* windowed, const T* weights, const T* bias, T* y)
{
    const std::int64_t kernel = sizes.sliding.kernelSize.size;
    const std::int64_t plane = sizes.sliding.planeSize.size;
    multiply(queue, BackwardProblem<T> {sizes, windowed, weights, bias, y, sizes.planes, sizes.batch * plane,
                                        sizes.filters * kernel, sizes.groups});
}

inline void convolveWeights(Queue& queue, const ConvolutionSizes& sizes, const float* x, const float* windowed,
                            float* y)
{
    const std::int64_t kernel = sizes.sliding.kernelSize.size;
    const std::int64_t count = sizes.sliding.windowCount.size;
    multiply(queue, WeightProblem {sizes, x, windowed, y, sizes.filters, sizes.planes * kernel, sizes.batch * count,
                                   sizes.groups});
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
