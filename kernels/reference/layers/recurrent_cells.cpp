#include "kernels/reference/kernel_families.h"
#include "kernels/reference/layers/recurrent.h"

namespace plimsoll::kernels {
namespace {

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
void gruStep(Recurrence& r, const CellPlace& at, bool resetAfter)
{
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
}

Status gru(KernelCall& call)
{
    PLIMSOLL_ASSIGN(recurrence, readRecurrence(call, 3, {"Sigmoid", "Tanh"}));
    const bool resetAfter = intAttribute(call, "linear_before_reset", 0) != 0;
    runRecurrence(recurrence, [resetAfter](Recurrence& r, const CellPlace& at) { gruStep(r, at, resetAfter); });
    return writeRecurrence(call, recurrence);
}

/// Gates in the order input, output, forget, cell; peepholes in the order input, output, forget.
void lstmStep(Recurrence& r, const CellPlace& at, bool coupled)
{
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
}

Status lstm(KernelCall& call)
{
    PLIMSOLL_ASSIGN(recurrence, readRecurrence(call, 4, {"Sigmoid", "Tanh", "Tanh"}));
    const bool coupled = intAttribute(call, "input_forget", 0) != 0;
    runRecurrence(recurrence, [coupled](Recurrence& r, const CellPlace& at) { lstmStep(r, at, coupled); });
    return writeRecurrence(call, recurrence);
}

constexpr KernelEntry Table[] = {
    {"", "GRU", gru},
    {"", "LSTM", lstm},
    {"", "RNN", rnn},
};

} // namespace

constinit const KernelTable recurrentKernels = Table;

} // namespace plimsoll::kernels
