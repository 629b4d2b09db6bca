#include "core/formats/files/element_text.h"

#include "core/formats/plimsoll/json_tensor.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

bool isUnsigned(DType dtype)
{
    return dtype >= DType::UInt64 && dtype <= DType::UInt2;
}

/// binary16 or bfloat16: \p fractionBits of fraction, the rest exponent. Rounds to nearest, ties to even.
std::uint16_t narrow(double number, int fractionBits)
{
    const int exponentBits = 15 - fractionBits;
    const int bias = (1 << (exponentBits - 1)) - 1;
    const auto sign = static_cast<std::uint16_t>(std::signbit(number) ? 0x8000 : 0);
    const auto infinity = static_cast<std::uint16_t>(((1 << exponentBits) - 1) << fractionBits);
    if (std::isnan(number)) return static_cast<std::uint16_t>(sign | infinity | (1 << (fractionBits - 1)));
    int exponent = 0;
    const double magnitude = std::fabs(number);
    if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
    (void)std::frexp(magnitude, &exponent); // magnitude in [2^(e-1), 2^e)
    const int scale = std::max(exponent - 1, 1 - bias);
    const double units = std::nearbyint(std::ldexp(magnitude, fractionBits - scale));
    // The fraction's carry into the exponent is the addition itself; a subnormal has exponent field 0.
    const double bits = magnitude == 0 ? 0 : units + std::ldexp(static_cast<double>(scale + bias - 1), fractionBits);
    return static_cast<std::uint16_t>(sign | (bits >= infinity ? infinity : static_cast<std::uint16_t>(bits)));
}

double widen(std::uint16_t bits, int fractionBits)
{
    const int exponentBits = 15 - fractionBits;
    const int bias = (1 << (exponentBits - 1)) - 1;
    const int fraction = bits & ((1 << fractionBits) - 1);
    const int exponent = (bits & 0x7FFF) >> fractionBits;
    double magnitude = 0;
    if (exponent == (1 << exponentBits) - 1)
        magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    else if (exponent == 0)
        magnitude = std::ldexp(fraction, 1 - bias - fractionBits);
    else
        magnitude = std::ldexp(fraction + (1 << fractionBits), exponent - bias - fractionBits);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

int fractionBits(DType dtype)
{
    return dtype == DType::Float16 ? 10 : 7;
}

template <typename Number>
void push(Number number, std::size_t width, std::vector<std::byte>& out)
{
    const auto* first = reinterpret_cast<const std::byte*>(&number);
    out.insert(out.end(), first, first + width);
}

template <typename Number>
Number load(std::span<const std::byte> bytes, std::size_t offset, std::size_t width = sizeof(Number))
{
    Number number = 0;
    std::memcpy(&number, &bytes[offset], width);
    return number;
}

Status appendInteger(const JsonPlace& place, DType dtype, std::vector<std::byte>& out)
{
    const int bits = dtypeBits(dtype);
    const auto width = static_cast<std::size_t>(std::max(1, bits / 8));
    if (const auto natural = place.natural(); natural && dtype == DType::UInt64) {
        push(*natural, width, out);
        return {};
    }
    PLIMSOLL_ASSIGN(number, place.integer());
    const int magnitudeBits = isUnsigned(dtype) ? bits : bits - 1;
    const std::int64_t most =
        magnitudeBits >= 63 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t {1} << magnitudeBits) - 1;
    const std::int64_t least = isUnsigned(dtype) ? 0 : -most - 1;
    if (number < least || number > most)
        return place.error(say("graph-json.element-too-large", word::Number(number), dtypeName(dtype)));
    push(bits < 8 ? number & ((1 << bits) - 1) : number, width, out);
    return {};
}

nlohmann::ordered_json integerToJson(DType dtype, std::span<const std::byte> bytes, std::int64_t index)
{
    const int bits = dtypeBits(dtype);
    if (dtype == DType::UInt64) return load<std::uint64_t>(bytes, static_cast<std::size_t>(index) * 8);
    std::uint64_t raw = 0;
    if (bits >= 8) {
        const auto width = static_cast<std::size_t>(bits / 8);
        raw = load<std::uint64_t>(bytes, static_cast<std::size_t>(index) * width, width);
    } else {
        const int perByte = 8 / bits;
        raw = std::to_integer<std::uint64_t>(bytes[static_cast<std::size_t>(index / perByte)]) >>
              (index % perByte * bits);
    }
    const auto shifted = static_cast<std::int64_t>(raw << (64 - bits));
    return isUnsigned(dtype) ? static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted) >> (64 - bits))
                             : shifted >> (64 - bits);
}

} // namespace

bool hasNumbers(DType dtype)
{
    return isInteger(dtype) || dtype == DType::Bool || (dtype >= DType::Float64 && dtype <= DType::BFloat16);
}

Status appendElement(const JsonPlace& place, DType dtype, std::vector<std::byte>& out)
{
    if (isInteger(dtype)) return appendInteger(place, dtype, out);
    if (dtype == DType::Bool) {
        if (place.isBoolean()) return push(std::uint8_t {place.boolean().value()}, 1, out), Status();
        PLIMSOLL_ASSIGN(number, place.integer());
        if (number != 0 && number != 1) return place.error(say("graph-json.no-bool"));
        return push(static_cast<std::uint8_t>(number), 1, out), Status();
    }
    PLIMSOLL_ASSIGN(number, place.number());
    if (dtype == DType::Float64)
        push(number, 8, out);
    else if (dtype == DType::Float32)
        push(static_cast<float>(number), 4, out);
    else
        push(narrow(number, fractionBits(dtype)), 2, out);
    return {};
}

nlohmann::ordered_json elementsToJson(DType dtype, std::span<const std::byte> bytes, std::int64_t count)
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (isInteger(dtype))
            list.push_back(integerToJson(dtype, bytes, i));
        else if (dtype == DType::Bool)
            list.push_back(std::to_integer<int>(bytes[at]));
        else if (dtype == DType::Float64)
            list.push_back(numberToJson(load<double>(bytes, at * 8)));
        else if (dtype == DType::Float32)
            list.push_back(numberToJson(static_cast<double>(load<float>(bytes, at * 4))));
        else
            list.push_back(numberToJson(widen(load<std::uint16_t>(bytes, at * 2), fractionBits(dtype))));
    }
    return list;
}

std::vector<std::byte> packElements(DType dtype, const std::vector<std::byte>& loose)
{
    const int bits = dtypeBits(dtype);
    const std::size_t perByte = static_cast<std::size_t>(8 / bits);
    std::vector<std::byte> packed((loose.size() + perByte - 1) / perByte);
    for (std::size_t i = 0; i < loose.size(); ++i)
        packed[i / perByte] |= loose[i] << (static_cast<int>(i % perByte) * bits);
    return packed;
}

} // namespace plimsoll
