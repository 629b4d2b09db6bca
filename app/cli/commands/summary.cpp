#include "app/cli/commands/summary.h"

#include "app/cli/fact_text.h"
#include "core/base/bytes.h"
#include "core/base/plural.h"
#include "core/facts/completeness.h"
#include "core/facts/tables.h"
#include "core/facts/words/gradient_rows.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/terms_text.h"
#include "core/facts/words/verdict.h"

#include <algorithm>

namespace plimsoll::cli {
namespace {

constexpr std::size_t MostRows = 8;
constexpr std::size_t MostFindings = 10;

std::string titled(const char* title, const std::string& sentence)
{
    return sentence.empty() ? sentence : "\n" + std::string(title) + "\n  " + sentence + "\n";
}

/// Of one arena without a capacity the numbers say it all.
std::string arenas(const Report& report)
{
    const auto& all = report.program.map.arenas;
    const bool plain = all.size() == 1 && !all.front().capacityBytes;
    return plain ? std::string() : tableText(arenasTable(), report, AllRows);
}

std::string whatIf(const Report& report)
{
    const std::string table = tableText(whatIfTable(), report, AllRows);
    const bool worthIt = report.program.ownPlan && report.memory.peakBytes > 0;
    return table.empty() && worthIt ? "  plan --what-if tells which other policies would lower it\n"
                                    : table + tableText(tradeOffsTable(), report, AllRows);
}

/// What was asked of the gradients, where anything else than to write them.
std::string gradients(const Report& report)
{
    const bool plain = std::ranges::all_of(
        gradientRows(report), [](const GradientRow& row) { return row.request == GradientRequest::Write; });
    return plain ? std::string() : tableText(gradientsTable(), report, AllRows);
}

} // namespace

std::string incompleteFirst(const Report& report)
{
    const std::string line = english(incompleteLine(report));
    return line.empty() ? line : line + "\n";
}

std::string findingsText(const Report& report, std::size_t limit)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(limit, report.verdict.findings.size()); ++i) {
        const Finding& finding = report.verdict.findings[i];
        text += std::string(severityName(finding.severity)) + " " + std::string(ruleId(finding.rule)) + ": " +
                english(finding.message) + "\n";
        if (!finding.fix.empty()) text += "    fix: " + english(finding.fix) + "\n";
    }
    const std::size_t more = countFindings(report) - std::min(limit, report.verdict.findings.size());
    if (more > 0) text += "and " + countText(more) + " more\n";
    return text;
}

std::string assumptionsText(const Report& report)
{
    const Message sizes = assumedSizes(report);
    return sizes.empty() ? std::string() : english(sizes) + "\n";
}

std::string notesText(const Report& report)
{
    std::string text;
    for (const std::string& note : english(report.notes))
        text += "note: " + note + "\n";
    return text;
}

std::string summaryText(const Report& report)
{
    const std::string assumed = assumptionsText(report);
    std::string text =
        incompleteFirst(report) + report.program.graph->name + ": " + english(legalityText(report)) + "\n";
    text += english(termsSentence(report)) + "\n" + tableText(totalsTable(), report, AllRows) + arenas(report) +
            titled("Streams", english(streamsSentence(report))) + titled("Placement", english(searchSentence(report))) +
            tableText(backendUseTable(), report, AllRows) + tableText(paddedTable(), report, MostRows) +
            tableText(fallbacksTable(), report, MostRows) + tableText(peakTable(), report, AllRows) + whatIf(report) +
            tableText(savedTable(), report, MostRows) + tableText(recomputedTable(), report, MostRows) +
            gradients(report) + (assumed.empty() ? assumed : "\n" + assumed) +
            tableText(unplannedTable(), report, MostRows);
    const std::string findings = findingsText(report, MostFindings);
    if (!findings.empty()) text += "\n" + findings;
    const std::string notes = notesText(report);
    return notes.empty() ? text : text + "\n" + notes;
}

} // namespace plimsoll::cli
