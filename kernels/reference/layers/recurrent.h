#pragma once

#include "kernels/common/recurrent_plan.h"

#include <functional>

/// What RNN, GRU and LSTM have in common: sizes, weights, directions, lengths and layouts.
namespace plimsoll::kernels {

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
/// For each gate row: weights · input + bias, then for each: recurrent · state + its bias.
[[nodiscard]] std::vector<double> gateSums(const Recurrence& recurrence, std::int64_t direction, std::int64_t item,
                                           const double* input);

/// One item of a batch at one step.
struct CellPlace
{
    std::int64_t direction = 0;
    std::int64_t item = 0;
    const double* input = nullptr;
    double* state = nullptr; ///< Replaced by the new hidden state.
};
using CellStep = std::function<void(Recurrence&, const CellPlace&)>;

[[nodiscard]] Result<Recurrence> readRecurrence(const KernelCall& call, std::int64_t gates,
                                                const std::vector<std::string>& defaults);
void runRecurrence(Recurrence& recurrence, const CellStep& step);
[[nodiscard]] Status writeRecurrence(KernelCall& call, const Recurrence& recurrence);

} // namespace plimsoll::kernels
