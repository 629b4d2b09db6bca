#include "core/facts/english/english.h"
#include "core/facts/tables.h"
#include "core/facts/words/verdict.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

#include <array>

namespace plimsoll {
namespace {

std::string headOf(std::span<const ColumnInfo* const> columns)
{
    std::string titles = "|";
    std::string rule = "|";
    for (const ColumnInfo* column : columns) {
        titles += " " + escapeMarkdown(spoken(column->title)) + " |";
        rule += column->kind == ColumnInfo::Kind::Number ? " ---: |" : " --- |";
    }
    return titles + "\n" + rule + "\n";
}

std::string cellOf(const Cell& cell, RemedyWords words)
{
    return " " + escapeMarkdown(fullText(cell, words)) + " |";
}

/// With a heading of its own; empty where there is nothing to show.
std::string sectionOf(const FactTable& table, const Plans& plans, std::size_t most)
{
    const DocumentTable shown = documentTable(table, plans, most);
    if (shown.empty()) return {};
    std::string text = "\n## " + escapeMarkdown(spoken(table.title)) + "\n";
    if (!shown.rows.empty()) text += "\n" + headOf(shown.columns);
    for (const auto& row : shown.rows) {
        text += "|";
        for (const Cell& cell : row)
            text += cellOf(cell, optionWords);
        text += "\n";
    }
    if (!shown.note.empty()) text += "\n" + escapeMarkdown(english(shown.note)) + "\n";
    return text;
}

} // namespace

std::string writeMarkdown(const FactTable& table, const OpenTable& open, std::span<const std::uint32_t> rows,
                          RemedyWords words)
{
    std::vector<const ColumnInfo*> columns;
    for (const ColumnInfo& column : table.columns)
        columns.push_back(&column);
    std::string text = headOf(columns);
    for (const std::uint32_t row : rows) {
        text += "|";
        for (std::size_t column = 0; column < columns.size(); ++column)
            text += cellOf(open.cell(row, column), words);
        text += "\n";
    }
    return text;
}

std::string writeMarkdown(std::string_view heading, const std::vector<FactSection>& sections, RemedyWords words)
{
    static constexpr ColumnInfo Name {"Fact", ""};
    static constexpr ColumnInfo What {"Value", ""};
    static constexpr std::array Columns {&Name, &What};
    std::string text = "## " + escapeMarkdown(heading) + "\n";
    for (const FactSection& section : sections) {
        text += "\n### " + escapeMarkdown(spoken(section.title)) + "\n\n" + headOf(Columns);
        for (const Fact& fact : section.facts)
            text += "| " + escapeMarkdown(spoken(fact.name)) + " |" + cellOf(fact.cell, words) + "\n";
    }
    return text;
}

std::string writeMarkdown(const Report& report)
{
    std::string text = "# " + escapeMarkdown(english(reportTitle(report))) + "\n\n";
    text += escapeMarkdown(english(verdictText(report))) + "\n";
    for (const TableUse& use : TableUses) {
        if (use.inMarkdown > 0) text += sectionOf(use.table(), report, use.inMarkdown);
    }
    return text;
}

std::string writeMarkdown(const std::vector<std::string>& lines, const Plans& plans,
                          std::span<const FactTable& (*const)()> tables)
{
    std::string text;
    for (const std::string& line : lines)
        text += escapeMarkdown(line) + "  \n"; // blanks at its end break a line
    for (const auto table : tables)
        text += sectionOf(table(), plans, AllRows);
    return text;
}

} // namespace plimsoll
