#include "kernels/common/numbers.h"

#include "kernels/common/number_formats.h"

#include <cmath>
#include <limits>

namespace plimsoll::kernels {
namespace {

/// Calls \p visitor with a function that gives the element at an index: a double for floating-point types, an integer
/// of 64 bits for the others.
template <typename Visitor>
void visitCodes(const TensorView& tensor, Visitor&& visitor)
{
    const auto* bytes = tensor.as<const std::uint8_t>();
    const auto small = [bytes](const FloatFormat& format) {
        return [bytes, &format](std::int64_t i) { return decodeFloat(bytes[i], format); };
    };
    const auto wide = [&tensor]<typename Wide, typename T>(Wide, T) {
        return [data = tensor.as<const T>()](std::int64_t i) { return static_cast<Wide>(data[i]); };
    };
    const std::int64_t asSigned = 0;
    const std::uint64_t asUnsigned = 0;
    switch (tensor.dtype) {
    case DType::Float64:
        return visitor(wide(0.0, 0.0));
    case DType::Float32:
        return visitor(wide(0.0, 0.0F));
    case DType::Float16:
    case DType::BFloat16:
        return visitor([data = tensor.as<const std::uint16_t>(), format = floatFormat(tensor.dtype)](std::int64_t i) {
            return decodeFloat(data[i], *format);
        });
    case DType::Float8E4M3FN:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2:
    case DType::Float8E5M2FNUZ:
        return visitor(small(*floatFormat(tensor.dtype)));
    case DType::Float8E8M0:
        return visitor([bytes](std::int64_t i) { return decodeE8M0(bytes[i]); });
    case DType::Float4E2M1:
        return visitor([bytes](std::int64_t i) { return decodeFloat(packedCode<4>(bytes, i), E2M1Format); });
    case DType::Int64:
        return visitor(wide(asSigned, std::int64_t {}));
    case DType::Int32:
        return visitor(wide(asSigned, std::int32_t {}));
    case DType::Int16:
        return visitor(wide(asSigned, std::int16_t {}));
    case DType::Int8:
        return visitor(wide(asSigned, std::int8_t {}));
    case DType::Int4:
        return visitor([bytes](std::int64_t i) -> std::int64_t { return signedOf<4>(packedCode<4>(bytes, i)); });
    case DType::Int2:
        return visitor([bytes](std::int64_t i) -> std::int64_t { return signedOf<2>(packedCode<2>(bytes, i)); });
    case DType::UInt64:
        return visitor(wide(asUnsigned, std::uint64_t {}));
    case DType::UInt32:
        return visitor(wide(asUnsigned, std::uint32_t {}));
    case DType::UInt16:
        return visitor(wide(asUnsigned, std::uint16_t {}));
    case DType::UInt8:
    case DType::Bool:
        return visitor(wide(asUnsigned, std::uint8_t {}));
    case DType::UInt4:
        return visitor([bytes](std::int64_t i) -> std::uint64_t { return packedCode<4>(bytes, i); });
    case DType::UInt2:
        return visitor([bytes](std::int64_t i) -> std::uint64_t { return packedCode<2>(bytes, i); });
    default:
        return visitor([](std::int64_t) { return 0.0; });
    }
}

template <typename From>
double asDouble(From number)
{
    return static_cast<double>(number);
}

/// The integer whose low bits are stored.
template <typename From>
std::int64_t asInteger(From number)
{
    if constexpr (std::is_floating_point_v<From>) {
        return truncated(static_cast<double>(number));
    } else {
        return static_cast<std::int64_t>(number);
    }
}

template <typename To, typename From>
void storeIntegers(const From* from, const TensorView& to)
{
    auto* data = to.as<To>();
    for (std::int64_t i = 0, n = to.elements(); i < n; ++i)
        data[i] = static_cast<To>(asInteger(from[i]));
}

template <int Bits, typename From>
void storePacked(const From* from, const TensorView& to)
{
    auto* data = to.as<std::uint8_t>();
    for (std::int64_t i = 0, n = to.elements(); i < n; ++i) {
        setPackedCode<Bits>(data, i, static_cast<std::uint8_t>(asInteger(from[i])));
    }
}

template <typename From>
void storeSmallFloats(const From* from, const TensorView& to)
{
    const FloatFormat* format = floatFormat(to.dtype);
    for (std::int64_t i = 0, n = to.elements(); i < n; ++i) {
        const double number = asDouble(from[i]);
        if (to.dtype == DType::Float8E8M0) {
            to.as<std::uint8_t>()[i] = encodeE8M0(number, E8M0Rounding::Up, true);
        } else if (to.dtype == DType::Float4E2M1) {
            setPackedCode<4>(to.as<std::uint8_t>(), i, static_cast<std::uint8_t>(encodeFloat(number, *format, true)));
        } else if (dtypeBits(to.dtype) == 16) {
            to.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(encodeFloat(number, *format, false));
        } else {
            to.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(encodeFloat(number, *format, true));
        }
    }
}

} // namespace

template <typename To>
void loadNumbers(const TensorView& from, To* to)
{
    const std::int64_t count = from.elements();
    visitCodes(from, [&](const auto& at) {
        for (std::int64_t i = 0; i < count; ++i) {
            if constexpr (std::is_integral_v<To> && std::is_floating_point_v<decltype(at(i))>) {
                to[i] = static_cast<To>(truncated(at(i)));
            } else {
                to[i] = static_cast<To>(at(i));
            }
        }
    });
}

template <typename From>
void storeNumbers(const From* from, const TensorView& to)
{
    const std::int64_t count = to.elements();
    switch (to.dtype) {
    case DType::Float64:
        for (std::int64_t i = 0; i < count; ++i)
            to.as<double>()[i] = asDouble(from[i]);
        return;
    case DType::Float32:
        for (std::int64_t i = 0; i < count; ++i)
            to.as<float>()[i] = static_cast<float>(from[i]);
        return;
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float8E4M3FN:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2:
    case DType::Float8E5M2FNUZ:
    case DType::Float8E8M0:
    case DType::Float4E2M1:
        return storeSmallFloats(from, to);
    case DType::Int64:
        return storeIntegers<std::int64_t>(from, to);
    case DType::Int32:
        return storeIntegers<std::int32_t>(from, to);
    case DType::Int16:
        return storeIntegers<std::int16_t>(from, to);
    case DType::Int8:
        return storeIntegers<std::int8_t>(from, to);
    case DType::UInt64:
        return storeIntegers<std::uint64_t>(from, to);
    case DType::UInt32:
        return storeIntegers<std::uint32_t>(from, to);
    case DType::UInt16:
        return storeIntegers<std::uint16_t>(from, to);
    case DType::UInt8:
        return storeIntegers<std::uint8_t>(from, to);
    case DType::Int4:
    case DType::UInt4:
        return storePacked<4>(from, to);
    case DType::Int2:
    case DType::UInt2:
        return storePacked<2>(from, to);
    case DType::Bool:
        for (std::int64_t i = 0; i < count; ++i)
            to.as<std::uint8_t>()[i] = from[i] != From {} ? 1 : 0;
        return;
    default:
        return;
    }
}

template void loadNumbers(const TensorView&, double*);
template void loadNumbers(const TensorView&, float*);
template void loadNumbers(const TensorView&, std::int64_t*);
template void loadNumbers(const TensorView&, std::int32_t*);
template void loadNumbers(const TensorView&, std::int8_t*);
template void loadNumbers(const TensorView&, std::uint8_t*);
template void storeNumbers(const double*, const TensorView&);
template void storeNumbers(const float*, const TensorView&);
template void storeNumbers(const std::int64_t*, const TensorView&);
template void storeNumbers(const std::uint64_t*, const TensorView&);

std::int64_t truncated(double number)
{
    constexpr double Limit = 9223372036854775808.0; // 2^63
    if (std::isnan(number)) return 0;
    if (number >= Limit) {
        return number < 2 * Limit ? static_cast<std::int64_t>(static_cast<std::uint64_t>(number))
                                  : std::numeric_limits<std::int64_t>::max();
    }
    if (number < -Limit) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(number);
}

} // namespace plimsoll::kernels
