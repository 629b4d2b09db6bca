#include "core/verify/clashes.h"

#include "core/verify/wording.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

constexpr std::int64_t EnoughEvents = 200'000;
constexpr std::size_t EnoughPairs = 20'000;

std::string name(const Graph& graph, const Party& party)
{
    return party.value.valid() ? quoted(graph, party.value) : "the scratchpad of " + quoted(graph, party.scratchOf);
}

std::string reads(const Graph& graph, const Clash& clash)
{
    std::string what = name(graph, clash.spoiled);
    if (clash.readAs.valid()) what = quoted(graph, clash.readAs) + ", the same bytes as " + what + ",";
    if (!clash.reader.valid()) return "Output " + what + " is not intact at the end";
    return "Value " + what + " is read at step " + std::to_string(clash.readStep) + " by node " +
           quoted(graph, clash.reader);
}

std::string overwritten(const Graph& graph, const Clash& clash, const std::string& where)
{
    const std::string by = clash.writer.valid() ? " by node " + quoted(graph, clash.writer) : std::string();
    const std::string when = clash.writeStep >= 0 ? " at step " + std::to_string(clash.writeStep) : " before the run";
    const std::string iteration =
        clash.reader.valid() && clash.writeStep > clash.readStep ? " of the iteration before" : std::string();
    return where + " were overwritten" + when + iteration + by + ", which writes " + name(graph, clash.spoiler);
}

std::string message(const Graph& graph, const Clash& clash, const std::string& where)
{
    const std::string node = clash.writer.valid() ? quoted(graph, clash.writer) : std::string("nobody");
    const std::string step = std::to_string(clash.writeStep);
    const std::string spoiled = name(graph, clash.spoiled);
    const std::string spoiler = name(graph, clash.spoiler);
    switch (clash.rule) {
    case Rule::Overlap:
        return "At step " + step + " node " + node + " uses " + spoiled + " and writes " + spoiler +
               ", and both lie on " + where + ".";
    case Rule::UninitialisedRead:
        return reads(graph, clash) + ", but nobody has written " + where + " before.";
    case Rule::InputOverwritten:
        return "At step " + step + " node " + node + " writes " + spoiler + " over " + where + " of " + spoiled +
               ", which belong to the caller.";
    case Rule::FalseIdentity:
        return "Node " + node + " declares " + spoiler + " to be the bytes of " + spoiled +
               ", but the plan puts them apart.";
    case Rule::SubgraphEscape:
        return reads(graph, clash) + ", but inside a nested graph " + overwritten(graph, clash, where) + ".";
    default:
        return reads(graph, clash) + ", but " + overwritten(graph, clash, where) + ".";
    }
}

std::string fix(const Graph& graph, const Clash& clash, Interval steps)
{
    const std::string spoiled = name(graph, clash.spoiled);
    const std::string spoiler = name(graph, clash.spoiler);
    switch (clash.rule) {
    case Rule::UninitialisedRead:
        return "Write " + spoiled + " before it is read: check the order of the steps.";
    case Rule::InputOverwritten:
        return "Place " + spoiler + " outside the bytes of " + spoiled + ".";
    case Rule::FalseIdentity:
        return "Place " + spoiler + " on the bytes of " + spoiled +
               (isDeclared(graph, clash.writer) ? ", or drop the declaration." : ".");
    case Rule::Overlap:
        return "Give " + spoiler + " bytes of its own at this step, apart from " + spoiled + ".";
    default:
        return "Keep " + spoiler + " off the bytes of " + spoiled + " during steps " + range(steps) + ".";
    }
}

void addParty(Finding& finding, const Party& party)
{
    if (party.value.valid()) finding.values.push_back(party.value);
}

Interval stepsOf(const Clash& clash)
{
    const std::int64_t first = std::max<std::int64_t>(0, std::min(clash.writeStep, clash.readStep));
    return {first, std::max(clash.writeStep, clash.readStep) + 1};
}

Interval hull(Interval a, Interval b)
{
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

} // namespace

void Clashes::add(const Clash& clash)
{
    ++m_events;
    const auto [known, isNew] = m_index.try_emplace(std::minmax(clash.spoiled, clash.spoiler), m_merged.size());
    if (isNew) {
        m_merged.push_back({clash, stepsOf(clash), clash.bytes, 1});
        return;
    }
    Merged& merged = m_merged[known->second];
    merged.steps = hull(merged.steps, stepsOf(clash));
    if (merged.first.arena == clash.arena) merged.bytes = hull(merged.bytes, clash.bytes);
    ++merged.times;
}

bool Clashes::enough() const
{
    return m_events >= EnoughEvents || m_merged.size() >= EnoughPairs;
}

std::vector<Finding> Clashes::findings(const PlanFacts& facts) const
{
    const Graph& graph = facts.graph();
    std::vector<Finding> all;
    all.reserve(m_merged.size());
    for (const Merged& merged : m_merged) {
        const Clash& clash = merged.first;
        Finding finding;
        finding.rule = clash.rule;
        finding.message = message(graph, clash, place(facts.map, clash.arena, merged.bytes));
        finding.fix = fix(graph, clash, merged.steps);
        addParty(finding, clash.spoiled);
        addParty(finding, clash.spoiler);
        if (clash.reader.valid()) finding.nodes.push_back(clash.reader);
        if (clash.writer.valid() && clash.writer != clash.reader) finding.nodes.push_back(clash.writer);
        finding.arena = clash.arena;
        finding.steps = merged.steps;
        finding.bytes = merged.bytes;
        all.push_back(std::move(finding));
    }
    return all;
}

} // namespace plimsoll::verifying
