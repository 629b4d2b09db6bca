#include "app/models/fact_lists.h"
#include "app/models/window_text.h"
#include "core/facts/words/strided_view.h"

#include <QObject>

#include <algorithm>

namespace plimsoll::app {
namespace {

QString gradientText(const Value& value)
{
    switch (value.gradientRequest.value_or(GradientRequest::Write)) {
    case GradientRequest::Add:
        return QObject::tr("wanted, added to the caller's buffer");
    case GradientRequest::Null:
        return QObject::tr("not wanted (null)");
    case GradientRequest::Write:
        break;
    }
    return QObject::tr("wanted");
}

FactSection what(const Report& report, ValueId id)
{
    const Value& value = (*report.program.graph)[id];
    const PlannedValue& planned = report.program.values[id.index()];
    FactSection section {QObject::tr("What it is"), {}};
    section.facts = {{QObject::tr("Type"), toQString(describe(value.type)), {}},
                     {QObject::tr("Role"), roleText(value.role), {}},
                     bytesFact(QObject::tr("Logical"), planned.logicalBytes),
                     bytesFact(QObject::tr("Required"), planned.requiredBytes)};
    if (const std::string strides = stridesText(*report.program.graph, id); !strides.empty())
        section.facts.push_back({QObject::tr("Strided view"), toQString(strides), {}});
    if (value.type.isSparse()) {
        section.facts.push_back({QObject::tr("Kept as"), toQString(storageTypeName(value.type.storage)), {}});
        section.facts.push_back({QObject::tr("Keeps at most"),
                                 value.type.maxStored < 0 ? QObject::tr("no bound given")
                                 : value.type.storage == StorageType::Csr
                                     ? QObject::tr("%1 elements").arg(countText(value.type.maxStored))
                                     : QObject::tr("%1 rows").arg(countText(value.type.maxStored)),
                                 {}});
    }
    if (planned.visible)
        section.facts.push_back({QObject::tr("Visible"), QObject::tr("the caller can look at it"), {}});
    if (value.requiresGrad || value.gradientRequest)
        section.facts.push_back({QObject::tr("Gradient"), gradientText(value), {}});
    return section;
}

FactSection where(const Report& report, ValueId id)
{
    const PlannedValue& planned = report.program.values[id.index()];
    FactSection section {QObject::tr("Where and when"), {}};
    if (planned.storage.valid()) {
        section.facts.push_back(storageFact(report, planned.storage));
        if (report.program.storages[planned.storage.index()].arena.valid())
            section.facts.push_back(
                {QObject::tr("Offset"), addressText(planned.offset), exactBytesText(planned.offset)});
    }
    const NodeId computer = (*report.program.graph)[id].fusedInto;
    if (computer.valid())
        section.facts.push_back(nodeFact(report, QObject::tr("Never stored: handed on inside"), computer));
    for (const UnplannedValue& unplanned : report.memory.unplanned) {
        if (unplanned.value != id) continue;
        section.facts.push_back({QObject::tr("Not planned"), windowText(unplanned.reason), {}});
        if (unplanned.upperBoundBytes >= 0)
            section.facts.push_back(bytesFact(QObject::tr("At most"), unplanned.upperBoundBytes));
    }
    section.facts.push_back({QObject::tr("Live steps"), stepsText(planned.live),
                             QObject::tr("steps in which the bytes matter; [2, 5) ends before 5")});
    if (planned.shared) section.facts.push_back({QObject::tr("Shares as"), aliasText(planned.sharedAs), {}});
    return section;
}

FactSection uses(const Report& report, ValueId id)
{
    FactSection section {QObject::tr("Who writes and reads it"), {}};
    const Graph& graph = *report.program.graph;
    if (graph[id].producer.valid())
        section.facts.push_back(nodeFact(report, QObject::tr("Written by"), graph[id].producer));
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const auto& inputs = graph.nodes[node].inputs;
        if (std::find(inputs.begin(), inputs.end(), id) == inputs.end()) continue;
        if (section.facts.size() > LongestFactList) {
            section.facts.push_back({QStringLiteral("…"), QObject::tr("and more readers"), {}});
            break;
        }
        section.facts.push_back(nodeFact(report, QObject::tr("Read by"), NodeId(node)));
    }
    const auto& outputs = graph.top().outputs;
    for (std::size_t output = 0; output < outputs.size(); ++output) {
        if (outputs[output] == id) section.facts.push_back({QObject::tr("Graph output"), QString::number(output), {}});
    }
    return section;
}

/// From forward to backward.
FactSection saves(const Report& report, ValueId id)
{
    FactSection section {QObject::tr("Kept for backward"), {}};
    for (const SavedReport& saved : report.training.saved) {
        if (saved.tensor.value != id || section.facts.size() >= LongestFactList) continue;
        section.facts.push_back(nodeFact(report, QObject::tr("Saved by"), saved.tensor.savedBy));
        section.facts.push_back(nodeFact(report, QObject::tr("Until"), saved.tensor.readBy));
        section.facts.push_back({QObject::tr("Reason"), toQString(savingReasonId(saved.tensor.reason)), {}});
        for (const ValueId variable : saved.tensor.neededFor)
            section.facts.push_back(valueFact(report, QObject::tr("Needed for"), variable));
        if (saved.tensor.neededFor.empty())
            section.facts.push_back({QObject::tr("Needed for"), QObject::tr("nothing"), {}});
        section.facts.push_back(bytesFact(QObject::tr("Holds"), saved.heldBytes));
        section.facts.push_back({QObject::tr("Donation"), toQString(donationId(saved.donation)), {}});
    }
    return section;
}

/// Instead of being kept.
FactSection recomputation(const Report& report, ValueId id)
{
    FactSection section {QObject::tr("Computed anew in backward"), {}};
    for (const RecomputedReport& one : report.training.recomputed) {
        if (one.tensor.value != id && one.tensor.copy != id) continue;
        section.facts.push_back(valueFact(report, QObject::tr("Of"), one.tensor.value));
        section.facts.push_back(valueFact(report, QObject::tr("Read instead"), one.tensor.copy));
        section.facts.push_back(bytesFact(QObject::tr("Not kept"), one.bytes));
        for (const NodeId node : one.tensor.nodes) {
            if (section.facts.size() >= LongestFactList) break;
            section.facts.push_back(nodeFact(report, QObject::tr("By"), node));
        }
        section.facts.push_back(bytesFact(QObject::tr("Moved for it"), one.tensor.movedBytes));
    }
    return section;
}

FactSection tenants(const Report& report, ValueId id)
{
    FactSection section {QObject::tr("Shares its storage with"), {}};
    const StorageId storage = report.program.values[id.index()].storage;
    if (!storage.valid()) return section;
    for (const ValueId other : report.program.storages[storage.index()].values) {
        if (other == id) continue;
        if (section.facts.size() == LongestFactList) break;
        section.facts.push_back(valueFact(report, stepsText(report.program.values[other.index()].live), other));
    }
    return section;
}

FactSection findings(const Report& report, ValueId id)
{
    FactSection section {QObject::tr("Findings"), {}};
    for (std::size_t i = 0; i < report.verdict.findings.size() && section.facts.size() < LongestFactList; ++i) {
        const auto& values = report.verdict.findings[i].values;
        if (std::find(values.begin(), values.end(), id) != values.end())
            section.facts.push_back(findingFact(report, i));
    }
    return section;
}

} // namespace

std::vector<FactSection> valueFacts(const Report& report, ValueId value)
{
    return {findings(report, value), what(report, value),
            where(report, value),    uses(report, value),
            saves(report, value),    recomputation(report, value),
            tenants(report, value),  decisionFacts(report, {(*report.program.graph)[value].name})};
}

} // namespace plimsoll::app
