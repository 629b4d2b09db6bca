#include "kernels/common/call_tools.h"
#include "kernels/common/functions.h"
#include "kernels/common/movement.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

using namespace functions;

/// The type in which sums are kept: double for floating point, 64 bits for integers.
template <typename T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

/// A reduction of wide numbers: start, step for each element, and what is made of it at the end.
template <typename T>
struct SumStep
{
    static Wide<T> start() { return 0; }
    static Wide<T> next(Wide<T> sum, T x) { return Plus()(sum, static_cast<Wide<T>>(x)); }
    static Wide<T> finish(Wide<T> sum, std::int64_t /*count*/) { return sum; }
};

template <typename T>
struct MeanStep : SumStep<T>
{
    static Wide<T> finish(Wide<T> sum, std::int64_t count)
    {
        if constexpr (!std::is_floating_point_v<T>) {
            if (count == 0) return 0;
        }
        return sum / static_cast<Wide<T>>(count);
    }
};

template <typename T>
struct ProductStep
{
    static Wide<T> start() { return 1; }
    static Wide<T> next(Wide<T> product, T x) { return Times()(product, static_cast<Wide<T>>(x)); }
    static Wide<T> finish(Wide<T> product, std::int64_t /*count*/) { return product; }
};

template <typename T>
struct SumSquareStep : SumStep<T>
{
    static Wide<T> next(Wide<T> sum, T x)
    {
        return Plus()(sum, Times()(static_cast<Wide<T>>(x), static_cast<Wide<T>>(x)));
    }
};

template <typename T>
struct L1Step : SumStep<T>
{
    static Wide<T> next(Wide<T> sum, T x)
    {
        return Plus()(sum, x < T {0} ? Times()(Wide<T>(-1), static_cast<Wide<T>>(x)) : static_cast<Wide<T>>(x));
    }
};

/// A double becomes a number of the wide type.
template <typename T>
Wide<T> narrowed(double number)
{
    if constexpr (std::is_floating_point_v<T>) {
        return number;
    } else {
        return truncated(number);
    }
}

template <typename T>
struct L2Step : SumSquareStep<T>
{
    static Wide<T> finish(Wide<T> sum, std::int64_t /*count*/)
    {
        return narrowed<T>(std::sqrt(static_cast<double>(sum)));
    }
};

template <typename T>
struct LogSumStep : SumStep<T>
{
    static Wide<T> finish(Wide<T> sum, std::int64_t /*count*/)
    {
        return narrowed<T>(std::log(static_cast<double>(sum)));
    }
};

template <typename T>
struct MaxStep
{
    static T start()
    {
        return std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                                    : std::numeric_limits<T>::lowest();
    }
    static T next(T most, T x) { return x > most || x != x ? x : most; }
    static T finish(T most, std::int64_t /*count*/) { return most; }
};

template <typename T>
struct MinStep
{
    static T start()
    {
        return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                    : std::numeric_limits<T>::max();
    }
    static T next(T least, T x) { return x < least || x != x ? x : least; }
    static T finish(T least, std::int64_t /*count*/) { return least; }
};

template <template <typename> typename Step, typename T>
void reduceAll(const Reduction& reduction, const T* in, T* out)
{
    const std::int64_t count = productOf(reduction.gone);
    for (RowWalk kept(reduction.kept, {reduction.keptStrides, rowMajorStrides(reduction.kept)}); kept.valid();
         kept.advance()) {
        for (std::int64_t k = 0; k < kept.count(); ++k) {
            const T* base = in + kept.offset(0) + k * kept.step(0);
            auto state = Step<T>::start();
            for (RowWalk gone(reduction.gone, {reduction.goneStrides}); gone.valid(); gone.advance()) {
                const T* row = base + gone.offset(0);
                for (std::int64_t i = 0; i < gone.count(); ++i)
                    state = Step<T>::next(state, row[i * gone.step(0)]);
            }
            out[kept.offset(1) + k] = static_cast<T>(Step<T>::finish(state, count));
        }
    }
}

/// log Σ exp, from the largest element down, so that nothing overflows.
template <typename T>
void logSumExp(const Reduction& reduction, const T* in, T* out)
{
    std::int64_t writeAt = 0;
    for (IndexWalk kept(reduction.kept); kept.valid(); kept.advance()) {
        std::int64_t base = 0;
        for (std::size_t d = 0; d < reduction.kept.size(); ++d)
            base += kept[d] * reduction.keptStrides[d];
        auto most = -std::numeric_limits<double>::infinity();
        double sum = 0;
        for (RowWalk gone(reduction.gone, {reduction.goneStrides}); gone.valid(); gone.advance()) {
            for (std::int64_t i = 0; i < gone.count(); ++i)
                most = std::max(most, static_cast<double>(in[base + gone.offset(0) + i * gone.step(0)]));
        }
        const double shift = std::isfinite(most) ? most : 0;
        for (RowWalk gone(reduction.gone, {reduction.goneStrides}); gone.valid(); gone.advance()) {
            for (std::int64_t i = 0; i < gone.count(); ++i)
                sum += std::exp(static_cast<double>(in[base + gone.offset(0) + i * gone.step(0)]) - shift);
        }
        out[writeAt++] = static_cast<T>(narrowed<T>(std::log(sum) + shift));
    }
}

template <typename Compute>
Status reduceWith(KernelCall& call, const Compute& compute)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (!visitNumericOrBool(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(axes, reducedAxes(call, x.shape.size()));
    const Reduction reduction = reductionOver(x.shape, axes, intAttribute(call, "keepdims", 1) != 0);
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, reduction.outShape));
    visitNumericOrBool(x.dtype, [&]<typename T>() {
        const Reader<T> reader(x);
        Writer<T> writer(out);
        compute(reduction, reader.data(), writer.data());
    });
    return {};
}

template <template <typename> typename Step>
Status reduce(KernelCall& call)
{
    return reduceWith(call, []<typename T>(const Reduction& reduction, const T* in, T* out) {
        reduceAll<Step, T>(reduction, in, out);
    });
}

Status reduceLogSumExp(KernelCall& call)
{
    return reduceWith(
        call, []<typename T>(const Reduction& reduction, const T* in, T* out) { logSumExp(reduction, in, out); });
}

/// Which of two numbers is the better one.
template <bool Largest>
Status argBest(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    const bool last = intAttribute(call, "select_last_index", 0) != 0;
    std::vector<bool> reduced(x.shape.size(), false);
    reduced[static_cast<std::size_t>(axis)] = true;
    const Reduction reduction = reductionOver(x.shape, reduced, intAttribute(call, "keepdims", 1) != 0);
    const AxisSplit split = splitAt(x.shape, axis);
    if (split.size == 0) return refuse(call, say("kernel.nothing-to-choose", describe(x)));
    PLIMSOLL_ASSIGN(out, call.output(0, DType::Int64, reduction.outShape));
    visitNumeric(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        for (std::int64_t o = 0; o < split.outer * split.inner; ++o) {
            const std::int64_t base = o / split.inner * split.size * split.inner + o % split.inner;
            std::int64_t best = 0;
            for (std::int64_t i = 1; i < split.size; ++i) {
                const T candidate = in[base + i * split.inner];
                const T current = in[base + best * split.inner];
                const bool better = Largest ? candidate > current : candidate < current;
                if (better || (last && candidate == current)) best = i;
            }
            out.as<std::int64_t>()[o] = best;
        }
    });
    return {};
}

/// Running sums or products along an axis, forwards or backwards, with or without the element itself.
template <bool Product>
Status accumulate(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intInput(call, 1, 0), x.shape.size()));
    if (!visitNumeric(x.dtype, []<typename T>() {})) return refuseType(call, x.dtype);
    const bool exclusive = intAttribute(call, "exclusive", 0) != 0;
    const bool reverse = intAttribute(call, "reverse", 0) != 0;
    const AxisSplit split = splitAt(x.shape, axis);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    visitNumeric(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        Writer<T> out(y);
        for (std::int64_t o = 0; o < split.outer * split.inner; ++o) {
            const std::int64_t base = o / split.inner * split.size * split.inner + o % split.inner;
            T running = Product ? T {1} : T {0};
            for (std::int64_t i = 0; i < split.size; ++i) {
                const std::int64_t at = base + (reverse ? split.size - 1 - i : i) * split.inner;
                const T next = std::conditional_t<Product, Times, Plus>()(running, in[at]);
                out[at] = exclusive ? running : next;
                running = next;
            }
        }
    });
    return {};
}

constexpr KernelEntry ReduceKernels[] = {
    {"", "ArgMax", argBest<true>},
    {"", "ArgMin", argBest<false>},
    {"", "CumProd", accumulate<true>},
    {"", "CumSum", accumulate<false>},
    {"", "ReduceL1", reduce<L1Step>},
    {"", "ReduceL2", reduce<L2Step>},
    {"", "ReduceLogSum", reduce<LogSumStep>},
    {"", "ReduceLogSumExp", reduceLogSumExp},
    {"", "ReduceMax", reduce<MaxStep>},
    {"", "ReduceMean", reduce<MeanStep>},
    {"", "ReduceMin", reduce<MinStep>},
    {"", "ReduceProd", reduce<ProductStep>},
    {"", "ReduceSum", reduce<SumStep>},
    {"", "ReduceSumSquare", reduce<SumSquareStep>},
};

} // namespace

constinit const KernelTable reduceKernels = ReduceKernels;

} // namespace plimsoll::kernels
