#pragma once

#include "core/graph/tensor_type.h"

#include <cstdint>

namespace plimsoll {

/// What a small floating-point format does with the codes at its ends.
enum class Specials : std::uint8_t {
    Ieee,           ///< Largest exponent: infinities and NaNs.
    NanOnly,        ///< "FN": all ones is NaN, no infinity.
    NanAtMinusZero, ///< "FNUZ": the code of -0 is NaN, no infinity, no -0.
    None,           ///< Every code is a number.
};

/// How a format with a sign bit encodes numbers.
struct FloatFormat
{
    int exponentBits = 0;
    int mantissaBits = 0;
    int bias = 0;
    Specials specials = Specials::Ieee;
};

inline constexpr FloatFormat HalfFormat {5, 10, 15, Specials::Ieee};
inline constexpr FloatFormat BFloat16Format {8, 7, 127, Specials::Ieee};
inline constexpr FloatFormat E4M3FNFormat {4, 3, 7, Specials::NanOnly};
inline constexpr FloatFormat E4M3FNUZFormat {4, 3, 8, Specials::NanAtMinusZero};
inline constexpr FloatFormat E5M2Format {5, 2, 15, Specials::Ieee};
inline constexpr FloatFormat E5M2FNUZFormat {5, 2, 16, Specials::NanAtMinusZero};
inline constexpr FloatFormat E2M1Format {2, 1, 1, Specials::None};

/// The format of a floating-point type below 32 bits with a sign bit, or nullptr.
[[nodiscard]] const FloatFormat* floatFormat(DType dtype);

/// The number that a code stands for; exact.
[[nodiscard]] double decodeFloat(std::uint32_t code, const FloatFormat& format);

/// The code of the nearest number, ties to the even code. Beyond the largest number: that number when \p saturate is
/// set, otherwise infinity, or NaN where there is none.
[[nodiscard]] std::uint32_t encodeFloat(double number, const FloatFormat& format, bool saturate);

/// Powers of two from 2^-127 to 2^127; 255 is NaN.
[[nodiscard]] double decodeE8M0(std::uint8_t code);

enum class E8M0Rounding : std::uint8_t { Up, Down, Nearest };
/// Sign and zero cannot be told: the magnitude is encoded, 0 as the smallest power. What is too large becomes the
/// largest power when \p saturate is set, else NaN.
[[nodiscard]] std::uint8_t encodeE8M0(double number, E8M0Rounding rounding, bool saturate);

/// Element \p index of packed memory, low bits first, as an unsigned code.
template <int Bits>
[[nodiscard]] inline std::uint8_t packedCode(const std::uint8_t* data, std::int64_t index)
{
    constexpr int PerByte = 8 / Bits;
    const int shift = static_cast<int>(index % PerByte) * Bits;
    return static_cast<std::uint8_t>((data[index / PerByte] >> shift) & ((1 << Bits) - 1));
}

template <int Bits>
inline void setPackedCode(std::uint8_t* data, std::int64_t index, std::uint8_t code)
{
    constexpr int PerByte = 8 / Bits;
    constexpr int Mask = (1 << Bits) - 1;
    const int shift = static_cast<int>(index % PerByte) * Bits;
    std::uint8_t& byte = data[index / PerByte];
    byte = static_cast<std::uint8_t>((byte & ~(Mask << shift)) | ((code & Mask) << shift));
}

/// The signed number of a two's complement code of \p Bits bits.
template <int Bits>
[[nodiscard]] inline std::int8_t signedOf(std::uint8_t code)
{
    constexpr int Half = 1 << (Bits - 1);
    return static_cast<std::int8_t>((code ^ Half) - Half);
}

} // namespace plimsoll
