#include "core/base/bytes.h"
#include "core/verify/checks.h"
#include "core/verify/wording.h"

#include <algorithm>
#include <optional>

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

/// A value with a place of its own, as named.
struct Placed
{
    ValueId value;
    const PlaceFacts* at = nullptr;
    ValuePlacement where {};
};
std::optional<Placed> placedAs(const PlanFacts& facts, const std::string& name)
{
    const ValueId value = findValue(facts.graph(), name);
    if (!value.valid() || !facts[value].walkable) return std::nullopt;
    return Placed {value, &facts[value], facts.map.values[value.index()]};
}

/// Against what is asked of these values.
Finding unlike(const PlanFacts& facts, const Walk& walk, const std::vector<Placed>& values, Interval bytes,
               Message message)
{
    Finding finding;
    finding.rule = Rule::Constraint;
    finding.severity = ruleSeverity(finding.rule);
    for (const Placed& one : values) {
        finding.values.push_back(one.value);
        if (const NodeId maker = facts.graph()[one.value].producer; maker.valid()) finding.nodes.push_back(maker);
    }
    finding.steps = stepsInUse(facts, walk, values.front().value);
    finding.arena = values.front().at->arena;
    finding.bytes = bytes;
    finding.message = std::move(message);
    return finding;
}

} // namespace

void checkConstraints(const PlanFacts& facts, const Walk& walk, std::vector<Finding>& findings)
{
    const Constraints& asked = facts.program.constraints;
    for (const auto& [left, right] : asked.apart) {
        const auto one = placedAs(facts, left);
        const auto other = placedAs(facts, right);
        if (!one || !other || one->at->arena != other->at->arena) continue;
        const Interval common = intersection(one->at->write, other->at->write);
        if (common.empty()) continue;
        findings.push_back(unlike(facts, walk, {*one, *other}, common,
                                  say("constraint.apart", nameOf(facts.graph(), one->value),
                                      nameOf(facts.graph(), other->value), place(facts.map, one->at->arena, common))));
    }
    for (const auto& [left, right] : asked.together) {
        const auto one = placedAs(facts, left);
        const auto other = placedAs(facts, right);
        if (!one || !other) continue;
        const bool same = one->at->arena == other->at->arena && one->where.offset == other->where.offset;
        if (same) continue;
        findings.push_back(
            unlike(facts, walk, {*one, *other}, one->at->write,
                   say("constraint.together", nameOf(facts.graph(), other->value),
                       place(facts.map, other->at->arena, other->at->write), nameOf(facts.graph(), one->value),
                       place(facts.map, one->at->arena, one->at->write))));
    }
    for (const auto& [name, offset] : asked.places) {
        const auto one = placedAs(facts, name);
        if (!one || one->where.offset == offset) continue;
        findings.push_back(unlike(facts, walk, {*one}, one->at->write,
                                  say("constraint.place", nameOf(facts.graph(), one->value),
                                      place(facts.map, one->at->arena, one->at->write), word::Number {offset})));
    }
}

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
