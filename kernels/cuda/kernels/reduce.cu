#include "kernels/cuda/kernels/reduce.h"

#include "kernels/common/movement.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/kernels/cumulative.h"
#include "kernels/cuda/launch/map.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

template <typename Fold>
struct ProductStep : SumStep<Fold>
{
    static PLIMSOLL_DEVICE Fold start() { return 1; }
    static PLIMSOLL_DEVICE Fold next(Fold product, Fold x, std::int64_t /*place*/) { return join(product, x); }
    static PLIMSOLL_DEVICE Fold join(Fold a, Fold b) { return functions::Times()(a, b); }
};

template <typename Fold>
struct L1Step : SumStep<Fold>
{
    static PLIMSOLL_DEVICE Fold next(Fold sum, Fold x, std::int64_t /*place*/)
    {
        return SumStep<Fold>::join(sum, functions::Abs()(x));
    }
};

template <typename Fold>
struct SumSquareStep : SumStep<Fold>
{
    static PLIMSOLL_DEVICE Fold next(Fold sum, Fold x, std::int64_t /*place*/)
    {
        return SumStep<Fold>::join(sum, functions::Times()(x, x));
    }
};

template <typename Fold>
struct L2Step : SumSquareStep<Fold>
{
    static PLIMSOLL_DEVICE float finish(float sum, std::int64_t /*count*/) { return sqrtf(sum); }
};

template <typename Fold>
struct LogSumStep : SumStep<Fold>
{
    static PLIMSOLL_DEVICE float finish(float sum, std::int64_t /*count*/) { return logf(sum); }
};

template <typename Fold>
struct MinStep : MaxStep<Fold>
{
    static PLIMSOLL_DEVICE Fold start()
    {
        if constexpr (isReal<Fold>) {
            return HUGE_VALF;
        } else {
            return INT64_MAX;
        }
    }
    static PLIMSOLL_DEVICE Fold next(Fold least, Fold x, std::int64_t /*place*/) { return join(least, x); }
    static PLIMSOLL_DEVICE Fold join(Fold a, Fold b) { return functions::isNan(a) || a < b ? a : b; }
};

/// Σ exp(x - most), the largest so far beside it.
template <typename Fold>
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
template <typename Number, bool Largest, bool LastOfEqual>
struct BestStep
{
    struct State
    {
        Number best;
        std::int64_t place; ///< -1: none yet.
    };
    static PLIMSOLL_DEVICE State start() { return {0, -1}; }
    static PLIMSOLL_DEVICE State next(const State& state, Number x, std::int64_t place)
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

/// By a step for what the numbers of a type are folded to.
template <template <typename> typename Step, typename... Types>
Status reduceAmong(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isAmong<Types...>(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_TRY(call.readOnHost(1));
    PLIMSOLL_ASSIGN(axes, reducedAxes(call, x.shape.size()));
    const Reduction reduction = reductionOver(x.shape, axes, intAttribute(call, "keepdims", 1) != 0);
    if (!isComputedReal(x.dtype) && productOf(reduction.gone) == 0) return decline(call, say("cuda.nothing-to-fold"));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, reduction.outShape));
    Status status;
    visitAmong<Types...>(x.dtype, [&]<typename T>() {
        status = reduceInto<T, T, Step<Folded<T>>>(call, reduction, x.as<const T>(), y.as<T>());
    });
    return status;
}

template <template <typename> typename Step>
Status reduceNumbers(DeviceCall& call)
{
    return reduceAmong<Step, float, Half, BFloat16, std::int64_t, std::int32_t>(call);
}

template <bool Largest>
Status argBest(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!isAmong<float, Half, std::int64_t, std::int32_t>(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    PLIMSOLL_ASSIGN(mask, axisMask(call, {axis}, x.shape.size()));
    const Reduction reduction = reductionOver(x.shape, mask, intAttribute(call, "keepdims", 1) != 0);
    if (x.shape[static_cast<std::size_t>(axis)] == 0) return decline(call, say("cuda.nothing-to-choose"));
    PLIMSOLL_ASSIGN(y, call.output(0, DType::Int64, reduction.outShape));
    const bool last = intAttribute(call, "select_last_index", 0) != 0;
    Status status;
    visitAmong<float, Half, std::int64_t, std::int32_t>(x.dtype, [&]<typename T>() {
        const T* from = x.as<const T>();
        auto* to = y.as<std::int64_t>();
        status = last ? reduceInto<T, std::int64_t, BestStep<Computed<T>, Largest, true>>(call, reduction, from, to)
                      : reduceInto<T, std::int64_t, BestStep<Computed<T>, Largest, false>>(call, reduction, from, to);
    });
    return status;
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

Status cumSum(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_TRY(call.readOnHost(1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intInput(call, 1, 0), x.shape.size()));
    if (!isAmong<float, std::int64_t, std::int32_t>(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    visitAmong<float, std::int64_t, std::int32_t>(x.dtype, [&]<typename T>() {
        sumAlong<T>(call.queue(), splitAt(x.shape, axis), x.as<const T>(), y.as<T>(),
                    intAttribute(call, "exclusive", 0) != 0, intAttribute(call, "reverse", 0) != 0);
    });
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "ArgMax", "reduction", argBest<true>},
    {"", "ArgMin", "reduction", argBest<false>},
    {"", "CumSum", "scan", cumSum},
    {"", "GlobalAveragePool", "reduction", globalPool<MeanStep<float>>},
    {"", "GlobalMaxPool", "reduction", globalPool<MaxStep<float>>},
    {"", "ReduceL1", "reduction", reduceNumbers<L1Step>},
    {"", "ReduceL2", "reduction", reduceAmong<L2Step, float>},
    {"", "ReduceLogSum", "reduction", reduceAmong<LogSumStep, float>},
    {"", "ReduceLogSumExp", "reduction", reduceAmong<LogSumExpStep, float>},
    {"", "ReduceMax", "reduction", reduceNumbers<MaxStep>},
    {"", "ReduceMean", "reduction", reduceNumbers<MeanStep>},
    {"", "ReduceMin", "reduction", reduceNumbers<MinStep>},
    {"", "ReduceProd", "reduction", reduceNumbers<ProductStep>},
    {"", "ReduceSum", "reduction", reduceNumbers<SumStep>},
    {"", "ReduceSumSquare", "reduction", reduceNumbers<SumSquareStep>},
};

} // namespace

constinit const DeviceTable reduceKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
