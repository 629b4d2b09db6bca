#include "core/facts/about/about_rows.h"
#include "core/facts/callers_bytes.h"
#include "core/facts/completeness.h"
#include "core/facts/file_nodes.h"
#include "core/facts/peak_causes.h"
#include "core/facts/reserved.h"
#include "core/facts/words/names.h"
#include "core/facts/words/placement_text.h"
#include "core/facts/words/stream_text.h"
#include "core/facts/words/verdict.h"

#include <cmath>

namespace plimsoll {
namespace {

/// Of each kind.
constexpr std::size_t ShortList = 8;

FactSection graphSection(const Report& report)
{
    const Graph& graph = *report.program.graph;
    const auto planned = static_cast<std::size_t>(report.memory.storages);
    const std::size_t callers = report.program.storages.size() - planned;
    FactSection section {"Graph",
                         {{"Format", cell::text(graph.file.format)},
                          {"Nodes", cell::sentence(nodesText(report))},
                          {"Values", cell::count(graph.values.size())},
                          {"Storages", cell::count(planned).withTip(english(say("about.callers-storages", callers)))},
                          {"Nested graphs", cell::count(graph.bodies.size() - 1)}}};
    if (const Message streams = streamsSentence(report); !streams.empty())
        section.facts.push_back({"Streams", cell::sentence(streams)});
    return section;
}

FactSection bytesSection(const Report& report)
{
    const auto reserved = reservedBytes(report);
    FactSection section {"Bytes", {{reserved ? "Reserved" : "Peak", cell::bytes(mostTakenBytes(report))}}};
    if (report.program.graph->boundary.gradients > 0)
        section.facts.push_back({"Kept for backward", cell::bytes(report.training.boundaryBytes)});
    if (boundCounts(report))
        section.facts.insert(section.facts.end(),
                             {{"Lower bound", cell::bytes(report.memory.lowerBoundBytes)},
                              {"Waste", cell::bytes(wasteBytes(report)).withTip(english(wasteText(report)))},
                              {"…of the bound", cell::percent(aboveBound(report))}});
    section.facts.insert(section.facts.end(), {{"Without reuse", cell::bytes(report.memory.noReuseBytes)},
                                               {"External", cell::bytes(report.memory.externalBytes)},
                                               {"…parameters", cell::bytes(report.memory.parameterBytes)}});
    const std::int64_t callers = callersBytes(report);
    if (callers > report.memory.externalBytes)
        section.facts.push_back({"Buffers for outputs", cell::bytes(callers - report.memory.externalBytes)});
    section.facts.push_back({"In all", cell::bytes(mostTakenBytes(report) + callers)});
    if (!report.memory.unplanned.empty()) {
        const bool complete = report.verdict.completeness.complete();
        section.facts.push_back(
            {"Not planned",
             cell::sentence(say(complete ? "about.sized-later" : "about.without-size", report.memory.unplanned.size()))
                 .withTip(english(incompleteText(report)))});
    }
    if (!std::isnan(report.planning.ms))
        section.facts.push_back({"Planning took", cell::seconds(report.planning.ms / 1e3)});
    return section;
}

/// Where the plan is above its bound, and what forces the peak.
void addPeak(const Report& report, const PeakCauses& causes, NumberForm form, std::vector<FactSection>& sections)
{
    if (causes.live.empty()) return;
    const bool several = report.program.map.arenas.size() > 1;
    const Message where = several ? say("about.in", arenaName(report, causes.arena)) : Message();
    const auto contents = [&](const Message& title, const std::vector<StorageId>& storages, std::int64_t step) {
        addList(sections.emplace_back(FactSection {english(title), {}}), storages, ShortList,
                [&](StorageId storage) { return aliveFact(report, storage, step, form); });
    };
    const Message gap = gapSentence(report, causes);
    // of reserved bytes the notes say what was free, and the height nothing
    if (!gap.empty() && boundCounts(report) && !reservedBytes(report)) {
        sections.push_back({english(say("about.above-bound", where)),
                            {{"Where, and why", cell::sentence(gap).leadingTo(Focus::atStep(causes.highestStep))}}});
        contents(say("about.tower", where), causes.tower, causes.highestStep);
    }
    contents(say("about.alive", where, causes.fullestStep), causes.live, causes.fullestStep);
}

} // namespace

std::vector<FactSection> reportSections(const Report& report, std::size_t most, NumberForm form)
{
    FactSection notes {"Notes", {}};
    addList(notes, report.notes, most, [position = 0](const Message& note) mutable {
        return Fact {std::to_string(++position), cell::sentence(note)};
    });
    FactSection search {"How it was found", {}};
    if (const auto& record = report.planning.search) {
        search.facts = {{"Algorithm", cell::text(record->algorithm)},
                        {"Found by", cell::text(record->member())},
                        {"Ended", cell::sentence(searchEnd(report))}};
        if (report.verdict.completeness.complete())
            search.facts.push_back({"Proved bound", cell::bytes(record->boundBytes)});
        search.facts.push_back(
            {"Searched", cell::seconds(record->seconds).withTip(english(say("about.work", record->work)))});
    }
    std::vector<FactSection> sections = {graphSection(report), bytesSection(report), std::move(notes),
                                         std::move(search)};
    for (const PeakCauses& causes : explainPeak(report))
        addPeak(report, causes, form, sections);
    FactSection environment {"Environment", {}};
    for (const auto& [name, value] : report.planning.environment)
        environment.facts.push_back({name, cell::text(english(value))});
    sections.push_back(std::move(environment));
    return sections;
}

} // namespace plimsoll
