#include "core/graph/number_formats.h"
#include "core/ops/onnx_dtype.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>

namespace plimsoll::kernels {
namespace {

template <typename T>
std::string shortest(T number, std::chars_format format)
{
    std::array<char, 64> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format).ptr;
    return {text.data(), end};
}

/// Shortest decimal that reads back as the same number, with a point or an exponent: "1.0", "0.1", "1e-07", "nan".
std::string numberText(double number, bool isDouble)
{
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    const double magnitude = std::fabs(number);
    const bool plain = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const std::string text = isDouble ? shortest(number, format) : shortest(static_cast<float>(number), format);
    return plain && text.find('.') == std::string::npos ? text + ".0" : text;
}

/// A decimal, "nan" or "inf" in any case, as both kinds of number. Empty for anything else.
struct TextNumber
{
    double real = 0;
    std::int64_t integer = 0;
};

std::optional<TextNumber> textNumber(const std::string& text)
{
    std::size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = text.find_last_not_of(" \t\n") + 1;
    if (text[begin] == '+') ++begin;
    const char* first = text.data() + begin;
    const char* last = text.data() + end;
    TextNumber number;
    const auto real = std::from_chars(first, last, number.real);
    if (real.ptr != last || real.ec == std::errc::invalid_argument) return std::nullopt;
    const auto integer = std::from_chars(first, last, number.integer);
    if (integer.ptr != last || integer.ec != std::errc()) number.integer = truncated(number.real);
    return number;
}

/// What the operator's attributes say about numbers that do not fit.
struct CastRules
{
    bool saturate = true;
    E8M0Rounding rounding = E8M0Rounding::Up;
};

CastRules castRules(const KernelCall& call)
{
    const std::string mode = textAttribute(call, "round_mode", "up");
    const E8M0Rounding rounding = mode == "down"      ? E8M0Rounding::Down
                                  : mode == "nearest" ? E8M0Rounding::Nearest
                                                      : E8M0Rounding::Up;
    return {intAttribute(call, "saturate", 1) != 0, rounding};
}

void castNumbers(const TensorView& from, const TensorView& to, const CastRules& rules)
{
    if (isFloatingPoint(to.dtype) && dtypeBits(to.dtype) == 8) {
        const Reader<double> in(from);
        const FloatFormat* format = floatFormat(to.dtype);
        for (std::int64_t i = 0, n = to.elements(); i < n; ++i) {
            to.as<std::uint8_t>()[i] = format ? static_cast<std::uint8_t>(encodeFloat(in[i], *format, rules.saturate))
                                              : encodeE8M0(in[i], rules.rounding, rules.saturate);
        }
    } else if (from.dtype == DType::UInt64) {
        storeNumbers(Reader<std::uint64_t>(from).data(), to);
    } else if (from.dtype == DType::Float32) {
        storeNumbers(Reader<float>(from).data(), to);
    } else if (isFloatingPoint(from.dtype)) {
        storeNumbers(Reader<double>(from).data(), to);
    } else {
        storeNumbers(Reader<std::int64_t>(from).data(), to);
    }
}

void castToText(const TensorView& from, const TensorView& to)
{
    const std::int64_t count = from.elements();
    auto* out = to.as<std::string>();
    if (isFloatingPoint(from.dtype)) {
        const Reader<double> in(from);
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = numberText(in[i], from.dtype == DType::Float64);
    } else if (from.dtype == DType::UInt64) {
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = std::to_string(from.as<std::uint64_t>()[i]);
    } else {
        const Reader<std::int64_t> in(from);
        for (std::int64_t i = 0; i < count; ++i) {
            out[i] = from.dtype == DType::Bool ? (in[i] != 0 ? "True" : "False") : std::to_string(in[i]);
        }
    }
}

Status castFromText(const KernelCall& call, const TensorView& from, const TensorView& to, const CastRules& rules)
{
    const HostTensor numbers(isFloatingPoint(to.dtype) ? DType::Float64 : DType::Int64, from.shape);
    for (std::int64_t i = 0, n = from.elements(); i < n; ++i) {
        const std::string& text = from.as<std::string>()[i];
        const auto number = textNumber(text);
        if (!number) return refuse(call, say("kernel.no-number", text.substr(0, 40)));
        if (isFloatingPoint(to.dtype)) {
            numbers.view().as<double>()[i] = number->real;
        } else {
            numbers.view().as<std::int64_t>()[i] = number->integer;
        }
    }
    castNumbers(numbers.view(), to, rules);
    return {};
}

bool isComplex(DType dtype)
{
    return dtype == DType::Complex64 || dtype == DType::Complex128;
}

/// In place the same bytes would be read as one type and written as another: then what is read is a copy.
RuntimeValue readBeside(const TensorView& from, const TensorView& to)
{
    if (from.data != to.data) return {RuntimeValue::Kind::Tensor, from, {}, {}, {}};
    const HostTensor copy(from.dtype, from.shape);
    std::ranges::copy(from.byteSpan(), copy.view().as<std::byte>());
    return tensorValue(copy);
}

Status castTo(KernelCall& call, DType dtype)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (dtype == DType::Unknown) return refuse(call, say("kernel.no-element-type"));
    if (dtype == x.dtype) return writeReshaped(call, 0, x, x.shape);
    if (isComplex(dtype) || isComplex(x.dtype)) return refuseType(call, isComplex(dtype) ? dtype : x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, dtype, x.shape));
    if (x.dtype == DType::String) return castFromText(call, x, y, castRules(call));
    if (dtype == DType::String) {
        castToText(x, y);
    } else {
        castNumbers(readBeside(x, y).tensor, y, castRules(call));
    }
    return {};
}

/// Opset 1 names the type, since 6 it is a number.
Status cast(KernelCall& call)
{
    return castTo(call, dtypeAttribute(call.node(), "to", DType::Unknown));
}

Status castLike(KernelCall& call)
{
    PLIMSOLL_ASSIGN(like, inputTensor(call, 1));
    return castTo(call, like.dtype);
}

/// The same bits under another type of the same width.
Status bitCast(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    const DType dtype = dtypeFromOnnx(intAttribute(call, "to", 0));
    if (dtypeBits(dtype) == 0 || dtypeBits(dtype) != dtypeBits(x.dtype)) {
        return refuse(call, say("kernel.width", describe(x), dtypeName(dtype)));
    }
    PLIMSOLL_ASSIGN(y, call.output(0, dtype, x.shape));
    copyAll(x, y);
    return {};
}

constexpr KernelEntry CastKernels[] = {
    {"", "BitCast", bitCast},
    {"", "Cast", cast},
    {"", "CastLike", castLike},
};

} // namespace

constinit const KernelTable castKernels = CastKernels;

} // namespace plimsoll::kernels
