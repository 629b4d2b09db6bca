#include "kernels/reference/kernel_families.h"
#include "kernels/reference/unary.h"

#include <cmath>

namespace plimsoll::kernels {
namespace {

#define PLIMSOLL_FUNCTION(Name, expression)                                                                            \
    struct Name                                                                                                        \
    {                                                                                                                  \
        template <typename T>                                                                                          \
        T operator()(T x) const                                                                                        \
        {                                                                                                              \
            return static_cast<T>(expression);                                                                         \
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

#undef PLIMSOLL_FUNCTION

struct Abs
{
    template <typename T>
    T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>) return std::fabs(x);
        if constexpr (std::is_unsigned_v<T>) return x;
        return x < T {0} ? static_cast<T>(std::uint64_t {0} - static_cast<std::uint64_t>(x)) : x;
    }
};

struct Negate
{
    template <typename T>
    T operator()(T x) const
    {
        if constexpr (std::is_floating_point_v<T>) return -x;
        return static_cast<T>(std::uint64_t {0} - static_cast<std::uint64_t>(x));
    }
};

struct Sign
{
    template <typename T>
    T operator()(T x) const
    {
        if (x > T {0}) return T {1};
        if constexpr (std::is_signed_v<T>) {
            if (x < T {0}) return static_cast<T>(-1);
        }
        return x == T {0} ? T {0} : x; // NaN stays NaN
    }
};

struct IsNaN
{
    template <typename T>
    bool operator()(T x) const
    {
        return std::isnan(x);
    }
};

class IsInf
{
public:
    explicit IsInf(const KernelCall& call)
        : m_negative(intAttribute(call, "detect_negative", 1) != 0),
          m_positive(intAttribute(call, "detect_positive", 1) != 0)
    {
    }
    template <typename T>
    bool operator()(T x) const
    {
        return std::isinf(x) && (x < T {0} ? m_negative : m_positive);
    }

private:
    bool m_negative;
    bool m_positive;
};

constexpr KernelEntry Table[] = {
    {"", "Abs", unaryNumeric<Abs>},
    {"", "Acos", unaryFloating<Acos>},
    {"", "Acosh", unaryFloating<Acosh>},
    {"", "Asin", unaryFloating<Asin>},
    {"", "Asinh", unaryFloating<Asinh>},
    {"", "Atan", unaryFloating<Atan>},
    {"", "Atanh", unaryFloating<Atanh>},
    {"", "Ceil", unaryFloating<Ceil>},
    {"", "Cos", unaryFloating<Cos>},
    {"", "Cosh", unaryFloating<Cosh>},
    {"", "Erf", unaryNumeric<Erf>},
    {"", "Exp", unaryFloating<Exp>},
    {"", "Floor", unaryFloating<Floor>},
    {"", "IsInf", unaryTest<IsInf>},
    {"", "IsNaN", unaryTest<IsNaN>},
    {"", "Log", unaryFloating<Log>},
    {"", "Neg", unaryNumeric<Negate>},
    {"", "Reciprocal", unaryFloating<Reciprocal>},
    {"", "Round", unaryFloating<RoundHalfEven>},
    {"", "Sign", unaryNumeric<Sign>},
    {"", "Sin", unaryFloating<Sin>},
    {"", "Sinh", unaryFloating<Sinh>},
    {"", "Sqrt", unaryFloating<Sqrt>},
    {"", "Tan", unaryFloating<Tan>},
    {"", "Tanh", unaryFloating<Tanh>},
};

} // namespace

KernelTable mathKernels()
{
    return Table;
}

} // namespace plimsoll::kernels
