#include "core/formats/onnx/onnx_tensor.h"

#include "core/formats/files/data_file.h"
#include "core/formats/files/file_part.h"

#include <array>
#include <charconv>

namespace plimsoll::onnx {
namespace {

enum TensorField {
    Dims = 1,
    DataType = 2,
    FloatData = 4,
    Int32Data = 5,
    StringData = 6,
    Int64Data = 7,
    Name = 8,
    RawData = 9,
    DoubleData = 10,
    Uint64Data = 11,
    ExternalData = 13,
    DataLocation = 14,
};

constexpr std::array CodeTable = {
    DType::Unknown,        DType::Float32,  DType::UInt8,        DType::Int8,           DType::UInt16,
    DType::Int16,          DType::Int32,    DType::Int64,        DType::String,         DType::Bool,
    DType::Float16,        DType::Float64,  DType::UInt32,       DType::UInt64,         DType::Complex64,
    DType::Complex128,     DType::BFloat16, DType::Float8E4M3FN, DType::Float8E4M3FNUZ, DType::Float8E5M2,
    DType::Float8E5M2FNUZ, DType::UInt4,    DType::Int4,         DType::Float4E2M1,     DType::Float8E8M0,
    DType::UInt2,          DType::Int2,
};

/// The message taken apart; numbers still as they lie in the file.
struct TensorFields
{
    Tensor tensor;
    std::int64_t code = 0;
    std::optional<WireBytes> raw;
    std::vector<WireField> typed;
    std::vector<std::string> strings;
    std::map<std::string, std::string> external;
    bool isExternal = false;
};

/// Which typed field holds the elements of a type, and how wide one entry of it is.
struct TypedLayout
{
    int field = 0;
    int entryBytes = 0;
    bool fixed = false;
};

TypedLayout typedLayout(DType dtype)
{
    switch (dtype) {
    case DType::Float32:
    case DType::Complex64:
        return {FloatData, 4, true};
    case DType::Float64:
    case DType::Complex128:
        return {DoubleData, 8, true};
    case DType::Int64:
        return {Int64Data, 8, false};
    case DType::UInt64:
        return {Uint64Data, 8, false};
    case DType::UInt32:
        return {Uint64Data, 4, false};
    default:
        return {Int32Data, std::max(1, dtypeBits(dtype) / 8), false}; // two or four to an entry below a byte
    }
}

Error bad(const TensorFields& fields, Message message)
{
    return badInput(std::move(message), "tensor '" + fields.tensor.name + "'");
}

std::string describeLiteral(const TensorLiteral& literal)
{
    return std::string(dtypeName(literal.dtype)) + describe(literal.shape);
}

Status readField(const WireField& field, TensorFields& out)
{
    std::int64_t location = 0;
    switch (field.number) {
    case Dims:
        return append(field, out.tensor.literal.shape);
    case DataType:
        return read(field, out.code);
    case Name:
        return readText(field, out.tensor.name);
    case StringData:
        return readBytes(field, out.strings.emplace_back());
    case ExternalData:
        return parseMessage(field, [&](WireBytes message) { return readStringEntry(message, out.external); });
    case DataLocation:
        PLIMSOLL_TRY(read(field, location));
        out.isExternal = location == 1;
        return {};
    case RawData:
        PLIMSOLL_SET(out.raw, messageIn(field));
        return {};
    case FloatData:
    case Int32Data:
    case Int64Data:
    case DoubleData:
    case Uint64Data:
        out.typed.push_back(field);
        return {};
    default:
        return {};
    }
}

Status checkSize(const TensorFields& fields, std::int64_t carried, std::int64_t needed)
{
    if (carried == needed) return {};
    return bad(fields, say("onnx.other-size", describeLiteral(fields.tensor.literal), word::Number(needed),
                           word::Number(carried)));
}

Result<std::optional<std::int64_t>> externalNumber(const TensorFields& fields, const char* key)
{
    const auto found = fields.external.find(key);
    if (found == fields.external.end()) return std::optional<std::int64_t>();
    const std::string& text = found->second;
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size() || number < 0)
        return bad(fields, say("onnx.external-number", key, word::Name {text}));
    return std::optional(number);
}

Result<TensorData> externalData(const TensorFields& fields, const Source& source, std::optional<std::int64_t> needed)
{
    const auto location = fields.external.find("location");
    if (location == fields.external.end()) return bad(fields, say("onnx.external-unnamed"));
    if (source.file.empty()) return bad(fields, say("onnx.external-of-pipe", word::Name {location->second}));
    PLIMSOLL_ASSIGN(offset, externalNumber(fields, "offset"));
    PLIMSOLL_ASSIGN(length, externalNumber(fields, "length"));
    auto data = locateDataFile({location->second, offset.value_or(0), length}, source.file.parent_path(), needed);
    if (!data.ok()) return bad(fields, data.error().message);
    return data;
}

Result<TensorData> typedData(const TensorFields& fields, const Source& source, std::int64_t needed)
{
    const TypedLayout layout = typedLayout(fields.tensor.literal.dtype);
    for (const WireField& field : fields.typed) {
        if (field.number != layout.field)
            return bad(fields, say("onnx.field-of-other-type", dtypeName(fields.tensor.literal.dtype)));
    }
    const WireField& first = fields.typed.front();
    if (fields.typed.size() == 1 && layout.fixed && first.type == WireType::Bytes) {
        PLIMSOLL_TRY(checkSize(fields, static_cast<std::int64_t>(first.payload.bytes.size()), needed));
        return dataOf({first.payload.bytes, first.payload.offset}, source.file);
    }
    std::vector<std::byte> bytes;
    for (const WireField& field : fields.typed)
        PLIMSOLL_TRY(appendRaw(field, layout.entryBytes, layout.fixed, bytes));
    PLIMSOLL_TRY(checkSize(fields, static_cast<std::int64_t>(bytes.size()), needed));
    return dataOf(std::move(bytes));
}

Result<TensorData> findData(TensorFields& fields, const Source& source)
{
    const TensorLiteral& literal = fields.tensor.literal;
    const auto count = elementCount(literal.shape);
    if (!count) return bad(fields, say("onnx.shape", describe(literal.shape)));
    const auto needed = denseBytes(literal.dtype, literal.shape);
    if (literal.dtype == DType::String && !fields.isExternal) {
        if (static_cast<std::int64_t>(fields.strings.size()) == *count)
            return TensorData {.strings = std::make_shared<const std::vector<std::string>>(std::move(fields.strings))};
        return bad(fields, say("onnx.string-count", describeLiteral(literal), word::Number(fields.strings.size()),
                               word::Number(*count)));
    }
    if (dtypeBits(literal.dtype) != 0 && !needed) return bad(fields, say("dims.too-large", describeLiteral(literal)));
    if (fields.isExternal) return externalData(fields, source, needed);
    const WireBytes raw = fields.raw.value_or(WireBytes());
    if (fields.raw && (!raw.bytes.empty() || needed == 0)) {
        if (needed) PLIMSOLL_TRY(checkSize(fields, static_cast<std::int64_t>(raw.bytes.size()), *needed));
        return dataOf({raw.bytes, raw.offset}, source.file);
    }
    if (!needed) return TensorData();
    if (!fields.typed.empty()) return typedData(fields, source, *needed);
    return *needed == 0 ? dataOf(std::vector<std::byte>()) : TensorData(); // stripped weights: a type without data
}

} // namespace

DType dtypeFromCode(std::int64_t code)
{
    const bool known = code > 0 && code < static_cast<std::int64_t>(CodeTable.size());
    return known ? CodeTable[static_cast<std::size_t>(code)] : DType::Unknown;
}

Status readStringEntry(WireBytes message, std::map<std::string, std::string>& entries)
{
    std::string key;
    std::string value;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 1) return readText(field, key);
        if (field.number == 2) return readText(field, value);
        return {};
    }));
    entries[key] = value;
    return {};
}

Result<Tensor> readTensor(WireBytes message, const Source& source)
{
    TensorFields fields;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) { return readField(field, fields); }));
    fields.tensor.literal.dtype = dtypeFromCode(fields.code);
    auto data = findData(fields, source);
    if (!data.ok()) {
        Error error = data.error();
        if (error.where.starts_with("tensor")) error.where += " at byte " + std::to_string(message.offset);
        return error;
    }
    fields.tensor.literal.data = std::move(data).value();
    return std::move(fields.tensor);
}

} // namespace plimsoll::onnx
