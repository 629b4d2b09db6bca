#include "core/facts/about/neighbours.h"

#include "core/analysis/alias_sets.h"
#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

Interval bytesOf(const ValuePlacement& place)
{
    return {place.offset, place.offset + place.bytes};
}

std::vector<ValueId> aliasSetOf(const PlannedProgram& program, ValueId value)
{
    const AliasSets aliases = findAliasSets(program);
    std::vector<ValueId> values;
    for (std::size_t i = 0; i < aliases.root.size(); ++i)
        if (aliases.root[i] == aliases.root[value.index()] && program.map.values[i].placed()) values.emplace_back(i);
    return values;
}

void include(Movable& moved, const ValuePlacement& place, const LiveRanges& live)
{
    const Interval bytes = bytesOf(place);
    moved.bytes = moved.arena.valid()
                      ? Interval {std::min(moved.bytes.begin, bytes.begin), std::max(moved.bytes.end, bytes.end)}
                      : bytes;
    moved.arena = place.arena;
    moved.live.add(live);
}

} // namespace

Movable movableOf(const PlannedProgram& program, const Focus& focus)
{
    Movable moved;
    if (focus.value.valid()) moved.values = aliasSetOf(program, focus.value);
    if (focus.storage.valid()) {
        const Storage& storage = program.storages[focus.storage.index()];
        if (storage.arena.valid()) moved.values = storage.values;
        moved.scratchOf = storage.scratchOf;
    }
    for (const ValueId value : moved.values)
        include(moved, program.map.values[value.index()], program.values[value.index()].live);
    for (const ScratchPlacement& scratch : program.map.scratch)
        if (moved.scratchOf.valid() && scratch.node == moved.scratchOf)
            include(moved, scratch.where, program.storages[focus.storage.index()].live);
    if (moved.arena.valid()) moved.grid = std::max<std::int64_t>(1, program.map.arenas[moved.arena.index()].alignment);
    return moved;
}

std::vector<Neighbour> neighboursOf(const PlannedProgram& program, const Movable& moved)
{
    std::vector<Neighbour> found;
    for (std::size_t i = 0; i < program.map.values.size(); ++i) {
        const ValuePlacement& place = program.map.values[i];
        const bool own = std::ranges::find(moved.values, ValueId(i)) != moved.values.end();
        if (place.arena == moved.arena && !own && overlaps(program.values[i].live, moved.live))
            found.push_back({ValueId(i), {}, bytesOf(place)});
    }
    for (const ScratchPlacement& scratch : program.map.scratch) {
        const LiveRanges live(program.schedule.nodes[scratch.node.index()]);
        if (scratch.where.arena == moved.arena && scratch.node != moved.scratchOf && overlaps(live, moved.live))
            found.push_back({{}, scratch.node, bytesOf(scratch.where)});
    }
    return found;
}

std::vector<Neighbour> metAt(const Movable& moved, std::int64_t offset, const std::vector<Neighbour>& neighbours)
{
    const Interval bytes {offset, offset + moved.bytes.length()};
    std::vector<Neighbour> met;
    std::ranges::copy_if(neighbours, std::back_inserter(met),
                         [&](const Neighbour& one) { return overlaps(bytes, one.bytes); });
    return met;
}

std::vector<std::int64_t> snugOffsets(const Movable& moved, const std::vector<Neighbour>& neighbours)
{
    std::vector<std::int64_t> snug = {0};
    for (const Neighbour& one : neighbours) {
        if (const auto behind = checkedAlignUp(one.bytes.end, moved.grid)) snug.push_back(*behind);
        if (one.bytes.begin >= moved.bytes.length())
            snug.push_back((one.bytes.begin - moved.bytes.length()) / moved.grid * moved.grid);
    }
    std::ranges::sort(snug);
    const auto repeats = std::ranges::unique(snug);
    snug.erase(repeats.begin(), repeats.end());
    return snug;
}

std::optional<std::int64_t> nextFreeOffset(const PlannedProgram& program, const Movable& moved, bool above)
{
    const std::vector<Neighbour> neighbours = neighboursOf(program, moved);
    std::vector<std::int64_t> snug = snugOffsets(moved, neighbours);
    if (!above) std::ranges::reverse(snug);
    const auto next = std::ranges::find_if(snug, [&](std::int64_t offset) {
        return (above ? offset > moved.bytes.begin : offset < moved.bytes.begin) &&
               metAt(moved, offset, neighbours).empty();
    });
    return next == snug.end() ? std::nullopt : std::optional(*next);
}

} // namespace plimsoll
