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
    [[nodiscard]] std::string name(const Party& party) const
    {
        const Graph& graph = m_facts.graph();
        return party.value.valid() ? quoted(graph, party.value) : "the scratchpad of " + quoted(graph, party.scratchOf);
    }

    [[nodiscard]] std::string node(std::int64_t step) const { return quoted(m_facts.graph(), m_clocks.topOf(step)); }

    /// "node 'a' of stream 0 (step 3)"
    [[nodiscard]] std::string who(std::int64_t step) const
    {
        return "node " + node(step) + " of stream " + std::to_string(m_clocks.streamOf(step)) + " (step " +
               std::to_string(step) + ")";
    }

    [[nodiscard]] std::string message(const Race& race) const
    {
        const std::string where = race.arena.valid() ? " at " + place(m_facts.map, race.arena, race.bytes) : "";
        if (race.rule == Rule::UninitialisedRead) {
            return "Value " + name(race.first) + where + " is read by " + who(race.secondStep) +
                   ", which does not wait for " + who(race.firstStep) + ", which writes it.";
        }
        return "Two streams meet" + where + ": " + who(race.firstStep) + (race.firstWrites ? " writes " : " reads ") +
               name(race.first) + " there, " + who(race.secondStep) + " writes " + name(race.second) +
               ", and neither waits for the other.";
    }

    [[nodiscard]] std::string fix(const Race& race) const
    {
        const std::string wait = "Wait for " + node(race.firstStep) + " before " + node(race.secondStep) + ": an event";
        if (race.rule == Rule::UninitialisedRead) return wait + ".";
        return wait + ", or bytes of its own for " + name(race.second) + ".";
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
    const VerifyInput& input = facts.input;
    if (!input.streams || !input.streams->several()) return;
    const StreamClocks clocks(input.graph, input.schedule, *input.streams);
    const Teller teller(facts, clocks);
    for (const Race& race : findRaces(facts, clocks, context))
        findings.push_back(teller.tell(race));
}

} // namespace plimsoll::verifying
