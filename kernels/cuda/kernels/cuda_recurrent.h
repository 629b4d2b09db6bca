#pragma once

#include "kernels/common/recurrent_plan.h"
#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/number.h"

/// What a step of RNN, GRU and LSTM does at one place of the hidden state, once the products of matrices are there.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// All that threads of all steps need. Sums are [direction, step and item, gate, hidden] of the input, its bias among
/// them, and [direction, item, gate, hidden] of the state.
struct Recurrence
{
    RecurrentPlan plan;
    const float* inputSums;
    float* stateSums;
    const float* bias;           ///< [direction, 2, gate, hidden]: of the input, then of the state. May be absent.
    const float* peepholes;      ///< [direction, 3, hidden]; may be absent.
    const std::int32_t* lengths; ///< By item; absent: all steps.
    float* state;                ///< [direction, item, hidden]
    float* cell;
    float* y; ///< Absent: all steps are not wanted.

    struct Place
    {
        std::int64_t direction;
        std::int64_t item;
        std::int64_t k;
        std::int64_t time; ///< -1: the item is over.
    };

    PLIMSOLL_DEVICE Place placeOf(std::int64_t i, std::int64_t step) const
    {
        Place place {i / plan.hidden / plan.batch, i / plan.hidden % plan.batch, i % plan.hidden, step};
        const std::int64_t length = lengthOf(place.item);
        if (plan.backward || place.direction == 1) place.time = length - 1 - step;
        if (step >= length) place.time = -1;
        return place;
    }
    PLIMSOLL_DEVICE float fromInput(const Place& at, std::int64_t gate) const
    {
        const std::int64_t row = plan.batchFirst ? at.item * plan.steps + at.time : at.time * plan.batch + at.item;
        return inputSums[((at.direction * plan.steps * plan.batch + row) * plan.gates + gate) * plan.hidden + at.k];
    }
    PLIMSOLL_DEVICE float stateBias(const Place& at, std::int64_t gate) const
    {
        return bias ? bias[((at.direction * 2 + 1) * plan.gates + gate) * plan.hidden + at.k] : 0;
    }
    PLIMSOLL_DEVICE float fromState(const Place& at, std::int64_t gate) const
    {
        return stateSums[((at.direction * plan.batch + at.item) * plan.gates + gate) * plan.hidden + at.k] +
               stateBias(at, gate);
    }
    PLIMSOLL_DEVICE float peep(const Place& at, std::int64_t gate) const
    {
        return peepholes ? peepholes[(at.direction * 3 + gate) * plan.hidden + at.k] : 0;
    }
    PLIMSOLL_DEVICE float activate(const Place& at, int which, float sum) const
    {
        return plan.activate(at.direction, which, sum);
    }
    /// What is left of step \p step; of an item that is over a zero.
    PLIMSOLL_DEVICE void leave(const Place& at, std::int64_t step, float value) const
    {
        if (!y) return;
        const std::int64_t time = at.time < 0 ? step : at.time;
        const std::int64_t row = plan.batchFirst ? (at.item * plan.steps + time) * plan.directions + at.direction
                                                 : (time * plan.directions + at.direction) * plan.batch + at.item;
        y[row * plan.hidden + at.k] = at.time < 0 ? 0 : value;
    }

private:
    PLIMSOLL_DEVICE std::int64_t lengthOf(std::int64_t item) const
    {
        if (!lengths) return plan.steps;
        return lengths[item] < 0 ? 0 : lengths[item] < plan.steps ? lengths[item] : plan.steps;
    }
};

struct NewState
{
    float state;
    float cell;
};

struct RnnCell
{
    PLIMSOLL_DEVICE NewState operator()(const Recurrence& r, const Recurrence::Place& at, NewState /*old*/) const
    {
        return {r.activate(at, 0, r.fromInput(at, 0) + r.fromState(at, 0)), 0};
    }
};

/// Gates in the order input, output, forget, cell; peepholes in the order input, output, forget.
struct LstmCell
{
    bool coupled; ///< The forget gate is what the input gate leaves.

    PLIMSOLL_DEVICE NewState operator()(const Recurrence& r, const Recurrence::Place& at, NewState old) const
    {
        const float input = r.activate(at, 0, r.fromInput(at, 0) + r.fromState(at, 0) + r.peep(at, 0) * old.cell);
        const float forgetSum = r.fromInput(at, 2) + r.fromState(at, 2) + r.peep(at, 2) * old.cell;
        const float forget = coupled ? 1 - input : r.activate(at, 0, forgetSum);
        const float cell = forget * old.cell + input * r.activate(at, 1, r.fromInput(at, 3) + r.fromState(at, 3));
        const float output = r.activate(at, 0, r.fromInput(at, 1) + r.fromState(at, 1) + r.peep(at, 1) * cell);
        return {output * r.plan.activations[at.direction][2](cell), cell};
    }
};

/// Gates in the order update, reset, hidden.
struct GruCell
{
    const float* resetSums; ///< [direction, item, hidden] of the state that was reset; absent: it is reset behind.

    PLIMSOLL_DEVICE NewState operator()(const Recurrence& r, const Recurrence::Place& at, NewState old) const
    {
        const float update = r.activate(at, 0, r.fromInput(at, 0) + r.fromState(at, 0));
        const float inner =
            resetSums ? resetSums[(at.direction * r.plan.batch + at.item) * r.plan.hidden + at.k] + r.stateBias(at, 2)
                      : reset(r, at) * r.fromState(at, 2);
        const float fresh = r.activate(at, 1, r.fromInput(at, 2) + inner);
        return {(1 - update) * fresh + update * old.state, 0};
    }
    static PLIMSOLL_DEVICE float reset(const Recurrence& r, const Recurrence::Place& at)
    {
        return r.activate(at, 0, r.fromInput(at, 1) + r.fromState(at, 1));
    }
};

template <typename Cell>
struct CellBody
{
    Recurrence recurrence;
    Cell cell;
    std::int64_t step;

    PLIMSOLL_DEVICE NewState read(std::int64_t i) const
    {
        const NewState old {recurrence.state[i], recurrence.cell ? recurrence.cell[i] : 0};
        const Recurrence::Place at = recurrence.placeOf(i, step);
        return at.time < 0 ? old : cell(recurrence, at, old);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, const NewState& fresh) const
    {
        recurrence.state[i] = fresh.state;
        if (recurrence.cell) recurrence.cell[i] = fresh.cell;
        recurrence.leave(recurrence.placeOf(i, step), step, fresh.state);
    }
};

/// The state as GRU resets it before it is multiplied.
struct ResetBody
{
    Recurrence recurrence;
    float* y;
    std::int64_t step;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const Recurrence::Place at = recurrence.placeOf(i, step);
        return at.time < 0 ? 0 : GruCell::reset(recurrence, at) * recurrence.state[i];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
