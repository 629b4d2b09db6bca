#pragma once

#include "core/formats/bad_input.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

/// How a field of a protobuf message is laid out; the numbers of the wire format.
enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// Bytes of a message, and where they begin in the file.
struct WireBytes
{
    std::span<const std::byte> bytes;
    std::int64_t offset = 0;
};

/// One field of a message, not yet interpreted. Points into the bytes that were read.
struct WireField
{
    int number = 0;
    WireType type = WireType::Varint;
    std::uint64_t scalar = 0; ///< Varint, Fixed32 and Fixed64.
    WireBytes payload;        ///< Bytes: the content. Otherwise only its offset is set.
};

/// Takes the next field off the front of \p rest; false at the end. Lengths are checked against what is left.
[[nodiscard]] Result<bool> nextField(WireBytes& rest, WireField& field);

/// Calls \p onField, which returns a Status, for every field of \p message in order; stops at the first error.
template <std::invocable<const WireField&> OnField>
[[nodiscard]] Status forEachField(WireBytes message, OnField&& onField)
{
    for (WireField field;;) {
        const Result<bool> more = nextField(message, field);
        if (!more.ok()) return more.error();
        if (!more.value()) return {};
        PLIMSOLL_TRY(onField(field));
    }
}

/// Each reads one field, or appends to a repeated one (packed or not), and refuses another wire type by name.
[[nodiscard]] Status read(const WireField& field, std::int64_t& out);
[[nodiscard]] Status read(const WireField& field, float& out);
/// Text: refuses what is not UTF-8, since names end up in JSON and on screen.
[[nodiscard]] Status readText(const WireField& field, std::string& out);
[[nodiscard]] Status readBytes(const WireField& field, std::string& out);
[[nodiscard]] Result<WireBytes> messageIn(const WireField& field);
[[nodiscard]] Status append(const WireField& field, std::vector<std::int64_t>& out);
[[nodiscard]] Status append(const WireField& field, std::vector<double>& out); ///< From 32-bit floats.

/// What \p parse makes of the message in \p field.
template <std::invocable<WireBytes> Parse>
[[nodiscard]] std::invoke_result_t<Parse, WireBytes> parseMessage(const WireField& field, Parse&& parse)
{
    PLIMSOLL_ASSIGN(message, messageIn(field));
    return parse(message);
}

/// Appends the numbers of a repeated field to \p out, little-endian, each cut to \p width bytes (1, 2, 4 or 8).
/// \p fixed: the field holds fixed-width numbers of that width; otherwise varints.
[[nodiscard]] Status appendRaw(const WireField& field, int width, bool fixed, std::vector<std::byte>& out);

/// An error at a byte of the file.
[[nodiscard]] Error wireError(Message message, std::int64_t offset);

} // namespace plimsoll
