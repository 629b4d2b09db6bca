#include "kernels/cuda/reduce.h"

#include "kernels/cuda/families.h"
#include "kernels/cuda/map.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

struct ProductStep : SumStep
{
    static PLIMSOLL_DEVICE float start() { return 1; }
    static PLIMSOLL_DEVICE float next(float product, float x, std::int64_t /*place*/) { return product * x; }
    static PLIMSOLL_DEVICE float join(float a, float b) { return a * b; }
};

struct L1Step : SumStep
{
    static PLIMSOLL_DEVICE float next(float sum, float x, std::int64_t /*place*/) { return sum + fabsf(x); }
};

struct SumSquareStep : SumStep
{
    static PLIMSOLL_DEVICE float next(float sum, float x, std::int64_t /*place*/) { return sum + x * x; }
};

struct L2Step : SumSquareStep
{
    static PLIMSOLL_DEVICE float finish(float sum, std::int64_t /*count*/) { return sqrtf(sum); }
};

struct LogSumStep : SumStep
{
    static PLIMSOLL_DEVICE float finish(float sum, std::int64_t /*count*/) { return logf(sum); }
};

struct MinStep : MaxStep
{
    static PLIMSOLL_DEVICE float start() { return HUGE_VALF; }
    static PLIMSOLL_DEVICE float next(float least, float x, std::int64_t /*place*/) { return join(least, x); }
    static PLIMSOLL_DEVICE float join(float a, float b) { return a != a || a < b ? a : b; }
};

/// Σ exp(x - most), the largest so far beside it.
struct LogSumExpStep
{
    struct State
    {
        float most;
        float sum;
    };
    static PLIMSOLL_DEVICE State start() { return {-HUGE_VALF, 0}; }
    static PLIMSOLL_DEVICE State next(const State& state, float x, std::int64_t /*place*/)
    {
        return join(state, {x, 1});
    }
    static PLIMSOLL_DEVICE State join(const State& a, const State& b)
    {
        const float most = a.most > b.most ? a.most : b.most;
        const float shift = most - most == 0 ? most : 0; // infinite: nothing is taken off
        return {most, a.sum * expf(a.most - shift) + b.sum * expf(b.most - shift)};
    }
    static PLIMSOLL_DEVICE float finish(const State& state, std::int64_t /*count*/)
    {
        const float shift = state.most - state.most == 0 ? state.most : 0;
        return logf(state.sum) + shift;
    }
};

/// Which place has the best number; of equal ones the first, or the last.
template <bool Largest, bool LastOfEqual>
struct BestStep
{
    struct State
    {
        float best;
        std::int64_t place; ///< -1: none yet.
    };
    static PLIMSOLL_DEVICE State start() { return {0, -1}; }
    static PLIMSOLL_DEVICE State next(const State& state, float x, std::int64_t place)
    {
        return join(state, {x, place});
    }
    static PLIMSOLL_DEVICE State join(const State& a, const State& b)
    {
        if (a.place < 0 || b.place < 0) return a.place < 0 ? b : a;
        if (a.best == b.best) return (a.place < b.place) == LastOfEqual ? b : a;
        return (Largest ? b.best > a.best : b.best < a.best) ? b : a;
    }
    static PLIMSOLL_DEVICE std::int64_t finish(const State& state, std::int64_t /*count*/) { return state.place; }
};

/// Axes come as attribute or, in newer versions, as input. None: all, or nothing at all with noop_with_empty_axes.
Result<std::vector<bool>> reducedAxes(DeviceCall& call, const TensorView& x)
{
    PLIMSOLL_TRY(call.readOnHost(1));
    const Shape axes = intsInputOrAttribute(call, 1, "axes").value_or(Shape());
    if (!axes.empty()) return axisMask(call, axes, x.shape.size());
    return std::vector<bool>(x.shape.size(), intAttribute(call, "noop_with_empty_axes", 0) == 0);
}

/// Of float32, and of the types beside it.
template <typename Step, typename... Others>
Status reduce(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isAmong<float, Others...>(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(axes, reducedAxes(call, x));
    const Reduction reduction = reductionOver(x.shape, axes, intAttribute(call, "keepdims", 1) != 0);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, reduction.outShape));
    Status status;
    visitAmong<float, Others...>(
        x.dtype, [&]<typename T>() { status = reduceInto<T, T, Step>(call, reduction, x.as<const T>(), y.as<T>()); });
    return status;
}

template <bool Largest>
Status argBest(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (x.dtype != DType::Float32) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    PLIMSOLL_ASSIGN(mask, axisMask(call, {axis}, x.shape.size()));
    const Reduction reduction = reductionOver(x.shape, mask, intAttribute(call, "keepdims", 1) != 0);
    if (x.shape[static_cast<std::size_t>(axis)] == 0) return decline(call, "there is nothing to choose from");
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Int64, reduction.outShape));
    const auto* from = x.as<const float>();
    auto* to = y.as<std::int64_t>();
    return intAttribute(call, "select_last_index", 0) != 0
               ? reduceInto<float, std::int64_t, BestStep<Largest, true>>(call, reduction, from, to)
               : reduceInto<float, std::int64_t, BestStep<Largest, false>>(call, reduction, from, to);
}

/// Each plane to one number.
template <typename Step>
Status globalPool(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(requireRank(call, x, 3));
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    std::vector<bool> spatial(x.shape.size(), true);
    spatial[0] = spatial[1] = false;
    const Reduction reduction = reductionOver(x.shape, spatial, true);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, reduction.outShape));
    Status status;
    visitReal(x.dtype,
              [&]<typename T>() { status = reduceInto<T, T, Step>(call, reduction, x.as<const T>(), y.as<T>()); });
    return status;
}

constexpr DeviceKernel Table[] = {
    {"", "ArgMax", "reduction", argBest<true>},
    {"", "ArgMin", "reduction", argBest<false>},
    {"", "GlobalAveragePool", "reduction", globalPool<MeanStep>},
    {"", "GlobalMaxPool", "reduction", globalPool<MaxStep>},
    {"", "ReduceL1", "reduction", reduce<L1Step>},
    {"", "ReduceL2", "reduction", reduce<L2Step>},
    {"", "ReduceLogSum", "reduction", reduce<LogSumStep>},
    {"", "ReduceLogSumExp", "reduction", reduce<LogSumExpStep>},
    {"", "ReduceMax", "reduction", reduce<MaxStep, Half, BFloat16>},
    {"", "ReduceMean", "reduction", reduce<MeanStep, Half, BFloat16>},
    {"", "ReduceMin", "reduction", reduce<MinStep>},
    {"", "ReduceProd", "reduction", reduce<ProductStep>},
    {"", "ReduceSum", "reduction", reduce<SumStep, Half, BFloat16>},
    {"", "ReduceSumSquare", "reduction", reduce<SumSquareStep>},
};

} // namespace

DeviceTable reduceKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
