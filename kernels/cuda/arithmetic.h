#pragma once

#include "kernels/cuda/number.h"

/// Functions of two numbers.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Integers wrap around, so that no overflow is undefined.
template <typename T>
PLIMSOLL_DEVICE std::uint64_t wide(T x)
{
    return static_cast<std::uint64_t>(x);
}

/// By which the least number of a type cannot be divided.
template <typename T>
PLIMSOLL_DEVICE bool isMinusOne(T x)
{
    return std::is_signed_v<T> && x == static_cast<T>(-1);
}

struct Plus
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        if constexpr (isReal<T>) {
            return a + b;
        } else {
            return static_cast<T>(wide(a) + wide(b));
        }
    }
};

struct Minus
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        if constexpr (isReal<T>) {
            return a - b;
        } else {
            return static_cast<T>(wide(a) - wide(b));
        }
    }
};

struct Times
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        if constexpr (isReal<T>) {
            return a * b;
        } else {
            return static_cast<T>(wide(a) * wide(b));
        }
    }
};

/// Integers: cut towards zero; by 0 gives 0.
struct Divide
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        if constexpr (isReal<T>) {
            return a / b;
        } else {
            return b == 0 ? T {0} : isMinusOne(b) ? static_cast<T>(0 - wide(a)) : static_cast<T>(a / b);
        }
    }
};

/// Sign of the divisor; by 0 gives 0 for integers.
struct FloorMod
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        T rest = 0;
        if constexpr (isReal<T>) {
            rest = fmodf(a, b);
        } else if (b != 0 && b != -1) {
            rest = static_cast<T>(a % b);
        }
        return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
    }
};

/// Sign of the dividend.
struct TruncatedMod
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        if constexpr (isReal<T>) {
            return fmodf(a, b);
        } else {
            return b == 0 || b == -1 ? 0 : static_cast<T>(a % b);
        }
    }
};

struct Power
{
    template <typename Exponent>
    PLIMSOLL_DEVICE float operator()(float a, Exponent b) const
    {
        return powf(a, static_cast<float>(b));
    }
};

struct LeakyBy
{
    PLIMSOLL_DEVICE float operator()(float x, float slope) const { return x < 0 ? slope * x : x; }
};

/// A NaN on either side is the outcome.
struct Smaller
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        return a != a || a < b ? a : b;
    }
};

struct Larger
{
    template <typename T>
    PLIMSOLL_DEVICE T operator()(T a, T b) const
    {
        return a != a || a > b ? a : b;
    }
};

#define PLIMSOLL_TEST(Name, expression)                                                                                \
    struct Name                                                                                                        \
    {                                                                                                                  \
        template <typename T>                                                                                          \
        PLIMSOLL_DEVICE bool operator()(T a, T b) const                                                                \
        {                                                                                                              \
            return expression;                                                                                         \
        }                                                                                                              \
    }
PLIMSOLL_TEST(Equal, a == b);
PLIMSOLL_TEST(Greater, a > b);
PLIMSOLL_TEST(GreaterOrEqual, a >= b);
PLIMSOLL_TEST(Less, a < b);
PLIMSOLL_TEST(LessOrEqual, a <= b);
PLIMSOLL_TEST(And, a&& b);
PLIMSOLL_TEST(Or, a || b);
PLIMSOLL_TEST(Xor, a != b);
#undef PLIMSOLL_TEST

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
