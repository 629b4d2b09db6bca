#include "kernels/run/memory/memory_need.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    return checkedAdd(a, b).value_or(Most);
}

/// Bytes that come at a step, and go at its end.
struct Change
{
    std::int64_t comes = 0;
    std::int64_t goes = 0;
};

std::int64_t peakOf(const std::vector<Change>& changes)
{
    std::int64_t now = 0;
    std::int64_t most = 0;
    for (const Change& change : changes) {
        now = sum(now, change.comes);
        most = std::max(most, now);
        now -= std::min(now, change.goes);
    }
    return most;
}

std::int64_t oracleBytes(const PlannedProgram& program, const DeviceSpaces& spaces)
{
    std::vector<Change> changes(static_cast<std::size_t>(program.schedule.length()) + 1);
    for (std::size_t i = 0; i < program.values.size(); ++i) {
        const auto& live = program.values[i].live.intervals();
        const Value& value = program.graph->values[i];
        const bool own = value.role == ValueRole::Intermediate || value.role == ValueRole::BodyInput;
        if (!own || live.empty() || spaces.of(ValueId(i))) continue;
        const std::int64_t bytes = std::max<std::int64_t>(0, program.values[i].requiredBytes);
        const auto at = [&](std::int64_t step) {
            return static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, program.schedule.length()));
        };
        Change& first = changes[at(live.front().begin)];
        Change& last = changes[at(live.back().end - 1)];
        first.comes = sum(first.comes, bytes);
        last.goes = sum(last.goes, bytes);
    }
    return peakOf(changes);
}

} // namespace

MemoryNeed memoryNeed(const PlannedProgram& program, const DeviceSpaces& spaces)
{
    MemoryNeed need;
    for (const PlannedArena& arena : program.map.arenas) {
        if (!spaces.of(arena.space)) need.arenaBytes = sum(need.arenaBytes, std::max<std::int64_t>(0, arena.bytes));
    }
    need.oracleBytes = oracleBytes(program, spaces);
    for (const Value& value : program.graph->values) {
        const bool drawn = value.role == ValueRole::Input || value.role == ValueRole::Parameter;
        const bool inMemory = value.data->bytes || value.data->strings;
        if (inMemory || !(drawn || !value.data->file.empty())) continue;
        need.externalBytes = sum(need.externalBytes, value.type.bytes().value_or(0));
    }
    return need;
}

Status checkMemory(const MemoryNeed& need, std::int64_t free, std::int64_t allowed)
{
    const std::int64_t all = sum(sum(need.arenaBytes, need.oracleBytes), need.externalBytes);
    if (all <= free && all <= allowed) return {};
    const Message there = allowed < free ? say("memory.allowed", word::Size {allowed}, Remedy::option("max-memory"))
                                         : say("memory.free", word::Size {free});
    return Error {ErrorCode::Unsupported,
                  say("memory.need", word::Size {all}, word::Size {need.arenaBytes}, word::Size {need.oracleBytes},
                      word::Size {need.externalBytes}, there, Remedy::option("dim"), Remedy::option("shape"),
                      Remedy::command("check")),
                  {},
                  {}};
}

} // namespace plimsoll::kernels
