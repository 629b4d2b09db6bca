#include "kernels/cuda/cuda_convolution.h"
#include "kernels/cuda/cuda_formula.h"
#include "kernels/cuda/groups.h"
#include "kernels/cuda/library_layers.h"
#include "kernels/cuda/losses.h"
#include "kernels/cuda/rows.h"
#include "kernels/reference/gradients/formula_parts.h"

#include <algorithm>

/// Functions of formulas for the layers of networks: convolution, pooling, normalization, losses. Gradients are
/// gathered, never scattered: each thread makes its own element, so that the same numbers come out each time.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

using Arguments = std::span<const Part>;

TensorView shapeOnly(const Shape& shape)
{
    return {DType::Float32, shape, nullptr};
}

/// A side of a convolution from the two others, which lie on the sides that their names say.
struct SideFormula
{
    Convolution layer;
    ConvolutionSide made;
    const Part* planes = nullptr; ///< Absent where it is what is made, as are the others.
    const Part* weights = nullptr;
    const Part* windows = nullptr;
};

Result<const float*> floatsOf(const DeviceScope& scope, const Part* part)
{
    if (!part) return static_cast<const float*>(nullptr);
    PLIMSOLL_ASSIGN(whole, scope.written(*part, part->shape));
    return whole.floats();
}

Result<Part> convolved(const DeviceScope& scope, const SideFormula& side)
{
    using enum ConvolutionSide;
    PLIMSOLL_ASSIGN(sizes, sizesOf(scope.call(), side.layer));
    PLIMSOLL_ASSIGN(x, floatsOf(scope, side.planes));
    PLIMSOLL_ASSIGN(w, floatsOf(scope, side.weights));
    PLIMSOLL_ASSIGN(y, floatsOf(scope, side.windows));
    PLIMSOLL_ASSIGN(data, scope.room(scope.target()));
    const Part made {scope.target(), DType::Float32, data};
    scope.call().noteOperations(sizes.operations());
    const int algorithm = scope.call().convolutionWay().of(side.made);
    if (algorithm >= 0 && !standsInForLibrary(scope.queue())) {
        const auto place = [data](const float* given) { return given ? const_cast<float*>(given) : data; };
        PLIMSOLL_TRY(convolveByLibrary(scope.call(), side.layer, DType::Float32, side.made, algorithm,
                                       {.planes = place(x), .weights = place(w), .windows = place(y)}));
        return made;
    }
    if (side.made == Planes) convolveBack<float>(scope.queue(), sizes, y, w, nullptr, data);
    if (side.made == Windows) convolve<float>(scope.queue(), sizes, x, w, nullptr, data);
    if (side.made == Weights) convolveWeights(scope.queue(), sizes, x, y, data);
    return made;
}

Result<Convolution> plainLayerOf(const DeviceScope& scope, const Shape& x, const Shape& w)
{
    return planConvolution(scope.call(), shapeOnly(x), shapeOnly(w));
}

Result<Convolution> transposedLayerOf(const DeviceScope& scope, const Shape& x, const Shape& w)
{
    PLIMSOLL_ASSIGN(plan, planTransposed(scope.call(), shapeOnly(x), shapeOnly(w)));
    return layerOf(plan, x[0]);
}

Result<Part> convInput(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(layer, plainLayerOf(scope, scope.target(), x[1].shape));
    return convolved(scope, {.layer = layer, .made = ConvolutionSide::Planes, .weights = &x[1], .windows = &x[0]});
}

Result<Part> convWeight(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(layer, plainLayerOf(scope, x[1].shape, scope.target()));
    return convolved(scope, {.layer = layer, .made = ConvolutionSide::Weights, .planes = &x[1], .windows = &x[0]});
}

Result<Part> convTransposeInput(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(layer, transposedLayerOf(scope, scope.target(), x[1].shape));
    return convolved(scope, {.layer = layer, .made = ConvolutionSide::Windows, .planes = &x[0], .weights = &x[1]});
}

Result<Part> convTransposeWeight(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(layer, transposedLayerOf(scope, x[1].shape, scope.target()));
    return convolved(scope, {.layer = layer, .made = ConvolutionSide::Weights, .planes = &x[0], .windows = &x[1]});
}

Result<Part> channels(const DeviceScope& scope, Arguments x)
{
    if (x[0].shape.size() < 2) return decline(scope.call(), "there is no axis of channels");
    Shape shape(x[0].shape.size(), 1);
    shape[1] = x[0].shape[1];
    const std::int64_t group = channelsOfOne(shape[1], productOf(scope.target()));
    PLIMSOLL_ASSIGN(each, scope.summed(x[0], shape));
    each.shape = {shape[1] / group, group};
    PLIMSOLL_ASSIGN(sum, scope.summed(each, {shape[1] / group, 1}));
    sum.shape = {shape[1] / group};
    return sum;
}

Result<Part> perChannel(const DeviceScope& scope, Arguments x)
{
    const Shape g = scope.sizes("g");
    Part part = x[0];
    const std::int64_t count = part.elements();
    const std::int64_t group = g.size() < 2 ? 1 : channelsOfOne(g[1], count);
    part.shape = {count, 1};
    if (group > 1) {
        PLIMSOLL_ASSIGN(repeated, scope.written(part, {count, group}));
        part = repeated;
    }
    part.shape.assign(std::max<std::size_t>(g.size(), 2) - 1, 1);
    part.shape[0] = count * group;
    return part;
}

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

Result<Sliding> poolOf(const DeviceScope& scope)
{
    PLIMSOLL_ASSIGN(spatial, spatialShape(scope.call(), shapeOnly(scope.target())));
    PLIMSOLL_ASSIGN(windows, windowsOver(scope.call(), spatial, {}));
    const Shape target = scope.target();
    const auto sliding = slidingOf(windows, target[0] * target[1]);
    if (!sliding) return decline(scope.call(), "it is empty or has more than three spatial dimensions");
    return *sliding;
}

Result<Part> maxPoolBack(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(sliding, poolOf(scope));
    PLIMSOLL_ASSIGN(input, scope.written(x[1], x[1].shape));
    PLIMSOLL_ASSIGN(data, scope.room(scope.target()));
    const Part made {scope.target(), DType::Float32, data};
    forEach(scope.queue(), made.elements(), MaxPoolBackBody {x[0].floats(), input.floats(), data, sliding});
    return made;
}

Result<Part> averagePoolBack(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(sliding, poolOf(scope));
    PLIMSOLL_ASSIGN(data, scope.room(scope.target()));
    const Part made {scope.target(), DType::Float32, data};
    const bool includePad = intAttribute(scope.call(), "count_include_pad", 0) != 0;
    forEach(scope.queue(), made.elements(), AveragePoolBackBody {x[0].floats(), data, sliding, includePad});
    return made;
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
    const float* g; ///< May be absent.
    float* y;
    Groups groups;
    float epsilon;
    bool centred;

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const std::int64_t group = block.index;
        const auto xAt = [&](std::int64_t i) { return x[groups.at(group, i)]; };
        const auto gAt = [&](std::int64_t i) { return g ? g[groups.at(group, i)] : 0; };
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
                y[groups.at(group, i)] = g ? inverse[t] * (gAt(i) - gradient[t] - unit * slope[t]) : unit;
            }
        });
    }
};

using GroupsOf = Result<Groups> (*)(const DeviceScope&, const Shape&);

Result<Groups> rows(const DeviceScope& scope, const Shape& shape)
{
    PLIMSOLL_ASSIGN(axis, normalAxis(scope.call(), intAttribute(scope.call(), "axis", -1), shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    return groupsOf(productOf(shape, 0, at), 1, productOf(shape, at, shape.size()), 0);
}

/// Each channel across the batch.
Result<Groups> batch(const DeviceScope& scope, const Shape& shape)
{
    if (shape.size() < 2) return decline(scope.call(), "there is no axis of channels");
    const std::int64_t plane = productOf(shape, 2, shape.size());
    return groupsOf(shape[1], shape[0], plane, shape[1] * plane);
}

Result<Groups> channelGroups(const DeviceScope& scope, const Shape& shape, std::int64_t groups)
{
    if (shape.size() < 2 || groups < 1 || shape[1] % groups != 0)
        return decline(scope.call(), "its channels do not fall into groups");
    return groupsOf(shape[0] * groups, 1, shape[1] / groups * productOf(shape, 2, shape.size()), 0);
}

Result<Groups> instances(const DeviceScope& scope, const Shape& shape)
{
    return channelGroups(scope, shape, shape.size() < 2 ? 0 : shape[1]);
}

Result<Groups> groups(const DeviceScope& scope, const Shape& shape)
{
    return channelGroups(scope, shape, intAttribute(scope.call(), "num_groups", 1));
}

/// Of x, the last argument; with g before it where its gradient is asked for.
template <GroupsOf groupsOf, bool Centred = true>
Result<Part> normalized(const DeviceScope& scope, Arguments arguments)
{
    const Part& given = arguments.back();
    PLIMSOLL_ASSIGN(cut, groupsOf(scope, given.shape));
    PLIMSOLL_ASSIGN(x, scope.written(given, given.shape));
    Part g;
    if (arguments.size() > 1) {
        PLIMSOLL_ASSIGN(whole, scope.written(arguments[0], given.shape));
        g = whole;
    }
    PLIMSOLL_ASSIGN(data, scope.room(given.shape));
    const auto epsilon = static_cast<float>(floatAttribute(scope.call(), "epsilon", 1e-5));
    forBlocks(scope.queue(), cut.elements > 0 ? cut.count : 0,
              GroupBody {x.floats(), arguments.size() > 1 ? g.floats() : nullptr, data, cut, epsilon, Centred});
    return Part {given.shape, DType::Float32, data};
}

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

/// \p scores and \p weight are absent where they are no tensors.
Result<Part> lossBack(const DeviceScope& scope, const Part& gradient, const Part* scores, const Part& target,
                      const Part* weight)
{
    const Shape shape = scope.target();
    const TensorView labels {target.dtype, target.shape, const_cast<void*>(target.data)};
    PLIMSOLL_ASSIGN(loss, lossOf(scope.call(), shape, labels));
    PLIMSOLL_ASSIGN(g, scope.written(gradient, gradient.shape));
    if (weight && !weight->number && !weight->shape.empty()) {
        PLIMSOLL_ASSIGN(weights, scope.written(*weight, weight->shape));
        loss.weights = weights.floats();
    }
    PLIMSOLL_ASSIGN(data, scope.room(shape));
    const float* total = nullptr;
    if (textAttribute(scope.call(), "reduction", "mean") == "mean") {
        PLIMSOLL_ASSIGN(weights, totalWeight(scope.call(), loss));
        total = weights;
    }
    const Part made {shape, DType::Float32, data};
    if (scores) softmaxAlong<float, false>(scope.queue(), splitAt(shape, 1), scores->floats(), data);
    forEach(scope.queue(), made.elements(),
            LossBackBody {loss, g.floats(), g.elements() == loss.count, total, scores != nullptr, data});
    return made;
}

Result<Part> nllBack(const DeviceScope& scope, Arguments x)
{
    return lossBack(scope, x[0], nullptr, x[1], x.size() > 2 ? &x[2] : nullptr);
}

Result<Part> crossEntropyBack(const DeviceScope& scope, Arguments x)
{
    PLIMSOLL_ASSIGN(scores, scope.written(x[1], x[1].shape));
    return lossBack(scope, x[0], &scores, x[2], x.size() > 3 ? &x[3] : nullptr);
}

constexpr DeviceFunctionEntry Table[] = {
    {"average_pool_back", averagePoolBack},
    {"channels", channels},
    {"conv_input", convInput},
    {"conv_transpose_input", convTransposeInput},
    {"conv_transpose_weight", convTransposeWeight},
    {"conv_weight", convWeight},
    {"cross_entropy_back", crossEntropyBack},
    {"max_pool_back", maxPoolBack},
    {"nll_back", nllBack},
    {"normalized_batch", normalized<batch>},
    {"normalized_batch_back", normalized<batch>},
    {"normalized_groups", normalized<groups>},
    {"normalized_groups_back", normalized<groups>},
    {"normalized_instances", normalized<instances>},
    {"normalized_instances_back", normalized<instances>},
    {"normalized_rows", normalized<rows>},
    {"normalized_rows_back", normalized<rows>},
    {"per_channel", perChannel},
    {"scaled_rows", normalized<rows, false>},
    {"scaled_rows_back", normalized<rows, false>},
};

} // namespace

std::span<const DeviceFunctionEntry> layerFunctions()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
