#include "core/facts/about/about_rows.h"
#include "core/facts/about/asked.h"
#include "core/facts/boundary.h"
#include "core/facts/completeness.h"
#include "core/facts/stream_waits.h"
#include "core/facts/words/names.h"
#include "core/facts/words/source_text.h"
#include "core/facts/words/strided_view.h"
#include "core/graph/never_made.h"

namespace plimsoll {
namespace {

std::string_view gradientText(const Value& value)
{
    switch (value.gradientRequest.value_or(GradientRequest::Write)) {
    case GradientRequest::Add:
        return "wanted, added to the caller's buffer";
    case GradientRequest::Null:
        return "not wanted (null)";
    case GradientRequest::Write:
        break;
    }
    return "wanted";
}

/// The line of a program that asked for the bytes, and for how many of them, where the file tells.
void addSource(const Graph& graph, const Value& value, FactSection& section)
{
    if (!value.producer.valid()) return;
    const Node& maker = graph[value.producer];
    const auto output = static_cast<std::size_t>(value.producerOutput);
    if (std::string source = sourceText(graph, maker.outputs[output]); !source.empty())
        section.facts.push_back({"Source", cell::text(source)});
    const auto* const requested = findAttribute<std::vector<std::int64_t>>(maker, "requested");
    if (maker.domain == "packing" && requested && output < requested->size())
        section.facts.push_back({"Asked for", cell::bytes((*requested)[output])});
}

FactSection what(const Report& report, ValueId id)
{
    const Value& value = (*report.program.graph)[id];
    const PlannedValue& planned = report.program.values[id.index()];
    FactSection section {"What it is",
                         {{"Type", cell::text(describe(value.type))},
                          {"Role", cell::word(roleOf(report, id))},
                          {"Logical", cell::bytes(planned.logicalBytes)},
                          {isBounded(planned) ? "At most" : "Required", cell::bytes(planned.requiredBytes)}}};
    const std::string_view layout = layoutOf(*report.program.graph, report.program.implementations, id);
    if (layout != PlainLayout) section.facts.push_back({"Layout", cell::text(layout)});
    if (const Message strides = stridesText((*report.program.graph)[id]); !strides.empty())
        section.facts.push_back({"Strided view", cell::sentence(strides)});
    if (value.type.isSparse()) {
        section.facts.push_back({"Kept as", cell::text(storageTypeName(value.type.storage))});
        const bool elements = value.type.storage == StorageType::Csr;
        const auto most = static_cast<std::size_t>(value.type.maxStored);
        section.facts.push_back(
            {"Keeps at most", value.type.maxStored < 0
                                  ? cell::word("no bound given")
                                  : cell::sentence(say(elements ? "about.elements" : "about.rows", most))});
    }
    if (planned.visible) section.facts.push_back({"Visible", cell::word("the caller can look at it")});
    if (value.requiresGrad || value.gradientRequest)
        section.facts.push_back({"Gradient", cell::word(gradientText(value))});
    addSource(*report.program.graph, value, section);
    return section;
}

FactSection where(const Report& report, ValueId id, NumberForm form)
{
    const PlannedValue& planned = report.program.values[id.index()];
    FactSection section {"Where and when", {}};
    if (planned.storage.valid()) {
        section.facts.push_back(storageFact(report, planned.storage, form));
        if (report.program.storages[planned.storage.index()].arena.valid())
            section.facts.push_back({"Offset", cell::offset(planned.offset)});
    }
    const NodeId computer = report.program.graph->decided[id].fusedInto;
    if (computer.valid()) section.facts.push_back(nodeFact(report, "Never stored: handed on inside", computer));
    if (isNeverMade(*report.program.graph, id))
        section.facts.push_back(nodeFact(report, "Never made: left out is", (*report.program.graph)[id].producer));
    for (const UnplannedValue& unplanned : report.memory.unplanned) {
        if (unplanned.value != id) continue;
        section.facts.push_back({"Not planned", unplannedCell(report, unplanned)});
        if (unplanned.upperBoundBytes >= 0)
            section.facts.push_back({"At most", cell::bytes(unplanned.upperBoundBytes)});
    }
    section.facts.push_back(
        {"Live steps", cell::steps(planned.live)
                           .withTip(std::string(spoken("steps in which the bytes matter; [2, 5) ends before 5")))});
    if (const auto how = sharedAsName(planned); !how.empty()) section.facts.push_back({"Shares as", cell::word(how)});
    if (planned.storage.valid()) addWait(report, planned.storage, section);
    return section;
}

FactSection uses(const Report& report, ValueId id, std::size_t most)
{
    FactSection section {"What writes and reads it", {}};
    const Graph& graph = *report.program.graph;
    if (graph[id].producer.valid()) section.facts.push_back(nodeFact(report, "Written by", graph[id].producer));
    std::vector<NodeId> readers;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (std::ranges::find(graph.nodes[node].inputs, id) != graph.nodes[node].inputs.end())
            readers.emplace_back(node);
    }
    addList(section, readers, most, [&](NodeId node) { return nodeFact(report, "Read by", node); });
    std::vector<StreamEvent> needed;
    for (const NodeId reader : graph[id].producer.valid() ? readers : std::vector<NodeId>())
        needed.push_back({graph[id].producer, reader});
    addMissingWaits(report, missingEvents(report.program, std::move(needed)), section);
    const auto& outputs = graph.top().outputs;
    for (std::size_t output = 0; output < outputs.size(); ++output) {
        if (outputs[output] == id) section.facts.push_back({"Graph output", cell::count(output)});
    }
    return section;
}

/// From forward to backward.
FactSection saves(const Report& report, ValueId id, std::size_t most)
{
    FactSection section {"Kept for backward", {}};
    for (const SavedReport& saved : report.training.saved) {
        if (saved.tensor.value != id || section.facts.size() >= most) continue;
        section.facts.push_back(nodeFact(report, "Saved by", saved.tensor.savedBy));
        section.facts.push_back(nodeFact(report, "Until", saved.tensor.readBy));
        section.facts.push_back({"Reason", cell::word(savingReasonId(saved.tensor.reason))});
        for (const ValueId variable : saved.tensor.neededFor)
            section.facts.push_back(valueFact(report, "Needed for", variable));
        if (saved.tensor.neededFor.empty()) section.facts.push_back({"Needed for", cell::word("nothing")});
        section.facts.push_back({"Holds", cell::bytes(saved.heldBytes)});
        section.facts.push_back({"Donation", cell::word(donationId(saved.donation))});
    }
    return section;
}

/// Instead of being kept.
FactSection recomputation(const Report& report, ValueId id, std::size_t most)
{
    FactSection section {"Computed anew in backward", {}};
    for (const RecomputedReport& one : report.training.recomputed) {
        if (one.tensor.value != id && one.tensor.copy != id) continue;
        section.facts.push_back(valueFact(report, "Of", one.tensor.value));
        section.facts.push_back(valueFact(report, "Read instead", one.tensor.copy));
        section.facts.push_back({"Not kept", cell::bytes(one.bytes)});
        addList(section, one.tensor.nodes, most, [&](NodeId node) { return nodeFact(report, "By", node); });
        section.facts.push_back({"Moved for it", cell::bytes(one.tensor.movedBytes)});
    }
    return section;
}

FactSection tenants(const Report& report, ValueId id, std::size_t most)
{
    FactSection section {"Shares its storage with", {}};
    const StorageId storage = report.program.values[id.index()].storage;
    if (!storage.valid()) return section;
    std::vector<ValueId> others = report.program.storages[storage.index()].values;
    std::erase(others, id);
    addList(section, others, most, [&](ValueId other) { return tenantFact(report, other); });
    return section;
}

} // namespace

std::vector<FactSection> valueSections(const Report& report, ValueId id, std::size_t most, NumberForm form)
{
    FactSection kept = saves(report, id, most);
    const auto isIt = [id](const auto& one) { return one.tensor.value == id; };
    const bool ofForward = report.program.graph->boundary.gradients > 0 &&
                           report.program.values[id.index()].live.hull().begin < boundaryStep(report);
    if (ofForward && std::ranges::none_of(report.training.saved, isIt) &&
        std::ranges::none_of(report.training.recomputed, isIt))
        kept.facts.push_back({"Saved by", cell::word("no node")});
    return {findingsSection(
                report, most,
                [id](const Finding& finding) { return std::ranges::find(finding.values, id) != finding.values.end(); }),
            what(report, id),
            where(report, id, form),
            askedSection(report, (*report.program.graph)[id].name, false),
            uses(report, id, most),
            std::move(kept),
            recomputation(report, id, most),
            tenants(report, id, most),
            decisionSection(report, {(*report.program.graph)[id].name}, most)};
}

} // namespace plimsoll
