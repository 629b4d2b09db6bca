#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/number_formats.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/special/text_numbers.h"

namespace plimsoll::kernels {
namespace {

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

void castToFloat8(const TensorView& from, const TensorView& to, const CastRules& rules)
{
    const Reader<double> in(from);
    const FloatFormat* format = floatFormat(to.dtype);
    auto* out = to.as<std::uint8_t>();
    for (std::int64_t i = 0, n = to.elements(); i < n; ++i) {
        out[i] = format ? static_cast<std::uint8_t>(encodeFloat(in[i], *format, rules.saturate))
                        : encodeE8M0(in[i], rules.rounding, rules.saturate);
    }
}

void castNumbers(const TensorView& from, const TensorView& to, const CastRules& rules)
{
    if (isFloatingPoint(to.dtype) && dtypeBits(to.dtype) == 8) return castToFloat8(from, to, rules);
    if (from.dtype == DType::UInt64) {
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
        if (!number) return refuse(call, "\"" + text.substr(0, 40) + "\" is no number.");
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

Status castTo(KernelCall& call, DType dtype)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    if (dtype == DType::Unknown) return refuse(call, "the attribute 'to' names no element type.");
    if (dtype == x.dtype) return writeReshaped(call, 0, x, x.shape);
    if (isComplex(dtype) || isComplex(x.dtype)) return refuseType(call, isComplex(dtype) ? dtype : x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, dtype, x.shape));
    if (x.dtype == DType::String) return castFromText(call, x, y, castRules(call));
    if (dtype == DType::String) {
        castToText(x, y);
    } else {
        castNumbers(x, y, castRules(call));
    }
    return {};
}

/// Opset 1 names the type, since 6 it is a number.
Status cast(KernelCall& call)
{
    if (const auto* name = findAttribute<std::string>(call.node(), "to")) {
        static constexpr std::int64_t Types = 27;
        for (std::int64_t number = 1; number < Types; ++number) {
            if (onnxTypeName(dtypeFromOnnx(number)) == *name) return castTo(call, dtypeFromOnnx(number));
        }
    }
    return castTo(call, dtypeFromOnnx(intAttribute(call, "to", 0)));
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
        return refuse(call, describe(x) + " has not the width of " + std::string(dtypeName(dtype)) + ".");
    }
    PLIMSOLL_ASSIGN(y, call.output(0, dtype, x.shape));
    copyAll(x, y);
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "BitCast", bitCast},
    {"", "Cast", cast},
    {"", "CastLike", castLike},
};

} // namespace

constinit const KernelTable castKernels = Table;

} // namespace plimsoll::kernels
