// What is told of findings.
#include "core/facts/about/about_rows.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/run_sentences.h"

namespace plimsoll {
namespace {

/// -1: it runs at none.
std::int64_t stepOf(const Report& report, NodeId node)
{
    if (!node.valid()) return -1;
    const Interval steps = report.program.schedule.nodes[node.index()];
    return steps.empty() ? -1 : steps.begin;
}

/// "'a', by node 'n0' at step 2, to [0, 64)"; leads to the value at that step.
void addWrite(const Report& report, const char* name, ValueId value, FactSection& section)
{
    const Graph& graph = *report.program.graph;
    const ValuePlacement& place = report.program.map.values[value.index()];
    const NodeId writer = graph[value].producer;
    const std::int64_t step = stepOf(report, writer);
    if (step < 0 || !place.placed()) return;
    const Message text = say("contest.written", word::Name {graph[value].name}, word::Name {graph[writer].name},
                             word::Number {step}, Interval {place.offset, place.offset + place.bytes});
    section.facts.push_back({name, cell::sentence(text).leadingTo({.value = value, .step = step})});
}

/// Of two that quarrel over bytes: the nodes that write the one, write the other over it, and then read.
FactSection contest(const Report& report, const Finding& finding)
{
    FactSection section {"Who and when", {}};
    if (finding.severity != Severity::Error || finding.values.size() < 2 || finding.bytes.empty()) return section;
    const ValueId spoiled = finding.values[0];
    const ValueId other = finding.values[1];
    if (!spoiled.valid() || !other.valid()) return section;
    const Graph& graph = *report.program.graph;
    const NodeId reader = finding.nodes.empty() ? NodeId() : finding.nodes.front();
    const std::int64_t step = stepOf(report, reader);
    if (step < 0 || std::ranges::find(graph[reader].inputs, spoiled) == graph[reader].inputs.end()) return section;
    addWrite(report, "Written", spoiled, section);
    addWrite(report, "Written over", other, section);
    const Message text =
        say("contest.read", word::Name {graph[spoiled].name}, word::Name {graph[reader].name}, word::Number {step});
    section.facts.push_back({"Then read", cell::sentence(text).leadingTo({.node = reader, .step = step})});
    return section;
}

/// The bytes before and after, of what the finding names and the run has found to differ.
FactSection seenByRun(const Report& report, const Finding& finding, std::size_t most)
{
    FactSection section {"What the run found", {}};
    std::vector<const RunResult::Mismatch*> seen;
    for (const ValueId value : report.run ? finding.values : std::vector<ValueId>()) {
        if (!value.valid()) continue;
        for (const RunResult::Mismatch& mismatch : report.run->mismatches)
            if (mismatch.value == (*report.program.graph)[value].name) seen.push_back(&mismatch);
    }
    addList(section, seen, most, [](const RunResult::Mismatch* mismatch) {
        return Fact {"Differs", cell::sentence(mismatchText(*mismatch)).leadingTo(Focus::atStep(mismatch->step))};
    });
    return section;
}

} // namespace

std::vector<FactSection> findingSections(const Report& report, std::size_t index, std::size_t most, NumberForm form)
{
    const Finding& finding = report.verdict.findings[index];
    FactSection what {std::string(severityName(finding.severity)),
                      {{"What", cell::sentence(finding.message)},
                       {"Rule", cell::word(ruleSummary(finding.rule)).withTip(std::string(ruleId(finding.rule)))}}};
    if (!finding.fix.empty()) what.facts.push_back({"To mend it", cell::sentence(finding.fix)});
    if (!finding.steps.empty())
        what.facts.push_back(
            {"Steps", cell::steps(LiveRanges(finding.steps)).leadingTo(Focus::atStep(finding.steps.begin))});
    if (!finding.bytes.empty()) {
        Cell bytes = rangeCell(finding.bytes, form);
        if (finding.arena.valid()) bytes.link = Focus::on(PlanArea {finding.arena, finding.bytes, finding.steps});
        what.facts.push_back({"Bytes", std::move(bytes)});
    }
    FactSection named {"What it names", {}};
    addList(named, finding.values, most, [&](ValueId value) { return valueFact(report, "Value", value); });
    addList(named, finding.nodes, most, [&](NodeId node) {
        return node.valid() ? nodeFact(report, "Node", node) : Fact {"Node", cell::word("absent")};
    });
    return {std::move(what), contest(report, finding), seenByRun(report, finding, most), std::move(named)};
}

} // namespace plimsoll
