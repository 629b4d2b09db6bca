#include "core/verify/clashes.h"

#include "core/verify/wording.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

constexpr std::int64_t EnoughEvents = 200'000;
constexpr std::size_t EnoughPairs = 20'000;

Message reads(const Graph& graph, const Clash& clash)
{
    Argument what = nameOf(graph, clash.spoiled);
    if (clash.readAs.valid()) what = say("same-bytes-as", nameOf(graph, clash.readAs), std::move(what));
    if (!clash.reader.valid())
        return clash.rule == Rule::SavedOverwritten ? say("clash.next-pass", std::move(what))
                                                    : say("clash.at-end", std::move(what));
    return say("clash.read", std::move(what), word::Number {clash.readStep}, nameOf(graph, clash.reader));
}

Message overwritten(const Graph& graph, const Clash& clash, const Message& where)
{
    const Message by = clash.writer.valid() ? say("clash.by", nameOf(graph, clash.writer)) : Message();
    const Message iteration = clash.iterationBefore ? say("clash.iteration-before") : Message();
    const Message when = clash.writeStep >= 0 ? say("at-step", word::Number {clash.writeStep}) : say("before-the-run");
    return say("clash.overwritten", where, when, iteration, by, nameOf(graph, clash.spoiler));
}

/// Where a view lies that is elsewhere than the graph says: in what it is a view of, or apart from it.
Message whereInside(const PlanFacts& facts, const Clash& clash)
{
    const PlaceFacts& base = facts[clash.spoiled.value];
    const PlaceFacts& view = facts[clash.spoiler.value];
    const bool inside = base.arena == view.arena && overlaps(base.read, view.read);
    return inside ? say("parted.inside", word::Number {view.read.begin - base.read.begin}) : say("parted.apart");
}

Message messageOf(const PlanFacts& facts, const Clash& clash, const Message& where)
{
    const Graph& graph = facts.graph();
    const Argument node = nameOf(graph, clash.writer);
    const word::Number step {clash.writeStep};
    const Argument spoiled = nameOf(graph, clash.spoiled);
    const Argument spoiler = nameOf(graph, clash.spoiler);
    switch (clash.rule) {
    case Rule::Overlap:
        return say(facts.moved.contains({clash.writer, clash.spoiled.value}) ? "overlap.moved" : "overlap", step, node,
                   spoiled, spoiler, where);
    case Rule::UninitialisedRead:
        return say("uninitialised-read", reads(graph, clash), where);
    case Rule::InputOverwritten:
        return say("input-overwritten", step, node, spoiler, where, spoiled);
    case Rule::FalseIdentity:
        return say("false-identity.parted", node, spoiler, spoiled, word::Number {clash.declaredOffset},
                   whereInside(facts, clash));
    case Rule::SubgraphEscape:
        return say("subgraph-escape", reads(graph, clash), overwritten(graph, clash, where));
    default:
        return say("clobbered-read", reads(graph, clash), overwritten(graph, clash, where));
    }
}

Message fixFor(const Graph& graph, const Clash& clash, Interval steps)
{
    const Argument spoiled = nameOf(graph, clash.spoiled);
    const Argument spoiler = nameOf(graph, clash.spoiler);
    switch (clash.rule) {
    case Rule::UninitialisedRead:
        return say("fix.write-first", spoiled);
    case Rule::InputOverwritten: {
        const bool mayBeGiven =
            graph[clash.spoiled.value].role == ValueRole::Input && !graph[clash.spoiled.value].visible;
        return mayBeGiven ? say("fix.place-outside-or-donate", spoiler, spoiled, Remedy::policy("inputs", "donate"))
                          : say("fix.place-outside", spoiler, spoiled);
    }
    case Rule::FalseIdentity:
        return say(isDeclared(graph, clash.writer) ? "fix.place-on-or-drop" : "fix.place-on", spoiler, spoiled);
    case Rule::Overlap:
        return say("fix.own-bytes-apart", spoiler, spoiled);
    default:
        return say("fix.keep-off", spoiler, spoiled, steps);
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
        const bool ofCaller = clash.rule == Rule::InputOverwritten && clash.arena.index() >= facts.map.arenas.size();
        const Message where = ofCaller ? say("place", merged.bytes) // the sentence says whose they are
                                       : place(facts.map, clash.arena, merged.bytes);
        finding.message = messageOf(facts, clash, where);
        finding.fix = fixFor(graph, clash, merged.steps);
        addParty(finding, clash.spoiled);
        addParty(finding, clash.spoiler);
        if (clash.readAs.valid()) finding.values.push_back(clash.readAs);
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
