#include "core/base/bytes.h"
#include "core/verify/checks.h"
#include "core/verify/wording.h"

#include <algorithm>

namespace plimsoll::verifying {
namespace {

/// What the plan says of its arena, and what the policy says of all arenas of that memory.
std::vector<ReservedBytes> reservedIn(const PlanFacts& facts, ArenaId id)
{
    const PlannedArena& arena = facts.map.arenas[id.index()];
    std::vector<ReservedBytes> all = arena.reserved;
    const auto asked = facts.program.policies.reserved.find(arena.space);
    if (asked == facts.program.policies.reserved.end()) return all;
    for (const ReservedBytes& one : asked->second) {
        const bool known = std::ranges::find(arena.reserved, one.bytes, &ReservedBytes::bytes) != arena.reserved.end();
        if (!known) all.push_back(one);
    }
    return all;
}

Finding within(const PlanFacts& facts, const Party& party, Interval steps, ArenaId arena, const ReservedBytes& region,
               Interval common)
{
    Finding finding;
    finding.rule = Rule::Reserved;
    finding.severity = ruleSeverity(finding.rule);
    if (party.value.valid()) finding.values.push_back(party.value);
    const NodeId node = party.value.valid() ? facts.graph()[party.value].producer : party.scratchOf;
    if (node.valid()) finding.nodes.push_back(node);
    finding.steps = steps;
    finding.arena = arena;
    finding.bytes = common;
    const Message whose = region.why.empty() ? Message() : say("reserved.whose", word::Name {region.why});
    finding.message =
        say("reserved", nameOf(facts.graph(), party), place(facts.map, arena, common), steps, region.bytes, whose);
    finding.fix = say("fix.keep-free", region.bytes);
    return finding;
}

} // namespace

void checkReserved(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    std::vector<std::vector<ReservedBytes>> regions;
    for (std::size_t arena = 0; arena < facts.map.arenas.size(); ++arena)
        regions.push_back(reservedIn(facts, ArenaId(arena)));
    const auto check = [&](const Party& party, Interval steps, ArenaId arena, Interval bytes) {
        if (!arena.valid() || arena.index() >= regions.size()) return;
        for (const ReservedBytes& region : regions[arena.index()]) {
            const Interval common = intersection(region.bytes, bytes);
            if (!common.empty()) findings.push_back(within(facts, party, steps, arena, region, common));
        }
    };
    for (std::size_t i = 0; i < facts.values.size() && i < facts.map.values.size(); ++i) {
        const ValuePlacement& where = facts.map.values[i];
        const auto end = checkedAdd(where.offset, std::max<std::int64_t>(0, where.bytes));
        if (where.placed() && end)
            check({ValueId(i), {}}, stepsInUse(facts, walk, ValueId(i)), where.arena, {where.offset, *end});
    }
    for (const ScratchFacts& scratch : facts.scratch)
        check({ValueId(), scratch.node}, facts.program.schedule.nodes[scratch.node.index()], scratch.arena,
              scratch.write);
}

} // namespace plimsoll::verifying
