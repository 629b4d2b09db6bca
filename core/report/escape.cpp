#include "core/report/escape.h"

#include <cstdint>

namespace plimsoll {
namespace {

constexpr std::string_view Replacement = "\xEF\xBF\xBD";

/// Bytes of the well-formed sequence at the beginning of \p text; 0 when there is none (Unicode 15, table 3-7).
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

bool isForbidden(std::string_view sequence)
{
    const char c = sequence.front();
    if (sequence.size() == 1) return (c >= 0 && c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
    return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

/// Of a well-formed sequence of two or three bytes.
std::uint32_t codePoint(std::string_view sequence)
{
    const auto low = [&](std::size_t i) { return static_cast<std::uint32_t>(sequence[i]) & 0x3FU; };
    const auto first = static_cast<std::uint8_t>(sequence[0]);
    return sequence.size() == 2 ? (first & 0x1FU) << 6U | low(1) : (first & 0x0FU) << 12U | low(1) << 6U | low(2);
}

/// C1 controls, line separators, and the marks that turn text round (UAX #9: embeddings, overrides, isolates).
bool isHidden(std::string_view sequence)
{
    if (sequence.size() < 2 || sequence.size() > 3) return false;
    const std::uint32_t code = codePoint(sequence);
    return (code >= 0x80 && code <= 0x9F) || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string hex(std::string_view prefix, std::uint32_t number, int digits)
{
    std::string text(prefix);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += "0123456789abcdef"[(number >> static_cast<unsigned>(shift)) & 0xFU];
    return text;
}

/// \p stays: control codes that are left as they are.
std::string written(std::string_view text, std::string_view stays)
{
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
        const char c = sequence.front();
        const bool control = static_cast<std::uint8_t>(c) < 0x20 || c == 0x7F;
        if (isHidden(sequence))
            out += hex("\\u", codePoint(sequence), 4);
        else if (length == 0 || (length == 1 && control && stays.find(c) == std::string_view::npos))
            out += hex("\\x", static_cast<std::uint8_t>(c), 2);
        else
            out += sequence;
        text.remove_prefix(sequence.size());
    }
    return out;
}

} // namespace

std::string visibleText(std::string_view text)
{
    return written(text, "\n");
}

std::string visibleLine(std::string_view text)
{
    return written(text, {});
}

std::string cleanUtf8(std::string_view text)
{
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
        clean += length == 0 || isForbidden(sequence) ? Replacement : sequence;
        text.remove_prefix(sequence.size());
    }
    return clean;
}

std::string escapeXml(std::string_view text)
{
    std::string escaped;
    for (const char c : written(cleanUtf8(text), "\n\t")) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::string escapeMarkdown(std::string_view text)
{
    constexpr std::string_view Special = "\\`*_[]<>|~$";
    std::string escaped;
    for (const char c : written(cleanUtf8(text), "\n\t")) {
        if (c == '\n' || c == '\t') {
            escaped += ' ';
        } else if (c == '&') {
            escaped += "&amp;";
        } else {
            if (Special.find(c) != std::string_view::npos) escaped += '\\';
            escaped += c;
        }
    }
    return escaped;
}

std::string escapeCsv(std::string_view text)
{
    std::string cell = cleanUtf8(text);
    if (!cell.empty() && std::string_view("=+-@\t").find(cell.front()) != std::string_view::npos)
        cell.insert(0, 1, '\'');
    if (cell.find_first_of("\",\r\n") == std::string::npos) return cell;
    std::string quoted = "\"";
    for (const char c : cell) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string escapeDot(std::string_view text)
{
    std::string escaped;
    for (const char c : written(cleanUtf8(text), "\n\t")) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c == '\n' || c == '\t' ? ' ' : c;
    }
    return escaped;
}

std::string shortened(std::string_view text, std::size_t most)
{
    const std::string clean = cleanUtf8(text);
    std::size_t characters = 0;
    std::size_t cut = 0;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        if ((static_cast<std::uint8_t>(clean[i]) & 0xC0) == 0x80) continue;
        if (characters + 1 == most) cut = i;
        if (++characters > most) return clean.substr(0, cut) + "…";
    }
    return clean;
}

} // namespace plimsoll
