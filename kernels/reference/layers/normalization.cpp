#include "kernels/reference/layers/normalization.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll::kernels {
namespace {

/// numbers · scale + bias, both broadcast to \p shape; either may be absent.
Status applyScale(const KernelCall& call, const Shape& shape, std::vector<double>& numbers)
{
    for (std::size_t input = 1; input <= 2; ++input) {
        const TensorView* tensor = optionalInput(call, input);
        if (!tensor) continue;
        if (broadcastShape(tensor->shape, shape) != shape)
            return refuse(call, say("ops.not-broadcast", describe(*tensor), plimsoll::describe(shape)));
        const std::vector<double> factors = doublesOf(*tensor);
        for (RowWalk walk(shape, {broadcastStrides(tensor->shape, shape), rowMajorStrides(shape)}); walk.valid();
             walk.advance()) {
            for (std::int64_t i = 0; i < walk.count(); ++i) {
                double& number = numbers[static_cast<std::size_t>(walk.offset(1) + i * walk.step(1))];
                const double factor = factors[static_cast<std::size_t>(walk.offset(0) + i * walk.step(0))];
                number = input == 1 ? number * factor : number + factor;
            }
        }
    }
    return {};
}

template <RowNorm kind>
Status normalizeFromAxis(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -1), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t rows = productOf(x.shape, 0, at);
    const std::int64_t count = productOf(x.shape, at, x.shape.size());
    std::vector<double> numbers = doublesOf(x);
    std::vector<double> means;
    std::vector<double> inverses;
    for (std::int64_t row = 0; row < rows; ++row) {
        const RowStatistics statistics =
            normalizeRow(numbers.data() + row * count, count, floatAttribute(call, "epsilon", 1e-5), kind);
        means.push_back(statistics.mean);
        inverses.push_back(statistics.inverse);
    }
    PLIMSOLL_TRY(applyScale(call, x.shape, numbers));
    PLIMSOLL_TRY(writeNumbers(call, 0, x.dtype, x.shape, numbers));
    Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.resize(x.shape.size(), 1);
    const DType stash = dtypeFromOnnx(intAttribute(call, "stash_type", 1));
    const bool centred = kind == RowNorm::Centred;
    if (call.wantsOutput(1)) PLIMSOLL_TRY(writeNumbers(call, 1, stash, shape, centred ? means : inverses));
    if (centred && call.wantsOutput(2)) PLIMSOLL_TRY(writeNumbers(call, 2, stash, shape, inverses));
    return {};
}

/// Mean and variance of each channel.
struct ChannelStatistics
{
    std::vector<double> mean;
    std::vector<double> variance;
};

/// The running statistics after this batch, and this batch's own: its variance in the older versions' third pair, in
/// its place since 14, which has no such outputs, the inverse deviation that PyTorch keeps for backward.
Status writeStatistics(KernelCall& call, const ChannelStatistics& batch)
{
    const double momentum = floatAttribute(call, "momentum", 0.9);
    for (std::size_t k = 0; k < 4; ++k) {
        if (!call.wantsOutput(1 + k)) continue;
        const TensorView& running = call.input(3 + k % 2).tensor;
        std::vector<double> numbers = k % 2 == 0 ? batch.mean : batch.variance;
        if (k < 2) {
            const std::vector<double> old = doublesOf(running);
            for (std::size_t c = 0; c < numbers.size(); ++c)
                numbers[c] = momentum * old[c] + (1 - momentum) * numbers[c];
        }
        if (k == 3 && call.opset() >= 14) {
            for (double& number : numbers)
                number = 1 / std::sqrt(number + floatAttribute(call, "epsilon", 1e-5));
        }
        PLIMSOLL_TRY(writeNumbers(call, 1 + k, running.dtype, running.shape, numbers));
    }
    return {};
}

Status batchNormalization(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_TRY(requireRank(call, x, 2));
    std::vector<std::vector<double>> parameters; // scale, bias, mean, variance
    const bool spatial = intAttribute(call, "spatial", 1) != 0;
    const std::int64_t plane = spatial ? productOf(x.shape, 2, x.shape.size()) : 1;
    const std::int64_t channels = spatial ? x.shape[1] : productOf(x.shape, 1, x.shape.size());
    for (std::size_t i = 1; i <= 4; ++i) {
        PLIMSOLL_ASSIGN(parameter, inputTensor(call, i));
        if (parameter.elements() != channels)
            return refuse(call, say("kernel.channel-misfit", describe(parameter), describe(x)));
        parameters.push_back(doublesOf(parameter));
    }
    if (call.opset() >= 14 ? intAttribute(call, "training_mode", 0) != 0 : call.wantsOutput(1)) {
        const std::vector<double> numbers = doublesOf(x);
        const auto channelCount = static_cast<std::size_t>(channels);
        const auto inPlane = static_cast<std::size_t>(plane);
        const double count = static_cast<double>(x.shape[0]) * static_cast<double>(plane);
        ChannelStatistics batch {std::vector<double>(channelCount, 0), std::vector<double>(channelCount, 0)};
        for (std::size_t i = 0; i < numbers.size(); ++i)
            batch.mean[i / inPlane % channelCount] += numbers[i] / count;
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const double distance = numbers[i] - batch.mean[i / inPlane % channelCount];
            batch.variance[i / inPlane % channelCount] += distance * distance / count;
        }
        parameters[2] = batch.mean;
        parameters[3] = batch.variance;
        PLIMSOLL_TRY(writeStatistics(call, batch));
    }
    const double epsilon = floatAttribute(call, "epsilon", 1e-5);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        for (std::int64_t row = 0; row < x.shape[0] * channels; ++row) {
            const auto c = static_cast<std::size_t>(row % channels);
            const double factor = parameters[0][c] / std::sqrt(parameters[3][c] + epsilon);
            for (std::int64_t i = row * plane; i < (row + 1) * plane; ++i) {
                out[i] = static_cast<T>((static_cast<double>(in[i]) - parameters[2][c]) * factor + parameters[1][c]);
            }
        }
    });
    return {};
}

/// Normalises groups of channels and scales each channel.
Status normalizeGroups(KernelCall& call, std::int64_t groups, bool scalePerGroup)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(scaleTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(biasTensor, inputTensor(call, 2));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const std::int64_t channels = x.shape[1];
    const std::int64_t parameters = scalePerGroup ? groups : channels;
    if (groups < 1 || channels % groups != 0 || scaleTensor.elements() != parameters ||
        biasTensor.elements() != parameters) {
        return refuse(call, say("kernel.group-scale", describe(scaleTensor), describe(x), word::Number(groups)));
    }
    const std::int64_t plane = productOf(x.shape, 2, x.shape.size());
    const std::int64_t row = channels / groups * plane;
    std::vector<double> numbers = doublesOf(x);
    std::vector<double> kept[2]; // mean and inverse deviation
    for (std::int64_t i = 0; i < x.shape[0] * groups; ++i) {
        const RowStatistics statistics =
            normalizeRow(numbers.data() + i * row, row, floatAttribute(call, "epsilon", 1e-5), RowNorm::Centred);
        kept[0].push_back(statistics.mean);
        kept[1].push_back(statistics.inverse);
    }
    const DType dtype = x.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
    for (const std::size_t k : {0U, 1U}) {
        if (call.wantsOutput(1 + k)) PLIMSOLL_TRY(writeNumbers(call, 1 + k, dtype, {x.shape[0], groups}, kept[k]));
    }
    const std::vector<double> scale = doublesOf(scaleTensor);
    const std::vector<double> bias = doublesOf(biasTensor);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t channel = static_cast<std::int64_t>(i) / plane % channels;
        const auto at = static_cast<std::size_t>(scalePerGroup ? channel / (channels / groups) : channel);
        numbers[i] = numbers[i] * scale[at] + bias[at];
    }
    return writeNumbers(call, 0, x.dtype, x.shape, numbers);
}

Status instanceNormalization(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    if (x.shape[1] == 0) return refuse(call, say("kernel.no-channels", describe(x)));
    return normalizeGroups(call, x.shape[1], false);
}

Status groupNormalization(KernelCall& call)
{
    return normalizeGroups(call, intAttribute(call, "num_groups", 1), call.opset() < 21);
}

/// y = x / (bias + alpha / size · Σ x² over neighbouring channels)^beta
Status lrn(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const std::int64_t size = std::clamp<std::int64_t>(intAttribute(call, "size", 1), 1, 1 << 20);
    const double alpha = floatAttribute(call, "alpha", 1e-4) / static_cast<double>(size);
    const double beta = floatAttribute(call, "beta", 0.75);
    const double bias = floatAttribute(call, "bias", 1);
    const std::int64_t channels = x.shape[1];
    // at the first and the last channel half of the neighbours are missing
    PLIMSOLL_TRY(call.announce({loopPasses(x.shape) * static_cast<double>(std::min(size, channels)) / 2}));
    const std::int64_t plane = productOf(x.shape, 2, x.shape.size());
    const std::vector<double> in = doublesOf(x);
    std::vector<double> out(in.size());
    for (std::int64_t i = 0; i < x.elements(); ++i) {
        const std::int64_t channel = i / plane % channels;
        const std::int64_t first = std::max<std::int64_t>(channel - (size - 1) / 2, 0);
        const std::int64_t last = std::min(channel + size / 2, channels - 1);
        double sum = 0;
        for (std::int64_t c = first; c <= last; ++c) {
            const double neighbour = in[static_cast<std::size_t>(i + (c - channel) * plane)];
            sum += neighbour * neighbour;
        }
        const auto at = static_cast<std::size_t>(i);
        out[at] = in[at] / std::pow(bias + alpha * sum, beta);
    }
    return writeNumbers(call, 0, x.dtype, x.shape, out);
}

Status lpNormalization(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -1), x.shape.size()));
    const bool isL1 = intAttribute(call, "p", 2) == 1;
    const AxisSplit split = splitAt(x.shape, axis);
    std::vector<double> numbers = doublesOf(x);
    for (std::int64_t o = 0; o < split.outer * split.inner; ++o) {
        double* slice = numbers.data() + o / split.inner * split.size * split.inner + o % split.inner;
        double sum = 0;
        for (std::int64_t i = 0; i < split.size; ++i)
            sum += isL1 ? std::fabs(slice[i * split.inner]) : slice[i * split.inner] * slice[i * split.inner];
        const double norm = isL1 ? sum : std::sqrt(sum);
        for (std::int64_t i = 0; norm != 0 && i < split.size; ++i)
            slice[i * split.inner] /= norm;
    }
    return writeNumbers(call, 0, x.dtype, x.shape, numbers);
}

Status meanVarianceNormalization(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    constexpr double Epsilon = 1e-9; // of the operator's definition as a function
    PLIMSOLL_ASSIGN(folded, axisMask(call, intsAttribute(call, "axes").value_or(Shape {0, 2, 3}), x.shape.size()));
    // Which slice of the kept dimensions an element belongs to.
    Shape keptShape = x.shape;
    for (std::size_t d = 0; d < folded.size(); ++d)
        keptShape[d] = folded[d] ? 1 : x.shape[d];
    const Shape strides = broadcastStrides(keptShape, x.shape);
    std::vector<double> numbers = doublesOf(x);
    const auto slices = static_cast<std::size_t>(productOf(keptShape));
    std::vector<double> mean(slices, 0);
    std::vector<double> variance(slices, 0);
    const double count = static_cast<double>(numbers.size()) / static_cast<double>(std::max<std::size_t>(slices, 1));
    std::vector<std::size_t> slice;
    for (IndexWalk walk(x.shape); walk.valid(); walk.advance()) {
        slice.push_back(static_cast<std::size_t>(
            std::inner_product(strides.begin(), strides.end(), walk.index().begin(), std::int64_t {0})));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
        mean[slice[i]] += numbers[i] / count;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        variance[slice[i]] += std::pow(numbers[i] - mean[slice[i]], 2) / count;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = (numbers[i] - mean[slice[i]]) / (std::sqrt(variance[slice[i]]) + Epsilon);
    return writeNumbers(call, 0, x.dtype, x.shape, numbers);
}

constexpr KernelEntry NormalizationKernels[] = {
    {"", "BatchNormalization", batchNormalization},
    {"", "GroupNormalization", groupNormalization},
    {"", "InstanceNormalization", instanceNormalization},
    {"", "LRN", lrn},
    {"", "LayerNormalization", normalizeFromAxis<RowNorm::Centred>},
    {"", "LpNormalization", lpNormalization},
    {"", "MeanVarianceNormalization", meanVarianceNormalization},
    {"", "RMSNormalization", normalizeFromAxis<RowNorm::RootMean>},
    {"", "SimplifiedLayerNormalization", normalizeFromAxis<RowNorm::RootMean>},
    {"com.microsoft", "LayerNormalization", normalizeFromAxis<RowNorm::Centred>},
    {"com.microsoft", "SimplifiedLayerNormalization", normalizeFromAxis<RowNorm::RootMean>},
};

} // namespace

RowStatistics normalizeRow(double* row, std::int64_t count, double epsilon, RowNorm kind)
{
    RowStatistics statistics;
    if (kind == RowNorm::Centred) {
        for (std::int64_t i = 0; i < count; ++i)
            statistics.mean += row[i];
        statistics.mean /= static_cast<double>(count);
    }
    double squares = 0;
    for (std::int64_t i = 0; i < count; ++i)
        squares += (row[i] - statistics.mean) * (row[i] - statistics.mean);
    statistics.inverse = 1 / std::sqrt(squares / static_cast<double>(count) + epsilon);
    for (std::int64_t i = 0; i < count; ++i)
        row[i] = (row[i] - statistics.mean) * statistics.inverse;
    return statistics;
}

constinit const KernelTable normalizationKernels = NormalizationKernels;

} // namespace plimsoll::kernels
