#include "kernels/run/step/reference_bounds.h"

#include "core/ops/saving.h"
#include "kernels/run/step/element_values.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::kernels {
namespace {

struct Bound
{
    std::string_view op;
    double relative;
    double units = 0; ///< Of integer results: sums are scaled in 24 bits, and rounded after the zero point was added.
};

/// Operators that are not listed here are exact up to the last bit or two.
constexpr std::array Bounds = {
    Bound {"Conv", 1e-4},
    Bound {"ConvTranspose", 1e-4},
    Bound {"Gemm", 1e-4},
    Bound {"MatMul", 1e-4},
    Bound {"LSTM", 1e-4},
    Bound {"GRU", 1e-4},
    Bound {"RNN", 1e-4},
    Bound {"CumSum", 1e-5},
    Bound {"NegativeLogLikelihoodLoss", 1e-5},
    Bound {"SoftmaxCrossEntropyLoss", 1e-5},
    Bound {"BatchNormalization", 1e-4},
    Bound {"LayerNormalization", 1e-4},
    Bound {"LRN", 1e-4},
    Bound {"Resize", 1e-5},
    Bound {"Upsample", 1e-5},
    Bound {"AveragePool", 1e-5},
    Bound {"GlobalAveragePool", 1e-5},
    Bound {"ReduceSum", 1e-5},
    Bound {"ReduceMean", 1e-5},
    Bound {"ReduceL2", 1e-5},
    Bound {"ReduceL1", 1e-5},
    Bound {"ReduceSumSquare", 1e-5},
    Bound {"ReduceProd", 1e-4},
    Bound {"Softmax", 1e-5},
    Bound {"LogSoftmax", 1e-5},
    Bound {"Exp", 1e-5},
    Bound {"Tanh", 1e-5},
    Bound {"Sigmoid", 1e-5},
    Bound {"Gelu", 1e-5},
    Bound {"Elu", 1e-5},
    Bound {"Softplus", 1e-5},
    Bound {"DequantizeLinear", 0},
    Bound {"QLinearConv", 0, 1},
    Bound {"QLinearMatMul", 0, 1},
};
constexpr double LastBits = 1e-6;
/// Two units in the last of eight bits: the reference rounds after every operation, others after the last.
constexpr double Bfloat16Bits = 1.0 / 128;
constexpr double HalfBits = 1.0 / 1024; ///< The same of eleven.
/// The reference computes formulas of gradients in double precision, others do not.
constexpr double FormulaBits = 1e-5;

} // namespace

Tolerance referenceBound(const Node& node, const RuntimeValue& wanted)
{
    const auto found =
        std::find_if(Bounds.begin(), Bounds.end(), [&](const Bound& bound) { return bound.op == node.op; });
    double relative = found == Bounds.end() ? LastBits : found->relative;
    if (wanted.kind == RuntimeValue::Kind::Tensor && wanted.tensor.dtype == DType::BFloat16)
        relative = std::max(relative, Bfloat16Bits);
    if (wanted.kind == RuntimeValue::Kind::Tensor && wanted.tensor.dtype == DType::Float16)
        relative = std::max(relative, HalfBits);
    if (node.domain == GradientDomain) relative = std::max(relative, FormulaBits);
    return {relative, relative * largestMagnitude(wanted) + 1e-7, found == Bounds.end() ? 0 : found->units};
}

Tolerance widest(const Tolerance& a, const Tolerance& b)
{
    return {std::max(a.relative, b.relative), std::max(a.absolute, b.absolute), std::max(a.units, b.units)};
}

} // namespace plimsoll::kernels
