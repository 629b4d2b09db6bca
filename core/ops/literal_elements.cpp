#include "core/ops/literal_elements.h"

#include "core/ops/op_schema.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace plimsoll {

namespace {

/// Widens a small binary float: \p mantissaBits of mantissa, \p exponentBits of exponent, IEEE 754 rules.
double widen(std::uint32_t bits, int exponentBits, int mantissaBits)
{
    const std::uint32_t mantissa = bits & ((1U << mantissaBits) - 1);
    const auto exponent = static_cast<int>((bits >> mantissaBits) & ((1U << exponentBits) - 1));
    const bool negative = (bits >> (mantissaBits + exponentBits)) & 1U;
    const int bias = (1 << (exponentBits - 1)) - 1;
    double magnitude = 0;
    if (exponent == (1 << exponentBits) - 1) {
        magnitude = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    } else if (exponent == 0) {
        magnitude = std::ldexp(mantissa, 1 - bias - mantissaBits);
    } else {
        magnitude = std::ldexp(mantissa + (1U << mantissaBits), exponent - bias - mantissaBits);
    }
    return negative ? -magnitude : magnitude;
}

/// The inverse of widen, rounding to nearest, ties to even.
std::uint32_t narrow(double number, int exponentBits, int mantissaBits)
{
    const int bias = (1 << (exponentBits - 1)) - 1;
    const std::uint32_t infinity = ((1U << exponentBits) - 1) << mantissaBits;
    const std::uint32_t sign = std::signbit(number) ? 1U << (mantissaBits + exponentBits) : 0;
    const double magnitude = std::fabs(number);
    if (std::isnan(number)) return sign | infinity | (1U << (mantissaBits - 1));
    if (std::isinf(number)) return sign | infinity;
    if (magnitude == 0) return sign;
    const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    const double units = std::nearbyint(std::ldexp(magnitude, mantissaBits - exponent));
    // A subnormal has fewer than 2^mantissaBits units; a carry moves into the exponent by itself.
    const std::int64_t bits = static_cast<std::int64_t>(exponent + bias - 1) * (std::int64_t {1} << mantissaBits) +
                              static_cast<std::int64_t>(units);
    return sign | (bits >= infinity ? infinity : static_cast<std::uint32_t>(bits));
}

template <typename T>
T load(const std::byte* from)
{
    T number;
    std::memcpy(&number, from, sizeof(T));
    return number;
}

template <typename T>
Scalar loadInteger(const std::byte* from)
{
    return Scalar::ofInteger(static_cast<std::int64_t>(load<T>(from)));
}

std::optional<Scalar> loadScalar(DType dtype, const std::byte* from)
{
    switch (dtype) {
    case DType::Float64:
        return Scalar::ofReal(load<double>(from));
    case DType::Float32:
        return Scalar::ofReal(load<float>(from));
    case DType::Float16:
        return Scalar::ofReal(widen(load<std::uint16_t>(from), 5, 10));
    case DType::BFloat16:
        return Scalar::ofReal(widen(load<std::uint16_t>(from), 8, 7));
    case DType::Int64:
        return loadInteger<std::int64_t>(from);
    case DType::Int32:
        return loadInteger<std::int32_t>(from);
    case DType::Int16:
        return loadInteger<std::int16_t>(from);
    case DType::Int8:
        return loadInteger<std::int8_t>(from);
    case DType::UInt64:
        if (load<std::int64_t>(from) < 0) return std::nullopt;
        return loadInteger<std::uint64_t>(from);
    case DType::UInt32:
        return loadInteger<std::uint32_t>(from);
    case DType::UInt16:
        return loadInteger<std::uint16_t>(from);
    case DType::UInt8:
        return loadInteger<std::uint8_t>(from);
    case DType::Bool:
        return Scalar::ofInteger(load<std::uint8_t>(from) != 0);
    default:
        return std::nullopt;
    }
}

template <typename T>
void append(std::vector<std::byte>& bytes, T number)
{
    const auto* from = reinterpret_cast<const std::byte*>(&number);
    bytes.insert(bytes.end(), from, from + sizeof(T));
}

void storeScalar(std::vector<std::byte>& bytes, DType dtype, const Scalar& number)
{
    switch (dtype) {
    case DType::Float64:
        return append(bytes, number.asReal());
    case DType::Float32:
        return append(bytes, static_cast<float>(number.asReal()));
    case DType::Float16:
        return append(bytes, static_cast<std::uint16_t>(narrow(number.asReal(), 5, 10)));
    case DType::BFloat16:
        return append(bytes, static_cast<std::uint16_t>(narrow(number.asReal(), 8, 7)));
    default:
        break;
    }
    // Little-endian two's complement: the low bytes are the shorter integer.
    std::vector<std::byte> whole;
    append(whole, number.integer);
    bytes.insert(bytes.end(), whole.begin(), whole.begin() + dtypeBits(dtype) / 8);
}

std::optional<std::vector<std::byte>> readFile(const TensorData& data, std::int64_t bytes)
{
    if (data.fileOffset < 0 || bytes > data.fileBytes) return std::nullopt;
    std::ifstream file(data.file, std::ios::binary);
    std::vector<std::byte> content(static_cast<std::size_t>(bytes));
    file.seekg(data.fileOffset);
    file.read(reinterpret_cast<char*>(content.data()), bytes);
    if (!file) return std::nullopt;
    return content;
}

} // namespace

bool isTracked(DType dtype)
{
    if (dtype == DType::Bool || dtype == DType::Float64 || dtype == DType::Float32) return true;
    if (dtype == DType::Float16 || dtype == DType::BFloat16) return true;
    return isInteger(dtype) && dtypeBits(dtype) >= 8;
}

bool isReadable(DType dtype, const Shape& shape, const TensorData& data)
{
    const auto count = elementCount(shape);
    return isTracked(dtype) && count && *count <= PartialTensor::Limit && (data.bytes || !data.file.empty());
}

PartialTensor readElements(DType dtype, const Shape& shape, const TensorData& data)
{
    if (!isReadable(dtype, shape, data)) return {};
    const auto width = static_cast<std::size_t>(dtypeBits(dtype) / 8);
    const auto count = static_cast<std::size_t>(*elementCount(shape));
    std::optional<std::vector<std::byte>> read;
    if (!data.bytes) read = readFile(data, static_cast<std::int64_t>(count * width));
    const std::vector<std::byte>* bytes = data.bytes ? data.bytes.get() : (read ? &*read : nullptr);
    if (!bytes || bytes->size() < count * width) return {};
    PartialTensor tensor {dtype, shape, {}, true};
    tensor.elements.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        tensor.elements.push_back(loadScalar(dtype, bytes->data() + i * width));
    return tensor;
}

TensorData writeElements(const PartialTensor& tensor)
{
    auto bytes = std::make_shared<std::vector<std::byte>>();
    bytes->reserve(tensor.elements.size() * static_cast<std::size_t>(dtypeBits(tensor.dtype) / 8));
    for (const auto& element : tensor.elements)
        storeScalar(*bytes, tensor.dtype, element.value_or(Scalar {}));
    TensorData data;
    data.bytes = std::move(bytes);
    return data;
}

std::optional<Scalar> asType(DType dtype, const Scalar& number)
{
    switch (dtype) {
    case DType::Float64:
        return Scalar::ofReal(number.asReal());
    case DType::Float32:
        return Scalar::ofReal(static_cast<float>(number.asReal()));
    case DType::Float16:
        return Scalar::ofReal(widen(narrow(number.asReal(), 5, 10), 5, 10));
    case DType::BFloat16:
        return Scalar::ofReal(widen(narrow(number.asReal(), 8, 7), 8, 7));
    case DType::Bool:
        return Scalar::ofInteger(number.isFloat ? number.real != 0 : number.integer != 0);
    default:
        break;
    }
    if (!isTracked(dtype)) return std::nullopt;
    std::int64_t whole = number.integer;
    if (number.isFloat) {
        if (!(std::fabs(number.real) < 9.2e18)) return std::nullopt;
        whole = static_cast<std::int64_t>(number.real);
    }
    const bool isUnsigned = dtypeName(dtype).starts_with("u");
    const int bits = dtypeBits(dtype) - (isUnsigned ? 0 : 1);
    const std::int64_t highest = bits >= 63 ? INT64_MAX : (std::int64_t {1} << bits) - 1;
    const std::int64_t lowest = isUnsigned ? 0 : -highest - 1;
    if (whole < lowest || whole > highest) return std::nullopt;
    return Scalar::ofInteger(whole);
}

} // namespace plimsoll
