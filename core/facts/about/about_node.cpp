#include "core/facts/about/about_rows.h"
#include "core/facts/about/asked.h"
#include "core/facts/offers.h"
#include "core/facts/words/attribute_text.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/stream_text.h"
#include "core/ops/sparse_rules.h"
#include "core/plan/implementation.h"

#include <span>

namespace plimsoll {
namespace {

void addSparse(const Report& report, NodeId id, FactSection& section)
{
    if (touchesSparse(*report.program.graph, id)) {
        section.facts.push_back({"Kept as", cell::text(storageTypesText(*report.program.graph, id))});
        section.facts.push_back({"Sparse tensors", cell::word(sparseDispatchName(sparseDispatchOf(report, id)))});
    }
    for (const DenseFallback& fallback : report.memory.fallbacks) {
        if (fallback.node != id) continue;
        section.facts.push_back({"Dense fallback", cell::sentence(fallback.reason)});
        for (const ValueId value : fallback.temporaries)
            section.facts.push_back(valueFact(report, "Temporary", value));
    }
}

FactSection what(const Report& report, NodeId id, std::size_t most)
{
    const Node& node = (*report.program.graph)[id];
    const DecidedNode& decided = report.program.graph->decided[id];
    const Interval steps = report.program.schedule.nodes[id.index()];
    FactSection section {"What it is", {{"Operator", cell::text(qualifiedOp(node))}}};
    std::vector<NodeId> namesakes; // have the name in the file, too, and were given another one
    for (int number = 2; number < 1'000; ++number) {
        const NodeId other = findNode(*report.program.graph, node.name + "#" + std::to_string(number));
        if (!other.valid()) break;
        namesakes.push_back(other);
    }
    addList(section, namesakes, most, [&](NodeId other) { return nodeFact(report, "Of the same name", other); });
    section.facts.push_back({"Step", decided.ahead || steps.empty()
                                         ? cell::word("computed ahead of the run, or not needed")
                                         : cell::steps(LiveRanges(steps)).leadingTo(Focus::atStep(steps.begin))});
    if (decided.fusedInto.valid()) section.facts.push_back(nodeFact(report, "Computed along with", decided.fusedInto));
    for (const FusedNode& fused : decided.fused)
        section.facts.push_back(nodeFact(report, "Computes, too", fused.node));
    const Implementation& chosen = report.program.implementations[id];
    section.facts.push_back({"Implementation", cell::text(describe(chosen))});
    if (!chosen.inputLayouts.empty() || !chosen.outputLayouts.empty())
        section.facts.push_back({"Layouts", cell::text(layoutsText(chosen))});
    if (chosen.scratchpadBytes > 0) section.facts.push_back({"Scratchpad", cell::bytes(chosen.scratchpadBytes)});
    addSparse(report, id, section);
    if (!node.at->device.empty()) section.facts.push_back({"Device", cell::text(node.at->device)});
    if (!node.from->source.empty()) section.facts.push_back({"Source", cell::text(node.from->source)});
    if (!node.from->module.empty()) section.facts.push_back({"Module", cell::text(node.from->module)});
    for (const BodyId body : node.bodies) {
        const Body& nested = (*report.program.graph)[body];
        section.facts.push_back(
            {"Nested graph", cell::text(nested.name).withTip(english(say("count.nodes", nested.nodes.size())))});
    }
    return section;
}

/// On one stream there is nothing to tell.
FactSection stream(const Report& report, NodeId id)
{
    FactSection section {"Streams", {}};
    if (!report.program.streams.several() || report.program.schedule.nodes[id.index()].empty()) return section;
    const auto streamOf = [&](NodeId node) { return word::Number {report.program.streams.of(node)}; };
    section.facts.push_back({"Runs on", cell::sentence(say("about.stream", streamOf(id)))});
    const auto add = [&](const char* name, NodeId other) {
        section.facts.push_back(nodeFact(report, name, other));
        std::string& text = section.facts.back().cell.text;
        text = english(say("about.on-stream", text, streamOf(other)));
    };
    for (const NodeId other : waitsFor(report, id))
        add("Waits for", other);
    for (const NodeId other : waitedForBy(report, id))
        add("Signals", other);
    return section;
}

FactSection ports(const Report& report, std::span<const ValueId> values, const char* title, std::size_t most,
                  NumberForm form)
{
    FactSection section {title, {}};
    addList(section, values, most, [&, position = 0](ValueId value) mutable {
        Fact fact = valueFact(report, std::to_string(position++), value);
        if (!value.valid()) return fact;
        const PlannedValue& planned = report.program.values[value.index()];
        const std::string storage = storageText(planned.storage);
        fact.cell.text += " " + fact.cell.tip + (storage.empty() ? "" : "  " + storage) + "  " +
                          sizeText(planned.requiredBytes, form);
        return fact;
    });
    return section;
}

FactSection attributes(const Node& node)
{
    FactSection section {"Attributes", {}};
    for (const auto& [name, attribute] : node.attributes)
        section.facts.push_back({name, cell::text(attributeText(attribute))});
    return section;
}

/// What there was to choose from, beside the reference.
FactSection offers(const Report& report, const Node& node)
{
    FactSection section {"On offer", {}};
    if (!report.planning.catalogue) return section;
    const auto found = report.planning.catalogue->offers.find(node.name);
    if (found == report.planning.catalogue->offers.end()) return section;
    for (const Implementation& offer : found->second)
        section.facts.push_back({offer.backend, cell::text(offerText(offer))});
    return section;
}

} // namespace

std::vector<FactSection> nodeSections(const Report& report, NodeId id, std::size_t most, NumberForm form)
{
    const Node& node = (*report.program.graph)[id];
    std::vector<std::string> names {node.name};
    for (const ValueId output : node.outputs) {
        if (output.valid()) names.push_back((*report.program.graph)[output].name);
    }
    return {findingsSection(
                report, most,
                [id](const Finding& finding) { return std::ranges::find(finding.nodes, id) != finding.nodes.end(); }),
            what(report, id, most),
            stream(report, id),
            ports(report, node.inputs, "Reads", most, form),
            ports(report, node.outputs, "Writes", most, form),
            attributes(node),
            askedSection(report, node.name, true),
            offers(report, node),
            decisionSection(report, names, most)};
}

} // namespace plimsoll
