#pragma once

#include "kernels/common/functions.h"
#include "kernels/common/strides.h"
#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/cuda_walk.h"
#include "kernels/cuda/launch/lanes.h"
#include "kernels/cuda/launch/number.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Sums of reals are kept as float, those of integers wrap around in 64 bits.
template <typename T>
using Folded = std::conditional_t<isReal<T>, float, std::int64_t>;

template <typename Fold>
struct SumStep
{
    using State = Fold;
    static PLIMSOLL_DEVICE Fold start() { return 0; }
    static PLIMSOLL_DEVICE Fold next(Fold sum, Fold x, std::int64_t /*place*/) { return join(sum, x); }
    static PLIMSOLL_DEVICE Fold join(Fold a, Fold b) { return functions::Plus()(a, b); }
    static PLIMSOLL_DEVICE Fold finish(Fold sum, std::int64_t /*count*/) { return sum; }
};

/// Of integers: cut towards zero; of none 0.
template <typename Fold>
struct MeanStep : SumStep<Fold>
{
    static PLIMSOLL_DEVICE Fold finish(Fold sum, std::int64_t count)
    {
        if (!isReal<Fold> && count == 0) return 0;
        return sum / static_cast<Fold>(count);
    }
};

/// NaN wins.
template <typename Fold>
struct MaxStep
{
    using State = Fold;
    static PLIMSOLL_DEVICE Fold start()
    {
        if constexpr (isReal<Fold>) {
            return -HUGE_VALF;
        } else {
            return INT64_MIN;
        }
    }
    static PLIMSOLL_DEVICE Fold next(Fold most, Fold x, std::int64_t /*place*/) { return join(most, x); }
    static PLIMSOLL_DEVICE Fold join(Fold a, Fold b) { return functions::isNan(a) || a > b ? a : b; }
    static PLIMSOLL_DEVICE Fold finish(Fold most, std::int64_t /*count*/) { return most; }
};

/// What a pass over partial results does: their states are joined.
template <typename Step>
struct JoinStep : Step
{
    using State = typename Step::State;
    static PLIMSOLL_DEVICE State next(const State& sofar, const State& part, std::int64_t /*place*/)
    {
        return Step::join(sofar, part);
    }
};

/// One pass: every block folds some rows, or a segment of each, to one state a row.
template <typename In, typename Out, typename Step, bool Last>
struct ReduceBody
{
    static constexpr int Threads = 256;
    using State = typename Step::State;
    struct Shared
    {
        State slots[Threads];
    };
    const In* x;
    Out* y; ///< States where this is not the last pass: [segment, row].
    Walk<1> kept;
    Walk<1> gone;
    Lanes lanes;
    Divisor segments;    ///< Of a row, …
    std::int64_t length; ///< … each of so many elements but the last.
    std::int64_t count;  ///< Elements that were folded into one when all is done.

    template <typename Block>
    PLIMSOLL_DEVICE void operator()(const Block& block, Shared& shared) const
    {
        const std::int64_t segment = block.index % segments;
        const std::int64_t firstRow = block.index / segments * lanes.rows();
        typename Block::template Own<State> folded;
        block.alone([&](int t) {
            const std::int64_t row = firstRow + lanes.rowOf(t);
            folded[t] = row < kept.count ? foldLane(x + kept.at(row)[0], segment, lanes.laneOf(t)) : Step::start();
        });
        foldLanes(block, lanes, folded, shared.slots, [](const State& a, const State& b) { return Step::join(a, b); });
        block.alone([&](int t) {
            const std::int64_t row = firstRow + lanes.rowOf(t);
            if (lanes.laneOf(t) != 0 || row >= kept.count) return;
            if constexpr (Last) {
                y[row] = rounded<Out>(static_cast<Computed<Out>>(Step::finish(folded[t], count)));
            } else {
                y[segment * kept.count + row] = folded[t];
            }
        });
    }

private:
    /// Four sums go on beside each other, and the loads of eight elements. Elements that lie evenly apart, as nearly
    /// all do, need no look at the walk.
    PLIMSOLL_DEVICE State foldLane(const In* row, std::int64_t segment, int lane) const
    {
        constexpr int Loads = 8;
        const std::int64_t end = length * (segment + 1) < gone.count ? length * (segment + 1) : gone.count;
        const int step = lanes.lanes();
        State parts[4] = {Step::start(), Step::start(), Step::start(), Step::start()};
        std::int64_t at = segment * length + lane;
        const In* from = row + at * gone.strides[0][0];
        const std::int64_t apart = step * gone.strides[0][0];
        for (; gone.rank < 2 && at + (Loads - 1) * step < end; at += Loads * step) {
            decltype(load(*row)) values[Loads];
            PLIMSOLL_UNROLL
            for (int k = 0; k < Loads; ++k, from += apart)
                values[k] = load(*from);
            PLIMSOLL_UNROLL
            for (int k = 0; k < Loads; ++k)
                parts[k % 4] = Step::next(parts[k % 4], values[k], at + k * step);
        }
        for (; at < end; at += step) {
            const std::int64_t place = gone.rank < 2 ? at * gone.strides[0][0] : gone.at(at)[0];
            parts[0] = Step::next(parts[0], load(row[place]), at);
        }
        return Step::join(Step::join(parts[0], parts[1]), Step::join(parts[2], parts[3]));
    }
};

/// Enough blocks to fill a device, where each still has something to do.
inline std::int64_t segmentsFor(std::int64_t rows, std::int64_t count, const Lanes& lanes)
{
    constexpr std::int64_t WantedBlocks = 1056; // eight for each multiprocessor of an H100
    const std::int64_t blocks = (rows + lanes.rows() - 1) / lanes.rows();
    const std::int64_t most = count / (std::int64_t {16} * lanes.lanes());
    return std::max<std::int64_t>(1, std::min(WantedBlocks / std::max<std::int64_t>(blocks, 1), most));
}

/// Folds the elements of \p reduction that go; the outcome is dense. Takes scratchpad where one pass has too few
/// blocks. Always in the same order, so that the same numbers come out each time.
template <typename In, typename Out, typename Step>
Status reduceInto(DeviceCall& call, const Reduction& reduction, const In* x, Out* y)
{
    using State = typename Step::State;
    const auto kept = walkOver<1>(reduction.kept, {reduction.keptStrides});
    const auto gone = walkOver<1>(reduction.gone, {reduction.goneStrides});
    if (!kept || !gone) return decline(call, say("cuda.rank"));
    constexpr int Threads = 256;
    const bool along = gone->rank > 0 && (gone->strides[0][0] == 1 || kept->count == 1);
    constexpr int MostOfLane = 64; // several rounds of loads
    const Lanes lanes = lanesTaking(MostOfLane, kept->count, gone->count, along, Threads);
    const std::int64_t segments = segmentsFor(kept->count, gone->count, lanes);
    const std::int64_t groups = (kept->count + lanes.rows() - 1) / lanes.rows();
    if (segments == 1) {
        forBlocks(call.queue(), groups,
                  ReduceBody<In, Out, Step, true> {x, y, *kept, *gone, lanes, Divisor(1), gone->count, gone->count});
        return {};
    }
    PLIMSOLL_ASSIGN(states, call.scratch<State>(segments * kept->count));
    forBlocks(call.queue(), groups * segments,
              ReduceBody<In, State, Step, false> {x, states, *kept, *gone, lanes, Divisor(segments),
                                                  (gone->count + segments - 1) / segments, gone->count});
    const auto rows = walkOver<1>({kept->count}, {Shape {1}});
    const auto parts = walkOver<1>({segments}, {Shape {kept->count}});
    const Lanes across = lanesFor(kept->count, segments, kept->count == 1, Threads);
    forBlocks(call.queue(), (kept->count + across.rows() - 1) / across.rows(),
              ReduceBody<State, Out, JoinStep<Step>, true> {states, y, *rows, *parts, across, Divisor(1), segments,
                                                            gone->count});
    return {};
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
