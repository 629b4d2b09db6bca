#include "kernels/run/step/element_values.h"

#include "kernels/common/number_formats.h"
#include "kernels/common/numbers.h"
#include "kernels/run/step/digest.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace plimsoll::kernels {
namespace {

/// Element by element as bytes: a plan with a small alignment may put numbers at any address.
template <typename T>
T load(const TensorView& tensor, std::int64_t index)
{
    T number;
    std::memcpy(&number, tensor.as<const std::byte>() + index * std::int64_t {sizeof(T)}, sizeof(T));
    return number;
}

template <typename T>
void store(const TensorView& tensor, std::int64_t index, T number)
{
    std::memcpy(tensor.as<std::byte>() + index * std::int64_t {sizeof(T)}, &number, sizeof(T));
}

/// Elements below 32 bits as unsigned codes.
std::uint32_t readCode(const TensorView& tensor, std::int64_t index)
{
    const auto* bytes = tensor.as<const std::uint8_t>();
    switch (dtypeBits(tensor.dtype)) {
    case 16:
        return load<std::uint16_t>(tensor, index);
    case 4:
        return packedCode<4>(bytes, index);
    case 2:
        return packedCode<2>(bytes, index);
    default:
        return bytes[index];
    }
}

std::int64_t readSmallInteger(const TensorView& tensor, std::int64_t index)
{
    const std::int64_t code = readCode(tensor, index);
    const std::int64_t half = std::int64_t {1} << (dtypeBits(tensor.dtype) - 1);
    const bool isSigned = tensor.dtype == DType::Int4 || tensor.dtype == DType::Int2 || tensor.dtype == DType::Int8 ||
                          tensor.dtype == DType::Int16;
    return isSigned && code >= half ? code - 2 * half : code;
}

template <typename T>
std::string shortest(T number)
{
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, number);
    return {text, end.ptr};
}

/// Two bytes that are true may differ.
std::string boolText(std::uint8_t byte)
{
    return byte == 0 ? "false" : byte == 1 ? "true" : "true (" + shortest(int {byte}) + ")";
}

template <typename T>
std::string floatText(T number)
{
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
    return shortest(number);
}

/// The codes of all numbers in [-1, 1) of equal distance that the format holds exactly, or of powers below 1 where it
/// has no sign. A number is drawn by its place.
std::vector<std::uint16_t> smallFloatCodes(DType dtype)
{
    std::vector<std::uint16_t> codes;
    const FloatFormat* format = floatFormat(dtype);
    for (int power = 1; !format && power <= 6; ++power)
        codes.push_back(encodeE8M0(std::ldexp(1.0, -power), E8M0Rounding::Nearest, true));
    const int bits = format ? format->mantissaBits + 1 : 0;
    for (int place = 0; format && place < 2 << bits; ++place) {
        const double number = std::ldexp(static_cast<double>(place), -bits) - 1.0;
        codes.push_back(static_cast<std::uint16_t>(encodeFloat(number, *format, true)));
    }
    return codes;
}

/// Uniform numbers in [-1, 1) with 24 significant bits: exact in float and double.
template <typename T>
void fillUnit(const TensorView& tensor, std::int64_t count, RandomStream& random)
{
    for (std::int64_t i = 0; i < count; ++i)
        store(tensor, i, static_cast<T>(static_cast<double>(random.next() >> 40) / (1 << 23) - 1.0));
}

template <typename T>
void fillBits(const TensorView& tensor, std::int64_t count, RandomStream& random)
{
    for (std::int64_t i = 0; i < count; ++i)
        store(tensor, i, static_cast<T>(random.next() >> 63));
}

/// Numbers below 32 bits.
void fillSmall(const TensorView& tensor, RandomStream& random)
{
    const std::int64_t count = tensor.elements();
    const int bits = dtypeBits(tensor.dtype);
    if (tensor.bytes() > 0) std::memset(tensor.data, 0, static_cast<std::size_t>(tensor.bytes()));
    if (!isFloatingPoint(tensor.dtype) && bits == 8) return fillBits<std::uint8_t>(tensor, count, random);
    const std::vector<std::uint16_t> codes =
        isFloatingPoint(tensor.dtype) ? smallFloatCodes(tensor.dtype) : std::vector<std::uint16_t> {0, 1};
    auto* const bytes = tensor.as<std::uint8_t>();
    const auto shift = std::has_single_bit(codes.size()) ? 64 - std::bit_width(codes.size() - 1) : 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t word = random.next();
        const std::uint16_t code = codes[shift > 0 ? word >> shift : word % codes.size()];
        if (bits == 16)
            store(tensor, i, code);
        else if (bits == 4)
            setPackedCode<4>(bytes, i, static_cast<std::uint8_t>(code));
        else if (bits == 2)
            setPackedCode<2>(bytes, i, static_cast<std::uint8_t>(code));
        else
            bytes[i] = static_cast<std::uint8_t>(code);
    }
}

void fillStrings(const TensorView& tensor, RandomStream& random)
{
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
        std::string text;
        std::uint64_t word = random.next();
        for (int letter = 0; letter < 8; ++letter, word >>= 8)
            text += static_cast<char>('a' + (word & 0xFF) % 26);
        tensor.as<std::string>()[i] = std::move(text);
    }
}

} // namespace

double readElement(const TensorView& tensor, std::int64_t index)
{
    switch (tensor.dtype) {
    case DType::Float64:
        return load<double>(tensor, index);
    case DType::Float32:
        return static_cast<double>(load<float>(tensor, index));
    case DType::Int64:
        return static_cast<double>(load<std::int64_t>(tensor, index));
    case DType::UInt64:
        return static_cast<double>(load<std::uint64_t>(tensor, index));
    case DType::Int32:
        return load<std::int32_t>(tensor, index);
    case DType::UInt32:
        return load<std::uint32_t>(tensor, index);
    case DType::Complex64:
        return static_cast<double>(load<float>(tensor, 2 * index));
    case DType::Complex128:
        return load<double>(tensor, 2 * index);
    case DType::String:
    case DType::Unknown:
        return std::numeric_limits<double>::quiet_NaN();
    default:
        break;
    }
    if (const FloatFormat* format = floatFormat(tensor.dtype)) return decodeFloat(readCode(tensor, index), *format);
    if (tensor.dtype == DType::Float8E8M0) return decodeE8M0(static_cast<std::uint8_t>(readCode(tensor, index)));
    return static_cast<double>(readSmallInteger(tensor, index));
}

std::int64_t readInteger(const TensorView& tensor, std::int64_t index)
{
    switch (tensor.dtype) {
    case DType::Int64:
        return load<std::int64_t>(tensor, index);
    case DType::UInt64: {
        constexpr std::uint64_t Most = std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(std::min(load<std::uint64_t>(tensor, index), Most));
    }
    case DType::Int32:
        return load<std::int32_t>(tensor, index);
    case DType::UInt32:
        return load<std::uint32_t>(tensor, index);
    case DType::String:
    case DType::Complex64:
    case DType::Complex128:
    case DType::Unknown:
        return 0;
    default:
        break;
    }
    return isFloatingPoint(tensor.dtype) ? truncated(readElement(tensor, index)) : readSmallInteger(tensor, index);
}

std::string elementText(const TensorView& tensor, std::int64_t index)
{
    switch (tensor.dtype) {
    case DType::Float64:
        return floatText(load<double>(tensor, index));
    case DType::Float32:
        return floatText(load<float>(tensor, index));
    case DType::Int64:
        return shortest(load<std::int64_t>(tensor, index));
    case DType::UInt64:
        return shortest(load<std::uint64_t>(tensor, index));
    case DType::String:
        return tensor.as<const std::string>()[index];
    case DType::Bool:
        return boolText(tensor.as<const std::uint8_t>()[index]);
    case DType::Complex64:
        return floatText(load<float>(tensor, 2 * index)) + "," + floatText(load<float>(tensor, 2 * index + 1));
    case DType::Complex128:
        return floatText(load<double>(tensor, 2 * index)) + "," + floatText(load<double>(tensor, 2 * index + 1));
    default:
        break;
    }
    if (isFloatingPoint(tensor.dtype)) return floatText(static_cast<float>(readElement(tensor, index)));
    return shortest(readInteger(tensor, index));
}

std::vector<std::string> elementTexts(const TensorView& tensor, std::int64_t limit)
{
    std::vector<std::string> texts;
    const std::int64_t count = std::min(limit, tensor.elements());
    for (std::int64_t i = 0; i < count; ++i)
        texts.push_back(elementText(tensor, i));
    return texts;
}

void fillFromSeed(const TensorView& tensor, std::uint64_t seed)
{
    RandomStream random(seed);
    const std::int64_t count = tensor.elements();
    switch (tensor.dtype) {
    case DType::String:
        return fillStrings(tensor, random);
    case DType::Float64:
        return fillUnit<double>(tensor, count, random);
    case DType::Float32:
        return fillUnit<float>(tensor, count, random);
    case DType::Complex64:
        return fillUnit<float>(tensor, 2 * count, random);
    case DType::Complex128:
        return fillUnit<double>(tensor, 2 * count, random);
    case DType::Int32:
    case DType::UInt32:
        return fillBits<std::int32_t>(tensor, count, random);
    case DType::Int64:
    case DType::UInt64:
        return fillBits<std::int64_t>(tensor, count, random);
    default:
        return fillSmall(tensor, random);
    }
}

void copyTensor(const TensorView& from, const TensorView& to)
{
    if (from.data == to.data) return;
    if (from.dtype == DType::String) {
        std::copy_n(from.as<const std::string>(), from.elements(), to.as<std::string>());
    } else if (from.bytes() > 0) {
        std::memmove(to.data, from.data, static_cast<std::size_t>(from.bytes()));
    }
}

void copyElements(const TensorView& source, std::int64_t from, const TensorView& target, std::int64_t to,
                  std::int64_t count)
{
    if (source.dtype == DType::String) {
        std::copy_n(source.as<const std::string>() + from, count, target.as<std::string>() + to);
        return;
    }
    const std::int64_t size = dtypeBits(source.dtype) / 8;
    if (count > 0) {
        std::memmove(target.as<std::byte>() + to * size, source.as<const std::byte>() + from * size,
                     static_cast<std::size_t>(count * size));
    }
}

HostTensor cloneTensor(const TensorView& tensor)
{
    HostTensor copy(tensor.dtype, tensor.shape);
    copyTensor(tensor, copy.view());
    return copy;
}

RuntimeValue cloneValue(const RuntimeValue& value)
{
    if (value.kind == RuntimeValue::Kind::Tensor) return tensorValue(cloneTensor(value.tensor));
    RuntimeValue copy = value;
    for (HostTensor& element : copy.sequence)
        element = cloneTensor(element.view());
    return copy;
}

} // namespace plimsoll::kernels
