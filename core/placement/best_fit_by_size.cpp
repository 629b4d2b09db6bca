#include "core/placement/algorithms.h"
#include "core/placement/placed_set.h"

namespace plimsoll {

Result<Plan> placeBestFitBySize(const Problem& problem, const Context& context)
{
    Plan plan = startPlan(problem, "best-fit-by-size");
    std::vector<PlacedSet> placed(problem.arenas.size(), PlacedSet(problem));
    std::vector<BufferId> order = inOrderOfStep(problem);
    std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) {
        return problem.buffers[a.index()].bytes > problem.buffers[b.index()].bytes;
    });
    for (const BufferId id : order) {
        const Buffer& buffer = problem.buffers[id.index()];
        if (buffer.pinnedOffset) placed[buffer.arena.index()].add(id, *buffer.pinnedOffset);
    }
    std::size_t done = 0;
    for (const BufferId id : order) {
        if (++done % 256 == 0 && context.stopped()) return Error {ErrorCode::Stopped, "Placement was stopped.", {}, {}};
        const Buffer& buffer = problem.buffers[id.index()];
        if (buffer.pinnedOffset) continue;
        PlacedSet& here = placed[buffer.arena.index()];
        const std::int64_t offset = tightestHole(here.blockers(id), roundedBytes(problem, buffer), buffer.alignment);
        putDown(problem, plan, id, offset);
        here.add(id, offset);
    }
    return plan;
}

} // namespace plimsoll
