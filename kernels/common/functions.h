#pragma once

#include "kernels/common/anywhere.h"
#include "kernels/common/call_tools.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

/// Functions of elements, written once for the host and for devices. T is the type that is computed in: float, double
/// or an integer. Those that depend on attributes are made from a call.
namespace plimsoll::kernels::functions {

/// Integers wrap around, so that no overflow is undefined.
template <typename T>
PLIMSOLL_ANYWHERE std::uint64_t wide(T x)
{
    return static_cast<std::uint64_t>(x);
}

/// By which the least number of a type cannot be divided.
template <typename T>
PLIMSOLL_ANYWHERE bool isMinusOne(T x)
{
    return std::is_signed_v<T> && x == static_cast<T>(-1);
}

template <typename T>
PLIMSOLL_ANYWHERE T clamped(T x, T low, T high)
{
    return x < low ? low : high < x ? high : x;
}

template <typename T>
PLIMSOLL_ANYWHERE T sigmoid(T x)
{
    return T {1} / (T {1} + std::exp(-x));
}

template <typename T>
PLIMSOLL_ANYWHERE T softplus(T x)
{
    return (x < T {0} ? T {0} : x) + std::log1p(std::exp(-std::fabs(x)));
}

#define PLIMSOLL_FUNCTION(Name, expression)                                                                            \
    struct Name                                                                                                        \
    {                                                                                                                  \
        template <typename T>                                                                                          \
        PLIMSOLL_ANYWHERE T operator()(T x) const                                                                      \
        {                                                                                                              \
            return static_cast<T>(expression);                                                                         \
        }                                                                                                              \
    }
/// With one attribute, a.
#define PLIMSOLL_FUNCTION_WITH(Name, attribute, fallback, expression)                                                  \
    struct Name                                                                                                        \
    {                                                                                                                  \
        explicit Name(const KernelCall& call) : number(floatAttribute(call, attribute, fallback)) {}                   \
        template <typename T>                                                                                          \
        PLIMSOLL_ANYWHERE T operator()(T x) const                                                                      \
        {                                                                                                              \
            const T a = static_cast<T>(number);                                                                        \
            return expression;                                                                                         \
        }                                                                                                              \
        double number;                                                                                                 \
    }
#define PLIMSOLL_TEST(Name, expression)                                                                                \
    struct Name                                                                                                        \
    {                                                                                                                  \
        template <typename T>                                                                                          \
        PLIMSOLL_ANYWHERE bool operator()(const T& a, const T& b) const                                                \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    }

PLIMSOLL_FUNCTION(Acos, std::acos(x));
PLIMSOLL_FUNCTION(Acosh, std::acosh(x));
PLIMSOLL_FUNCTION(Asin, std::asin(x));
PLIMSOLL_FUNCTION(Asinh, std::asinh(x));
PLIMSOLL_FUNCTION(Atan, std::atan(x));
PLIMSOLL_FUNCTION(Atanh, std::atanh(x));
PLIMSOLL_FUNCTION(Ceil, std::ceil(x));
PLIMSOLL_FUNCTION(Cos, std::cos(x));
PLIMSOLL_FUNCTION(Cosh, std::cosh(x));
PLIMSOLL_FUNCTION(Erf, std::erf(x));
PLIMSOLL_FUNCTION(Exp, std::exp(x));
PLIMSOLL_FUNCTION(Floor, std::floor(x));
PLIMSOLL_FUNCTION(Log, std::log(x));
PLIMSOLL_FUNCTION(Reciprocal, T {1} / x);
PLIMSOLL_FUNCTION(RoundHalfEven, std::nearbyint(x)); // the default rounding mode is to nearest even
PLIMSOLL_FUNCTION(Sin, std::sin(x));
PLIMSOLL_FUNCTION(Sinh, std::sinh(x));
PLIMSOLL_FUNCTION(Sqrt, std::sqrt(x));
PLIMSOLL_FUNCTION(Tan, std::tan(x));
PLIMSOLL_FUNCTION(Tanh, std::tanh(x));

PLIMSOLL_FUNCTION(Relu, x < T {0} ? T {0} : x);
PLIMSOLL_FUNCTION(Sigmoid, sigmoid(x));
PLIMSOLL_FUNCTION(Softplus, softplus(x));
PLIMSOLL_FUNCTION(Softsign, x / (T {1} + std::fabs(x)));
PLIMSOLL_FUNCTION(Mish, x* std::tanh(softplus(x)));
PLIMSOLL_FUNCTION(HardSwish, x* clamped(x / T {6} + static_cast<T>(0.5), T {0}, T {1}));
PLIMSOLL_FUNCTION(ErfGelu, static_cast<T>(0.5) * x * (T {1} + std::erf(x / static_cast<T>(1.4142135623730951))));
PLIMSOLL_FUNCTION_WITH(LeakyRelu, "alpha", 0.01, x < T {0} ? a * x : x);
PLIMSOLL_FUNCTION_WITH(Elu, "alpha", 1, x < T {0} ? a * std::expm1(x) : x);
PLIMSOLL_FUNCTION_WITH(Celu, "alpha", 1, x < T {0} ? a * std::expm1(x / a) : x);
PLIMSOLL_FUNCTION_WITH(ThresholdedRelu, "alpha", 1, x > a ? x : T {0});
PLIMSOLL_FUNCTION_WITH(Swish, "alpha", 1, x* sigmoid(a* x));
PLIMSOLL_FUNCTION_WITH(QuickGelu, "alpha", 1.702, x* sigmoid(a* x));

PLIMSOLL_TEST(Equal, a == b);
PLIMSOLL_TEST(Greater, a > b);
PLIMSOLL_TEST(GreaterOrEqual, a >= b);
PLIMSOLL_TEST(Less, a < b);
PLIMSOLL_TEST(LessOrEqual, a <= b);
PLIMSOLL_TEST(And, a&& b);
PLIMSOLL_TEST(Or, a || b);
PLIMSOLL_TEST(Xor, a != b);

#undef PLIMSOLL_FUNCTION
#undef PLIMSOLL_FUNCTION_WITH
#undef PLIMSOLL_TEST

struct TanhGelu
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        const T inner = static_cast<T>(0.79788456080286541) * (x + static_cast<T>(0.044715) * x * x * x); // √(2/π)
        return static_cast<T>(0.5) * x * (T {1} + std::tanh(inner));
    }
};

struct Abs
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            return std::fabs(x);
        } else if constexpr (std::is_unsigned_v<T>) {
            return x;
        } else {
            return x < T {0} ? static_cast<T>(0 - wide(x)) : x;
        }
    }
};

struct Negate
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            return -x;
        } else {
            return static_cast<T>(0 - wide(x));
        }
    }
};

struct Sign
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        if (x > T {0}) return T {1};
        if constexpr (std::is_signed_v<T>) {
            if (x < T {0}) return static_cast<T>(-1);
        }
        return x == T {0} ? T {0} : x; // NaN stays NaN
    }
};

struct Selu
{
    explicit Selu(const KernelCall& call)
        : alpha(floatAttribute(call, "alpha", 1.67326319217681884765625)),
          gamma(floatAttribute(call, "gamma", 1.05070102214813232421875))
    {
    }
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        return static_cast<T>(gamma) * (x > T {0} ? x : static_cast<T>(alpha) * std::expm1(x));
    }
    double alpha;
    double gamma;
};

struct HardSigmoid
{
    explicit HardSigmoid(const KernelCall& call)
        : alpha(floatAttribute(call, "alpha", 0.2)), beta(floatAttribute(call, "beta", 0.5))
    {
    }
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x) const
    {
        return clamped(static_cast<T>(alpha) * x + static_cast<T>(beta), T {0}, T {1});
    }
    double alpha;
    double beta;
};

/// Of any arithmetic type; only what is no number differs from its copy.
template <typename T>
PLIMSOLL_ANYWHERE bool isNan(T x)
{
    const T copy = x;
    return x != copy;
}

struct IsNaN
{
    template <typename T>
    PLIMSOLL_ANYWHERE bool operator()(T x) const
    {
        return isNan(x);
    }
};

struct IsInf
{
    explicit IsInf(const KernelCall& call)
        : negative(intAttribute(call, "detect_negative", 1) != 0),
          positive(intAttribute(call, "detect_positive", 1) != 0)
    {
    }
    template <typename T>
    PLIMSOLL_ANYWHERE bool operator()(T x) const
    {
        return isNan(T {0} * x) && (x < T {0} ? negative : x > T {0} && positive);
    }
    bool negative;
    bool positive;
};

#define PLIMSOLL_WRAPPING(Name, sign)                                                                                  \
    struct Name                                                                                                        \
    {                                                                                                                  \
        template <typename T>                                                                                          \
        PLIMSOLL_ANYWHERE T operator()(T a, T b) const                                                                 \
        {                                                                                                              \
            if constexpr (std::is_floating_point_v<T>)                                                                 \
                return a sign b;                                                                                       \
            else                                                                                                       \
                return static_cast<T>(wide(a) sign wide(b));                                                           \
        }                                                                                                              \
    }
PLIMSOLL_WRAPPING(Plus, +);
PLIMSOLL_WRAPPING(Minus, -);
PLIMSOLL_WRAPPING(Times, *);
#undef PLIMSOLL_WRAPPING

/// Integers: cut towards zero; by 0 gives 0.
struct Divide
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            return a / b;
        } else {
            return b == T {0} ? T {0} : isMinusOne(b) ? static_cast<T>(0 - wide(a)) : static_cast<T>(a / b);
        }
    }
};

/// Sign of the dividend; by 0 gives 0 for integers.
struct TruncatedMod
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            return std::fmod(a, b);
        } else {
            return b == T {0} || isMinusOne(b) ? T {0} : static_cast<T>(a % b);
        }
    }
};

/// Sign of the divisor.
struct FloorMod
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T a, T b) const
    {
        const T rest = TruncatedMod()(a, b);
        return rest != T {0} && (rest < T {0}) != (b < T {0}) ? static_cast<T>(rest + b) : rest;
    }
};

struct LeakyBy
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T x, T slope) const
    {
        return x < T {0} ? Times()(slope, x) : x;
    }
};

/// Of two numbers. A NaN on either side is the outcome.
template <bool Greatest>
struct Chosen
{
    template <typename T>
    PLIMSOLL_ANYWHERE T operator()(T a, T b) const
    {
        if constexpr (std::is_floating_point_v<T>) {
            if (isNan(a) || isNan(b)) return static_cast<T>(NAN);
        }
        return (Greatest ? a < b : b < a) ? b : a;
    }
};
using Larger = Chosen<true>;
using Smaller = Chosen<false>;

} // namespace plimsoll::kernels::functions
