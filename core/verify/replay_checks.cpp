#include "core/verify/checks.h"
#include "core/verify/wording.h"

#include <set>

namespace plimsoll::verifying {

void checkReplays(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    if (facts.program.policies.replay != ReplayPolicy::Graph) return;
    std::set<ValueId> known;
    for (const ValueId output : facts.graph().top().outputs) {
        const PlaceFacts& own = facts[output];
        const bool inArena = own.walkable && own.arena.index() < facts.map.arenas.size();
        if (!inArena || !known.insert(output).second) continue;
        Finding finding;
        finding.rule = Rule::OutputDiesAtReplay;
        finding.severity = ruleSeverity(finding.rule);
        finding.values = {output};
        if (const NodeId producer = facts.graph()[output].producer; producer.valid()) finding.nodes = {producer};
        finding.arena = own.arena;
        finding.bytes = own.read;
        finding.steps = stepsInUse(facts, walk, output);
        finding.message = say(facts.map.arenas.size() > 1 ? "output-dies-at-replay.arena" : "output-dies-at-replay",
                              nameOf(facts.graph(), output), place(facts.map, own.arena, own.read));
        finding.fix = facts.ownPlan ? say("fix.copy-out-or-external", Remedy::policy("outputs", "external"))
                                    : say("fix.copy-out");
        findings.push_back(std::move(finding));
    }
}

} // namespace plimsoll::verifying
