#include "kernels/common/numbers.h"

#include "core/graph/number_formats.h"

#include <algorithm>
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
    const bool isByByte = dtypeBits(tensor.dtype) >= 8;
    const auto visitWhole = [&]<typename T>() {
        using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
        visitor([data = tensor.as<const T>()](std::int64_t i) { return static_cast<Wide>(data[i]); });
    };
    if (tensor.dtype == DType::Bool) return visitWhole.template operator()<std::uint8_t>();
    if (isByByte && visitInteger(tensor.dtype, visitWhole)) return;
    switch (tensor.dtype) {
    case DType::Float64:
        return visitor([data = tensor.as<const double>()](std::int64_t i) { return data[i]; });
    case DType::Float32:
        return visitor([data = tensor.as<const float>()](std::int64_t i) { return static_cast<double>(data[i]); });
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
    case DType::Int4:
        return visitor([bytes](std::int64_t i) -> std::int64_t { return signedOf<4>(packedCode<4>(bytes, i)); });
    case DType::Int2:
        return visitor([bytes](std::int64_t i) -> std::int64_t { return signedOf<2>(packedCode<2>(bytes, i)); });
    case DType::UInt4:
        return visitor([bytes](std::int64_t i) -> std::uint64_t { return packedCode<4>(bytes, i); });
    case DType::UInt2:
        return visitor([bytes](std::int64_t i) -> std::uint64_t { return packedCode<2>(bytes, i); });
    default:
        return visitor([](std::int64_t) { return 0.0; });
    }
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
        const auto number = static_cast<double>(from[i]);
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
    const From* const end = from + to.elements();
    const int bits = dtypeBits(to.dtype);
    if (to.dtype == DType::Float64) {
        std::transform(from, end, to.as<double>(), [](From number) { return static_cast<double>(number); });
    } else if (to.dtype == DType::Float32) {
        std::transform(from, end, to.as<float>(), [](From number) { return static_cast<float>(number); });
    } else if (to.dtype == DType::Bool) {
        std::transform(from, end, to.as<std::uint8_t>(), [](From number) { return number != From {} ? 1 : 0; });
    } else if (isFloatingPoint(to.dtype)) {
        storeSmallFloats(from, to);
    } else if (isInteger(to.dtype) && bits == 4) {
        storePacked<4>(from, to);
    } else if (isInteger(to.dtype) && bits == 2) {
        storePacked<2>(from, to);
    } else {
        visitInteger(to.dtype, [&]<typename To>() {
            std::transform(from, end, to.as<To>(), [](From number) { return static_cast<To>(asInteger(number)); });
        });
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
