#include "core/verify/verifier.h"

#include "core/base/bytes.h"
#include "core/verify/checks.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::size_t MostFindings = 1'000;

void sortFindings(std::vector<Finding>& findings)
{
    const auto key = [](const Finding& finding) {
        return std::tuple(finding.severity, finding.steps.begin, finding.rule);
    };
    std::stable_sort(findings.begin(), findings.end(),
                     [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

/// The bytes of a host are in no arena.
void leaveHosts(const MemoryMap& map, std::vector<Finding>& findings)
{
    for (Finding& finding : findings) {
        if (finding.arena.valid() && finding.arena.index() >= map.arenas.size()) finding.arena = ArenaId();
    }
}

/// Keeps a hopeless plan readable. What is left out is said, with the gravest severity among it.
void capFindings(std::vector<Finding>& findings)
{
    if (findings.size() <= MostFindings) return;
    const std::size_t hidden = findings.size() - (MostFindings - 1);
    Finding note;
    note.rule = findings[MostFindings - 1].rule;
    note.severity = findings[MostFindings - 1].severity;
    note.steps = findings[MostFindings - 1].steps;
    note.message = formatCount(static_cast<std::int64_t>(hidden)) + " more findings are not listed.";
    note.fix = "Mend the findings above and check again.";
    findings.resize(MostFindings - 1);
    findings.push_back(std::move(note));
}

} // namespace

std::vector<Finding> verify(const Judgement& judgement, const MemoryMap& map, const Context& context)
{
    const judge::PlanFacts facts = judge::collectFacts(judgement, map);
    const judge::Walk walk = judge::walk(facts, context);
    std::vector<Finding> findings = walk.clashes.findings(facts);
    judge::checkPlacements(facts, walk, findings);
    judge::checkBoundary(facts, walk, findings);
    judge::checkLayouts(facts, findings);
    judge::checkSpaces(facts, findings);
    judge::checkFusion(facts, findings);
    judge::checkDeclarations(facts, findings);
    judge::checkDonations(facts, findings);
    judge::checkStreams(facts, context, findings);
    judge::checkReplays(facts, walk, findings);
    leaveHosts(map, findings);
    sortFindings(findings);
    std::vector<Finding> capacities = judge::checkCapacities(facts, walk);
    findings.insert(findings.begin(), std::make_move_iterator(capacities.begin()),
                    std::make_move_iterator(capacities.end()));
    capFindings(findings);
    return findings;
}

} // namespace plimsoll
