#include "core/graph/elements.h"

#include "core/graph/number_formats.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace plimsoll {
namespace {

template <typename T>
T load(const std::byte* data, std::int64_t index)
{
    T number;
    std::memcpy(&number, data + index * std::int64_t {sizeof(T)}, sizeof(T));
    return number;
}

/// Elements below 32 bits as unsigned codes.
std::uint32_t codeAt(DType dtype, const std::byte* data, std::int64_t index)
{
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(data);
    switch (dtypeBits(dtype)) {
    case 16:
        return load<std::uint16_t>(data, index);
    case 4:
        return packedCode<4>(bytes, index);
    case 2:
        return packedCode<2>(bytes, index);
    default:
        return bytes[index];
    }
}

template <typename T>
std::string shortest(T number)
{
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, number);
    return {text, end.ptr};
}

/// Two bytes that are true may differ.
std::string boolText(std::uint32_t byte)
{
    return byte == 0 ? "false" : byte == 1 ? "true" : "true (" + shortest(byte) + ")";
}

template <typename T>
std::string floatText(T number)
{
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    return shortest(number);
}

} // namespace

double elementNumber(DType dtype, const std::byte* data, std::int64_t index)
{
    switch (dtype) {
    case DType::Float64:
        return load<double>(data, index);
    case DType::Float32:
        return static_cast<double>(load<float>(data, index));
    case DType::Int64:
        return static_cast<double>(load<std::int64_t>(data, index));
    case DType::UInt64:
        return static_cast<double>(load<std::uint64_t>(data, index));
    case DType::Int32:
        return load<std::int32_t>(data, index);
    case DType::UInt32:
        return load<std::uint32_t>(data, index);
    case DType::Complex64:
        return static_cast<double>(load<float>(data, 2 * index));
    case DType::Complex128:
        return load<double>(data, 2 * index);
    case DType::String:
    case DType::Unknown:
        return std::numeric_limits<double>::quiet_NaN();
    default:
        break;
    }
    if (const FloatFormat* format = floatFormat(dtype)) return decodeFloat(codeAt(dtype, data, index), *format);
    if (dtype == DType::Float8E8M0) return decodeE8M0(static_cast<std::uint8_t>(codeAt(dtype, data, index)));
    return static_cast<double>(smallInteger(dtype, data, index));
}

std::int64_t smallInteger(DType dtype, const std::byte* data, std::int64_t index)
{
    const std::int64_t code = codeAt(dtype, data, index);
    const std::int64_t half = std::int64_t {1} << (dtypeBits(dtype) - 1);
    const bool isSigned = dtype == DType::Int4 || dtype == DType::Int2 || dtype == DType::Int8 || dtype == DType::Int16;
    return isSigned && code >= half ? code - 2 * half : code;
}

std::string elementText(DType dtype, const std::byte* data, std::int64_t index)
{
    switch (dtype) {
    case DType::Float64:
        return floatText(load<double>(data, index));
    case DType::Float32:
        return floatText(load<float>(data, index));
    case DType::Int64:
        return shortest(load<std::int64_t>(data, index));
    case DType::UInt64:
        return shortest(load<std::uint64_t>(data, index));
    case DType::Int32:
        return shortest(load<std::int32_t>(data, index));
    case DType::UInt32:
        return shortest(load<std::uint32_t>(data, index));
    case DType::Bool:
        return boolText(codeAt(dtype, data, index));
    case DType::Complex64:
        return floatText(load<float>(data, 2 * index)) + "," + floatText(load<float>(data, 2 * index + 1));
    case DType::Complex128:
        return floatText(load<double>(data, 2 * index)) + "," + floatText(load<double>(data, 2 * index + 1));
    case DType::String:
    case DType::Unknown:
        return {};
    default:
        break;
    }
    if (isFloatingPoint(dtype)) return floatText(static_cast<float>(elementNumber(dtype, data, index)));
    return shortest(smallInteger(dtype, data, index));
}

} // namespace plimsoll
