#include "core/base/bytes.h"
#include "core/placement/algorithms.h"

#include <algorithm>
#include <map>
#include <queue>

namespace plimsoll {
namespace {

constexpr std::int64_t MatchRange = 16;

struct Block
{
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;
};

/// The blocks of one arena while the walk goes through the steps.
class BlockPool
{
public:
    /// The block for a request: a freed one whose size is within the match range, or a new one.
    std::size_t take(std::int64_t bytes, std::int64_t alignment)
    {
        const auto found = findFree(bytes, alignment);
        if (found == m_free.end()) {
            m_blocks.push_back({bytes, alignment});
            return m_blocks.size() - 1;
        }
        const std::size_t block = found->second;
        m_free.erase(found);
        m_blocks[block].bytes = std::max(m_blocks[block].bytes, bytes);
        m_blocks[block].alignment = std::max(m_blocks[block].alignment, alignment);
        return block;
    }

    /// The block is free again from \p step on.
    void giveBackAt(std::int64_t step, std::size_t block) { m_ends.push({step, m_ends.size(), block}); }

    void advance(std::int64_t step)
    {
        while (!m_ends.empty() && m_ends.top().step <= step) {
            const std::size_t block = m_ends.top().block;
            m_ends.pop();
            m_free.emplace(m_blocks[block].bytes, block);
        }
    }

    [[nodiscard]] const std::vector<Block>& blocks() const { return m_blocks; }

private:
    using Free = std::multimap<std::int64_t, std::size_t>; ///< Size → block; among equals the one freed first.
    struct End
    {
        std::int64_t step = 0;
        std::size_t order = 0;
        std::size_t block = 0;
        friend auto operator<=>(const End&, const End&) = default;
    };

    /// The smallest that is large enough, or else the largest below, which grows.
    Free::iterator findFree(std::int64_t bytes, std::int64_t alignment)
    {
        const std::int64_t largest =
            bytes > std::numeric_limits<std::int64_t>::max() / MatchRange ? bytes : bytes * MatchRange;
        const auto above = m_free.lower_bound(bytes);
        for (auto found = above; found != m_free.end() && found->first <= largest; ++found) {
            if (suits(found->second, alignment)) return found;
        }
        for (auto found = above; found != m_free.begin() && std::prev(found)->first >= bytes / MatchRange;) {
            --found;
            if (suits(found->second, alignment)) return found;
        }
        return m_free.end();
    }

    /// Of two alignments of which neither divides the other a block would need a multiple; it is left alone.
    [[nodiscard]] bool suits(std::size_t block, std::int64_t alignment) const
    {
        const std::int64_t other = m_blocks[block].alignment;
        return std::max(alignment, other) % std::min(alignment, other) == 0;
    }

    std::vector<Block> m_blocks;
    Free m_free;
    std::priority_queue<End, std::vector<End>, std::greater<>> m_ends;
};

/// The offset of every block: one after the other, above the pins.
std::vector<std::int64_t> layOut(const std::vector<Block>& blocks, std::int64_t top, std::int64_t rounding)
{
    std::vector<std::int64_t> offsets;
    for (const Block& block : blocks) {
        top = alignUp(top, block.alignment);
        offsets.push_back(top);
        top += alignUp(block.bytes, rounding);
    }
    return offsets;
}

} // namespace

Result<Plan> placeInSizedBlocks(const Problem& problem, const Context& context)
{
    Plan plan = startPlan(problem, "storage-reuse");
    std::vector<BlockPool> pools(problem.arenas.size());
    std::vector<std::size_t> blockOf(problem.buffers.size());
    std::size_t done = 0;
    for (const BufferId id : inOrderOfStep(problem)) {
        if (++done % 1024 == 0 && context.stopped())
            return Error {ErrorCode::Stopped, "Placement was stopped.", {}, {}};
        const Buffer& buffer = problem.buffers[id.index()];
        if (buffer.pinnedOffset) continue;
        BlockPool& pool = pools[buffer.arena.index()];
        pool.advance(buffer.live.hull().begin);
        blockOf[id.index()] = pool.take(buffer.bytes, buffer.alignment);
        pool.giveBackAt(buffer.live.hull().end, blockOf[id.index()]);
    }
    const std::vector<std::int64_t> tops = pinnedTops(problem);
    std::vector<std::vector<std::int64_t>> offsets;
    for (std::size_t arena = 0; arena < pools.size(); ++arena) {
        offsets.push_back(layOut(pools[arena].blocks(), tops[arena], problem.arenas[arena].alignment));
    }
    for (std::size_t index = 0; index < problem.buffers.size(); ++index) {
        const Buffer& buffer = problem.buffers[index];
        if (!buffer.pinnedOffset)
            putDown(problem, plan, BufferId(index), offsets[buffer.arena.index()][blockOf[index]]);
    }
    return plan;
}

} // namespace plimsoll
