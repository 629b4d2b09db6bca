#include "core/advice/lay_apart.h"

#include "core/advice/bisect_json.h"
#include "core/advice/moved_plan.h"
#include "core/analysis/alias_sets.h"
#include "core/base/bytes.h"
#include "core/facts/about/neighbours.h"

#include <algorithm>

namespace plimsoll {
namespace {

Interval bytesOf(const ValuePlacement& place)
{
    return {place.offset, place.offset + place.bytes};
}

bool meet(const ValuePlacement& one, const ValuePlacement& other)
{
    return one.placed() && one.arena == other.arena && overlaps(bytesOf(one), bytesOf(other));
}

/// All that must share bytes with it.
Culprit::Side sideOf(const PlannedProgram& program, ValueId value)
{
    return {movableOf(program, Focus::on(value)).values, {}};
}

} // namespace

std::optional<Culprit::Side> movableSide(const Report& report, const Finding& finding)
{
    const PlannedProgram& program = report.program;
    if (finding.severity != Severity::Error || finding.values.empty() || !finding.values.front().valid())
        return std::nullopt;
    const ValueId spoiled = finding.values.front();
    const ValuePlacement& place = program.map.values[spoiled.index()];
    const AliasSets aliases = findAliasSets(program);
    for (const ValueId other : finding.values) {
        if (!other.valid() || aliases.root[other.index()] == aliases.root[spoiled.index()]) continue;
        if (meet(place, program.map.values[other.index()])) return sideOf(program, other);
    }
    for (const ScratchPlacement& scratch : program.map.scratch) {
        const bool named = std::ranges::find(finding.nodes, scratch.node) != finding.nodes.end();
        if (named && meet(place, scratch.where)) return Culprit::Side {{}, scratch.node};
    }
    const bool alone = finding.values.size() == 1 && place.placed() && !finding.bytes.empty();
    if (!alone || (finding.rule != Rule::WrongValue && finding.rule != Rule::Undersized)) return std::nullopt;
    return sideOf(program, spoiled);
}

Result<PlanFile> laidApart(PlanFile plan, const PlannedProgram& program, const Culprit::Side& side)
{
    const std::vector<std::string> names = namesOf(*program.graph, side);
    PLIMSOLL_ASSIGN(fresh, freshOffset(plan, names));
    const AliasSets aliases = findAliasSets(program);
    const auto entryOf = [&](ValueId value) {
        return std::ranges::find_if(plan.entries, [&](const PlanFile::Entry& entry) {
            return entry.value == program.graph->values[value.index()].name && entry.arena.valid();
        });
    };
    for (const ValueId value : side.values) {
        const auto entry = entryOf(value);
        if (entry == plan.entries.end()) continue;
        entry->bytes = std::max(entry->bytes, program.values[value.index()].requiredBytes);
        const auto root = entryOf(aliases.root[value.index()]);
        if (root == plan.entries.end()) continue;
        const std::int64_t base = std::max<std::int64_t>(0, root->offset);
        const auto offset = checkedAdd(base, aliases.offset[value.index()]); // wherever the plan had a view
        if (!offset) return Error {ErrorCode::BadInput, say("bisect.too-large"), {}, {}};
        entry->offset = *offset;
    }
    return movedTo(std::move(plan), names, fresh);
}

} // namespace plimsoll
