#include "core/facts/tables.h"
#include "core/facts/words/verdict.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace plimsoll {
std::string writeMarkdown(const Report& report)
{
    std::string text =
        "# Memory plan of " +
        escapeMarkdown(report.program.graph->name.empty() ? "an unnamed graph" : report.program.graph->name) + "\n\n";
    text += escapeMarkdown(english(verdictText(report))) + "\n";
    for (const TableUse& use : TableUses) {
        const FactTable& table = use.table();
        const DocumentTable shown = use.inMarkdown > 0 ? documentTable(table, report, use.inMarkdown) : DocumentTable();
        if (shown.empty()) continue;
        text += "\n## " + escapeMarkdown(std::string(table.title)) + "\n";
        if (!shown.rows.empty()) {
            std::string rule = "|";
            text += "\n|";
            for (const ColumnInfo* column : shown.columns) {
                text += " " + escapeMarkdown(std::string(column->title)) + " |";
                rule += column->kind == ColumnInfo::Kind::Number ? " ---: |" : " --- |";
            }
            text += "\n" + rule + "\n";
        }
        for (const auto& row : shown.rows) {
            text += "|";
            for (const Cell& cell : row)
                text += " " + escapeMarkdown(fullText(cell)) + " |";
            text += "\n";
        }
        if (!shown.note.empty()) text += "\n" + escapeMarkdown(english(shown.note)) + "\n";
    }
    return text;
}

} // namespace plimsoll
