#include "core/facts/words/witness.h"

#include "core/facts/words/verdict.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <ranges>

namespace plimsoll {
namespace {

/// Whether all nodes that the finding is about were left out.
bool notRun(const Report& report, const Finding& finding)
{
    return !finding.nodes.empty() && std::ranges::all_of(finding.nodes, [&](NodeId node) {
        return std::ranges::find(report.run->notRun, (*report.program.graph)[node].name) != report.run->notRun.end();
    });
}

Message whyUnseen(const Report& report, const Finding& finding)
{
    const std::string id(ruleId(finding.rule));
    const std::string_view unseen = ruleUnseen(finding.rule);
    if (!unseen.empty()) return say("witness.unseen", id, std::string(unseen));
    return say(notRun(report, finding) ? "witness.not-run" : "witness.equal", id);
}

} // namespace

RunResult::Witness witnessOf(const Report& report)
{
    const bool shown = !report.run->mismatches.empty();
    RunResult::Witness witness {shown && countFindings(report, Severity::Error) == 0};
    std::map<Rule, Message> byRule;
    for (const Finding& finding : report.verdict.findings) {
        if (shown || finding.severity != Severity::Error || byRule.contains(finding.rule)) continue;
        byRule.emplace(finding.rule, whyUnseen(report, finding));
    }
    std::ranges::copy(byRule | std::views::values, std::back_inserter(witness.runIsBlind));
    return witness;
}

} // namespace plimsoll
