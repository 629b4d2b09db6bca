#include "core/formats/files/json_text.h"

#include "core/base/characters.h"

#include <algorithm>
#include <fmt/format.h>

namespace plimsoll {
namespace {

/// In units of UTF-16, as JSON has it.
std::string escaped(std::uint32_t code)
{
    if (code < 0x10000) return fmt::format("\\u{:04x}", code);
    const std::uint32_t above = code - 0x10000;
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10U), 0xDC00 + (above & 0x3FFU));
}

} // namespace

std::string withoutHidden(std::string json)
{
    const auto mayHide = [](char c) { return static_cast<std::uint8_t>(c) >= 0x7F; };
    auto from = std::ranges::find_if(json, mayHide);
    if (from == json.end()) return json;
    std::string out(json.begin(), from);
    for (std::string_view rest(from, json.end()); !rest.empty();) {
        const std::string_view sequence = rest.substr(0, std::max<std::size_t>(1, sequenceLength(rest)));
        const bool hidden = mayHide(sequence.front()) && isHidden(codePoint(sequence));
        out += hidden ? escaped(codePoint(sequence)) : std::string(sequence);
        rest.remove_prefix(sequence.size());
    }
    return out;
}

} // namespace plimsoll
