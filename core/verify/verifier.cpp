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

std::vector<Finding> verify(const VerifyInput& input, const MemoryMap& map, const Context& context)
{
    const verifying::PlanFacts facts = verifying::collectFacts(input, map);
    const verifying::Walk walk = verifying::walk(facts, context);
    std::vector<Finding> findings = walk.clashes.findings(facts);
    verifying::checkPlacements(facts, walk, findings);
    verifying::checkBoundary(facts, walk, findings);
    verifying::checkLayouts(facts, findings);
    verifying::checkSpaces(facts, findings);
    verifying::checkFusion(facts, findings);
    verifying::checkDeclarations(facts, findings);
    verifying::checkDonations(facts, findings);
    verifying::checkStreams(facts, context, findings);
    verifying::checkReplays(facts, walk, findings);
    leaveHosts(map, findings);
    sortFindings(findings);
    std::vector<Finding> capacities = verifying::checkCapacities(facts, walk);
    findings.insert(findings.begin(), std::make_move_iterator(capacities.begin()),
                    std::make_move_iterator(capacities.end()));
    capFindings(findings);
    return findings;
}

} // namespace plimsoll
