#include "core/verify/checks.h"
#include "core/verify/races.h"
#include "core/verify/wording.h"

namespace plimsoll::verifying {
namespace {

/// A race in the words of the plan.
class Teller
{
public:
    Teller(const PlanFacts& facts, const StreamClocks& clocks) : m_facts(facts), m_clocks(clocks) {}

    [[nodiscard]] Finding tell(const Race& race) const
    {
        Finding finding;
        finding.rule = race.rule;
        finding.message = message(race);
        finding.fix = fix(race);
        addValue(finding, race.first);
        if (race.rule == Rule::Overlap) addValue(finding, race.second);
        const NodeId first = m_clocks.topOf(race.firstStep);
        const NodeId second = m_clocks.topOf(race.secondStep);
        finding.nodes = race.rule == Rule::Overlap ? std::vector {first, second} : std::vector {second, first};
        finding.arena = race.arena;
        finding.steps = {race.firstStep, race.secondStep + 1};
        finding.bytes = race.bytes;
        return finding;
    }

private:
    [[nodiscard]] Argument name(const Party& party) const { return nameOf(m_facts.graph(), party); }
    [[nodiscard]] Argument node(std::int64_t step) const { return nameOf(m_facts.graph(), m_clocks.topOf(step)); }

    /// "node 'a' of stream 0 (step 3)"
    [[nodiscard]] Message at(std::int64_t step) const
    {
        return say("node-at", node(step), word::Number {m_clocks.streamOf(step)}, word::Number {step});
    }

    [[nodiscard]] Message message(const Race& race) const
    {
        const Message where = race.arena.valid() ? say("at", place(m_facts.map, race.arena, race.bytes)) : Message();
        if (race.rule == Rule::UninitialisedRead)
            return say("race.read", name(race.first), where, at(race.secondStep), at(race.firstStep));
        return say(race.firstWrites ? "race.writes" : "race.overwrites", where, at(race.firstStep), name(race.first),
                   at(race.secondStep), name(race.second));
    }

    [[nodiscard]] Message fix(const Race& race) const
    {
        if (race.rule == Rule::UninitialisedRead) return say("fix.wait", node(race.firstStep), node(race.secondStep));
        return say("fix.wait-or-apart", node(race.firstStep), node(race.secondStep), name(race.second));
    }

    static void addValue(Finding& finding, const Party& party)
    {
        if (party.value.valid()) finding.values.push_back(party.value);
    }

    const PlanFacts& m_facts;
    const StreamClocks& m_clocks;
};

} // namespace

void checkStreams(const PlanFacts& facts, const Context& context, std::vector<Finding>& findings)
{
    const Program& program = facts.program;
    if (!program.streams.several()) return;
    const StreamClocks clocks(*program.graph, program.schedule, program.streams);
    const Teller teller(facts, clocks);
    for (const Race& race : findRaces(facts, clocks, context))
        findings.push_back(teller.tell(race));
}

} // namespace plimsoll::verifying
