#include "core/formats/wire_reader.h"

#include "core/formats/utf8.h"

#include <bit>
#include <cstring>

#include <google/protobuf/io/coded_stream.h>

namespace plimsoll {
namespace {

using google::protobuf::io::CodedInputStream;

CodedInputStream streamOver(const WireBytes& bytes)
{
    return CodedInputStream(reinterpret_cast<const std::uint8_t*>(bytes.bytes.data()),
                            static_cast<int>(bytes.bytes.size()));
}

Error truncated(std::int64_t offset)
{
    return wireError("The file ends, or a length points beyond its end, in the middle of a field.", offset);
}

Error wrongType(const WireField& field, const char* wanted)
{
    return wireError("Field " + std::to_string(field.number) + " should hold " + wanted +
                         ", but is laid out as something else. The file is damaged or not of this format.",
                     field.payload.offset);
}

/// The payload of \p field, of which the tag has been read; false where it is cut short.
bool readPayload(CodedInputStream& in, WireField& field, const WireBytes& rest)
{
    std::uint32_t length = 0;
    std::uint32_t word = 0;
    switch (field.type) {
    case WireType::Varint:
        return in.ReadVarint64(&field.scalar);
    case WireType::Fixed64:
        return in.ReadLittleEndian64(&field.scalar);
    case WireType::Fixed32:
        if (!in.ReadLittleEndian32(&word)) return false;
        field.scalar = word;
        return true;
    case WireType::Bytes:
        break;
    }
    if (!in.ReadVarint32(&length)) return false;
    const auto begin = static_cast<std::size_t>(in.CurrentPosition());
    if (length > rest.bytes.size() - begin) return false;
    field.payload = {rest.bytes.subspan(begin, length), rest.offset + static_cast<std::int64_t>(begin)};
    return in.Skip(static_cast<int>(length));
}

bool isWireType(std::uint32_t bits)
{
    return bits == 0 || bits == 1 || bits == 2 || bits == 5;
}

/// Calls \p onNumber for every number of a repeated varint field, packed or not.
template <typename OnNumber>
Status forEachVarint(const WireField& field, OnNumber&& onNumber)
{
    if (field.type == WireType::Varint) {
        onNumber(field.scalar);
        return {};
    }
    if (field.type != WireType::Bytes) return wrongType(field, "whole numbers");
    CodedInputStream in = streamOver(field.payload);
    const auto size = static_cast<int>(field.payload.bytes.size());
    while (in.CurrentPosition() < size) {
        std::uint64_t number = 0;
        if (!in.ReadVarint64(&number)) return truncated(field.payload.offset + in.CurrentPosition());
        onNumber(number);
    }
    return {};
}

void appendNumber(std::uint64_t number, int width, std::vector<std::byte>& out)
{
    for (int i = 0; i < width; ++i)
        out.push_back(static_cast<std::byte>(number >> (8 * i)));
}

} // namespace

Error wireError(std::string message, std::int64_t offset)
{
    return {ErrorCode::BadInput, std::move(message), "byte " + std::to_string(offset), {}};
}

Result<bool> nextField(WireBytes& rest, WireField& field)
{
    if (rest.bytes.empty()) return false;
    CodedInputStream in = streamOver(rest);
    std::uint32_t tag = 0;
    if (!in.ReadVarint32(&tag)) return truncated(rest.offset);
    if (tag >> 3 == 0 || !isWireType(tag & 7))
        return wireError("There is no protobuf field here. The file is damaged or not of this format.", rest.offset);
    field = {static_cast<int>(tag >> 3), static_cast<WireType>(tag & 7), 0, {{}, rest.offset}};
    if (!readPayload(in, field, rest)) return truncated(rest.offset);
    const auto used = static_cast<std::size_t>(in.CurrentPosition());
    rest = {rest.bytes.subspan(used), rest.offset + static_cast<std::int64_t>(used)};
    return true;
}

Status read(const WireField& field, std::int64_t& out)
{
    if (field.type != WireType::Varint) return wrongType(field, "a whole number");
    out = static_cast<std::int64_t>(field.scalar);
    return {};
}

Status read(const WireField& field, float& out)
{
    if (field.type != WireType::Fixed32) return wrongType(field, "a float");
    out = std::bit_cast<float>(static_cast<std::uint32_t>(field.scalar));
    return {};
}

Status readBytes(const WireField& field, std::string& out)
{
    if (field.type != WireType::Bytes) return wrongType(field, "text");
    const auto bytes = field.payload.bytes;
    out.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
}

Status readText(const WireField& field, std::string& out)
{
    PLIMSOLL_TRY(readBytes(field, out));
    if (!isUtf8(out)) return wireError("A name here is not valid UTF-8. The file is damaged.", field.payload.offset);
    return {};
}

Status readMessage(const WireField& field, WireBytes& out)
{
    if (field.type != WireType::Bytes) return wrongType(field, "a message");
    out = field.payload;
    return {};
}

Status append(const WireField& field, std::vector<std::int64_t>& out)
{
    return forEachVarint(field, [&](std::uint64_t number) { out.push_back(static_cast<std::int64_t>(number)); });
}

Status append(const WireField& field, std::vector<double>& out)
{
    std::vector<std::byte> raw;
    PLIMSOLL_TRY(appendRaw(field, 4, true, raw));
    for (std::size_t i = 0; i < raw.size(); i += 4) {
        float number = 0;
        std::memcpy(&number, &raw[i], sizeof number);
        out.push_back(static_cast<double>(number));
    }
    return {};
}

Status appendRaw(const WireField& field, int width, bool fixed, std::vector<std::byte>& out)
{
    if (!fixed) return forEachVarint(field, [&](std::uint64_t number) { appendNumber(number, width, out); });
    if (field.type == WireType::Bytes) {
        const auto bytes = field.payload.bytes;
        if (bytes.size() % static_cast<std::size_t>(width) != 0) return wrongType(field, "numbers of a fixed width");
        out.insert(out.end(), bytes.begin(), bytes.end());
        return {};
    }
    if (field.type != (width == 4 ? WireType::Fixed32 : WireType::Fixed64))
        return wrongType(field, "numbers of a fixed width");
    appendNumber(field.scalar, width, out);
    return {};
}

} // namespace plimsoll
