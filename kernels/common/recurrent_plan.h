#pragma once

#include "kernels/common/functions.h"

namespace plimsoll::kernels {

/// What turns sums into gates: the activations that RNN, GRU and LSTM know by name.
enum class Activation : std::uint8_t {
    Affine,
    Elu,
    HardSigmoid,
    LeakyRelu,
    Relu,
    ScaledTanh,
    Sigmoid,
    Softplus,
    Softsign,
    Tanh,
    ThresholdedRelu,
};

struct Activated
{
    Activation kind = Activation::Tanh;
    double alpha = 1;
    double beta = 0;

    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        const T a = static_cast<T>(alpha);
        const T b = static_cast<T>(beta);
        switch (kind) {
        case Activation::Affine:
            return a * x + b;
        case Activation::Elu:
            return x < 0 ? a * std::expm1(x) : x;
        case Activation::HardSigmoid:
            return functions::clamped(a * x + b, T {0}, T {1});
        case Activation::LeakyRelu:
            return x < 0 ? a * x : x;
        case Activation::Relu:
            return x < 0 ? 0 : x;
        case Activation::ScaledTanh:
            return a * std::tanh(b * x);
        case Activation::Sigmoid:
            return functions::sigmoid(x);
        case Activation::Softplus:
            return std::log1p(std::exp(x));
        case Activation::Softsign:
            return x / (1 + std::fabs(x));
        case Activation::Tanh:
            return std::tanh(x);
        default: // ThresholdedRelu
            return x > a ? x : 0;
        }
    }
};

/// Sizes and settings of RNN, GRU and LSTM.
struct RecurrentPlan
{
    std::int64_t gates = 1; ///< RNN 1, GRU 3, LSTM 4.
    std::int64_t directions = 1;
    std::int64_t steps = 0;
    std::int64_t batch = 0;
    std::int64_t inputs = 0; ///< Numbers of an item at one step.
    std::int64_t hidden = 0;
    bool backward = false; ///< Of one direction.
    bool batchFirst = false;
    double clip = 0; ///< 0: none.
    Activated activations[2][3];

    /// Numbers of the hidden state.
    [[nodiscard]] std::int64_t places() const { return directions * batch * hidden; }

    template <typename T>
    PLIMSOLL_ANYWHERE T activate(std::int64_t direction, int which, T sum) const
    {
        const T bound = static_cast<T>(clip);
        return activations[direction][which](bound > 0 ? functions::clamped(sum, -bound, bound) : sum);
    }
};
/// \p defaults are the activations of one direction.
[[nodiscard]] Result<RecurrentPlan> planRecurrence(const KernelCall& call, std::int64_t gates,
                                                   const std::vector<std::string>& defaults);

} // namespace plimsoll::kernels
