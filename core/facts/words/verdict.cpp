#include "core/facts/words/verdict.h"

#include "core/facts/arena_peaks.h"
#include "core/facts/completeness.h"
#include "core/facts/reserved.h"
#include "core/facts/words/number_text.h"
#include "core/plan/suppression.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace plimsoll {
namespace {

/// Of the commonest one without bytes and steps.
Message shortWarning(const Report& report, const Finding& finding)
{
    if (finding.rule != Rule::OutputAliasing || finding.values.size() != 2) return say("inside", finding.message);
    const Graph& graph = *report.program.graph;
    return say("verdict.outputs-share", graph[finding.values[0]].name, graph[finding.values[1]].name);
}

Message besideBound(const Report& report)
{
    const bool known = report.memory.lowerBoundBytes > 0 && report.verdict.completeness.complete();
    if (!known || !boundCounts(report)) return {};
    const std::int64_t bound = report.memory.lowerBoundBytes; // with the sharing of the plan
    const bool others = report.verdict.given && report.verdict.given->anySharingBoundBytes < bound;
    if (mostTakenBytes(report) == bound) return say(others ? "verdict.at-own-bound" : "verdict.at-bound");
    return say(others ? "verdict.above-own-bound" : "verdict.above-bound", percentText(aboveBound(report)));
}

/// "Peak 38.2 MiB at step 118, 12.7 % above the bound."
Message figures(const Report& report)
{
    const std::int64_t peak = mostTakenBytes(report);
    const Argument size = sizeBeside(peak, report.memory.lowerBoundBytes);
    const Message bound = besideBound(report);
    const Message places = peakPlaces(report);
    Message text = reservedBytes(report) ? say("verdict.reserved", size, bound)
                   : places.empty()      ? say("verdict.peak", size, bound)
                                         : say("verdict.peak-at", size, places, bound);
    const auto& given = report.verdict.given;
    if (!given) return text;
    if (given->ownPeakBytes)
        text = together(std::move(text), say("verdict.own-plan", sizeBeside(*given->ownPeakBytes, peak)));
    return together(std::move(text), say("verdict.any-sharing", sizeBeside(given->anySharingBoundBytes, peak)));
}

/// Of the sentence on our own plan, on one that was changed by hand, and on one of elsewhere.
std::string_view byOrigin(const Report& report, std::array<std::string_view, 3> ids)
{
    return ids[report.program.ownPlan ? 0 : report.planning.edited ? 1 : 2];
}

/// Findings of the run about what was computed from spoiled values: consequences, and no errors.
std::size_t countFollowers(const Report& report)
{
    const auto follows = [](const Finding& finding) {
        return finding.message.id == "wrong-value" && finding.severity == Severity::Warning;
    };
    return static_cast<std::size_t>(std::ranges::count_if(report.verdict.findings, follows));
}

Message notLegal(const Report& report, std::size_t errors)
{
    const std::size_t followers = countFollowers(report);
    std::set<std::string_view> rules;
    for (const Finding& finding : report.verdict.findings)
        if (finding.severity == Severity::Error) rules.insert(ruleId(finding.rule));
    const std::size_t known = countSuppressed(report, Severity::Error);
    const Message part = known == 0        ? Message()
                         : known == errors ? say("verdict.all-suppressed")
                                           : say("verdict.some-suppressed", known);
    Message text = say(byOrigin(report, {"verdict.not-legal", "verdict.edited-not-legal", "verdict.given-not-legal"}),
                       errors, allOf(rules, std::identity(), word::List::Joint::Comma), part);
    return followers == 0 ? text : together(std::move(text), say("verdict.follow", followers));
}

std::size_t openWarnings(const Report& report)
{
    return countFindings(report, Severity::Warning) - countSuppressed(report, Severity::Warning);
}

} // namespace

Argument sizeBeside(std::int64_t bytes, std::int64_t other)
{
    if (bytes != other && sizeText(bytes) == sizeText(other)) return say("bytes", bytes);
    return word::Size {bytes};
}

VerdictLevel verdictLevel(const Report& report)
{
    const std::size_t errors = countFindings(report, Severity::Error);
    if (errors > countSuppressed(report, Severity::Error)) return VerdictLevel::Broken;
    const bool warned = errors > 0 || openWarnings(report) > 0 || !report.memory.unplanned.empty() ||
                        !report.verdict.completeness.complete();
    return warned ? VerdictLevel::Warned : VerdictLevel::Legal;
}

Message warningText(const Report& report)
{
    const auto first = std::ranges::find_if(report.verdict.findings, [](const Finding& finding) {
        return finding.severity == Severity::Warning && !isSuppressed(finding);
    });
    if (first == report.verdict.findings.end()) return {};
    const std::size_t count = openWarnings(report);
    return say(count == 1 ? "verdict.warning" : "verdict.warnings", count, shortWarning(report, *first));
}

Message legalityText(const Report& report)
{
    if (report.run && report.run->witness.judgeIsBlind)
        return say("witness.judge-blind", report.run->mismatches.size());
    const std::size_t errors = countFindings(report, Severity::Error);
    const std::size_t refused = countRefusals(report);
    if (refused > 0 && errors == refused)
        return refused == 1 ? say("verdict.refused") : say("verdict.refused-more", refused);
    if (errors > 0) return notLegal(report, errors);
    if (!report.verdict.completeness.complete()) return say("verdict.not-judged");
    if (const Message warning = warningText(report); !warning.empty()) return say("verdict.warned", warning);
    return say(byOrigin(report, {"verdict.legal", "verdict.edited-legal", "verdict.given-legal"}));
}

Message verdictText(const Report& report, const Message& remedy)
{
    const Message missing = incompleteText(report);
    if (missing.empty()) return together(legalityText(report), figures(report));
    Message text = together(say("verdict.incomplete", missing), remedy);
    if (report.verdict.completeness.gaps.front().kind == Gap::Kind::NoNodes) return text;
    if (countFindings(report, Severity::Error) > 0) text = together(std::move(text), legalityText(report));
    return together(std::move(text), figures(report));
}

bool boundCounts(const Report& report)
{
    const auto ofSharing = [](const Finding& finding) {
        return finding.severity == Severity::Error && finding.rule != Rule::BeyondCapacity &&
               finding.rule != Rule::OutOfMemory;
    };
    return report.verdict.leftOut[static_cast<std::size_t>(Severity::Error)] == 0 &&
           std::ranges::none_of(report.verdict.findings, ofSharing);
}

double aboveBound(const Report& report)
{
    if (report.memory.lowerBoundBytes <= 0) return 0;
    return static_cast<double>(mostTakenBytes(report)) / static_cast<double>(report.memory.lowerBoundBytes) - 1.0;
}

std::int64_t wasteBytes(const Report& report)
{
    return mostTakenBytes(report) - report.memory.lowerBoundBytes;
}

Message wasteText(const Report& report)
{
    return say("waste.above", percentText(aboveBound(report)));
}

Message aboveBoundText(const Report& report)
{
    if (report.memory.lowerBoundBytes <= 0 || mostTakenBytes(report) <= report.memory.lowerBoundBytes) return {};
    const std::string above = percentText(aboveBound(report));
    const auto& search = report.planning.search;
    if (!search) return say("above", above);
    if (search->end == SearchEnd::OnePlan) return say("above.one-plan", above, search->algorithm);
    if (search->end != SearchEnd::Optimal) return say("above.open", above);
    return say(report.program.constraints.places.empty() ? "above.proved" : "above.proved-places", above);
}

Message reportTitle(const Report& report)
{
    const std::string& name = report.program.graph->name;
    return say("report.title", name.empty() ? say("report.unnamed") : Message(name));
}

} // namespace plimsoll
