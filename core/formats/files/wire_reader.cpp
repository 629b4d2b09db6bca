#include "core/formats/files/wire_reader.h"

#include "core/base/narrow.h"
#include "core/formats/files/utf8.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace plimsoll {
namespace {

/// Leaves \p count bytes fewer in front.
void drop(WireBytes& rest, std::size_t count)
{
    rest = {rest.bytes.subspan(count), rest.offset + static_cast<std::int64_t>(count)};
}

/// The number at the front, of 7 bits a byte; nothing where it is cut short or longer than 64 bits.
std::optional<std::uint64_t> takeVarint(WireBytes& rest)
{
    constexpr std::size_t Longest = 10;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < std::min(Longest, rest.bytes.size()); ++i) {
        const auto byte = std::to_integer<std::uint64_t>(rest.bytes[i]);
        number |= (byte & 0x7F) << (7 * i);
        if (byte >= 0x80) continue;
        drop(rest, i + 1);
        return number;
    }
    return std::nullopt;
}

Error truncated(std::int64_t offset)
{
    return wireError(say("protobuf.cut"), offset);
}

Error wrongType(const WireField& field, Message wanted)
{
    return wireError(say("protobuf.other-field-type", word::Number(field.number), std::move(wanted)),
                     field.payload.offset);
}

/// The payload of \p field, of which the tag has been read; false where it is cut short.
bool takePayload(WireBytes& rest, WireField& field)
{
    if (field.type == WireType::Bytes) {
        const auto length = takeVarint(rest);
        if (!length || *length > rest.bytes.size()) return false;
        field.payload = {rest.bytes.first(*length), rest.offset};
        drop(rest, *length);
        return true;
    }
    if (field.type == WireType::Varint) {
        const auto number = takeVarint(rest);
        field.scalar = number.value_or(0);
        return number.has_value();
    }
    const std::size_t width = field.type == WireType::Fixed64 ? 8 : 4;
    if (rest.bytes.size() < width) return false;
    for (std::size_t i = 0; i < width; ++i) // little-endian
        field.scalar |= std::to_integer<std::uint64_t>(rest.bytes[i]) << (8 * i);
    drop(rest, width);
    return true;
}

/// Calls \p onNumber for every number of a repeated varint field, packed or not.
template <typename OnNumber>
Status forEachVarint(const WireField& field, OnNumber&& onNumber)
{
    if (field.type == WireType::Varint) {
        onNumber(field.scalar);
        return {};
    }
    if (field.type != WireType::Bytes) return wrongType(field, say("protobuf.whole-numbers"));
    for (WireBytes rest = field.payload; !rest.bytes.empty();) {
        const auto number = takeVarint(rest);
        if (!number) return truncated(rest.offset);
        onNumber(*number);
    }
    return {};
}

void appendNumber(std::uint64_t number, int width, std::vector<std::byte>& out)
{
    for (int i = 0; i < width; ++i)
        out.push_back(static_cast<std::byte>(number >> (8 * i)));
}

} // namespace

Error wireError(Message message, std::int64_t offset)
{
    return badInput(std::move(message), "byte " + std::to_string(offset));
}

Result<bool> nextField(WireBytes& rest, WireField& field)
{
    if (rest.bytes.empty()) return false;
    WireBytes left = rest;
    const auto tag = takeVarint(left);
    if (!tag) return truncated(rest.offset);
    const std::uint64_t type = *tag & 7;
    const bool isWireType = type <= 2 || type == 5;
    if (*tag >> 3 == 0 || *tag > std::numeric_limits<std::uint32_t>::max() || !isWireType)
        return wireError(say("protobuf.no-field"), rest.offset);
    field = {narrow<int>(*tag >> 3), static_cast<WireType>(type), 0, {{}, rest.offset}};
    if (!takePayload(left, field)) return truncated(rest.offset);
    rest = left;
    return true;
}

Status read(const WireField& field, std::int64_t& out)
{
    if (field.type != WireType::Varint) return wrongType(field, say("protobuf.whole-number"));
    out = static_cast<std::int64_t>(field.scalar);
    return {};
}

Status read(const WireField& field, float& out)
{
    if (field.type != WireType::Fixed32) return wrongType(field, say("protobuf.float"));
    out = std::bit_cast<float>(static_cast<std::uint32_t>(field.scalar));
    return {};
}

Status readBytes(const WireField& field, std::string& out)
{
    if (field.type != WireType::Bytes) return wrongType(field, say("protobuf.text"));
    const auto bytes = field.payload.bytes;
    out.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
}

Status readText(const WireField& field, std::string& out)
{
    PLIMSOLL_TRY(readBytes(field, out));
    if (!isUtf8(out)) return wireError(say("protobuf.not-utf8"), field.payload.offset);
    return {};
}

Result<WireBytes> messageIn(const WireField& field)
{
    if (field.type != WireType::Bytes) return wrongType(field, say("protobuf.message"));
    return field.payload;
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
        if (bytes.size() % static_cast<std::size_t>(width) != 0) return wrongType(field, say("protobuf.fixed-numbers"));
        out.insert(out.end(), bytes.begin(), bytes.end());
        return {};
    }
    if (field.type != (width == 4 ? WireType::Fixed32 : WireType::Fixed64))
        return wrongType(field, say("protobuf.fixed-numbers"));
    appendNumber(field.scalar, width, out);
    return {};
}

} // namespace plimsoll
