#include "core/base/bytes.h"
#include "core/placement/algorithms.h"

#include <algorithm>
#include <map>
#include <queue>

namespace plimsoll {
namespace {

constexpr std::int64_t MatchRange = 16;

/// The blocks of one arena while the walk goes through the steps.
class BlockPool
{
public:
    /// The block for a request: a freed one whose size is within the match range, or a new one.
    std::size_t take(std::int64_t bytes)
    {
        auto found = m_free.lower_bound(bytes);
        const std::int64_t largest =
            bytes > std::numeric_limits<std::int64_t>::max() / MatchRange ? bytes : bytes * MatchRange;
        if (found == m_free.end() || found->first > largest) {
            found = m_free.lower_bound(bytes); // none is large enough: the largest below, which grows
            if (found == m_free.begin() || std::prev(found)->first < bytes / MatchRange) return open(bytes);
            --found;
        }
        const std::size_t block = found->second;
        m_free.erase(found);
        m_sizes[block] = std::max(m_sizes[block], bytes);
        return block;
    }

    /// The block is free again from \p step on.
    void giveBackAt(std::int64_t step, std::size_t block) { m_ends.push({step, m_ends.size(), block}); }

    void advance(std::int64_t step)
    {
        while (!m_ends.empty() && m_ends.top().step <= step) {
            const std::size_t block = m_ends.top().block;
            m_ends.pop();
            m_free.emplace(m_sizes[block], block);
        }
    }

    [[nodiscard]] const std::vector<std::int64_t>& sizes() const { return m_sizes; }

private:
    struct End
    {
        std::int64_t step = 0;
        std::size_t order = 0;
        std::size_t block = 0;
        friend auto operator<=>(const End&, const End&) = default;
    };

    std::size_t open(std::int64_t bytes)
    {
        m_sizes.push_back(bytes);
        return m_sizes.size() - 1;
    }

    std::vector<std::int64_t> m_sizes;
    std::multimap<std::int64_t, std::size_t> m_free; ///< Size → block; among equals the one freed first.
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
};

/// The offset of every block: one after the other, above the pins.
std::vector<std::int64_t> layOut(const std::vector<std::int64_t>& sizes, std::int64_t top, std::int64_t alignment)
{
    std::vector<std::int64_t> offsets;
    for (const std::int64_t bytes : sizes) {
        top = alignUp(top, alignment);
        offsets.push_back(top);
        top += bytes;
    }
    return offsets;
}

} // namespace

Result<Plan> placeInSizedBlocks(const Problem& problem, const Context& context)
{
    Plan plan = startPlan(problem, "storage-reuse");
    std::vector<BlockPool> pools(problem.arenas.size());
    std::vector<std::size_t> blockOf(problem.buffers.size());
    std::vector<std::int64_t> alignments;
    for (const Arena& arena : problem.arenas)
        alignments.push_back(arena.alignment);
    std::size_t done = 0;
    for (const BufferId id : inOrderOfStep(problem)) {
        if (++done % 1024 == 0 && context.stopped())
            return Error {ErrorCode::Stopped, "Placement was stopped.", {}, {}};
        const Buffer& buffer = problem.buffers[id.index()];
        if (buffer.pinnedOffset) continue;
        BlockPool& pool = pools[buffer.arena.index()];
        pool.advance(buffer.live.hull().begin);
        blockOf[id.index()] = pool.take(buffer.bytes);
        pool.giveBackAt(buffer.live.hull().end, blockOf[id.index()]);
        alignments[buffer.arena.index()] = std::max(alignments[buffer.arena.index()], buffer.alignment);
    }
    const std::vector<std::int64_t> tops = pinnedTops(problem);
    std::vector<std::vector<std::int64_t>> offsets;
    for (std::size_t arena = 0; arena < pools.size(); ++arena) {
        offsets.push_back(layOut(pools[arena].sizes(), tops[arena], alignments[arena]));
    }
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (!buffer.pinnedOffset)
            putDown(problem, plan, BufferId(index), offsets[buffer.arena.index()][blockOf[index]]);
    }
    return plan;
}

} // namespace plimsoll
