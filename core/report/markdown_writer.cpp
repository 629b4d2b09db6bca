#include "core/facts/words/report_tables.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace plimsoll {
namespace {

void add(std::string& text, const DocumentTable& table)
{
    if (table.rows.empty()) return;
    text += "\n## " + escapeMarkdown(table.title) + "\n\n";
    std::string rule = "|";
    text += "|";
    for (const DocumentTable::Column& column : table.columns) {
        text += " " + escapeMarkdown(column.title) + " |";
        rule += column.number ? " ---: |" : " --- |";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
        text += "|";
        for (const std::string& cell : row)
            text += " " + escapeMarkdown(cell) + " |";
        text += "\n";
    }
    const std::string notes = table.note + (table.note.empty() || table.cutNote().empty() ? "" : " ") + table.cutNote();
    if (!notes.empty()) text += "\n" + escapeMarkdown(notes) + "\n";
}

} // namespace

std::string writeMarkdown(const Report& report)
{
    std::string text =
        "# Memory plan of " +
        escapeMarkdown(report.program.graph->name.empty() ? "an unnamed graph" : report.program.graph->name) + "\n\n";
    text += escapeMarkdown(verdictSentence(report)) + "\n";
    add(text, totalsTable(report));
    add(text, findingsTable(report, 100));
    add(text, notesTable(report));
    add(text, runTable(report));
    add(text, mismatchesTable(report, 50));
    add(text, arenasTable(report));
    add(text, searchTable(report));
    add(text, searchHistoryTable(report, 20));
    add(text, peakTable(report, 10));
    add(text, whatIfTable(report));
    add(text, holesTable(report, 10));
    add(text, gradientsTable(report));
    add(text, storagesTable(report, 50));
    add(text, valuesTable(report, 30));
    add(text, decisionCountsTable(report));
    add(text, policiesTable(report));
    add(text, bindingsTable(report));
    add(text, unplannedTable(report, 50));
    add(text, environmentTable(report));
    return text;
}

} // namespace plimsoll
