#include "core/report/escape.h"

#include "core/base/characters.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace plimsoll {
namespace {

constexpr std::string_view Replacement = "\xEF\xBF\xBD";

bool isForbidden(std::string_view sequence)
{
    const char c = sequence.front();
    if (sequence.size() == 1) return (c >= 0 && c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
    return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

/// Whether a spreadsheet takes the cell for a formula, in letters of full width, too.
bool isFormula(std::string_view cell)
{
    constexpr std::array<std::string_view, 9> Begins = {"=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"};
    return std::ranges::any_of(Begins, [cell](std::string_view begin) { return cell.starts_with(begin); });
}

} // namespace

std::string visibleText(std::string_view text)
{
    return writtenOut(text, "\n");
}

std::string visibleLine(std::string_view text)
{
    return writtenOut(text);
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
    for (const char c : cleanUtf8(writtenOut(text, "\n\t"))) {
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
    for (const char c : cleanUtf8(writtenOut(text, "\n\t"))) {
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
    std::string cell = cleanUtf8(writtenOut(text, "\n\t"));
    if (isFormula(cell)) cell.insert(0, 1, '\'');
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
    constexpr std::size_t Most = 1000; // Graphviz takes strings of up to 16 KiB, and a label has several of these
    std::string escaped;
    for (const char c : shortened(writtenOut(text, "\n\t"), Most)) {
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
