#include "core/verify/checks.h"
#include "core/verify/races.h"
#include "core/verify/wording.h"

namespace plimsoll::verifying {
namespace {

/// A race in the words of the plan.
Finding told(const Race& race, const PlanFacts& facts, const StreamClocks& clocks)
{
    const auto name = [&](const Party& party) { return nameOf(facts.graph(), party); };
    const auto node = [&](std::int64_t step) { return nameOf(facts.graph(), clocks.topOf(step)); };
    const auto at = [&](std::int64_t step) { // "node 'a' of stream 0 (step 3)"
        return say("node-at", node(step), word::Number {clocks.streamOf(step)}, word::Number {step});
    };
    const bool read = race.rule == Rule::UninitialisedRead;
    const Message where = race.arena.valid() ? say("at", place(facts.map, race.arena, race.bytes)) : Message();
    Finding finding;
    finding.rule = race.rule;
    finding.message = read ? say("race.read", name(race.first), where, at(race.secondStep), at(race.firstStep))
                           : say(race.firstWrites ? "race.writes" : "race.overwrites", where, at(race.firstStep),
                                 name(race.first), at(race.secondStep), name(race.second));
    finding.fix = read ? say("fix.wait", node(race.firstStep), node(race.secondStep))
                       : say("fix.wait-or-apart", node(race.firstStep), node(race.secondStep), name(race.second));
    const bool overlap = race.rule == Rule::Overlap;
    if (race.first.value.valid()) finding.values.push_back(race.first.value);
    if (overlap && race.second.value.valid()) finding.values.push_back(race.second.value);
    const NodeId first = clocks.topOf(race.firstStep);
    const NodeId second = clocks.topOf(race.secondStep);
    finding.nodes = overlap ? std::vector {first, second} : std::vector {second, first};
    finding.arena = race.arena;
    finding.steps = {race.firstStep, race.secondStep + 1};
    finding.bytes = race.bytes;
    return finding;
}

} // namespace

void checkStreams(const PlanFacts& facts, const Context& context, std::vector<Finding>& findings)
{
    const Program& program = facts.program;
    if (!program.streams.several()) return;
    const StreamClocks clocks(*program.graph, program.schedule, program.streams);
    for (const Race& race : findRaces(facts, clocks, context))
        findings.push_back(told(race, facts, clocks));
}

} // namespace plimsoll::verifying
