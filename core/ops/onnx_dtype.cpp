#include "core/ops/onnx_dtype.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace plimsoll {

namespace {

struct OnnxType
{
    std::string_view name;
    DType dtype;
};

// By number of TensorProto.DataType.
constexpr std::array<OnnxType, 27> OnnxTypes {{
    {"UNDEFINED", DType::Unknown},
    {"FLOAT", DType::Float32},
    {"UINT8", DType::UInt8},
    {"INT8", DType::Int8},
    {"UINT16", DType::UInt16},
    {"INT16", DType::Int16},
    {"INT32", DType::Int32},
    {"INT64", DType::Int64},
    {"STRING", DType::String},
    {"BOOL", DType::Bool},
    {"FLOAT16", DType::Float16},
    {"DOUBLE", DType::Float64},
    {"UINT32", DType::UInt32},
    {"UINT64", DType::UInt64},
    {"COMPLEX64", DType::Complex64},
    {"COMPLEX128", DType::Complex128},
    {"BFLOAT16", DType::BFloat16},
    {"FLOAT8E4M3FN", DType::Float8E4M3FN},
    {"FLOAT8E4M3FNUZ", DType::Float8E4M3FNUZ},
    {"FLOAT8E5M2", DType::Float8E5M2},
    {"FLOAT8E5M2FNUZ", DType::Float8E5M2FNUZ},
    {"UINT4", DType::UInt4},
    {"INT4", DType::Int4},
    {"FLOAT4E2M1", DType::Float4E2M1},
    {"FLOAT8E8M0", DType::Float8E8M0},
    {"UINT2", DType::UInt2},
    {"INT2", DType::Int2},
}};

} // namespace

DType dtypeFromOnnx(std::int64_t number)
{
    if (number < 0 || number >= static_cast<std::int64_t>(OnnxTypes.size())) return DType::Unknown;
    return OnnxTypes[static_cast<std::size_t>(number)].dtype;
}

DType dtypeAttribute(const Node& node, std::string_view name, DType fallback)
{
    if (const auto* number = findAttribute<std::int64_t>(node, name)) return dtypeFromOnnx(*number);
    const auto* text = findAttribute<std::string>(node, name);
    if (!text) return fallback;
    if (const auto known = dtypeFromName(*text)) return *known;
    std::string capitals = *text;
    std::ranges::transform(capitals, capitals.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const auto found = std::ranges::find(OnnxTypes, capitals, &OnnxType::name);
    return found == OnnxTypes.end() ? DType::Unknown : found->dtype;
}

} // namespace plimsoll
