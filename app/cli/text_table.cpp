#include "app/cli/text_table.h"

#include <algorithm>

namespace plimsoll::cli {
namespace {

/// Characters, not bytes: names are UTF-8.
std::size_t width(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

bool TextTable::takesRoom(const std::vector<std::string>& row, std::size_t cell) const
{
    return cell + 1 < row.size() || row.size() >= m_columns.size();
}

std::string TextTable::text(std::size_t indent) const
{
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& row : m_rows) {
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            if (takesRoom(row, i)) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
            const std::string padding(std::max(widths[i], width(row[i])) - width(row[i]), ' ');
            line += (i > 0 ? "  " : "") + (m_columns[i] == Align::Right ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace plimsoll::cli
