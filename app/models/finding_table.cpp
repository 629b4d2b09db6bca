#include "app/models/pane_tables.h"
#include "app/models/window_text.h"

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, FindingTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Severity"),
     QT_TRANSLATE_NOOP("plimsoll", "error: a broken rule; warning: legal but dangerous; advice")},
    {QT_TRANSLATE_NOOP("plimsoll", "Rule"),
     QT_TRANSLATE_NOOP("plimsoll", "Has a heading of the same name in the manual")},
    {QT_TRANSLATE_NOOP("plimsoll", "What is wrong"),
     QT_TRANSLATE_NOOP("plimsoll", "Both offenders, the steps and the bytes")},
    {QT_TRANSLATE_NOOP("plimsoll", "Steps"), QT_TRANSLATE_NOOP("plimsoll", "When"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Bytes"),
     QT_TRANSLATE_NOOP("plimsoll", "How many bytes are contested, or would be saved"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "What would mend it"), QT_TRANSLATE_NOOP("plimsoll", "A suggestion")},
}};

} // namespace

std::span<const ColumnInfo> FindingTable::columns() const
{
    return Columns;
}

QString FindingTable::whyEmpty() const
{
    if (!hasReport() || report().verdict.completeness.complete()) return {};
    return QObject::tr("No findings about what has a size; the rest is not judged.");
}

std::size_t FindingTable::countRows() const
{
    return report().verdict.findings.size();
}

std::int64_t FindingTable::leftOut() const
{
    return hasReport() ? static_cast<std::int64_t>(countFindings(report()) - report().verdict.findings.size()) : 0;
}

Focus FindingTable::focusOf(int row) const
{
    Focus focus = Focus::onFinding(row);
    const Finding& finding = report().verdict.findings[static_cast<std::size_t>(row)];
    if (!finding.steps.empty()) focus.step = finding.steps.begin;
    return focus;
}

int FindingTable::rowOf(const Focus& focus) const
{
    return focus.finding < rowCount() ? focus.finding : -1;
}

Cell FindingTable::cell(std::size_t row, int column) const
{
    const Finding& finding = report().verdict.findings[row];
    switch (column) {
    case Level:
        return {toQString(severityName(finding.severity)), static_cast<int>(finding.severity), {}};
    case RuleId:
        return {toQString(ruleId(finding.rule)), {}, toQString(ruleSummary(finding.rule))};
    case Message:
        return {windowText(finding.message), {}, {}};
    case Steps:
        return {finding.steps.empty() ? QString() : stepsText(finding.steps), qint64(finding.steps.begin), {}};
    case Bytes:
        if (finding.bytes.empty()) return {QString(), qint64(0), {}};
        return {sizeText(finding.bytes.length()), qint64(finding.bytes.length()),
                QObject::tr("bytes [%1, %2) of the arena")
                    .arg(countText(finding.bytes.begin), countText(finding.bytes.end))};
    case Fix:
        return {windowText(finding.fix), {}, {}};
    default:
        return {};
    }
}

QVariant FindingTable::extra(std::size_t row, int role) const
{
    if (role == SeverityRole) return static_cast<int>(report().verdict.findings[row].severity);
    return {};
}

} // namespace plimsoll::app
