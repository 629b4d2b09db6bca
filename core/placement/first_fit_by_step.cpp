#include "core/placement/algorithms.h"
#include "core/placement/placed_set.h"

namespace plimsoll {

Result<Plan> placeFirstFitByStep(const Problem& problem, const Context& context)
{
    Plan plan = startPlan(problem, "first-fit-by-step");
    std::vector<PlacedSet> live(problem.arenas.size(), PlacedSet(problem));
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (buffer.pinnedOffset) live[buffer.arena.index()].add(BufferId(index), *buffer.pinnedOffset);
    }
    std::size_t done = 0;
    for (const BufferId id : inOrderOfStep(problem)) {
        if (++done % 1024 == 0 && context.stopped())
            return Error {ErrorCode::Stopped, "Placement was stopped.", {}, {}};
        const Buffer& buffer = problem.buffers[id.index()];
        if (buffer.pinnedOffset) continue;
        PlacedSet& here = live[buffer.arena.index()];
        here.advance(buffer.live.hull().begin);
        const std::int64_t offset = lowestHole(here.blockers(id), roundedBytes(problem, buffer), buffer.alignment);
        putDown(problem, plan, id, offset);
        here.add(id, offset);
    }
    return plan;
}

} // namespace plimsoll
