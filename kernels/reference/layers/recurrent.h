#pragma once

#include "kernels/reference/call_tools.h"

#include <functional>

/// What RNN, GRU and LSTM have in common: sizes, weights, directions, lengths and layouts.
namespace plimsoll::kernels {

struct Recurrence
{
    std::int64_t gates = 1; ///< RNN 1, GRU 3, LSTM 4.
    std::int64_t directions = 1;
    std::int64_t steps = 0;
    std::int64_t batch = 0;
    std::int64_t inputSize = 0;
    std::int64_t hidden = 0;
    bool backward = false;
    bool batchFirst = false;
    double clip = 0; ///< 0: none.
    DType dtype = DType::Unknown;
    std::vector<double> x;         ///< [step, batch, input]
    std::vector<double> w;         ///< [direction, gates · hidden, input]
    std::vector<double> recurrent; ///< [direction, gates · hidden, hidden]
    std::vector<double> bias;      ///< [direction, 2 · gates · hidden]: of the input, then of the state.
    std::vector<double> peepholes; ///< [direction, 3 · hidden]; LSTM.
    std::vector<double> state;     ///< [direction, batch, hidden]: the hidden state, now.
    std::vector<double> cell;      ///< The same for LSTM's cell.
    std::vector<std::int64_t> lengths;
    std::vector<std::function<double(double)>> activations;
    std::vector<double> outputs; ///< [step, direction, batch, hidden]

    /// For each gate row: weights · input + bias, then for each: recurrent · state + its bias.
    [[nodiscard]] std::vector<double> gateSums(std::int64_t direction, std::int64_t item, const double* input) const;
    [[nodiscard]] double activate(std::int64_t direction, std::size_t which, double sum) const;
};

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
