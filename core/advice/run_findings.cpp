#include "core/advice/run_findings.h"

#include "core/advice/bisect_json.h"
#include "core/facts/words/run_sentences.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// "'a'", or of an alias set of several "'a' (2 more at the same bytes)"
Message sideText(const Graph& graph, const Culprit::Side& side)
{
    const std::vector<std::string> names = namesOf(graph, side);
    const Message first = say("name", word::Name {names.front()});
    return names.size() == 1 ? first : say("bisect.several", first, std::ssize(names) - 1);
}

template <typename Id>
void addIfThere(std::vector<Id>& ids, Id id)
{
    if (id.valid() && std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
}

/// Where what the run has shown is to be seen: the bytes in which the two meet, else nowhere.
void addContest(const PlannedProgram& program, Finding& finding)
{
    if (finding.values.size() != 2) return;
    const ValuePlacement& spoiled = program.map.values[finding.values[0].index()];
    const ValuePlacement& other = program.map.values[finding.values[1].index()];
    if (!spoiled.placed() || spoiled.arena != other.arena) return;
    finding.arena = spoiled.arena;
    finding.bytes =
        intersection({spoiled.offset, spoiled.offset + spoiled.bytes}, {other.offset, other.offset + other.bytes});
}

Finding findingOf(const PlannedProgram& program, const RunResult::Mismatch& mismatch)
{
    const Graph& graph = *program.graph;
    const Message at = mismatch.node.empty() ? Message() : say("wrong-value.node", word::Name {mismatch.node});
    Finding finding;
    finding.rule = mismatch.rule;
    if (mismatch.follows) finding.severity = Severity::Warning; // a consequence, and no fault of its own
    finding.message = say("wrong-value", word::Name {mismatch.value}, word::Number {mismatch.step}, at, mismatch.note);
    finding.steps = {mismatch.step, mismatch.step + 1};
    addIfThere(finding.values, findValue(graph, mismatch.value));
    addIfThere(finding.nodes, findNode(graph, mismatch.node));
    const ValueId by = findValue(graph, mismatch.overwrittenBy);
    if (!by.valid() || finding.values.empty()) return finding;
    addIfThere(finding.values, by);
    addIfThere(finding.nodes, graph[by].producer);
    finding.steps.begin = std::clamp<std::int64_t>(mismatch.overwrittenStep, 0, mismatch.step);
    addContest(program, finding);
    return finding;
}

Message fixOf(const Graph& graph, const Culprit& culprit, Message moved)
{
    if (!culprit.wait) return say("fix.own-bytes", std::move(moved));
    const word::Name signal {graph[culprit.wait->signal].name};
    const word::Name waiter {graph[culprit.wait->waiter].name};
    if (!culprit.earlier) return say("fix.wait", signal, waiter);
    return say("fix.wait-or-apart", signal, waiter, std::move(moved));
}

/// "node 'a' of stream 0 (step 3)"
Message nodeAt(const Program& program, NodeId node)
{
    return say("node-at", word::Name {(*program.graph)[node].name}, word::Number {program.streams.of(node)},
               word::Number {program.schedule.stepOf(node)});
}

Finding findingOf(const PlannedProgram& program, const Culprit& culprit)
{
    const Graph& graph = *program.graph;
    const bool swapped = !culprit.laterApart && culprit.earlier;
    const Culprit::Side& moved = swapped ? *culprit.earlier : culprit.later;
    Finding finding;
    finding.rule = culprit.wait && !culprit.earlier ? Rule::UninitialisedRead : Rule::WrongValue;
    finding.message = say("guilty", culpritText(program, culprit));
    finding.fix = fixOf(graph, culprit, sideText(graph, moved));
    finding.arena = culprit.arena;
    finding.bytes = culprit.bytes;
    finding.steps = culprit.steps;
    for (const Culprit::Side* side : {culprit.earlier ? &*culprit.earlier : nullptr, &culprit.later})
        if (side && !side->values.empty()) finding.values.push_back(side->values.front());
    if (swapped && finding.values.size() == 2) std::swap(finding.values[0], finding.values[1]);
    addIfThere(finding.nodes, findNode(graph, culprit.mismatch.node));
    for (const NodeId node : culprit.nodes)
        addIfThere(finding.nodes, node);
    return finding;
}

} // namespace

Message culpritText(const PlannedProgram& program, const Culprit& culprit)
{
    const Graph& graph = *program.graph;
    const Message later = sideText(graph, culprit.later);
    const Message wrong = mismatchText(culprit.mismatch);
    const StreamEvent wait = culprit.wait.value_or(StreamEvent {});
    if (culprit.wait && !culprit.earlier)
        return say("bisect.wait", word::Name {graph[wait.signal].name}, word::Name {graph[wait.waiter].name},
                   nodeAt(program, wait.waiter), later, nodeAt(program, wait.signal), wrong);
    const std::string& space = program.map.arenas[culprit.arena.index()].space;
    if (!culprit.earlier) return say("bisect.lone", later, culprit.bytes, space, wrong);
    Message pair = say("bisect.pair", sideText(graph, *culprit.earlier), later, culprit.bytes, space, wrong);
    if (!culprit.wait) return pair;
    return say("clauses", std::move(pair),
               say("bisect.or-wait", nodeAt(program, wait.waiter), nodeAt(program, wait.signal)));
}

Message outcomeText(const Bisection& found)
{
    if (found.elsewhere) return say("bisect.elsewhere", mismatchText(*found.elsewhere));
    if (found.culprits.empty()) return say("bisect.equal");
    return say("bisect.found", std::ssize(found.culprits), found.runs, found.sharings);
}

void addRunFindings(Report& report, const Bisection* bisected)
{
    std::vector<Finding> found;
    for (const Culprit& culprit : bisected ? bisected->culprits : std::vector<Culprit>())
        found.push_back(findingOf(report.program, culprit));
    for (const RunResult::Mismatch& mismatch : report.run ? report.run->mismatches : std::vector<RunResult::Mismatch>())
        found.push_back(findingOf(report.program, mismatch));
    report.verdict.findings.insert(report.verdict.findings.begin(), found.begin(), found.end());
    std::ranges::stable_sort(report.verdict.findings, {}, &Finding::severity);
}

} // namespace plimsoll
