#include "kernels/reference/kernel_families.h"
#include "kernels/reference/unary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace plimsoll::kernels {
namespace {

template <typename T>
T sigmoidOf(T x)
{
    return T {1} / (T {1} + std::exp(-x));
}

template <typename T>
T softplusOf(T x)
{
    return std::max(x, T {0}) + std::log1p(std::exp(-std::fabs(x)));
}

template <typename T>
T tanhGelu(T x)
{
    const T inner = static_cast<T>(std::sqrt(2.0 / std::numbers::pi)) * (x + static_cast<T>(0.044715) * x * x * x);
    return static_cast<T>(0.5) * x * (T {1} + std::tanh(inner));
}

template <typename T>
T erfGelu(T x)
{
    return static_cast<T>(0.5) * x * (T {1} + std::erf(x / static_cast<T>(std::numbers::sqrt2)));
}

struct Relu
{
    template <typename T>
    T operator()(T x) const
    {
        return x < T {0} ? T {0} : x;
    }
};

struct Sigmoid
{
    template <typename T>
    T operator()(T x) const
    {
        return sigmoidOf(x);
    }
};

struct Softplus
{
    template <typename T>
    T operator()(T x) const
    {
        return softplusOf(x);
    }
};

struct Softsign
{
    template <typename T>
    T operator()(T x) const
    {
        return x / (T {1} + std::fabs(x));
    }
};

struct Mish
{
    template <typename T>
    T operator()(T x) const
    {
        return x * std::tanh(softplusOf(x));
    }
};

struct HardSwish
{
    template <typename T>
    T operator()(T x) const
    {
        return x * std::clamp(x / T {6} + static_cast<T>(0.5), T {0}, T {1});
    }
};

struct ErfGelu
{
    template <typename T>
    T operator()(T x) const
    {
        return erfGelu(x);
    }
};

class Gelu
{
public:
    explicit Gelu(const KernelCall& call) : m_tanh(textAttribute(call, "approximate", "none") == "tanh") {}
    template <typename T>
    T operator()(T x) const
    {
        return m_tanh ? tanhGelu(x) : erfGelu(x);
    }

private:
    bool m_tanh;
};

/// Activations with the attribute alpha; the default is the operator's.
template <typename Default>
class WithAlpha
{
public:
    explicit WithAlpha(const KernelCall& call) : m_alpha(floatAttribute(call, "alpha", Default::Value)) {}

protected:
    double m_alpha;
};

template <int Hundredths>
struct DefaultAlpha
{
    static constexpr double Value = Hundredths / 100.0;
};

struct LeakyRelu : WithAlpha<DefaultAlpha<1>>
{
    using WithAlpha::WithAlpha;
    template <typename T>
    T operator()(T x) const
    {
        return x < T {0} ? static_cast<T>(m_alpha) * x : x;
    }
};

struct Elu : WithAlpha<DefaultAlpha<100>>
{
    using WithAlpha::WithAlpha;
    template <typename T>
    T operator()(T x) const
    {
        return x < T {0} ? static_cast<T>(m_alpha) * std::expm1(x) : x;
    }
};

struct Celu : WithAlpha<DefaultAlpha<100>>
{
    using WithAlpha::WithAlpha;
    template <typename T>
    T operator()(T x) const
    {
        const T alpha = static_cast<T>(m_alpha);
        return std::max(T {0}, x) + std::min(T {0}, alpha * std::expm1(x / alpha));
    }
};

struct ThresholdedRelu : WithAlpha<DefaultAlpha<100>>
{
    using WithAlpha::WithAlpha;
    template <typename T>
    T operator()(T x) const
    {
        return x > static_cast<T>(m_alpha) ? x : T {0};
    }
};

/// x · sigmoid(alpha · x)
struct Swish : WithAlpha<DefaultAlpha<100>>
{
    using WithAlpha::WithAlpha;
    template <typename T>
    T operator()(T x) const
    {
        return x * sigmoidOf(static_cast<T>(m_alpha) * x);
    }
};

/// The second input, let through by the Swish of the first.
Status swiGlu(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& gate = call.input(0).tensor;
    const TensorView& linear = call.input(1).tensor;
    if (gate.shape != linear.shape)
        return refuse(call, describe(gate) + " and " + describe(linear) + " must have one shape.");
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

struct QuickGelu : WithAlpha<DefaultAlpha<170>>
{
    explicit QuickGelu(const KernelCall& call) : WithAlpha(call) { m_alpha = floatAttribute(call, "alpha", 1.702); }
    template <typename T>
    T operator()(T x) const
    {
        return x * sigmoidOf(static_cast<T>(m_alpha) * x);
    }
};

class Selu
{
public:
    explicit Selu(const KernelCall& call)
        : m_alpha(floatAttribute(call, "alpha", 1.67326319217681884765625)),
          m_gamma(floatAttribute(call, "gamma", 1.05070102214813232421875))
    {
    }
    template <typename T>
    T operator()(T x) const
    {
        return static_cast<T>(m_gamma) * (x > T {0} ? x : static_cast<T>(m_alpha) * std::expm1(x));
    }

private:
    double m_alpha;
    double m_gamma;
};

class HardSigmoid
{
public:
    explicit HardSigmoid(const KernelCall& call)
        : m_alpha(floatAttribute(call, "alpha", 0.2)), m_beta(floatAttribute(call, "beta", 0.5))
    {
    }
    template <typename T>
    T operator()(T x) const
    {
        return std::clamp(static_cast<T>(m_alpha) * x + static_cast<T>(m_beta), T {0}, T {1});
    }

private:
    double m_alpha;
    double m_beta;
};

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

constexpr KernelEntry Table[] = {
    {"", "Celu", unaryFloating<Celu>},
    {"", "Elu", unaryFloating<Elu>},
    {"", "Gelu", unaryFloating<Gelu>},
    {"", "HardSigmoid", unaryFloating<HardSigmoid>},
    {"", "HardSwish", unaryFloating<HardSwish>},
    {"", "LeakyRelu", unaryFloating<LeakyRelu>},
    {"", "Mish", unaryFloating<Mish>},
    {"", "Relu", unaryNumeric<Relu>},
    {"", "Selu", unaryFloating<Selu>},
    {"", "Shrink", unaryNumeric<Shrink>},
    {"", "Sigmoid", unaryFloating<Sigmoid>},
    {"", "Softplus", unaryFloating<Softplus>},
    {"", "Softsign", unaryFloating<Softsign>},
    {"", "SwiGLU", swiGlu},
    {"", "Swish", unaryFloating<Swish>},
    {"", "ThresholdedRelu", unaryFloating<ThresholdedRelu>},
    {"com.microsoft", "Gelu", unaryFloating<ErfGelu>},
    {"com.microsoft", "QuickGelu", unaryFloating<QuickGelu>},
};

} // namespace

KernelTable activationKernels()
{
    return Table;
}

} // namespace plimsoll::kernels
