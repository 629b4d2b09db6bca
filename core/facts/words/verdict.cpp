#include "core/facts/words/verdict.h"

#include "core/base/plural.h"
#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/reserved.h"
#include "core/facts/words/number_text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace plimsoll {
namespace {

/// The message without its end, to go on in a sentence; of the commonest one without bytes and steps.
std::string shortWarning(const Report& report, const Finding& finding, RemedyWords words)
{
    if (finding.rule == Rule::OutputAliasing && finding.values.size() == 2) {
        const auto name = [&](std::size_t i) { return (*report.program.graph)[finding.values[i]].name; };
        return "outputs " + name(0) + " and " + name(1) + " share bytes; writing one changes the other";
    }
    std::string text = english(finding.message, words);
    if (text.ends_with('.')) text.pop_back();
    const auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (text.size() > 1 && isUpper(text[0]) && !isUpper(text[1])) text[0] += 'a' - 'A';
    return text;
}

/// "Peak 38.2 MiB at step 118, 12.7 % above the bound."
std::string figuresText(const Report& report)
{
    const std::int64_t peak = mostTakenBytes(report);
    const std::string size = sizeTextBeside(peak, report.memory.lowerBoundBytes);
    std::string text = reservedBytes(report) ? "Reserved " + size + " at most" : "Peak " + size + peakPlaces(report);
    if (report.memory.lowerBoundBytes > 0 && report.verdict.completeness.complete())
        text += peak == report.memory.lowerBoundBytes ? ", which is the lower bound"
                                                      : ", " + percentText(aboveBound(report)) + " above the bound";
    text += ".";
    if (!report.verdict.given) return text;
    if (report.verdict.given->ownPeakBytes)
        text += " Our own plan: " + sizeTextBeside(*report.verdict.given->ownPeakBytes, peak) + ".";
    return text + " No plan of this order and terms is below " +
           sizeTextBeside(report.verdict.given->anySharingBoundBytes, peak) + ", whatever shares.";
}

} // namespace

VerdictLevel verdictLevel(const Report& report)
{
    if (countFindings(report, Severity::Error) > 0) return VerdictLevel::Broken;
    const bool warned = countFindings(report, Severity::Warning) > 0 || !report.memory.unplanned.empty() ||
                        !report.verdict.completeness.complete();
    return warned ? VerdictLevel::Warned : VerdictLevel::Legal;
}

std::string warningText(const Report& report, RemedyWords words)
{
    const auto first = std::ranges::find(report.verdict.findings, Severity::Warning, &Finding::severity);
    if (first == report.verdict.findings.end()) return {};
    const std::size_t count = countFindings(report, Severity::Warning);
    return plural(count, "warning") + (count == 1 ? ": " : ", first: ") + shortWarning(report, *first, words);
}

std::string legalityText(const Report& report, RemedyWords words)
{
    const std::size_t errors = countFindings(report, Severity::Error);
    const std::size_t refused = countRefusals(report);
    if (refused > 0 && errors == refused)
        return "Out of memory: " + (refused == 1 ? "a request was" : plural(refused, "request") + " were") +
               " refused.";
    if (errors > 0) {
        std::set<std::string_view> rules;
        for (const Finding& finding : report.verdict.findings) {
            if (finding.severity == Severity::Error) rules.insert(ruleId(finding.rule));
        }
        return (report.program.ownPlan ? "Not legal: " : "The given plan is not legal: ") + plural(errors, "error") +
               fmt::format(" ({}).", fmt::join(rules, ", "));
    }
    if (!report.verdict.completeness.complete()) return "Incomplete, so not judged as a whole.";
    const std::string warning = warningText(report, words);
    if (!warning.empty()) return "No rule is broken under this policy, but " + warning + ".";
    return report.program.ownPlan ? "Legal." : "The given plan is legal.";
}

std::string verdictText(const Report& report, const std::string& remedy, RemedyWords words)
{
    const std::string missing = english(incompleteText(report), words);
    if (missing.empty()) return legalityText(report, words) + " " + figuresText(report);
    const std::string text = "Incomplete: " + missing + "." + remedy;
    if (report.verdict.completeness.gaps.front().kind == Gap::Kind::NoNodes) return text;
    const bool errors = countFindings(report, Severity::Error) > 0;
    return text + (errors ? " " + legalityText(report, words) : "") + " " + figuresText(report);
}

std::int64_t peakStep(const Report& report)
{
    const auto highest = std::ranges::max_element(report.memory.liveBytes);
    return highest == report.memory.liveBytes.end() ? -1 : highest - report.memory.liveBytes.begin();
}

double aboveBound(const Report& report)
{
    if (report.memory.lowerBoundBytes <= 0) return 0;
    return static_cast<double>(mostTakenBytes(report)) / static_cast<double>(report.memory.lowerBoundBytes) - 1.0;
}

std::string aboveBoundText(const Report& report)
{
    if (report.memory.lowerBoundBytes <= 0 || mostTakenBytes(report) <= report.memory.lowerBoundBytes) return {};
    const std::string text = percentText(aboveBound(report)) + " above the bound";
    if (!report.planning.search) return text;
    if (report.planning.search->end == SearchEnd::Optimal)
        return text + ": no plan with this sharing is lower, as the search has proved";
    if (report.planning.search->end == SearchEnd::OnePlan)
        return text + ": " + report.planning.search->algorithm + " does not search";
    return text + ": whether a lower plan exists is open";
}

} // namespace plimsoll
