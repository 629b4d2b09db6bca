#include "core/base/characters.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

std::string hex(std::string_view prefix, std::uint32_t number, int digits)
{
    std::string text(prefix);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += "0123456789abcdef"[(number >> static_cast<unsigned>(shift)) & 0xFU];
    return text;
}

std::string written(std::uint32_t code)
{
    if (code < 0x80) return hex("\\x", code, 2);
    return code > 0xFFFF ? hex("\\U", code, 8) : hex("\\u", code, 4);
}

} // namespace

std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t {0};
    };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const std::uint8_t first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) >= 0xA0;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool beyond = first == 0xF4 && byte(1) >= 0x90;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

std::uint32_t codePoint(std::string_view sequence)
{
    constexpr std::array<std::uint32_t, 5> OfFirst = {0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t code = static_cast<std::uint8_t>(sequence.front()) & OfFirst[sequence.size()];
    for (const char c : sequence.substr(1))
        code = code << 6U | (static_cast<std::uint32_t>(c) & 0x3FU);
    return code;
}

bool isHidden(std::uint32_t codePoint)
{
    struct Range
    {
        std::uint32_t first;
        std::uint32_t last;
    };
    // Default_Ignorable_Code_Point of Unicode 15 but for variation selectors, which choose between two shapes that
    // show, and the controls, separators and annotation marks of categories Cc, Cf, Zl and Zp.
    static constexpr std::array<Range, 15> Hidden = {{{0x00, 0x1F},
                                                      {0x7F, 0x9F},
                                                      {0xAD, 0xAD},
                                                      {0x034F, 0x034F},
                                                      {0x061C, 0x061C},
                                                      {0x115F, 0x1160},
                                                      {0x17B4, 0x17B5},
                                                      {0x180E, 0x180E},
                                                      {0x200B, 0x200F},
                                                      {0x2028, 0x202E},
                                                      {0x2060, 0x206F},
                                                      {0x3164, 0x3164},
                                                      {0xFEFF, 0xFEFF},
                                                      {0xFFF0, 0xFFFB},
                                                      {0xE0000, 0xE0FFF}}};
    return std::ranges::any_of(
        Hidden, [codePoint](const Range& range) { return codePoint >= range.first && codePoint <= range.last; });
}

std::string writtenOut(std::string_view text, std::string_view stays)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
        const std::uint32_t code = length == 0 ? 0 : codePoint(sequence);
        if (length == 0)
            out += hex("\\x", static_cast<std::uint8_t>(sequence.front()), 2);
        else if (isHidden(code) && stays.find(sequence) == std::string_view::npos)
            out += written(code);
        else
            out += sequence;
        text.remove_prefix(sequence.size());
    }
    return out;
}

} // namespace plimsoll
