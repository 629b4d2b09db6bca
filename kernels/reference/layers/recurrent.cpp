#include "kernels/common/numbers.h"
#include "kernels/common/recurrent_plan.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <functional>

namespace plimsoll::kernels {
namespace {

/// [time, batch, x] from or to [batch, time, x].
std::vector<double> swapOuter(const std::vector<double>& numbers, std::int64_t first, std::int64_t second)
{
    std::vector<double> swapped(numbers.size());
    const std::size_t row = first * second == 0 ? 0 : numbers.size() / static_cast<std::size_t>(first * second);
    for (std::size_t i = 0; i < static_cast<std::size_t>(first); ++i) {
        for (std::size_t j = 0; j < static_cast<std::size_t>(second); ++j) {
            const auto from =
                numbers.begin() + static_cast<std::ptrdiff_t>((i * static_cast<std::size_t>(second) + j) * row);
            std::copy_n(from, row,
                        swapped.begin() + static_cast<std::ptrdiff_t>((j * static_cast<std::size_t>(first) + i) * row));
        }
    }
    return swapped;
}

/// Numbers of an optional input of a known size, or zeros.
Result<std::vector<double>> parameter(const KernelCall& call, std::size_t input, std::int64_t size)
{
    const TensorView* tensor = optionalInput(call, input);
    if (!tensor) return std::vector<double>(static_cast<std::size_t>(size), 0);
    if (tensor->elements() == size) return doublesOf(*tensor);
    return refuse(call, say("kernel.input-size", word::Number(input), describe(*tensor), word::Number(size)));
}

/// What RNN, GRU and LSTM have in common: sizes, weights, directions, lengths and layouts.
struct Recurrence
{
    RecurrentPlan plan;
    DType dtype = DType::Unknown;
    std::vector<double> x;         ///< [step, batch, input]
    std::vector<double> w;         ///< [direction, gates · hidden, input]
    std::vector<double> recurrent; ///< [direction, gates · hidden, hidden]
    std::vector<double> bias;      ///< [direction, 2 · gates · hidden]: of the input, then of the state.
    std::vector<double> peepholes; ///< [direction, 3 · hidden]; LSTM.
    std::vector<double> state;     ///< [direction, batch, hidden]: the hidden state, now.
    std::vector<double> cell;      ///< The same for LSTM's cell.
    std::vector<std::int64_t> lengths;
    std::vector<double> outputs; ///< [step, direction, batch, hidden]
};

/// Of the items of the batch; announces what they take together.
Result<std::vector<std::int64_t>> lengthsOf(const KernelCall& call, const RecurrentPlan& plan)
{
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(plan.batch), plan.steps);
    if (const TensorView* given = optionalInput(call, 4)) lengths = integersOf(*given);
    if (static_cast<std::int64_t>(lengths.size()) != plan.batch) return refuse(call, say("kernel.lengths"));
    double cells = 0;
    for (std::int64_t& length : lengths) {
        length = std::clamp<std::int64_t>(length, 0, plan.steps);
        cells += static_cast<double>(length);
    }
    const double products = loopPasses({plan.directions, plan.gates, plan.hidden, plan.inputs + plan.hidden});
    PLIMSOLL_TRY(call.announce({cells * products}));
    return lengths;
}

Result<Recurrence> readRecurrence(const KernelCall& call, std::int64_t gates, const std::vector<std::string>& defaults)
{
    PLIMSOLL_ASSIGN(plan, planRecurrence(call, gates, defaults));
    const TensorView& x = call.input(0).tensor;
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(lengths, lengthsOf(call, plan));
    PLIMSOLL_ASSIGN(bias, parameter(call, 3, plan.directions * 2 * gates * plan.hidden));
    PLIMSOLL_ASSIGN(hidden, parameter(call, 5, plan.places()));
    PLIMSOLL_ASSIGN(cell, parameter(call, 6, gates == 4 ? plan.places() : 0));
    PLIMSOLL_ASSIGN(peepholes, parameter(call, 7, gates == 4 ? 3 * plan.directions * plan.hidden : 0));
    const auto stepFirst = [&](const std::vector<double>& numbers, std::int64_t second) {
        return plan.batchFirst ? swapOuter(numbers, plan.batch, second) : numbers;
    };
    Recurrence r {.plan = plan,
                  .dtype = x.dtype,
                  .x = stepFirst(doublesOf(x), plan.steps),
                  .w = doublesOf(call.input(1).tensor),
                  .recurrent = doublesOf(call.input(2).tensor),
                  .bias = bias,
                  .peepholes = peepholes,
                  .state = stepFirst(hidden, plan.directions),
                  .cell = stepFirst(cell, plan.directions),
                  .lengths = lengths,
                  .outputs = std::vector<double>(static_cast<std::size_t>(plan.steps * plan.places()), 0)};
    return r;
}

/// For each gate row: weights · input + bias, then for each: recurrent · state + its bias.
std::vector<double> gateSums(const Recurrence& r, std::int64_t direction, std::int64_t item, const double* input)
{
    const RecurrentPlan& plan = r.plan;
    const std::int64_t rows = plan.gates * plan.hidden;
    std::vector<double> sums(static_cast<std::size_t>(2 * rows), 0);
    const double* h = r.state.data() + (direction * plan.batch + item) * plan.hidden;
    const double* biases = r.bias.data() + direction * 2 * rows;
    for (std::int64_t row = 0; row < rows; ++row) {
        const double* fromInput = r.w.data() + (direction * rows + row) * plan.inputs;
        const double* fromState = r.recurrent.data() + (direction * rows + row) * plan.hidden;
        double sum = biases[row];
        for (std::int64_t i = 0; i < plan.inputs; ++i)
            sum += fromInput[i] * input[i];
        double stateSum = biases[rows + row];
        for (std::int64_t i = 0; i < plan.hidden; ++i)
            stateSum += fromState[i] * h[i];
        sums[static_cast<std::size_t>(row)] = sum;
        sums[static_cast<std::size_t>(rows + row)] = stateSum;
    }
    return sums;
}

/// One item of a batch at one step.
struct CellPlace
{
    std::int64_t direction = 0;
    std::int64_t item = 0;
    const double* input = nullptr;
    double* state = nullptr; ///< Replaced by the new hidden state.
};
using CellStep = std::function<void(Recurrence&, const CellPlace&)>;

void runRecurrence(Recurrence& r, const CellStep& step)
{
    for (std::int64_t d = 0; d < r.plan.directions; ++d) {
        const bool backward = r.plan.backward || d == 1;
        for (std::int64_t item = 0; item < r.plan.batch; ++item) {
            const std::int64_t length = r.lengths[static_cast<std::size_t>(item)];
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t t = backward ? length - 1 - i : i;
                double* h = r.state.data() + (d * r.plan.batch + item) * r.plan.hidden;
                step(r, {d, item, r.x.data() + (t * r.plan.batch + item) * r.plan.inputs, h});
                std::copy_n(h, r.plan.hidden,
                            r.outputs.data() + ((t * r.plan.directions + d) * r.plan.batch + item) * r.plan.hidden);
            }
        }
    }
}

Status writeRecurrence(KernelCall& call, const Recurrence& r)
{
    if (call.wantsOutput(0)) {
        if (!r.plan.batchFirst) {
            PLIMSOLL_TRY(writeNumbers(call, 0, r.dtype, {r.plan.steps, r.plan.directions, r.plan.batch, r.plan.hidden},
                                      r.outputs));
        } else {
            // [time, direction, batch] to [batch, time, direction]
            const std::vector<double> turned = swapOuter(r.outputs, r.plan.steps * r.plan.directions, r.plan.batch);
            PLIMSOLL_TRY(
                writeNumbers(call, 0, r.dtype, {r.plan.batch, r.plan.steps, r.plan.directions, r.plan.hidden}, turned));
        }
    }
    const auto writeState = [&](std::size_t output, const std::vector<double>& state) -> Status {
        if (!call.wantsOutput(output)) return {};
        if (!r.plan.batchFirst)
            return writeNumbers(call, output, r.dtype, {r.plan.directions, r.plan.batch, r.plan.hidden}, state);
        return writeNumbers(call, output, r.dtype, {r.plan.batch, r.plan.directions, r.plan.hidden},
                            swapOuter(state, r.plan.directions, r.plan.batch));
    };
    PLIMSOLL_TRY(writeState(1, r.state));
    return r.plan.gates == 4 ? writeState(2, r.cell) : Status();
}

Status rnn(KernelCall& call)
{
    PLIMSOLL_ASSIGN(recurrence, readRecurrence(call, 1, {"Tanh"}));
    runRecurrence(recurrence, [](Recurrence& r, const CellPlace& at) {
        const std::vector<double> sums = gateSums(r, at.direction, at.item, at.input);
        for (std::int64_t k = 0; k < r.plan.hidden; ++k) {
            at.state[k] = r.plan.activate(
                at.direction, 0, sums[static_cast<std::size_t>(k)] + sums[static_cast<std::size_t>(r.plan.hidden + k)]);
        }
    });
    return writeRecurrence(call, recurrence);
}

/// Gates in the order update (z), reset (r), hidden (h).
Status gru(KernelCall& call)
{
    PLIMSOLL_ASSIGN(recurrence, readRecurrence(call, 3, {"Sigmoid", "Tanh"}));
    const bool resetAfter = intAttribute(call, "linear_before_reset", 0) != 0;
    runRecurrence(recurrence, [resetAfter](Recurrence& r, const CellPlace& at) {
        const auto hidden = static_cast<std::size_t>(r.plan.hidden);
        const std::vector<double> sums = gateSums(r, at.direction, at.item, at.input);
        const double* fromState = sums.data() + 3 * hidden;
        std::vector<double> update(hidden);
        std::vector<double> resetState(hidden);
        std::vector<double> reset(hidden);
        for (std::size_t k = 0; k < hidden; ++k) {
            update[k] = r.plan.activate(at.direction, 0, sums[k] + fromState[k]);
            reset[k] = r.plan.activate(at.direction, 0, sums[hidden + k] + fromState[hidden + k]);
            resetState[k] = reset[k] * at.state[k];
        }
        const std::int64_t rows = 3 * r.plan.hidden;
        const double* weights = r.recurrent.data() + (at.direction * rows + 2 * r.plan.hidden) * r.plan.hidden;
        const double* bias = r.bias.data() + at.direction * 2 * rows + rows + 2 * r.plan.hidden;
        for (std::size_t k = 0; k < hidden; ++k) {
            double inner = resetAfter ? reset[k] * fromState[2 * hidden + k] : bias[k];
            for (std::size_t i = 0; !resetAfter && i < hidden; ++i)
                inner += weights[k * hidden + i] * resetState[i];
            const double fresh = r.plan.activate(at.direction, 1, sums[2 * hidden + k] + inner);
            at.state[k] = (1 - update[k]) * fresh + update[k] * at.state[k];
        }
    });
    return writeRecurrence(call, recurrence);
}

/// Gates in the order input, output, forget, cell; peepholes in the order input, output, forget.
Status lstm(KernelCall& call)
{
    PLIMSOLL_ASSIGN(recurrence, readRecurrence(call, 4, {"Sigmoid", "Tanh", "Tanh"}));
    const bool coupled = intAttribute(call, "input_forget", 0) != 0;
    runRecurrence(recurrence, [coupled](Recurrence& r, const CellPlace& at) {
        const auto hidden = static_cast<std::size_t>(r.plan.hidden);
        const std::vector<double> sums = gateSums(r, at.direction, at.item, at.input);
        double* cell = r.cell.data() + (at.direction * r.plan.batch + at.item) * r.plan.hidden;
        const double* peep = r.peepholes.data() + at.direction * 3 * r.plan.hidden;
        for (std::size_t k = 0; k < hidden; ++k) {
            const auto sum = [&](std::size_t gate) { return sums[gate * hidden + k] + sums[(4 + gate) * hidden + k]; };
            const double input = r.plan.activate(at.direction, 0, sum(0) + peep[k] * cell[k]);
            const double forget =
                coupled ? 1 - input : r.plan.activate(at.direction, 0, sum(2) + peep[2 * hidden + k] * cell[k]);
            cell[k] = forget * cell[k] + input * r.plan.activate(at.direction, 1, sum(3));
            const double output = r.plan.activate(at.direction, 0, sum(1) + peep[hidden + k] * cell[k]);
            at.state[k] = output * r.plan.activations[at.direction][2](cell[k]);
        }
    });
    return writeRecurrence(call, recurrence);
}

constexpr KernelEntry RecurrentKernels[] = {
    {"", "GRU", gru},
    {"", "LSTM", lstm},
    {"", "RNN", rnn},
};

} // namespace

constinit const KernelTable recurrentKernels = RecurrentKernels;

} // namespace plimsoll::kernels
