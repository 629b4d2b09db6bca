#include "core/formats/files/zip_directory.h"

#include "core/formats/bad_input.h"

#include <algorithm>
#include <string_view>

namespace plimsoll {
namespace {

constexpr std::string_view EndMark = "PK\x05\x06";
constexpr std::string_view EntryMark = "PK\x01\x02";
constexpr std::string_view FileMark = "PK\x03\x04";
constexpr std::size_t EndBytes = 22;
constexpr std::size_t EntryBytes = 46;
constexpr std::size_t FileBytes = 30;
constexpr std::size_t LongestComment = 65535;

Error broken(Message why, std::size_t byte)
{
    return badInput(say("zip.broken", std::move(why)), "byte " + std::to_string(byte));
}

/// A little-endian number that is there: that was checked.
std::size_t number(std::string_view bytes, std::size_t at, std::size_t count)
{
    std::size_t value = 0;
    for (std::size_t i = count; i-- > 0;)
        value = value * 256 + static_cast<unsigned char>(bytes[at + i]);
    return value;
}

bool hasMark(std::string_view bytes, std::size_t at, std::string_view mark, std::size_t size)
{
    return at <= bytes.size() && bytes.size() - at >= size && bytes.substr(at).starts_with(mark);
}

} // namespace

Result<std::vector<ZipEntry>> readZipDirectory(std::span<const std::byte> archive)
{
    const std::string_view bytes(reinterpret_cast<const char*>(archive.data()), archive.size());
    const std::size_t tail = bytes.size() - std::min(bytes.size(), EndBytes + LongestComment);
    const std::size_t found = bytes.substr(tail).rfind(EndMark);
    const std::size_t end = tail + found;
    if (found == std::string_view::npos || !hasMark(bytes, end, EndMark, EndBytes))
        return broken(say("zip.directory-missing"), bytes.size());
    const std::size_t count = number(bytes, end + 10, 2);
    std::size_t at = number(bytes, end + 16, 4);
    if (count == 0xFFFF || at == 0xFFFFFFFF) return badInput(say("zip.too-large"), "byte " + std::to_string(end));
    std::vector<ZipEntry> entries;
    for (std::size_t i = 0; i < count; ++i) {
        if (!hasMark(bytes, at, EntryMark, EntryBytes)) return broken(say("zip.directory-short"), at);
        const std::size_t name = number(bytes, at + 28, 2);
        const std::size_t rest = name + number(bytes, at + 30, 2) + number(bytes, at + 32, 2);
        if (bytes.size() - at - EntryBytes < rest) return broken(say("zip.directory-cut"), at);
        ZipEntry entry;
        entry.name = bytes.substr(at + EntryBytes, name);
        entry.bytes = static_cast<std::int64_t>(number(bytes, at + 24, 4));
        const bool encrypted = number(bytes, at + 8, 2) % 2 == 1;
        entry.stored = number(bytes, at + 10, 2) == 0 && !encrypted;
        if (entry.stored) { // the bytes begin behind a header of their own, which repeats the name
            const std::size_t header = number(bytes, at + 42, 4);
            if (!hasMark(bytes, header, FileMark, FileBytes))
                return broken(say("zip.file-misplaced", word::Name {entry.name}), header);
            const std::size_t begin =
                header + FileBytes + number(bytes, header + 26, 2) + number(bytes, header + 28, 2);
            const auto size = static_cast<std::size_t>(entry.bytes);
            if (begin > bytes.size() || bytes.size() - begin < size)
                return broken(say("zip.file-cut", word::Name {entry.name}), begin);
            entry.offset = static_cast<std::int64_t>(begin);
        }
        entries.push_back(std::move(entry));
        at += EntryBytes + rest;
    }
    return entries;
}

} // namespace plimsoll
