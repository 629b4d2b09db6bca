#include "app/cli/fact_text.h"

#include "app/cli/text_table.h"

#include <algorithm>

namespace plimsoll::cli {
namespace {

std::string withCommand(const Cell& cell, std::string text)
{
    return cell.command.empty() ? text : text + "; " + cell.command;
}

} // namespace

std::string factText(const Cell& cell)
{
    std::string text = fullText(cell);
    if (cell.kind == Cell::Kind::Bytes && cell.number >= 0 && cell.number < 1024) text += " B";
    if (cell.kind == Cell::Kind::Sentence && !cell.tip.empty()) text += " (" + cell.tip + ")";
    return withCommand(cell, text);
}

std::string tableText(const FactTable& table, const Plans& plans, std::size_t most)
{
    const DocumentTable shown = documentTable(table, plans, most);
    if (shown.empty()) return {};
    std::vector<TextTable::Align> alignment;
    std::vector<std::string> titles;
    std::vector<std::vector<std::string>> rows(shown.rows.size());
    for (std::size_t column = 0; column < shown.columns.size(); ++column) {
        const bool number = shown.columns[column]->kind == ColumnInfo::Kind::Number;
        alignment.push_back(number ? TextTable::Align::Right : TextTable::Align::Left);
        titles.emplace_back(shown.columns[column]->title);
        for (std::size_t row = 0; row < rows.size(); ++row)
            rows[row].push_back(withCommand(shown.rows[row][column], fullText(shown.rows[row][column])));
    }
    TextTable lines(alignment);
    lines.add(titles);
    for (std::vector<std::string>& row : rows)
        lines.add(std::move(row));
    return "\n" + std::string(table.title) + "\n" + (rows.empty() ? "" : lines.text(2)) +
           (shown.note.empty() ? "" : "  " + english(shown.note) + "\n");
}

} // namespace plimsoll::cli
