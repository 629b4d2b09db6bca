#include "core/placement/algorithms.h"

#include "core/base/bytes.h"
#include "core/placement/search/load.h"

#include <algorithm>

namespace plimsoll {

Plan startPlan(const Problem& problem, std::string_view algorithm)
{
    Plan plan;
    plan.algorithm = algorithm;
    plan.allocations.resize(problem.buffers.size());
    plan.arenaBytes.resize(problem.arenas.size());
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        plan.allocations[index].arena = buffer.arena;
        if (buffer.pinnedOffset) putDown(problem, plan, BufferId(index), *buffer.pinnedOffset);
    }
    return plan;
}

void putDown(const Problem& problem, Plan& plan, BufferId id, std::int64_t offset)
{
    const Buffer& buffer = problem.buffers[id.index()];
    plan.allocations[id.index()].offset = offset;
    std::int64_t& top = plan.arenaBytes[buffer.arena.index()];
    top =
        std::max(top, alignUp(offset + roundedBytes(problem, buffer), problem.arenas[buffer.arena.index()].alignment));
}

std::vector<std::int64_t> pinnedTops(const Problem& problem)
{
    return startPlan(problem, {}).arenaBytes;
}

Result<Plan> placeWithoutReuse(const Problem& problem, const Context&)
{
    Plan plan = startPlan(problem, "no-reuse");
    std::vector<std::int64_t> tops = pinnedTops(problem);
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.pinnedOffset) continue;
        std::int64_t& top = tops[buffer.arena.index()];
        const std::int64_t offset = alignUp(top, buffer.alignment);
        putDown(problem, plan, BufferId(index), offset);
        top = offset + roundedBytes(problem, buffer);
    }
    return plan;
}

} // namespace plimsoll
