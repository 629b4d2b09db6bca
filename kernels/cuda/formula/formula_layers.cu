#include "kernels/cuda/formula/cuda_formula.h"
#include "kernels/cuda/kernels/cuda_convolution.h"
#include "kernels/cuda/kernels/losses.h"
#include "kernels/cuda/kernels/rows.h"
#include "kernels/cuda/launch/groups.h"
#include "kernels/cuda/libraries/library_layers.h"

#include <algorithm>

/// Steps of formulas for the layers of networks: convolution, pooling, normalization, losses. Gradients are
/// gathered, never scattered: each thread makes its own element, so that the same numbers come out each time.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// A place of the plane asks every window that covers it whether it chose that place.
struct MaxPoolBackBody
{
    const float* g;
    const float* x;
    float* y;
    Sliding sliding;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t plane = i / sliding.planeSize;
        const auto place = static_cast<std::int32_t>(i - plane * sliding.planeSize.size);
        float sum = 0;
        for (std::int32_t k = 0; k < sliding.kernelSize.size; ++k) {
            const std::int32_t window = sliding.windowAt(place, k);
            if (window >= 0 && chosen(plane, window) == place) sum += g[plane * sliding.windowCount.size + window];
        }
        return sum;
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }

private:
    PLIMSOLL_DEVICE std::int32_t chosen(std::int64_t plane, std::int32_t window) const
    {
        std::int32_t at = -1;
        float most = 0;
        for (std::int32_t k = 0; k < sliding.kernelSize.size; ++k) {
            const std::int32_t source = sliding.source(window, k);
            if (source < 0) continue;
            const float candidate = x[plane * sliding.planeSize.size + source];
            if (at >= 0 && !(candidate > most) && candidate == candidate) continue;
            at = source;
            most = candidate;
        }
        return at;
    }
};

struct AveragePoolBackBody
{
    const float* g;
    float* y;
    Sliding sliding;
    bool includePad;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t plane = i / sliding.planeSize;
        float sum = 0;
        for (std::int32_t k = 0; k < sliding.kernelSize.size; ++k) {
            const std::int32_t window =
                sliding.windowAt(static_cast<std::int32_t>(i - plane * sliding.planeSize.size), k);
            if (window >= 0) sum += g[plane * sliding.windowCount.size + window] / counted(window);
        }
        return sum;
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }

private:
    PLIMSOLL_DEVICE float counted(std::int32_t window) const
    {
        float count = 0;
        for (std::int32_t k = 0; k < sliding.kernelSize.size; ++k) {
            const std::int32_t source = sliding.source(window, k);
            count += source >= 0 || (includePad && source == Sliding::InPad) ? 1 : 0;
        }
        return count;
    }
};

Result<Sliding> poolOf(const FormulaScope& scope, const Windows& windows)
{
    const Shape target = scope.target();
    const auto sliding = slidingOf(windows, target[0] * target[1]);
    if (!sliding) return decline(scope.call(), say("cuda.empty-or-spatial-rank"));
    return *sliding;
}

/// The normalized numbers of a group; or, where g is given, the gradient of what was normalized. A block makes a group.
struct GroupBody
{
    static constexpr int Threads = 256;
    struct Shared
    {
        float slots[Threads];
    };
    const float* x;
    const float* g; ///< Absent, unless the gradient is asked for.
    float* y;
    Groups groups;
    float epsilon;
    bool centred;
    bool backward; ///< g is given.

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const std::int64_t group = block.index;
        const auto xAt = [&](std::int64_t i) { return x[groups.at(group, i)]; };
        const auto gAt = [&](std::int64_t i) { return backward ? g[groups.at(group, i)] : 0; };
        typename Block::template Own<float> mean;
        typename Block::template Own<float> inverse;
        typename Block::template Own<float> gradient;
        typename Block::template Own<float> slope;
        averageOver(block, shared.slots, groups.size(), mean,
                    [&](int, std::int64_t i) { return centred ? xAt(i) : 0; });
        averageOver(block, shared.slots, groups.size(), inverse,
                    [&](int t, std::int64_t i) { return (xAt(i) - mean[t]) * (xAt(i) - mean[t]); });
        block.each([&](int t) { inverse[t] = 1 / sqrtf(inverse[t] + epsilon); });
        averageOver(block, shared.slots, groups.size(), gradient,
                    [&](int, std::int64_t i) { return centred ? gAt(i) : 0; });
        averageOver(block, shared.slots, groups.size(), slope,
                    [&](int t, std::int64_t i) { return gAt(i) * (xAt(i) - mean[t]) * inverse[t]; });
        block.each([&](int t) {
            for (std::int64_t i = t; i < groups.size(); i += Threads) {
                const float unit = (xAt(i) - mean[t]) * inverse[t];
                y[groups.at(group, i)] = backward ? inverse[t] * (gAt(i) - gradient[t] - unit * slope[t]) : unit;
            }
        });
    }
};

/// The gradients of the scores. A thread makes one; its class's share of the softmax lies where it writes, or it has
/// none, where the scores are logarithms of probabilities and only the label's class gets something.
struct LossBackBody
{
    Loss loss;
    const float* g;
    bool gByPlace;
    const float* total; ///< Absent: no mean.
    bool hasShares;
    float* y;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t inside = i % loss.picture;
        const std::int64_t place = i / loss.picture * loss.places.size + inside % loss.places;
        const float factor = loss.weightOf(place) * g[gByPlace ? place : 0];
        const float right = inside / loss.places == loss.labelAt(place) ? 1 : 0;
        const float share = hasShares ? y[i] : 0;
        return factor == 0 ? 0 : (total ? factor / *total : factor) * (share - right);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

} // namespace

Result<FormulaValue> convolvedOnDevice(const FormulaScope& scope, const FormulaConvolution& side)
{
    DeviceCall& call = deviceCall(scope);
    PLIMSOLL_ASSIGN(sizes, sizesOf(call, side.layer));
    PLIMSOLL_ASSIGN(made, deviceValue(scope, scope.target()));
    const auto place = [&](const FormulaValue* given) { return roomOf(given ? *given : made); };
    float* x = place(side.planes);
    float* w = place(side.weights);
    float* y = place(side.windows);
    call.noteOperations(sizes.operations());
    const int algorithm = call.convolutionWay().of(side.made);
    if (algorithm >= 0 && !standsInForLibrary(call.queue())) {
        PLIMSOLL_TRY(convolveByLibrary(call, side.layer, DType::Float32, side.made, algorithm,
                                       {.planes = x, .weights = w, .windows = y}));
        return made;
    }
    if (side.made == ConvolutionSide::Planes) convolveBack<float>(call.queue(), sizes, y, w, nullptr, x);
    if (side.made == ConvolutionSide::Windows) convolve<float>(call.queue(), sizes, x, w, nullptr, y);
    if (side.made == ConvolutionSide::Weights) convolveWeights(call.queue(), sizes, x, y, w);
    return made;
}

Result<FormulaValue> maxPoolBackOnDevice(const FormulaScope& scope, const Windows& windows, const FormulaValue& g,
                                         const FormulaValue& x)
{
    PLIMSOLL_ASSIGN(sliding, poolOf(scope, windows));
    PLIMSOLL_ASSIGN(made, deviceValue(scope, scope.target()));
    forEach(deviceCall(scope).queue(), made.elements(),
            MaxPoolBackBody {floatsOf(g), floatsOf(x), roomOf(made), sliding});
    return made;
}

Result<FormulaValue> averagePoolBackOnDevice(const FormulaScope& scope, const Windows& windows, const FormulaValue& g)
{
    PLIMSOLL_ASSIGN(sliding, poolOf(scope, windows));
    PLIMSOLL_ASSIGN(made, deviceValue(scope, scope.target()));
    const bool includePad = intAttribute(scope.call(), "count_include_pad", 0) != 0;
    forEach(deviceCall(scope).queue(), made.elements(),
            AveragePoolBackBody {floatsOf(g), roomOf(made), sliding, includePad});
    return made;
}

Result<FormulaValue> normalizedOnDevice(const FormulaScope& scope, const Normalization& how, const FormulaValue& x,
                                        const FormulaValue* g)
{
    PLIMSOLL_ASSIGN(made, deviceValue(scope, x.shape));
    const Groups groups = groupsOf(how.count, how.runs, how.run, how.stride);
    forBlocks(deviceCall(scope).queue(), groups.elements > 0 ? groups.count : 0,
              GroupBody {floatsOf(x), g ? floatsOf(*g) : nullptr, roomOf(made), groups, static_cast<float>(how.epsilon),
                         how.centred, g != nullptr});
    return made;
}

Result<FormulaValue> lossBackOnDevice(const FormulaScope& scope, const FormulaValue& g, const FormulaValue* scores,
                                      const FormulaValue& labels, const FormulaValue* weights)
{
    DeviceCall& call = deviceCall(scope);
    const Shape shape = scope.target();
    PLIMSOLL_ASSIGN(loss, lossOf(call, shape, labels.view()));
    if (weights) loss.weights = floatsOf(*weights);
    PLIMSOLL_ASSIGN(made, deviceValue(scope, shape));
    const float* total = nullptr;
    if (textAttribute(call, "reduction", "mean") == "mean") {
        PLIMSOLL_ASSIGN(sum, totalWeight(call, loss));
        total = sum;
    }
    if (scores) softmaxAlong<float, false>(call.queue(), splitAt(shape, 1), floatsOf(*scores), roomOf(made));
    forEach(call.queue(), made.elements(),
            LossBackBody {loss, floatsOf(g), g.elements() == loss.count, total, scores != nullptr, roomOf(made)});
    return made;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
