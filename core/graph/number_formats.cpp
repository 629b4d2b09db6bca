#include "core/graph/number_formats.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll {
namespace {

std::uint32_t magnitudeMask(const FloatFormat& format)
{
    return (1U << (format.exponentBits + format.mantissaBits)) - 1U;
}

std::uint32_t infinityCode(const FloatFormat& format)
{
    return ((1U << format.exponentBits) - 1U) << format.mantissaBits;
}

std::uint32_t largestCode(const FloatFormat& format)
{
    switch (format.specials) {
    case Specials::Ieee:
        return infinityCode(format) - 1U;
    case Specials::NanOnly:
        return magnitudeMask(format) - 1U;
    case Specials::NanAtMinusZero:
    case Specials::None:
        break;
    }
    return magnitudeMask(format);
}

std::uint32_t nanCode(const FloatFormat& format)
{
    switch (format.specials) {
    case Specials::Ieee:
        return infinityCode(format) | (1U << (format.mantissaBits - 1));
    case Specials::NanOnly:
        return magnitudeMask(format);
    case Specials::NanAtMinusZero:
        return magnitudeMask(format) + 1U;
    case Specials::None:
        break;
    }
    return magnitudeMask(format) + 1U; // a format without NaN: -0
}

/// Code of a finite magnitude, possibly beyond the largest.
std::uint32_t roundedCode(double magnitude, const FloatFormat& format)
{
    const int smallest = 1 - format.bias;
    int exponent = smallest;
    if (magnitude > 0) {
        std::frexp(magnitude, &exponent);
        exponent = std::max(exponent - 1, smallest);
    }
    const double quanta = std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent));
    const double code = std::ldexp(exponent - smallest, format.mantissaBits) + quanta;
    const double limit = magnitudeMask(format) + 1.0;
    return static_cast<std::uint32_t>(std::min(code, limit));
}

} // namespace

const FloatFormat* floatFormat(DType dtype)
{
    switch (dtype) {
    case DType::Float16:
        return &HalfFormat;
    case DType::BFloat16:
        return &BFloat16Format;
    case DType::Float8E4M3FN:
        return &E4M3FNFormat;
    case DType::Float8E4M3FNUZ:
        return &E4M3FNUZFormat;
    case DType::Float8E5M2:
        return &E5M2Format;
    case DType::Float8E5M2FNUZ:
        return &E5M2FNUZFormat;
    case DType::Float4E2M1:
        return &E2M1Format;
    default:
        return nullptr;
    }
}

double decodeFloat(std::uint32_t code, const FloatFormat& format)
{
    const std::uint32_t signBit = magnitudeMask(format) + 1U;
    const std::uint32_t magnitude = code & magnitudeMask(format);
    const bool negative = (code & signBit) != 0;
    const bool isNan = (format.specials == Specials::Ieee && magnitude > infinityCode(format)) ||
                       (format.specials == Specials::NanOnly && magnitude == magnitudeMask(format)) ||
                       (format.specials == Specials::NanAtMinusZero && magnitude == 0 && negative);
    if (isNan) return std::numeric_limits<double>::quiet_NaN();
    double number = 0;
    if (format.specials == Specials::Ieee && magnitude == infinityCode(format)) {
        number = std::numeric_limits<double>::infinity();
    } else {
        const int exponent = static_cast<int>(magnitude >> format.mantissaBits);
        const std::uint32_t fraction = magnitude & ((1U << format.mantissaBits) - 1U);
        const std::uint32_t significand = exponent == 0 ? fraction : fraction | (1U << format.mantissaBits);
        number = std::ldexp(significand, std::max(exponent, 1) - format.bias - format.mantissaBits);
    }
    return negative ? -number : number;
}

std::uint32_t encodeFloat(double number, const FloatFormat& format, bool saturate)
{
    if (std::isnan(number)) return nanCode(format);
    const std::uint32_t signBit = std::signbit(number) ? magnitudeMask(format) + 1U : 0U;
    const double magnitude = std::fabs(number);
    std::uint32_t code = std::isinf(magnitude) ? magnitudeMask(format) + 1U : roundedCode(magnitude, format);
    if (code > largestCode(format)) {
        if (saturate || format.specials == Specials::None)
            code = largestCode(format);
        else
            code = format.specials == Specials::Ieee ? infinityCode(format) : nanCode(format);
        return format.specials == Specials::NanAtMinusZero && !saturate ? code : code | signBit;
    }
    if (code == 0 && format.specials == Specials::NanAtMinusZero) return 0;
    return code | signBit;
}

double decodeE8M0(std::uint8_t code)
{
    return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, code - 127);
}

std::uint8_t encodeE8M0(double number, E8M0Rounding rounding, bool saturate)
{
    if (std::isnan(number)) return 255;
    const double magnitude = std::fabs(number);
    if (std::isinf(magnitude)) return saturate ? 254 : 255;
    if (magnitude == 0) return 0;
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent); // [0.5, 1)
    int code = exponent - 1 + 127;
    const bool up =
        (rounding == E8M0Rounding::Up && fraction > 0.5) || (rounding == E8M0Rounding::Nearest && fraction >= 0.75);
    code = std::max(code + (up ? 1 : 0), 0);
    if (code > 254) return saturate ? 254 : 255;
    return static_cast<std::uint8_t>(code);
}

} // namespace plimsoll
