#include "core/advice/moved_plan.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace plimsoll {
namespace {

Error tooLarge()
{
    return {ErrorCode::BadInput, say("bisect.too-large"), {}, {}};
}

/// Those that lie in the arena of the first of them; a view that the plan does not list follows its source.
Result<std::vector<std::size_t>> listed(const PlanFile& plan, const std::vector<std::string>& names)
{
    const std::unordered_set<std::string_view> wanted(names.begin(), names.end());
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < plan.entries.size(); ++i) {
        const PlanFile::Entry& entry = plan.entries[i];
        if (!entry.arena.valid() || !wanted.contains(entry.value)) continue;
        if (found.empty() || plan.entries[found.front()].arena == entry.arena) found.push_back(i);
    }
    if (!found.empty()) return found;
    return Error {
        ErrorCode::BadInput, say("mend.no-place", word::Name {names.empty() ? std::string() : names.front()}), {}, {}};
}

/// To where the bytes of an arena reach.
std::int64_t heightOf(const PlanFile& plan, ArenaId arena)
{
    std::int64_t height = 0;
    for (const PlanFile::Entry& entry : plan.entries)
        if (entry.arena == arena) height = std::max(height, checkedAdd(entry.offset, entry.bytes).value_or(height));
    return height;
}

std::int64_t gridOf(const PlannedArena& arena)
{
    return std::max<std::int64_t>(1, arena.alignment);
}

} // namespace

Result<PlanFile> movedTo(PlanFile plan, const std::vector<std::string>& names, std::int64_t offset)
{
    PLIMSOLL_ASSIGN(moved, listed(plan, names));
    const ArenaId arenaId = plan.entries[moved.front()].arena;
    PlannedArena& arena = plan.arenas[arenaId.index()];
    const std::int64_t grid = gridOf(arena);
    if (offset < 0 || offset % grid != 0) {
        const word::Name name {plan.entries[moved.front()].value};
        return Error {ErrorCode::BadInput, say("move.off-grid", name, grid, offset), {}, {}};
    }
    const std::int64_t before = heightOf(plan, arenaId);
    const bool spare = arena.bytes > checkedAlignUp(before, grid).value_or(before);
    const bool rounded = arena.bytes != before;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t one : moved)
        lowest = std::min(lowest, plan.entries[one].offset);
    for (const std::size_t one : moved) {
        PlanFile::Entry& entry = plan.entries[one];
        const std::int64_t room = std::numeric_limits<std::int64_t>::max() + std::min<std::int64_t>(0, lowest);
        const auto there = entry.offset <= room ? checkedAdd(offset, entry.offset - lowest) : std::nullopt;
        if (!there || !checkedAdd(*there, entry.bytes)) return tooLarge();
        entry.offset = *there;
    }
    const std::int64_t after = heightOf(plan, arenaId);
    const auto end = rounded ? checkedAlignUp(after, grid) : after;
    if (!end) return tooLarge();
    arena.bytes = spare ? std::max(arena.bytes, after) : *end;
    plan.file.clear();
    return plan;
}

Result<std::int64_t> freshOffset(const PlanFile& plan, const std::vector<std::string>& names)
{
    PLIMSOLL_ASSIGN(of, listed(plan, names));
    const ArenaId arenaId = plan.entries[of.front()].arena;
    const PlannedArena& arena = plan.arenas[arenaId.index()];
    const auto fresh = checkedAlignUp(std::max(arena.bytes, heightOf(plan, arenaId)), gridOf(arena));
    if (!fresh) return tooLarge();
    return *fresh;
}

} // namespace plimsoll
