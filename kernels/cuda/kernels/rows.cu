#include "kernels/common/movement.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/kernels/rows.h"
#include "kernels/cuda/launch/groups.h"
#include "kernels/cuda/launch/lanes.h"
#include "kernels/cuda/launch/number.h"

/// Whole rows: softmax and normalization. Each row is read to its end before any of it is written, so that both tensors
/// may be the same bytes.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

template <bool Log>
Status softmax(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(split, softmaxSlices(call, x.shape));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitReal(x.dtype, [&]<typename T>() { softmaxAlong<T, Log>(call.queue(), split, x.as<const T>(), y.as<T>()); });
    return {};
}

/// What is kept of each row; either may be absent.
struct RowStatistics
{
    float* means;
    float* inverses;

    PLIMSOLL_DEVICE void write(std::int64_t row, float mean, float inverse) const
    {
        if (means) means[row] = mean;
        if (inverses) inverses[row] = inverse;
    }
};

/// y = (x - mean) / sqrt(variance + epsilon) · scale + bias, for each row of its own. \c ByPlace: each place in a row
/// has its factor, the same in all rows.
template <typename T, Taken How, bool ByPlace>
struct NormalizeBody
{
    static constexpr int Threads = RowThreads;
    struct Shared
    {
        float slots[Threads];
    };
    const T* x;
    T* y;
    const T* scale; ///< May be absent; so may the next.
    const T* bias;
    RowStatistics statistics;
    Rows rows;
    Divisor plane;      ///< So many neighbours share a factor, …
    Divisor parameters; ///< … of which there are so many.
    float perRow;       ///< 1 / count
    float epsilon;
    bool centred;

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const Lanes& lanes = rows.lanes;
        const std::int64_t first = block.index * lanes.rows();
        const auto plus = [](float a, float b) { return a + b; };
        typename Block::template Own<LaneElements<T, How>> elements;
        typename Block::template Own<float> mean;
        typename Block::template Own<float> squares;
        const auto visit = [&](int t, const auto& each) {
            elements[t].visit(rows, first + lanes.rowOf(t), lanes.laneOf(t), x, each);
        };
        block.alone([&](int t) {
            elements[t].take(rows, first + lanes.rowOf(t), lanes.laneOf(t), x);
            mean[t] = 0;
            visit(t, [&](float value) { mean[t] += value; });
        });
        if (centred) foldLanes(block, lanes, mean, shared.slots, plus);
        block.alone([&](int t) {
            mean[t] = centred ? mean[t] * perRow : 0;
            squares[t] = 0;
            visit(t, [&](float value) { squares[t] += (value - mean[t]) * (value - mean[t]); });
        });
        foldLanes(block, lanes, squares, shared.slots, plus);
        block.alone([&](int t) {
            const std::int64_t row = first + lanes.rowOf(t);
            const float inverse = 1 / sqrtf(squares[t] * perRow + epsilon);
            if (lanes.laneOf(t) == 0 && row < rows.rows) statistics.write(row, mean[t], inverse);
            const std::int64_t factors = ByPlace ? 0 : row * rows.count / plane % parameters; // a row has whole planes
            const auto at = [&](auto place) { return ByPlace ? place : factors + place / plane; };
            const auto write = [&](const auto& factor, const auto& term) {
                elements[t].write(rows, row, lanes.laneOf(t), x, y, [&](auto place, float value) {
                    return (value - mean[t]) * inverse * factor(at(place)) + term(at(place));
                });
            };
            // Each case by itself, so that the loads of all elements go ahead together.
            const auto writeScaled = [&](const auto& factor) {
                bias ? write(factor, [&](auto k) { return load(bias[k]); }) : write(factor, [](auto) { return 0.0F; });
            };
            scale ? writeScaled([&](auto k) { return load(scale[k]); }) : writeScaled([](auto) { return 1.0F; });
        });
    }
};

/// How a normalization cuts its tensor.
struct Cut
{
    std::int64_t rows;
    std::int64_t plane;
    std::int64_t parameters;
};

Status normalize(DeviceCall& call, const Cut& cut, bool centred, float* means, float* inverses)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    for (const std::size_t i : {1U, 2U}) {
        const TensorView* factors = optionalInput(call, i);
        if (factors && (factors->elements() != cut.parameters || factors->dtype != x.dtype))
            return decline(call, say("cuda.scale-misfit"));
    }
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    if (x.elements() == 0) return {};
    const Rows rows = rowsOf(cut.rows, x.elements() / cut.rows, 1);
    const TensorView* scale = optionalInput(call, 1);
    const TensorView* bias = optionalInput(call, 2);
    const auto epsilon = static_cast<float>(floatAttribute(call, "epsilon", 1e-5));
    visitReal(x.dtype, [&]<typename T>() {
        visitTaken(rows, x.as<const T>(), y.as<const T>(), [&]<Taken How>() {
            const auto launch = [&]<bool ByPlace>() {
                forBlocks(call.queue(), rows.blocks(),
                          NormalizeBody<T, How, ByPlace> {x.as<const T>(),
                                                          y.as<T>(),
                                                          scale ? scale->as<const T>() : nullptr,
                                                          bias ? bias->as<const T>() : nullptr,
                                                          {means, inverses},
                                                          rows,
                                                          Divisor(cut.plane, x.elements()),
                                                          Divisor(cut.parameters, x.elements()),
                                                          1 / static_cast<float>(rows.count),
                                                          epsilon,
                                                          centred});
            };
            cut.parameters == rows.count ? launch.template operator()<true>() : launch.template operator()<false>();
        });
    });
    return {};
}

/// Rows begin at the axis; statistics are float32.
template <bool Centred>
Status normalizeFromAxis(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -1), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t rows = productOf(x.shape, 0, at);
    const std::int64_t count = productOf(x.shape, at, x.shape.size());
    if (intAttribute(call, "stash_type", 1) != 1) return decline(call, say("cuda.statistics-type"));
    Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.resize(x.shape.size(), 1);
    float* statistics[2] = {nullptr, nullptr};
    for (const std::size_t k : {0U, 1U}) {
        if (!call.wantsOutput(1 + k) || (k == 1 && !Centred)) continue;
        PLIMSOLL_ASSIGN(out, call.output(1 + k, DType::Float32, shape));
        statistics[k] = out.as<float>();
    }
    return Centred ? normalize(call, {rows, 1, count}, true, statistics[0], statistics[1])
                   : normalize(call, {rows, 1, count}, false, nullptr, statistics[0]);
}

/// Of groups of channels, with what is kept of each group of each sample for backward.
Status normalizeGroups(DeviceCall& call, std::int64_t groups, const Cut& cut)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    float* kept[2] = {nullptr, nullptr};
    for (const std::size_t k : {0U, 1U}) {
        if (!call.wantsOutput(1 + k)) continue;
        PLIMSOLL_ASSIGN(out, call.output(1 + k, DType::Float32, {x.shape[0], groups}));
        kept[k] = out.as<float>();
    }
    return normalize(call, cut, true, kept[0], kept[1]);
}

Status instanceNormalization(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const std::int64_t plane = productOf(x.shape, 2, x.shape.size());
    return normalizeGroups(call, x.shape[1], {x.shape[0] * x.shape[1], plane, x.shape[1]});
}

/// Before opset 21 a factor belongs to a group, since then to a channel.
Status groupNormalization(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const std::int64_t groups = intAttribute(call, "num_groups", 1);
    if (groups < 1 || x.shape[1] % groups != 0) return decline(call, say("cuda.group-misfit"));
    const std::int64_t plane = productOf(x.shape, 2, x.shape.size());
    const bool perGroup = call.opset() < 21;
    return normalizeGroups(
        call, groups,
        {x.shape[0] * groups, perGroup ? plane * (x.shape[1] / groups) : plane, perGroup ? groups : x.shape[1]});
}

/// Statistics are given; scale, bias, mean and variance of each channel.
template <typename T>
struct BatchNormBody
{
    const T* x;
    T* y;
    const T* parameters[4];
    Divisor plane;
    Divisor channels;
    float epsilon;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t c = i / plane % channels;
        const float factor = load(parameters[0][c]) / sqrtf(load(parameters[3][c]) + epsilon);
        return (load(x[i]) - load(parameters[2][c])) * factor + load(parameters[1][c]);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = rounded<T>(value); }
};

/// Statistics are those of the batch; a block makes a channel, and what it leaves of the running ones.
template <typename T>
struct BatchStatisticsBody
{
    static constexpr int Threads = RowThreads;
    struct Shared
    {
        float slots[Threads];
    };
    const T* x;
    T* y;
    const T* scale;
    const T* bias;
    const T* running[2]; ///< Mean and variance so far.
    T* updated[2];       ///< After this batch; may be absent.
    T* kept[2];          ///< Mean and inverse deviation of this batch; may be absent.
    Groups groups;
    float epsilon;
    float momentum;

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const std::int64_t c = block.index;
        const auto xAt = [&](std::int64_t i) { return load(x[groups.at(c, i)]); };
        typename Block::template Own<float> mean;
        typename Block::template Own<float> variance;
        averageOver(block, shared.slots, groups.size(), mean, [&](int, std::int64_t i) { return xAt(i); });
        averageOver(block, shared.slots, groups.size(), variance,
                    [&](int t, std::int64_t i) { return (xAt(i) - mean[t]) * (xAt(i) - mean[t]); });
        block.each([&](int t) {
            const float factor = load(scale[c]) / sqrtf(variance[t] + epsilon);
            for (std::int64_t i = t; i < groups.size(); i += Threads)
                y[groups.at(c, i)] = rounded<T>((xAt(i) - mean[t]) * factor + load(bias[c]));
            if (t == 0) update(c, mean[t], variance[t]);
        });
    }

private:
    PLIMSOLL_DEVICE void update(std::int64_t c, float mean, float variance) const
    {
        const float batch[2] = {mean, variance};
        for (int k = 0; k < 2; ++k) {
            if (updated[k]) updated[k][c] = rounded<T>(momentum * load(running[k][c]) + (1 - momentum) * batch[k]);
        }
        if (kept[0]) kept[0][c] = rounded<T>(mean);
        if (kept[1]) kept[1][c] = rounded<T>(1 / sqrtf(variance + epsilon));
    }
};

Status batchStatistics(DeviceCall& call, const TensorView& x)
{
    if (call.opset() < 14 && call.wantsOutput(4)) return decline(call, say("cuda.saved-statistics"));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    void* updated[2] = {nullptr, nullptr};
    for (const std::size_t k : {0U, 1U}) {
        if (!call.wantsOutput(1 + k)) continue;
        const TensorView& running = call.input(3 + k).tensor;
        PLIMSOLL_ASSIGN(out, call.output(1 + k, running.dtype, running.shape));
        call.mayLieOver(static_cast<int>(1 + k), static_cast<int>(3 + k));
        updated[k] = out.data;
    }
    void* kept[2] = {nullptr, nullptr};
    for (const std::size_t k : {0U, 1U}) {
        if (!call.wantsOutput(3 + k)) continue;
        PLIMSOLL_ASSIGN(out, call.output(3 + k, x.dtype, {x.shape[1]}));
        kept[k] = out.data;
    }
    const std::int64_t plane = productOf(x.shape, 2, x.shape.size());
    const Groups groups = groupsOf(x.shape[1], x.shape[0], plane, x.shape[1] * plane);
    const auto epsilon = static_cast<float>(floatAttribute(call, "epsilon", 1e-5));
    const auto momentum = static_cast<float>(floatAttribute(call, "momentum", 0.9));
    visitReal(x.dtype, [&]<typename T>() {
        const auto at = [&](std::size_t i) { return call.input(i).tensor.as<const T>(); };
        forBlocks(call.queue(), x.elements() > 0 ? groups.count : 0,
                  BatchStatisticsBody<T> {x.as<const T>(),
                                          y.as<T>(),
                                          at(1),
                                          at(2),
                                          {at(3), at(4)},
                                          {static_cast<T*>(updated[0]), static_cast<T*>(updated[1])},
                                          {static_cast<T*>(kept[0]), static_cast<T*>(kept[1])},
                                          groups,
                                          epsilon,
                                          momentum});
    });
    return {};
}

Status batchNormalization(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    const bool training = call.opset() >= 14 ? intAttribute(call, "training_mode", 0) != 0 : call.wantsOutput(1);
    if (intAttribute(call, "spatial", 1) == 0) return decline(call, say("cuda.mean-by-place"));
    for (std::size_t i = 1; i <= 4; ++i) {
        PLIMSOLL_ASSIGN(parameter, inputTensor(call, i));
        if (parameter.dtype != x.dtype || parameter.elements() != x.shape[1])
            return decline(call, say("cuda.parameter-misfit"));
    }
    if (training) return batchStatistics(call, x);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitReal(x.dtype, [&]<typename T>() {
        const auto at = [&](std::size_t i) { return call.input(i).tensor.as<const T>(); };
        forEach(call.queue(), x.elements(),
                BatchNormBody<T> {x.as<const T>(),
                                  y.as<T>(),
                                  {at(1), at(2), at(3), at(4)},
                                  Divisor(productOf(x.shape, 2, x.shape.size()), x.elements()),
                                  Divisor(x.shape[1], x.elements()),
                                  static_cast<float>(floatAttribute(call, "epsilon", 1e-5))});
    });
    return {};
}

/// y = x / (bias + alpha / size · Σ x² over neighbouring channels)^beta
struct LrnBody
{
    const float* x;
    float* y;
    std::int64_t plane;
    std::int64_t channels;
    std::int64_t size;
    float alpha;
    float beta;
    float bias;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t channel = i / plane % channels;
        const std::int64_t before = channel < (size - 1) / 2 ? channel : (size - 1) / 2;
        const std::int64_t behind = channels - 1 - channel < size / 2 ? channels - 1 - channel : size / 2;
        float sum = 0;
        for (std::int64_t c = -before; c <= behind; ++c)
            sum += x[i + c * plane] * x[i + c * plane];
        return x[i] / powf(bias + alpha * sum, beta);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

Status lrn(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 2));
    const std::int64_t size = intAttribute(call, "size", 1);
    if (x.dtype != DType::Float32 || size < 1) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    const auto real = [&call](const char* name, double fallback) { return floatAttribute(call, name, fallback); };
    forEach(call.queue(), x.elements(),
            LrnBody {x.as<const float>(), y.as<float>(), productOf(x.shape, 2, x.shape.size()), x.shape[1], size,
                     static_cast<float>(real("alpha", 1e-4) / static_cast<double>(size)),
                     static_cast<float>(real("beta", 0.75)), static_cast<float>(real("bias", 1))});
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "BatchNormalization", "normalization", batchNormalization},
    {"", "GroupNormalization", "normalization", groupNormalization},
    {"", "InstanceNormalization", "normalization", instanceNormalization},
    {"", "LRN", "normalization", lrn},
    {"", "LayerNormalization", "normalization", normalizeFromAxis<true>},
    {"", "LogSoftmax", "softmax", softmax<true>},
    {"", "RMSNormalization", "normalization", normalizeFromAxis<false>},
    {"", "SimplifiedLayerNormalization", "normalization", normalizeFromAxis<false>},
    {"", "Softmax", "softmax", softmax<false>},
    {"com.microsoft", "LayerNormalization", "normalization", normalizeFromAxis<true>},
    {"com.microsoft", "SimplifiedLayerNormalization", "normalization", normalizeFromAxis<false>},
};

} // namespace

constinit const DeviceTable rowKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
