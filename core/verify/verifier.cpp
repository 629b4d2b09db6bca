#include "core/verify/verifier.h"

#include "core/base/beside.h"
#include "core/verify/checks.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <tuple>

namespace plimsoll {
namespace {

constexpr std::int64_t ManySteps = 10'000; ///< Of fewer a thread of its own saves nothing.

/// What can be told without the walk.
std::vector<Finding> checkUnwalked(const verifying::PlanFacts& facts, const Context& context)
{
    std::vector<Finding> findings;
    verifying::checkOrder(facts, findings);
    verifying::checkLayouts(facts, findings);
    verifying::checkSpaces(facts, findings);
    verifying::checkFusion(facts, findings);
    verifying::checkDeclarations(facts, findings);
    verifying::checkDonations(facts, findings);
    verifying::checkStreams(facts, context, findings);
    return findings;
}

} // namespace

std::vector<Finding> verify(const VerifyInput& input, const Context& context)
{
    const verifying::PlanFacts facts = verifying::collectFacts(input);
    const bool many = input.program.schedule.length() > ManySteps;
    const auto unwalkedOf = [&] { return checkUnwalked(facts, context); };
    auto unwalked = many ? beside(unwalkedOf) : std::async(std::launch::deferred, unwalkedOf);
    const verifying::Walk walk = verifying::walk(facts, context);
    std::vector<Finding> findings = walk.clashes.findings(facts);
    verifying::checkPlacements(facts, walk, findings);
    verifying::checkReserved(facts, walk, findings);
    verifying::checkConstraints(facts, walk, findings);
    verifying::checkBoundary(facts, walk, findings);
    std::ranges::move(unwalked.get(), std::back_inserter(findings));
    verifying::checkReplays(facts, walk, findings);
    verifying::checkPolicies(facts, walk, findings);
    for (Finding& finding : findings) { // the bytes of a host are in no arena
        if (finding.arena.valid() && finding.arena.index() >= input.map.arenas.size()) finding.arena = ArenaId();
    }
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
        return std::tuple(finding.severity, finding.steps.begin, finding.rule);
    });
    std::vector<Finding> capacities = verifying::checkCapacities(facts, walk);
    findings.insert(findings.begin(), std::make_move_iterator(capacities.begin()),
                    std::make_move_iterator(capacities.end()));
    return findings;
}

} // namespace plimsoll
