#pragma once

#include "core/graph/tensor_type.h"
#include "kernels/cuda/launch/launch.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// Numbers as they are stored. Those of 16 bits are computed with as float. A device turns halves into floats and back
/// by an instruction each, the host by what IEEE 754 says of the bits.
struct Half
{
    std::uint16_t bits;
};
struct BFloat16
{
    std::uint16_t bits;
};

template <typename T>
inline constexpr bool isReal = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// The type in which T is computed with.
template <typename T>
using Computed = std::conditional_t<isReal<T> && sizeof(T) == 2, float, T>;

PLIMSOLL_DEVICE inline std::uint32_t bitsOf(float x)
{
    std::uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

PLIMSOLL_DEVICE inline float floatOf(std::uint32_t bits)
{
    float x = 0;
    memcpy(&x, &bits, sizeof x);
    return x;
}

PLIMSOLL_DEVICE inline float load(Half x)
{
#ifdef __CUDA_ARCH__
    float number = 0;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(x.bits));
    return number;
#else
    const std::uint32_t sign = (x.bits & 0x8000U) << 16U;
    const std::uint32_t exponent = (x.bits >> 10U) & 31U;
    const std::uint32_t mantissa = x.bits & 1023U;
    if (exponent == 0) return floatOf(sign | bitsOf(static_cast<float>(mantissa) * 0x1p-24F));
    if (exponent == 31) return floatOf(sign | 0x7f800000U | mantissa << 13U);
    return floatOf(sign | (exponent + 112) << 23U | mantissa << 13U);
#endif
}

PLIMSOLL_DEVICE inline float load(BFloat16 x)
{
    return floatOf(static_cast<std::uint32_t>(x.bits) << 16U);
}

template <typename T>
PLIMSOLL_DEVICE T load(T x)
{
    return x;
}

/// To the nearest half, ties to even; from 65,520 on infinite.
PLIMSOLL_DEVICE inline Half roundedToHalf(float x)
{
#ifdef __CUDA_ARCH__
    Half half {};
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half.bits) : "f"(x));
    return half;
#else
    const std::uint32_t sign = bitsOf(x) >> 16U & 0x8000U;
    std::uint32_t bits = bitsOf(x) & 0x7fffffffU;
    if (bits > 0x7f800000U) {
        bits = 0x7e00U;
    } else if (bits >= 0x477ff000U) {
        bits = 0x7c00U;
    } else if (bits < 0x38800000U) { // below 2^-14 steps are 2^-24
        bits = static_cast<std::uint32_t>(rintf(floatOf(bits) * 0x1p24F));
    } else {
        bits = (bits + 0xfffU + (bits >> 13U & 1U) - 0x38000000U) >> 13U;
    }
    return {static_cast<std::uint16_t>(sign | bits)};
#endif
}

PLIMSOLL_DEVICE inline BFloat16 roundedToBFloat16(float x)
{
    const std::uint32_t bits = bitsOf(x);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return {static_cast<std::uint16_t>(bits >> 16U | 0x40U)};
    return {static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U)};
}

template <typename T>
PLIMSOLL_DEVICE T rounded(Computed<T> x)
{
    if constexpr (std::is_same_v<T, Half>) {
        return roundedToHalf(x);
    } else if constexpr (std::is_same_v<T, BFloat16>) {
        return roundedToBFloat16(x);
    } else {
        return x;
    }
}

/// bool is stored as a byte.
template <typename T>
inline constexpr DType dtypeOf = std::is_same_v<T, float>          ? DType::Float32
                                 : std::is_same_v<T, Half>         ? DType::Float16
                                 : std::is_same_v<T, BFloat16>     ? DType::BFloat16
                                 : std::is_same_v<T, std::int64_t> ? DType::Int64
                                 : std::is_same_v<T, std::int32_t> ? DType::Int32
                                 : std::is_same_v<T, std::int8_t>  ? DType::Int8
                                 : std::is_same_v<T, std::uint8_t> ? DType::UInt8
                                 : std::is_same_v<T, bool>         ? DType::Bool
                                                                   : DType::Unknown;

/// Calls \p visitor.template operator()<T>() with the one of the types that \p dtype is; false where it is none.
template <typename... Types, typename Visitor>
bool visitAmong(DType dtype, const Visitor& visitor)
{
    const auto visit = [&]<typename T>() {
        if (dtypeOf<T> != dtype) return false;
        visitor.template operator()<T>();
        return true;
    };
    return (visit.template operator()<Types>() || ...);
}

template <typename... Types>
bool isAmong(DType dtype)
{
    return ((dtypeOf<Types> == dtype) || ...);
}

/// Of the floating-point types that kernels compute with.
inline bool isComputedReal(DType dtype)
{
    return isAmong<float, Half, BFloat16>(dtype);
}

template <typename Visitor>
bool visitReal(DType dtype, const Visitor& visitor)
{
    return visitAmong<float, Half, BFloat16>(dtype, visitor);
}

/// Whether visitWidth() knows the type.
inline bool isMovable(DType dtype)
{
    const int bits = dtypeBits(dtype);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/// For what only moves elements: by their width.
template <typename Visitor>
bool visitWidth(DType dtype, const Visitor& visitor)
{
    const auto visit = [&]<typename T>() {
        if (dtypeBits(dtype) != 8 * static_cast<int>(sizeof(T))) return false;
        visitor.template operator()<T>();
        return true;
    };
    return visit.template operator()<std::uint8_t>() || visit.template operator()<std::uint16_t>() ||
           visit.template operator()<std::uint32_t>() || visit.template operator()<std::uint64_t>();
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
