#include "core/formats/torch/fx_type.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace plimsoll::fx {
namespace {

struct DTypeName
{
    std::string_view printed;
    std::string_view torch;
    DType dtype;
};

constexpr std::array DTypeNames = {
    DTypeName {"f64", "float64", DType::Float64},
    DTypeName {"f32", "float32", DType::Float32},
    DTypeName {"f16", "float16", DType::Float16},
    DTypeName {"bf16", "bfloat16", DType::BFloat16},
    DTypeName {"f8e4m3fn", "float8_e4m3fn", DType::Float8E4M3FN},
    DTypeName {"f8e4m3fnuz", "float8_e4m3fnuz", DType::Float8E4M3FNUZ},
    DTypeName {"f8e5m2", "float8_e5m2", DType::Float8E5M2},
    DTypeName {"f8e5m2fnuz", "float8_e5m2fnuz", DType::Float8E5M2FNUZ},
    DTypeName {"f8e8m0fnu", "float8_e8m0fnu", DType::Float8E8M0},
    DTypeName {"i64", "int64", DType::Int64},
    DTypeName {"i32", "int32", DType::Int32},
    DTypeName {"i16", "int16", DType::Int16},
    DTypeName {"i8", "int8", DType::Int8},
    DTypeName {"u64", "uint64", DType::UInt64},
    DTypeName {"u32", "uint32", DType::UInt32},
    DTypeName {"u16", "uint16", DType::UInt16},
    DTypeName {"u8", "uint8", DType::UInt8},
    DTypeName {"b8", "bool", DType::Bool},
    DTypeName {"c64", "complex64", DType::Complex64},
    DTypeName {"c128", "complex128", DType::Complex128},
    DTypeName {"i4", "int4", DType::Int4},
    DTypeName {"i2", "int2", DType::Int2},
    DTypeName {"u4", "uint4", DType::UInt4},
    DTypeName {"u2", "uint2", DType::UInt2},
    DTypeName {"c32", "complex32", DType::Unknown},
    DTypeName {"f4e2m1fnx2", "float4_e2m1fn_x2", DType::Unknown},
    DTypeName {"bits8", "bits8", DType::Unknown},
    DTypeName {"bits16", "bits16", DType::Unknown},
    DTypeName {"", "half", DType::Float16},
    DTypeName {"", "float", DType::Float32},
    DTypeName {"", "double", DType::Float64},
    DTypeName {"", "long", DType::Int64},
    DTypeName {"", "int", DType::Int32},
};

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

Error notAType(std::string_view text, Message why)
{
    return badInput(say("fx.no-type-text", word::Name {std::string(text)}, std::move(why)));
}

/// A size, or the expression of symbols that it is: "s0", "2*s0 + 1".
Result<Dim> readDim(std::string_view text, std::string_view whole)
{
    Dim dim;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim.size);
    if (error == std::errc() && end == text.data() + text.size()) {
        if (dim.size < 0) return notAType(whole, say("fx.size-negative"));
        return dim;
    }
    const bool symbol =
        !text.empty() && error != std::errc::result_out_of_range &&
        text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-*/%(), .") ==
            std::string_view::npos &&
        std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A'; });
    if (!symbol) return notAType(whole, say("fx.no-size", word::Name {std::string(text)}));
    return Dim {-1, std::string(text)};
}

/// "[8, s0]", from the bracket on; \p text is moved behind it.
Result<DimList> readDims(std::string_view& text, std::string_view whole)
{
    DimList dims;
    std::size_t begin = 1;
    int open = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '(') ++open;
        if (c == ')') --open;
        if (open > 0 || (c != ',' && c != ']')) continue;
        const std::string_view item = trimmed(text.substr(begin, i - begin));
        if (!item.empty() || c == ',' || !dims.empty()) {
            PLIMSOLL_SET(dims.emplace_back(), readDim(item, whole));
        }
        begin = i + 1;
        if (c != ']') continue;
        text.remove_prefix(i + 1);
        return dims;
    }
    return notAType(whole, say("fx.no-bracket"));
}

} // namespace

std::optional<DType> dtypeOf(std::string_view name)
{
    const bool torch = name.starts_with("torch.");
    if (torch) name.remove_prefix(6);
    const auto found = std::find_if(DTypeNames.begin(), DTypeNames.end(), [&](const DTypeName& row) {
        return !name.empty() && (torch ? row.torch == name : row.printed == name);
    });
    return found == DTypeNames.end() ? std::nullopt : std::optional(found->dtype);
}

Result<PrintedType> readPrintedType(std::string_view text)
{
    PrintedType printed;
    const std::string_view whole = trimmed(text);
    if (whole.starts_with("Sym(")) {
        printed.type = TensorType::dense(whole.starts_with("Sym(z") ? DType::Float64 : DType::Int64, {});
        printed.isSymbol = true;
        return printed;
    }
    const std::size_t bracket = whole.find('[');
    const std::string_view name = whole.substr(0, bracket);
    const bool word = !name.empty() && name.size() < 12 && name.find_first_of(" .(") == std::string_view::npos;
    if (bracket == std::string_view::npos || !word) return printed;
    const auto dtype = dtypeOf(name);
    if (!dtype) return notAType(whole, say("fx.unknown-dtype", word::Name {std::string(name)}));
    std::string_view rest = whole.substr(bracket);
    PLIMSOLL_SET(printed.type.dims, readDims(rest, whole));
    printed.isTensor = true;
    printed.type.dtype = *dtype;
    if (rest.starts_with('[')) {
        PLIMSOLL_SET(printed.strides, readDims(rest, whole));
        if (printed.strides->size() != printed.type.dims->size()) return notAType(whole, say("fx.stride-count"));
    }
    const bool device = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:_") == std::string_view::npos;
    if (!device) return notAType(whole, say("fx.no-device", word::Name {std::string(rest)}));
    if (rest != "cpu") printed.device = rest;
    const auto shape = printed.type.shape();
    if (shape && *dtype != DType::Unknown && !denseBytes(*dtype, *shape))
        return notAType(whole, say("fx.type-too-large"));
    return printed;
}

bool isRowMajor(const PrintedType& type)
{
    if (!type.strides || !type.type.dims) return true;
    if (std::ranges::any_of(*type.type.dims, [](const Dim& dim) { return dim.size == 0; })) return true;
    std::optional<std::int64_t> expected = 1;
    for (std::size_t i = type.type.dims->size(); i-- > 0;) {
        const Dim& size = (*type.type.dims)[i];
        const Dim& stride = (*type.strides)[i];
        if (size.size != 1 && expected && stride.known() && stride.size != *expected) return false;
        expected = expected && size.known() ? checkedMultiply(*expected, size.size) : std::nullopt;
    }
    return true;
}

} // namespace plimsoll::fx
