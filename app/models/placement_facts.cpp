#include "app/models/fact_lists.h"
#include "app/models/window_text.h"
#include "core/facts/reserved.h"
#include "core/facts/words/placement_text.h"

#include <QObject>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// Of each kind, in the inspector of the whole graph.
constexpr std::size_t ShortList = 8;

FactSection storageSection(const Report& report, const QString& title, const std::vector<StorageId>& storages,
                           std::size_t most)
{
    FactSection section {title, {}};
    for (std::size_t i = 0; i < std::min(most, storages.size()); ++i)
        section.facts.push_back(contentFact(report, storages[i]));
    if (storages.size() > most) {
        section.facts.push_back({QStringLiteral("…"),
                                 QObject::tr("%1 in all").arg(countText(static_cast<std::int64_t>(storages.size()))),
                                 {}});
    }
    return section;
}

FactSection searchSection(const Report& report)
{
    const SearchRecord& search = *report.planning.search;
    FactSection section {QObject::tr("How it was found"), {}};
    section.facts.push_back({QObject::tr("Algorithm"), toQString(search.algorithm), {}});
    section.facts.push_back({QObject::tr("Found by"), toQString(search.member()), {}});
    section.facts.push_back({QObject::tr("Ended"), toQString(searchEnd(report)), {}});
    if (report.verdict.completeness.complete())
        section.facts.push_back(bytesFact(QObject::tr("Proved bound"), search.boundBytes));
    section.facts.push_back({QObject::tr("Searched"), durationText(search.seconds),
                             QObject::tr("%1 units of work").arg(countText(search.work))});
    return section;
}

QString whereIn(const Report& report, ArenaId arena)
{
    return report.program.map.arenas.size() > 1
               ? QObject::tr(" in %1").arg(toQString(report.program.map.arenas[arena.index()].space))
               : QString();
}

/// What lies over or under a hole while it is free.
std::vector<StorageId> neighbours(const Report& report, const Hole& hole, bool above)
{
    std::vector<StorageId> found;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        const bool there = above ? storage.offset >= hole.bytes.end : storage.offset < hole.bytes.begin;
        if (storage.arena == hole.arena && there && overlaps(storage.live, LiveRanges(hole.steps)))
            found.emplace_back(i);
    }
    std::sort(found.begin(), found.end(), [&](StorageId a, StorageId b) {
        const std::int64_t offsetA = report.program.storages[a.index()].offset;
        const std::int64_t offsetB = report.program.storages[b.index()].offset;
        return above ? offsetA < offsetB : offsetA > offsetB;
    });
    return found;
}

} // namespace

std::vector<FactSection> placementFacts(const Report& report)
{
    std::vector<FactSection> sections;
    if (report.planning.search) sections.push_back(searchSection(report));
    const bool reserved = reservedBytes(report).has_value(); // then the notes say what was free, and the height nothing
    for (const PeakCauses& causes : explainPeak(report)) {
        if (causes.live.empty()) continue;
        const QString where = whereIn(report, causes.arena);
        if (const std::string gap = gapSentence(report, causes); !gap.empty() && !reserved) {
            sections.push_back(
                {QObject::tr("Above the bound%1").arg(where),
                 {{QObject::tr("Where, and why"), toQString(gap), {}, Focus::atStep(causes.highestStep)}}});
            sections.push_back(storageSection(report, QObject::tr("The tower to the top%1, downwards").arg(where),
                                              causes.tower, ShortList));
        }
        sections.push_back(storageSection(
            report, QObject::tr("Alive at the fullest step%1, %2").arg(where, countText(causes.fullestStep)),
            causes.live, ShortList));
    }
    return sections;
}

std::vector<FactSection> holeFacts(const Report& report, std::size_t index)
{
    if (index >= report.memory.holes.size()) return {};
    const Hole& hole = report.memory.holes[index];
    FactSection what {QObject::tr("Free bytes with live ones above"), {}};
    what.facts.push_back(bytesFact(QObject::tr("Bytes"), hole.bytes.length()));
    what.facts.push_back({QObject::tr("Arena"), toQString(report.program.map.arenas[hole.arena.index()].space), {}});
    what.facts.push_back(
        {QObject::tr("Offsets"),
         QStringLiteral("[%1, %2)").arg(addressText(hole.bytes.begin), addressText(hole.bytes.end)),
         QObject::tr("bytes [%1, %2) of the arena").arg(countText(hole.bytes.begin), countText(hole.bytes.end))});
    what.facts.push_back({QObject::tr("Steps"), stepsText(hole.steps), {}, Focus::atStep(hole.steps.begin)});
    return {
        std::move(what),
        storageSection(report, QObject::tr("What lies above, upwards"), neighbours(report, hole, true), ShortList),
        storageSection(report, QObject::tr("What lies below, downwards"), neighbours(report, hole, false), ShortList)};
}

} // namespace plimsoll::app
