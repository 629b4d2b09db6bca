// What is told of storages, holes and steps.
#include "core/facts/about/about_rows.h"
#include "core/facts/offers.h"
#include "core/facts/words/kept_until.h"
#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/ops/op_traits.h"

#include <span>

namespace plimsoll {
namespace {

/// Of each kind, beside a hole.
constexpr std::size_t ShortList = 8;

FactSection contents(const Report& report, std::string title, const std::vector<StorageId>& storages, std::size_t most,
                     NumberForm form)
{
    FactSection section {std::move(title), {}};
    addList(section, storages, most, [&](StorageId storage) { return contentFact(report, storage, form); });
    return section;
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
    std::ranges::sort(found, [&](StorageId a, StorageId b) {
        const std::int64_t offsetA = report.program.storages[a.index()].offset;
        const std::int64_t offsetB = report.program.storages[b.index()].offset;
        return above ? offsetA < offsetB : offsetA > offsetB;
    });
    return found;
}

/// What a node reads or writes at its step, once each.
void addOperands(const Report& report, const char* name, std::span<const ValueId> values, std::size_t most,
                 NumberForm form, FactSection& section)
{
    std::vector<ValueId> once;
    for (const ValueId value : values) {
        if (value.valid() && std::ranges::find(once, value) == once.end()) once.push_back(value);
    }
    addList(section, once, most, [&](ValueId value) {
        const PlannedValue& planned = report.program.values[value.index()];
        Fact fact = valueFact(report, name, value);
        if (planned.storage.valid()) fact.cell.text += ", " + storageText(planned.storage);
        fact.cell.text += ", " + sizeText(planned.requiredBytes, form);
        return fact;
    });
}

/// Bytes that are taken at a step, and given back behind it.
void addTurnover(const Report& report, std::int64_t step, FactSection& section)
{
    std::int64_t taken = 0;
    std::int64_t given = 0;
    for (const Storage& storage : report.program.storages) {
        if (!storage.arena.valid()) continue;
        for (const Interval& live : storage.live.intervals()) {
            if (live.begin == step) taken += storage.bytes;
            if (live.end == step + 1) given += storage.bytes;
        }
    }
    section.facts.push_back({"Taken", cell::bytes(taken)});
    section.facts.push_back({"Given back", cell::bytes(given)});
}

} // namespace

std::vector<FactSection> storageSections(const Report& report, StorageId id, std::size_t most)
{
    const Storage& storage = report.program.storages[id.index()];
    FactSection what {"What it is", {{"Bytes", cell::bytes(storage.bytes)}}};
    if (storage.arena.valid()) {
        what.facts.push_back({"Arena", cell::space(report, storage.arena)});
        what.facts.push_back({"Offset", cell::offset(storage.offset)});
    } else {
        what.facts.push_back({"Where", cell::sentence(say("about.outside", whereText(report, storage)))});
    }
    what.facts.push_back({"Live steps", cell::steps(storage.live)});
    if (!storage.live.empty())
        what.facts.push_back({"Kept because", cell::sentence(keptUntil(report, id, storage.live.hull().end - 1))});
    addWait(report, id, what);
    if (storage.scratchOf.valid()) what.facts.push_back(nodeFact(report, "Scratch of", storage.scratchOf));
    FactSection values {"Values, in order of definition", {}};
    addList(values, storage.values, most, [&](ValueId value) { return tenantFact(report, value); });
    std::vector<std::string> names;
    for (const ValueId value : storage.values)
        names.push_back((*report.program.graph)[value].name);
    return {findingsSection(report, most,
                            [&](const Finding& finding) {
                                return !finding.values.empty() &&
                                       report.program.values[finding.values.front().index()].storage == id;
                            }),
            std::move(what), std::move(values), decisionSection(report, names, most)};
}

std::vector<FactSection> holeSections(const Report& report, std::size_t index, NumberForm form)
{
    if (index >= report.memory.holes.size()) return {};
    const Hole& hole = report.memory.holes[index];
    return {{"Free bytes with live ones above",
             {{"Bytes", cell::bytes(hole.bytes.length())},
              {"Arena", cell::space(report, hole.arena)},
              {"Offsets", rangeCell(hole.bytes, form)},
              {"Steps", cell::steps(LiveRanges(hole.steps)).leadingTo(Focus::atStep(hole.steps.begin))}}},
            contents(report, "What lies above, upwards", neighbours(report, hole, true), ShortList, form),
            contents(report, "What lies below, downwards", neighbours(report, hole, false), ShortList, form)};
}

std::vector<FactSection> stepSections(const Report& report, std::int64_t step, std::size_t most, NumberForm form)
{
    FactSection what {"At this step", {}};
    const auto at = static_cast<std::size_t>(step);
    if (at < report.program.schedule.steps.size()) {
        const NodeId node = report.program.schedule.steps[at].node;
        what.facts.push_back(nodeFact(report, "Runs", node));
        const auto ms = report.run ? measuredMs(report.program, *report.run, node) : std::nullopt;
        if (ms) what.facts.push_back({"Took", cell::seconds(*ms / 1e3)});
        if (computes(*report.program.graph, node)) {
            addOperands(report, "Reads", (*report.program.graph)[node].inputs, most, form, what);
            addOperands(report, "Writes", (*report.program.graph)[node].outputs, most, form, what);
        }
    }
    std::vector<StorageId> live;
    std::int64_t used = 0;
    for (std::size_t i = 0; i < report.program.storages.size(); ++i) {
        const Storage& storage = report.program.storages[i];
        if (!storage.arena.valid() || !storage.live.contains(step)) continue;
        live.emplace_back(i);
        used += storage.bytes;
    }
    if (at < report.memory.liveBytes.size()) {
        const std::int64_t rounded = report.memory.liveBytes[at];
        what.facts.push_back({"Live", cell::bytes(rounded)});
        if (rounded > used) what.facts.push_back({"…alignment", cell::bytes(rounded - used)});
    }
    addTurnover(report, step, what);
    std::ranges::sort(live, std::ranges::greater(),
                      [&](StorageId id) { return report.program.storages[id.index()].bytes; });
    const Message title = say(live.size() == 1 ? "about.live-storage" : "about.live-storages", live.size());
    FactSection alive {english(title), {}};
    addList(alive, live, most, [&](StorageId storage) { return aliveFact(report, storage, step, form); });
    return {std::move(what), std::move(alive)};
}

} // namespace plimsoll
