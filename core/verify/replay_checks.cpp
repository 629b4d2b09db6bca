#include "core/verify/checks.h"
#include "core/verify/wording.h"

#include <set>

namespace plimsoll::verifying {

void checkReplays(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    if (facts.input.policies.replay != ReplayPolicy::Graph) return;
    std::set<ValueId> known;
    for (const ValueId output : facts.graph().top().outputs) {
        const PlaceFacts& own = facts[output];
        const bool inArena = own.walkable && own.arena.index() < facts.map.arenas.size();
        if (!inArena || !known.insert(output).second) continue;
        Finding finding;
        finding.rule = Rule::OutputDiesAtReplay;
        finding.severity = Severity::Warning;
        finding.values = {output};
        if (const NodeId producer = facts.graph()[output].producer; producer.valid()) finding.nodes = {producer};
        finding.arena = own.arena;
        finding.bytes = own.read;
        finding.steps = stepsInUse(facts, walk, output);
        finding.message = "Output " + quoted(facts.graph(), output) + " lies in " +
                          place(facts.map, own.arena, own.read) + (facts.map.arenas.size() > 1 ? "" : " of the arena") +
                          ", which the next replay of the captured plan uses again.";
        finding.fix = facts.input.ownPlan ? "Copy it out before the next replay, or plan with outputs=external."
                                          : "Copy it out before the next replay.";
        findings.push_back(std::move(finding));
    }
}

} // namespace plimsoll::verifying
