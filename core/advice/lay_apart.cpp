#include "core/advice/lay_apart.h"

#include "core/advice/bisect_json.h"
#include "core/analysis/alias_sets.h"
#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

AliasSets aliasSetsOf(const PlannedProgram& program)
{
    return findAliasSets(*program.graph, TraitTable(*program.graph, program.implementations));
}

Interval bytesOf(const ValuePlacement& place)
{
    return {place.offset, place.offset + place.bytes};
}

bool meet(const ValuePlacement& one, const ValuePlacement& other)
{
    return one.placed() && one.arena == other.arena && overlaps(bytesOf(one), bytesOf(other));
}

/// All that must share bytes with it.
Culprit::Side aliasSetOf(const PlannedProgram& program, const AliasSets& aliases, ValueId value)
{
    Culprit::Side side;
    for (std::size_t i = 0; i < aliases.root.size(); ++i)
        if (aliases.root[i] == aliases.root[value.index()] && program.map.values[i].placed())
            side.values.emplace_back(i);
    return side;
}

} // namespace

std::optional<Culprit::Side> movableSide(const Report& report, const Finding& finding)
{
    const PlannedProgram& program = report.program;
    if (finding.severity != Severity::Error || finding.values.empty() || !finding.values.front().valid())
        return std::nullopt;
    const ValueId spoiled = finding.values.front();
    const ValuePlacement& place = program.map.values[spoiled.index()];
    const AliasSets aliases = aliasSetsOf(program);
    for (const ValueId other : finding.values) {
        if (!other.valid() || aliases.root[other.index()] == aliases.root[spoiled.index()]) continue;
        if (meet(place, program.map.values[other.index()])) return aliasSetOf(program, aliases, other);
    }
    for (const ScratchPlacement& scratch : program.map.scratch) {
        const bool named = std::ranges::find(finding.nodes, scratch.node) != finding.nodes.end();
        if (named && meet(place, scratch.where)) return Culprit::Side {{}, scratch.node};
    }
    const bool alone = finding.values.size() == 1 && place.placed() && !finding.bytes.empty();
    if (!alone || (finding.rule != Rule::WrongValue && finding.rule != Rule::Undersized)) return std::nullopt;
    return aliasSetOf(program, aliases, spoiled);
}

Result<PlanFile> laidApart(PlanFile plan, const PlannedProgram& program, const Culprit::Side& side)
{
    const Graph& graph = *program.graph;
    const std::vector<std::string> names = namesOf(graph, side);
    const auto entryOf = [&](const std::string& name) {
        return std::ranges::find_if(
            plan.entries, [&](const PlanFile::Entry& entry) { return entry.value == name && entry.arena.valid(); });
    };
    const auto first =
        std::ranges::find_if(names, [&](const auto& name) { return entryOf(name) != plan.entries.end(); });
    if (first == names.end())
        return Error {ErrorCode::BadInput, say("mend.no-place", word::Name {names.front()}), {}, {}};
    const ArenaId arenaId = entryOf(*first)->arena;
    PlannedArena& arena = plan.arenas[arenaId.index()];
    std::int64_t height = arena.bytes;
    for (const PlanFile::Entry& entry : plan.entries)
        if (entry.arena == arenaId) height = std::max(height, checkedAdd(entry.offset, entry.bytes).value_or(height));
    const auto fresh = checkedAlignUp(height, std::max<std::int64_t>(1, arena.alignment));
    if (!fresh) return Error {ErrorCode::BadInput, say("bisect.too-large"), {}, {}};
    const AliasSets aliases = aliasSetsOf(program);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto entry = entryOf(names[i]);
        if (entry == plan.entries.end()) continue; // a view that the plan does not list follows its source
        const ValueId value = side.scratchOf.valid() ? ValueId() : side.values[i];
        if (value.valid()) entry->bytes = std::max(entry->bytes, program.values[value.index()].requiredBytes);
        const auto offset = checkedAdd(*fresh, value.valid() ? aliases.offset[value.index()] : 0);
        const auto end = offset ? checkedAdd(*offset, entry->bytes) : std::nullopt;
        if (!end) return Error {ErrorCode::BadInput, say("bisect.too-large"), {}, {}};
        entry->offset = *offset;
        arena.bytes = std::max(arena.bytes, *end);
    }
    plan.file.clear();
    return plan;
}

} // namespace plimsoll
