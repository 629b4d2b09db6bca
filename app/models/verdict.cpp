#include "app/models/verdict.h"

#include "app/models/window_text.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/reserved.h"

#include <QObject>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// The message without its end, to go on in a sentence; of the commonest one without bytes and steps.
QString shortWarning(const Report& report, const Finding& finding)
{
    if (finding.rule == Rule::OutputAliasing && finding.values.size() == 2) {
        const auto name = [&](std::size_t i) { return toQString((*report.program.graph)[finding.values[i]].name); };
        return QObject::tr("outputs %1 and %2 share bytes; writing one changes the other").arg(name(0), name(1));
    }
    QString text = windowText(finding.message);
    if (text.endsWith(u'.')) text.chop(1);
    if (text.size() > 1 && text[1].isLower()) text[0] = text[0].toLower();
    return text;
}

} // namespace

std::int64_t peakStep(const Report& report)
{
    const auto highest = std::max_element(report.memory.liveBytes.begin(), report.memory.liveBytes.end());
    return highest == report.memory.liveBytes.end() ? -1 : highest - report.memory.liveBytes.begin();
}

double aboveBound(const Report& report)
{
    if (report.memory.lowerBoundBytes <= 0) return 0;
    return static_cast<double>(mostTakenBytes(report)) / static_cast<double>(report.memory.lowerBoundBytes) - 1.0;
}

QString aboveBoundText(const Report& report)
{
    if (report.memory.lowerBoundBytes <= 0 || mostTakenBytes(report) <= report.memory.lowerBoundBytes) return {};
    QString text = QObject::tr("%1 above the bound").arg(percentText(aboveBound(report)));
    if (!report.planning.search) return text;
    switch (report.planning.search->end) {
    case SearchEnd::Optimal:
        return text + QObject::tr(": no plan with this sharing is lower, as the search has proved");
    case SearchEnd::OnePlan:
        return text + QObject::tr(": %1 does not search").arg(toQString(report.planning.search->algorithm));
    case SearchEnd::Partial:
    case SearchEnd::Running:
    case SearchEnd::Limit:
    case SearchEnd::Stopped:
        break;
    }
    return text + QObject::tr(": whether a lower plan exists is open");
}

VerdictLevel verdictLevel(const Report& report)
{
    if (countFindings(report, Severity::Error) > 0) return VerdictLevel::Broken;
    const bool warned = countFindings(report, Severity::Warning) > 0 || !report.memory.unplanned.empty() ||
                        !report.verdict.completeness.complete();
    return warned ? VerdictLevel::Warned : VerdictLevel::Legal;
}

QString warningText(const Report& report)
{
    const auto count = static_cast<int>(countFindings(report, Severity::Warning));
    const auto first = std::find_if(report.verdict.findings.begin(), report.verdict.findings.end(),
                                    [](const Finding& finding) { return finding.severity == Severity::Warning; });
    if (first == report.verdict.findings.end()) return {};
    const QString what = shortWarning(report, *first);
    return count == 1 ? QObject::tr("1 warning: %1").arg(what)
                      : QObject::tr("%1 warnings, first: %2").arg(countText(count), what);
}

/// The window has fields for what is lacking above its policies: for shapes of inputs, and for bounds.
QString whereToSay(const Report& report)
{
    const Gap& gap = report.verdict.completeness.gaps.front();
    if (!gap.value.valid()) return {};
    const Value& value = (*report.program.graph)[gap.value];
    const QString name = toQString(value.name);
    if (gap.kind == Gap::Kind::StoredBound)
        return QObject::tr(" Say above the policies how much of '%1' is kept at most.").arg(name);
    const bool field = gap.kind == Gap::Kind::InputShape && value.role == ValueRole::Input;
    return field ? QObject::tr(" Give '%1' a shape above the policies.").arg(name) : QString();
}

QString verdictText(const Report& report)
{
    const auto errors = static_cast<int>(countFindings(report, Severity::Error));
    const QString missing = windowText(incompleteText(report));
    QString text = report.program.ownPlan ? QObject::tr("Legal.") : QObject::tr("The given plan is legal.");
    const auto refused = static_cast<int>(countRefusals(report));
    if (refused > 0 && errors == refused) {
        text = refused == 1 ? QObject::tr("Out of memory: a request was refused.")
                            : QObject::tr("Out of memory: %1 requests were refused.").arg(refused);
    } else if (errors > 0) {
        text = report.program.ownPlan ? QObject::tr("Not legal: ") : QObject::tr("The given plan is not legal: ");
        text += errors == 1 ? QObject::tr("1 broken rule.") : QObject::tr("%1 broken rules.").arg(errors);
    } else if (!missing.isEmpty()) {
        text.clear();
    } else if (const QString warning = warningText(report); !warning.isEmpty()) {
        text = QObject::tr("No rule is broken under this policy, but %1.").arg(warning);
    }
    if (!missing.isEmpty()) {
        const QString rest = text.isEmpty() ? text : QStringLiteral(" ") + text;
        text = QObject::tr("Incomplete: %1.").arg(missing) + whereToSay(report) + rest;
    }
    const std::int64_t peak = mostTakenBytes(report);
    const QString size = sizeTextBeside(peak, report.memory.lowerBoundBytes);
    text += reservedBytes(report) ? QObject::tr(" Reserved %1 at most").arg(size)
                                  : QObject::tr(" Peak %1").arg(size) + toQString(peakPlaces(report));
    if (report.memory.lowerBoundBytes > 0 && missing.isEmpty()) {
        text += peak == report.memory.lowerBoundBytes
                    ? QObject::tr(", which is the lower bound")
                    : QObject::tr(", %1 above the bound").arg(percentText(aboveBound(report)));
    }
    text += u'.';
    if (!report.verdict.given) return text;
    if (report.verdict.given->ownPeakBytes)
        text += QObject::tr(" Our own plan: %1.").arg(sizeTextBeside(*report.verdict.given->ownPeakBytes, peak));
    return text + QObject::tr(" No plan of this order and terms is below %1, whatever shares.")
                      .arg(sizeTextBeside(report.verdict.given->anySharingBoundBytes, peak));
}

} // namespace plimsoll::app
