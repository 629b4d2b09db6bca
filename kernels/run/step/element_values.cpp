#include "kernels/run/step/element_values.h"

#include "core/graph/elements.h"
#include "core/graph/number_formats.h"
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
    return elementNumber(tensor.dtype, tensor.as<const std::byte>(), index);
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
    if (isFloatingPoint(tensor.dtype)) return truncated(readElement(tensor, index));
    return smallInteger(tensor.dtype, tensor.as<const std::byte>(), index);
}

std::string elementText(const TensorView& tensor, std::int64_t index)
{
    if (tensor.dtype == DType::String) return tensor.as<const std::string>()[index];
    return plimsoll::elementText(tensor.dtype, tensor.as<const std::byte>(), index);
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
