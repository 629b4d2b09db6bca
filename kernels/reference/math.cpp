#include "kernels/common/functions.h"
#include "kernels/reference/elementwise.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

using namespace functions;

Status gelu(KernelCall& call)
{
    return textAttribute(call, "approximate", "none") == "tanh" ? unaryFloating<TanhGelu>(call)
                                                                : unaryFloating<ErfGelu>(call);
}

/// The second input, let through by the Swish of the first.
Status swiGlu(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& gate = call.input(0).tensor;
    const TensorView& linear = call.input(1).tensor;
    if (gate.shape != linear.shape) return refuse(call, say("kernel.shapes-differ", describe(gate), describe(linear)));
    if (!isFloatingPoint(gate.dtype)) return refuseType(call, gate.dtype);
    PLIMSOLL_ASSIGN(out, call.output(0, gate.dtype, gate.shape));
    visitFloating(gate.dtype, [&]<typename T>() {
        const Swish swish(call);
        const Reader<T> gates(gate);
        const Reader<T> numbers(linear);
        Writer<T> writer(out);
        std::transform(gates.data(), gates.data() + gate.elements(), numbers.data(), writer.data(),
                       [&](T x, T number) { return swish(x) * number; });
    });
    return {};
}

class Shrink
{
public:
    explicit Shrink(const KernelCall& call)
        : m_bias(floatAttribute(call, "bias", 0)), m_lambda(floatAttribute(call, "lambd", 0.5))
    {
    }
    template <typename T>
    T operator()(T x) const
    {
        const auto number = static_cast<double>(x);
        if (number < -m_lambda) return fromDouble<T>(number + m_bias);
        if (number > m_lambda) return fromDouble<T>(number - m_bias);
        return T {0};
    }

private:
    template <typename T>
    static T fromDouble(double number)
    {
        if constexpr (std::is_floating_point_v<T>) return static_cast<T>(number);
        return static_cast<T>(truncated(number));
    }
    double m_bias;
    double m_lambda;
};

constexpr KernelEntry MathKernels[] = {
    {"", "Abs", unaryNumeric<Abs>},
    {"", "Acos", unaryFloating<Acos>},
    {"", "Acosh", unaryFloating<Acosh>},
    {"", "Asin", unaryFloating<Asin>},
    {"", "Asinh", unaryFloating<Asinh>},
    {"", "Atan", unaryFloating<Atan>},
    {"", "Atanh", unaryFloating<Atanh>},
    {"", "Ceil", unaryFloating<Ceil>},
    {"", "Celu", unaryFloating<Celu>},
    {"", "Cos", unaryFloating<Cos>},
    {"", "Cosh", unaryFloating<Cosh>},
    {"", "Elu", unaryFloating<Elu>},
    {"", "Erf", unaryNumeric<Erf>},
    {"", "Exp", unaryFloating<Exp>},
    {"", "Floor", unaryFloating<Floor>},
    {"", "Gelu", gelu},
    {"", "HardSigmoid", unaryFloating<HardSigmoid>},
    {"", "HardSwish", unaryFloating<HardSwish>},
    {"", "IsInf", unaryTest<IsInf>},
    {"", "IsNaN", unaryTest<IsNaN>},
    {"", "LeakyRelu", unaryFloating<LeakyRelu>},
    {"", "Log", unaryFloating<Log>},
    {"", "Mish", unaryFloating<Mish>},
    {"", "Neg", unaryNumeric<Negate>},
    {"", "Reciprocal", unaryFloating<Reciprocal>},
    {"", "Relu", unaryNumeric<Relu>},
    {"", "Round", unaryFloating<RoundHalfEven>},
    {"", "Selu", unaryFloating<Selu>},
    {"", "Shrink", unaryNumeric<Shrink>},
    {"", "Sigmoid", unaryFloating<Sigmoid>},
    {"", "Sign", unaryNumeric<Sign>},
    {"", "Sin", unaryFloating<Sin>},
    {"", "Sinh", unaryFloating<Sinh>},
    {"", "Softplus", unaryFloating<Softplus>},
    {"", "Softsign", unaryFloating<Softsign>},
    {"", "Sqrt", unaryFloating<Sqrt>},
    {"", "SwiGLU", swiGlu},
    {"", "Swish", unaryFloating<Swish>},
    {"", "Tan", unaryFloating<Tan>},
    {"", "Tanh", unaryFloating<Tanh>},
    {"", "ThresholdedRelu", unaryFloating<ThresholdedRelu>},
    {"com.microsoft", "Gelu", unaryFloating<ErfGelu>},
    {"com.microsoft", "QuickGelu", unaryFloating<QuickGelu>},
};

} // namespace

constinit const KernelTable mathKernels = MathKernels;

} // namespace plimsoll::kernels
