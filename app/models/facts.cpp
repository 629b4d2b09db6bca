#include "app/models/facts.h"

#include "app/models/fact_lists.h"
#include "app/models/window_text.h"
#include "core/facts/completeness.h"
#include "core/facts/file_nodes.h"
#include "core/facts/reserved.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/stream_text.h"

#include <QObject>

#include <algorithm>

namespace plimsoll::app {

std::vector<FactSection> storageFacts(const Report& report, StorageId id)
{
    const Storage& storage = report.program.storages[id.index()];
    FactSection what {QObject::tr("What it is"), {bytesFact(QObject::tr("Bytes"), storage.bytes)}};
    if (storage.arena.valid()) {
        what.facts.push_back(
            {QObject::tr("Arena"), toQString(report.program.map.arenas[storage.arena.index()].space), {}});
        what.facts.push_back({QObject::tr("Offset"), addressText(storage.offset), exactBytesText(storage.offset)});
    } else {
        const QString whose =
            isMadeAhead(report, storage) ? QObject::tr("made ahead of the run") : QObject::tr("the caller's bytes");
        what.facts.push_back({QObject::tr("Where"), QObject::tr("%1, outside the planned arenas").arg(whose), {}});
    }
    what.facts.push_back({QObject::tr("Live steps"), stepsText(storage.live), {}});
    if (const std::string wait = waitSentence(report, storageWaits(report.program)[id.index()]); !wait.empty())
        what.facts.push_back({QObject::tr("Streams"), toQString(wait), {}});
    if (storage.scratchOf.valid()) what.facts.push_back(nodeFact(report, QObject::tr("Scratch of"), storage.scratchOf));

    FactSection values {QObject::tr("Values, in order of definition"), {}};
    for (const ValueId value : storage.values) {
        if (values.facts.size() == LongestFactList) {
            values.facts.push_back(
                {QStringLiteral("…"),
                 QObject::tr("%1 values in all").arg(countText(static_cast<std::int64_t>(storage.values.size()))),
                 {}});
            break;
        }
        values.facts.push_back(valueFact(report, stepsText(report.program.values[value.index()].live), value));
    }
    std::vector<FactSection> sections = {std::move(what), std::move(values)};
    std::vector<std::string> names;
    for (const ValueId value : storage.values)
        names.push_back((*report.program.graph)[value].name);
    sections.push_back(decisionFacts(report, names));
    return sections;
}

std::vector<FactSection> findingFacts(const Report& report, std::size_t index)
{
    const Finding& finding = report.verdict.findings[index];
    FactSection what {toQString(severityName(finding.severity)),
                      {{QObject::tr("What"), windowText(finding.message), {}},
                       {QObject::tr("Rule"), toQString(ruleSummary(finding.rule)), toQString(ruleId(finding.rule))}}};
    if (!finding.fix.empty()) what.facts.push_back({QObject::tr("To mend it"), windowText(finding.fix), {}});
    if (!finding.steps.empty())
        what.facts.push_back({QObject::tr("Steps"), stepsText(finding.steps), {}, Focus::atStep(finding.steps.begin)});
    if (!finding.bytes.empty())
        what.facts.push_back(
            {QObject::tr("Bytes"),
             QStringLiteral("[%1, %2)").arg(addressText(finding.bytes.begin), addressText(finding.bytes.end)),
             QObject::tr("bytes [%1, %2) of the arena")
                 .arg(countText(finding.bytes.begin), countText(finding.bytes.end))});
    FactSection who {QObject::tr("Who"), {}};
    for (const ValueId value : finding.values)
        who.facts.push_back(valueFact(report, QObject::tr("Value"), value));
    for (const NodeId node : finding.nodes)
        if (node.valid()) who.facts.push_back(nodeFact(report, QObject::tr("Node"), node));
    return {std::move(what), std::move(who)};
}

std::vector<FactSection> stepFacts(const Report& report, std::int64_t step)
{
    FactSection what {QObject::tr("At this step"), {}};
    const auto at = static_cast<std::size_t>(step);
    if (at < report.program.schedule.steps.size())
        what.facts.push_back(nodeFact(report, QObject::tr("Runs"), report.program.schedule.steps[at].node));
    if (at < report.memory.liveBytes.size())
        what.facts.push_back(bytesFact(QObject::tr("Live"), report.memory.liveBytes[at]));

    std::vector<StorageId> live;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        if (report.program.storages[i].arena.valid() && report.program.storages[i].live.contains(step))
            live.push_back(StorageId(i));
    }
    std::sort(live.begin(), live.end(), [&](StorageId a, StorageId b) {
        return report.program.storages[a.index()].bytes > report.program.storages[b.index()].bytes;
    });
    FactSection biggest {countedText(static_cast<std::int64_t>(live.size()), QObject::tr("1 storage is live"),
                                     QObject::tr("%1 storages are live, the biggest first")),
                         {}};
    for (std::size_t i = 0; i < std::min(live.size(), LongestFactList); ++i) {
        biggest.facts.push_back(contentFact(report, live[i]));
    }
    return {std::move(what), std::move(biggest)};
}

Fact unplannedFact(const Report& report)
{
    const auto count = static_cast<std::int64_t>(report.memory.unplanned.size());
    QString text =
        report.verdict.completeness.complete()
            ? countedText(count, QObject::tr("1 value, sized at run time"), QObject::tr("%1 values, sized at run time"))
            : countedText(count, QObject::tr("1 value without a size"), QObject::tr("%1 values without a size"));
    return {QObject::tr("Not planned"), std::move(text), windowText(incompleteText(report))};
}

std::vector<FactSection> reportFacts(const Report& report)
{
    const Graph& graph = *report.program.graph;
    const std::int64_t planned = std::count_if(report.program.storages.begin(), report.program.storages.end(),
                                               [](const Storage& storage) { return storage.arena.valid(); });
    FactSection what {
        QObject::tr("Graph"),
        {{QObject::tr("Format"), toQString(graph.format), {}},
         {QObject::tr("Nodes"), toQString(nodesText(report)), {}},
         {QObject::tr("Values"), countText(static_cast<std::int64_t>(graph.values.size())), {}},
         {QObject::tr("Storages"), countText(planned),
          QObject::tr("in the planned arenas; the caller's are %1 more")
              .arg(countText(static_cast<std::int64_t>(report.program.storages.size()) - planned))},
         {QObject::tr("Nested graphs"), countText(static_cast<std::int64_t>(graph.bodies.size()) - 1), {}}}};
    if (const std::string streams = streamsSentence(report); !streams.empty())
        what.facts.push_back({QObject::tr("Streams"), toQString(streams), {}});
    FactSection bytes {QObject::tr("Bytes"),
                       {reservedBytes(report) ? bytesFact(QObject::tr("Reserved"), *reservedBytes(report))
                                              : bytesFact(QObject::tr("Peak"), report.memory.peakBytes),
                        bytesFact(QObject::tr("Lower bound"), report.memory.lowerBoundBytes),
                        bytesFact(QObject::tr("Without reuse"), report.memory.noReuseBytes),
                        bytesFact(QObject::tr("External"), report.memory.externalBytes),
                        bytesFact(QObject::tr("…parameters"), report.memory.parameterBytes),
                        bytesFact(QObject::tr("In all"), mostTakenBytes(report) + report.memory.externalBytes)}};
    if (report.program.graph->boundary.gradients > 0) {
        Fact kept = bytesFact(QObject::tr("Kept for backward"), report.training.boundaryBytes);
        bytes.facts.insert(bytes.facts.begin() + 1, kept);
    }
    if (!report.memory.unplanned.empty()) bytes.facts.push_back(unplannedFact(report));
    bytes.facts.push_back({QObject::tr("Planning took"), durationText(report.planning.ms / 1e3), {}});
    FactSection notes {QObject::tr("Notes"), {}};
    for (std::size_t i = 0; i < std::min(report.notes.size(), LongestFactList); ++i)
        notes.facts.push_back({QString::number(i + 1), windowText(report.notes[i]), {}});
    FactSection environment {QObject::tr("Environment"), {}};
    for (const auto& [name, value] : report.planning.environment)
        environment.facts.push_back({toQString(name), toQString(value), {}});
    std::vector<FactSection> sections = {std::move(what), std::move(bytes), std::move(notes)};
    for (FactSection& section : placementFacts(report))
        sections.push_back(std::move(section));
    sections.push_back(std::move(environment));
    return sections;
}

std::vector<FactSection> factsOf(const Report& report, const Focus& focus)
{
    std::vector<FactSection> sections;
    if (focus.finding >= 0 && static_cast<std::size_t>(focus.finding) < report.verdict.findings.size())
        sections = findingFacts(report, static_cast<std::size_t>(focus.finding));
    else if (focus.value.valid() && focus.value.index() < report.program.values.size())
        sections = valueFacts(report, focus.value);
    else if (focus.storage.valid() && focus.storage.index() < report.program.storages.size())
        sections = storageFacts(report, focus.storage);
    else if (focus.node.valid() && focus.node.index() < report.program.graph->nodes.size())
        sections = nodeFacts(report, focus.node);
    else if (focus.hole >= 0)
        sections = holeFacts(report, static_cast<std::size_t>(focus.hole));
    else if (focus.step >= 0 && focus.step < report.program.schedule.length())
        sections = stepFacts(report, focus.step);
    else
        sections = reportFacts(report);
    std::erase_if(sections, [](const FactSection& section) { return section.facts.empty(); });
    return sections;
}

QString focusKind(const Focus& focus)
{
    if (focus.finding >= 0) return QObject::tr("finding");
    if (focus.value.valid()) return QObject::tr("value");
    if (focus.storage.valid()) return QObject::tr("storage");
    if (focus.node.valid()) return QObject::tr("node");
    if (focus.hole >= 0) return QObject::tr("hole");
    if (focus.step >= 0) return QObject::tr("step");
    return QObject::tr("graph");
}

QString focusTitle(const Report& report, const Focus& focus)
{
    if (focus.finding >= 0 && static_cast<std::size_t>(focus.finding) < report.verdict.findings.size())
        return toQString(ruleId(report.verdict.findings[static_cast<std::size_t>(focus.finding)].rule));
    if (focus.value.valid()) return toQString((*report.program.graph)[focus.value].name);
    if (focus.storage.valid()) return storageText(focus.storage);
    if (focus.node.valid()) return toQString((*report.program.graph)[focus.node].name);
    if (focus.hole >= 0) return countText(focus.hole + 1);
    if (focus.step >= 0) return countText(focus.step);
    return toQString(report.program.graph->name);
}

} // namespace plimsoll::app
