#include "core/formats/plimsoll/json_tensor.h"

#include "core/formats/files/data_file.h"
#include "core/formats/files/element_text.h"
#include "core/formats/files/file_part.h"
#include "core/formats/files/mapped_file.h"
#include "core/formats/files/npy.h"
#include "core/graph/sparse_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

constexpr std::array<std::string_view, 4> KindNames = {"tensor", "sequence", "optional", "opaque"};

Result<Dim> readDim(const JsonPlace& place)
{
    if (place.isNull()) return Dim();
    if (place.isText()) return Dim {-1, std::string(place.word())};
    PLIMSOLL_ASSIGN(size, place.integer());
    if (size < 0) return place.error(say("graph-json.negative-dimension", word::Number(size)));
    return Dim {size, {}};
}

/// Appends the elements of nested lists in row-major order.
Status flatten(const JsonPlace& place, DType dtype, std::vector<std::byte>& out)
{
    if (!place.isList()) return appendElement(place, dtype, out);
    return place.forEachElement([&](const JsonPlace& element) { return flatten(element, dtype, out); });
}

Status flattenStrings(const JsonPlace& place, std::vector<std::string>& out)
{
    if (place.isList())
        return place.forEachElement([&](const JsonPlace& element) { return flattenStrings(element, out); });
    PLIMSOLL_SET(out.emplace_back(), place.text());
    return {};
}

Error wrongSize(const JsonPlace& place, const TensorType& type, Message given)
{
    return place.error(say("graph-json.elements-given", describe(type), std::move(given)));
}

Result<TensorData> readNumbers(const JsonPlace& place, const TensorType& type, const Shape& shape)
{
    const auto count = static_cast<std::size_t>(elementCount(shape).value_or(0));
    if (type.dtype == DType::String) {
        std::vector<std::string> strings;
        PLIMSOLL_TRY(flattenStrings(place, strings));
        if (strings.size() != count)
            return wrongSize(place, type, say("graph-json.texts", word::Number(strings.size())));
        return TensorData {.strings = std::make_shared<const std::vector<std::string>>(std::move(strings))};
    }
    if (!hasNumbers(type.dtype)) return place.error(say("graph-json.no-numbers", dtypeName(type.dtype)));
    std::vector<std::byte> bytes;
    PLIMSOLL_TRY(flatten(place, type.dtype, bytes));
    const auto width = static_cast<std::size_t>(std::max(1, dtypeBits(type.dtype) / 8));
    if (bytes.size() != count * width)
        return wrongSize(place, type, say("graph-json.numbers", word::Number(bytes.size() / width)));
    return dataOf(dtypeBits(type.dtype) < 8 ? packElements(type.dtype, bytes) : std::move(bytes));
}

Result<TensorData> readFileField(const JsonPlace& owner, const TensorType& type, const std::filesystem::path& file,
                                 std::int64_t needed)
{
    const JsonPlace place = owner.at("dataFile");
    if (file.empty()) return place.error(say("graph-json.data-file-of-pipe"));
    DataFileReference reference;
    PLIMSOLL_SET(reference.location, place.text());
    PLIMSOLL_SET(reference.offset, owner.integerOr("dataOffset", 0));
    if (owner.has("dataBytes")) PLIMSOLL_SET(reference.length, owner.at("dataBytes").integer());
    const bool whole = reference.offset == 0 && !reference.length;
    auto data = locateDataFile(reference, file.parent_path(), whole ? std::nullopt : std::optional(needed));
    if (!data.ok()) return place.error(data.error().message);
    std::error_code ignored;
    if (whole && !std::filesystem::exists(data.value().file, ignored)) {
        if (reference.location.ends_with(".npy"))
            return place.error(say("graph-json.no-npy", word::Name {reference.location}));
        data.value().fileBytes = needed;
        return data;
    }
    if (!whole) return data;
    TensorData pointed = std::move(data).value();
    PLIMSOLL_ASSIGN(mapped, MappedFile::open(pointed.file));
    if (looksLikeNpy(mapped.bytes())) { // points at its data; any other file is raw bytes
        PLIMSOLL_ASSIGN(header, readNpyHeader(mapped.bytes()));
        if (header.dtype != type.dtype || header.shape != type.shape() || header.fortranOrder)
            return place.error(say("graph-json.other-npy", dtypeName(header.dtype), describe(header.shape),
                                   (header.fortranOrder ? " in column-major order" : ""), describe(type)));
        pointed.fileOffset = header.dataOffset;
        pointed.fileBytes -= header.dataOffset;
    }
    if (pointed.fileBytes != needed)
        return wrongSize(place, type,
                         say("graph-json.bytes", word::Number(static_cast<std::size_t>(pointed.fileBytes))));
    return pointed;
}

} // namespace

Result<TensorType> readTypeFields(const JsonPlace& place)
{
    TensorType type;
    PLIMSOLL_ASSIGN(kind, place.textOr("kind", "tensor"));
    const auto found = std::find(KindNames.begin(), KindNames.end(), kind);
    if (found == KindNames.end()) return place.at("kind").error(say("graph-json.type-kind", word::Name {kind}));
    type.kind = static_cast<TypeKind>(found - KindNames.begin());
    if (place.has("dtype")) {
        PLIMSOLL_ASSIGN(name, place.at("dtype").text());
        const auto dtype = dtypeFromName(name);
        if (!dtype) return place.at("dtype").error(say("graph-json.unknown-dtype", word::Name {name}));
        type.dtype = *dtype;
    }
    PLIMSOLL_ASSIGN(storageName, place.textOr("storageType", "dense"));
    const auto storage = storageTypeFromName(storageName);
    if (!storage) return place.at("storageType").error(say("graph-json.storage-type", word::Name {storageName}));
    type.storage = *storage;
    if (place.has("maxStored")) {
        const JsonPlace field = place.at("maxStored");
        PLIMSOLL_SET(type.maxStored, field.integer());
        if (type.maxStored < 0) return field.error(say("graph-json.negative-bound"));
        if (!type.isSparse()) return field.error(say("graph-json.bound-of-dense"));
    }
    if (!place.has("shape")) return type;
    type.dims.emplace();
    PLIMSOLL_TRY(place.readList("shape", *type.dims, readDim));
    if (const Message unfit = whyNotSparse(type); !unfit.empty())
        return place.at("storageType").error(say("dims.not-sparse", describe(type), unfit));
    if (type.overflows()) return place.at("shape").error(say("dims.too-large", describe(type)));
    return type;
}

void writeTypeFields(const TensorType& type, nlohmann::ordered_json& out)
{
    if (type.kind != TypeKind::Tensor) out["kind"] = KindNames[static_cast<std::size_t>(type.kind)];
    if (type.dtype != DType::Unknown) out["dtype"] = dtypeName(type.dtype);
    if (type.isSparse()) out["storageType"] = storageTypeName(type.storage);
    if (type.isSparse() && type.maxStored >= 0) out["maxStored"] = type.maxStored;
    if (!type.dims) return;
    nlohmann::ordered_json dims = nlohmann::ordered_json::array();
    for (const Dim& dim : *type.dims) {
        if (dim.known())
            dims.push_back(dim.size);
        else if (dim.symbol->empty())
            dims.push_back(nullptr);
        else
            dims.push_back(*dim.symbol);
    }
    out["shape"] = std::move(dims);
}

Result<TensorData> readDataFields(const JsonPlace& place, const TensorType& type, const std::filesystem::path& file)
{
    if (!place.has("data") && !place.has("dataHex") && !place.has("dataFile")) return TensorData();
    const auto shape = type.shape();
    if (!shape || type.dtype == DType::Unknown) return place.error(say("graph-json.data-without-type"));
    if (place.has("data")) return readNumbers(place.at("data"), type, *shape);
    const auto needed = denseBytes(type.dtype, *shape);
    if (!needed) return place.error(say("graph-json.texts-as-data"));
    if (!place.has("dataHex")) return readFileField(place, type, file, *needed);
    const JsonPlace hex = place.at("dataHex");
    PLIMSOLL_ASSIGN(digits, hex.text());
    const auto bytes = fromHex(digits);
    if (!bytes) return hex.error(say("graph-json.no-hex"));
    if (static_cast<std::int64_t>(bytes->size()) != *needed)
        return wrongSize(hex, type, say("graph-json.bytes", word::Number(bytes->size())));
    const auto content = std::as_bytes(std::span(*bytes));
    return dataOf(std::vector(content.begin(), content.end()));
}

void writeDataField(DType dtype, std::span<const std::byte> bytes, nlohmann::ordered_json& out)
{
    const int bits = dtypeBits(dtype);
    if (hasNumbers(dtype) && bits >= 8) {
        const auto count = static_cast<std::int64_t>(bytes.size()) * 8 / bits;
        nlohmann::ordered_json numbers = elementsToJson(dtype, bytes, count);
        const auto written = parseJson(numbers.dump());
        std::vector<std::byte> back;
        const bool exact = written.ok() && flatten({written.value(), {}}, dtype, back).ok() &&
                           std::equal(back.begin(), back.end(), bytes.begin(), bytes.end());
        if (exact) {
            out["data"] = std::move(numbers);
            return;
        }
    }
    out["dataHex"] = toHex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string toHex(std::string_view bytes)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += {Digits[byte >> 4], Digits[byte & 15]};
    }
    return text;
}

std::optional<std::string> fromHex(std::string_view digits)
{
    const auto value = [](char c) -> int {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const int high = value(digits[i]);
        const int low = value(digits[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

nlohmann::ordered_json numberToJson(double number)
{
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    return number;
}

} // namespace plimsoll
