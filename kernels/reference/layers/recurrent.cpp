#include "kernels/reference/layers/recurrent.h"

#include "kernels/common/numbers.h"

#include <algorithm>

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
    return refuse(call, "input " + std::to_string(input) + " is " + describe(*tensor) + "; " + std::to_string(size) +
                            " numbers are needed.");
}

} // namespace

Result<Recurrence> readRecurrence(const KernelCall& call, std::int64_t gates, const std::vector<std::string>& defaults)
{
    PLIMSOLL_ASSIGN(plan, planRecurrence(call, gates, defaults));
    const TensorView& x = call.input(0).tensor;
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
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
                  .lengths = std::vector<std::int64_t>(static_cast<std::size_t>(plan.batch), plan.steps),
                  .outputs = std::vector<double>(static_cast<std::size_t>(plan.steps * plan.places()), 0)};
    if (const TensorView* lengths = optionalInput(call, 4)) r.lengths = integersOf(*lengths);
    if (static_cast<std::int64_t>(r.lengths.size()) != plan.batch)
        return refuse(call, "there is not one length for each batch.");
    return r;
}

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

void runRecurrence(Recurrence& r, const CellStep& step)
{
    for (std::int64_t d = 0; d < r.plan.directions; ++d) {
        const bool backward = r.plan.backward || d == 1;
        for (std::int64_t item = 0; item < r.plan.batch; ++item) {
            const std::int64_t length =
                std::clamp<std::int64_t>(r.lengths[static_cast<std::size_t>(item)], 0, r.plan.steps);
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

} // namespace plimsoll::kernels
