#include "core/placement/fit/sized_blocks.h"

#include "core/base/bytes.h"
#include "core/base/sum.h"
#include "core/placement/algorithms.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <tuple>

namespace plimsoll {
namespace {

/// What a buffer asks for, and what it gets.
struct Block
{
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;
    std::int32_t colour = 0; ///< Of the step that asks, or that freed it last.
};

/// The blocks of one arena while the walk goes through the steps.
class BlockPool
{
public:
    explicit BlockPool(std::int64_t matchRange) : m_range(matchRange) {}

    /// The block for a request: a freed one whose size is within the match range, or a new one.
    std::size_t take(const Block& want)
    {
        const auto found = m_range == 0 ? m_free.end() : findFree(want);
        if (found == m_free.end()) {
            m_blocks.push_back({want.bytes, want.alignment, 0});
            return m_blocks.size() - 1;
        }
        const std::size_t block = found->second;
        m_free.erase(found);
        m_blocks[block].bytes = std::max(m_blocks[block].bytes, want.bytes);
        m_blocks[block].alignment = std::max(m_blocks[block].alignment, want.alignment);
        return block;
    }

    struct End
    {
        std::int64_t step = 0;  ///< From here on the block is free.
        std::int32_t turn = 0;  ///< Among those of one step.
        std::int64_t order = 0; ///< Of taking, where turns say nothing.
        std::size_t block = 0;
        std::int32_t colour = 0; ///< Of the step that frees it.
        friend auto operator<=>(const End&, const End&) = default;
    };
    void giveBackAt(End end)
    {
        end.order = ++m_taken;
        m_ends.push(end);
    }

    void advance(std::int64_t step)
    {
        while (!m_ends.empty() && m_ends.top().step <= step) {
            const End end = m_ends.top();
            m_ends.pop();
            m_blocks[end.block].colour = end.colour;
            m_free.emplace(m_blocks[end.block].bytes, end.block);
        }
    }

    [[nodiscard]] const std::vector<Block>& blocks() const { return m_blocks; }

private:
    using Free = std::multimap<std::int64_t, std::size_t>; ///< Size → block; among equals the one freed first.

    /// The smallest that is large enough, or else the largest below, which grows.
    Free::iterator findFree(const Block& want)
    {
        const std::int64_t bytes = want.bytes;
        const std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const std::int64_t largest = bytes > most / m_range ? most : bytes * m_range;
        const auto above = m_free.lower_bound(bytes);
        for (auto found = above; found != m_free.end() && found->first <= largest; ++found) {
            if (suits(m_blocks[found->second], want)) return found;
        }
        for (auto found = above; found != m_free.begin() && std::prev(found)->first >= bytes / m_range;) {
            --found;
            if (suits(m_blocks[found->second], want)) return found;
        }
        return m_free.end();
    }

    /// Of two alignments of which neither divides the other a block would need a multiple; it is left alone.
    static bool suits(const Block& block, const Block& want)
    {
        return block.colour == want.colour &&
               std::max(want.alignment, block.alignment) % std::min(want.alignment, block.alignment) == 0;
    }

    std::int64_t m_range = 0;
    std::int64_t m_taken = 0;
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

std::int32_t colourOf(const Problem& problem, std::int64_t step)
{
    const std::vector<std::int32_t>& colours = problem.blockRule.stepColours;
    const auto at = static_cast<std::size_t>(step);
    return step >= 0 && at < colours.size() ? colours[at] : 0;
}

/// One walk through the steps with one match range.
Result<Plan> placeWithin(const Problem& problem, std::int64_t matchRange, const Context& context)
{
    Plan plan = startPlan(problem, "storage-reuse");
    std::vector<BlockPool> pools(problem.arenas.size(), BlockPool(matchRange));
    std::vector<std::size_t> blockOf(problem.buffers.size());
    std::size_t done = 0;
    // By first step, then by turn, then larger first.
    std::vector<BufferId> order;
    for (std::size_t index = 0; index < problem.buffers.size(); ++index)
        order.emplace_back(index);
    std::ranges::stable_sort(order, {}, [&](BufferId id) {
        const Buffer& buffer = problem.buffers[id.index()];
        return std::tuple(buffer.live.hull().begin, buffer.takeOrder, -buffer.bytes);
    });
    for (const BufferId id : order) {
        if (++done % 1024 == 0 && context.stopped())
            return Error {ErrorCode::Stopped, say("stopped.placement"), {}, {}};
        const Buffer& buffer = problem.buffers[id.index()];
        if (buffer.pinnedOffset) continue;
        const Interval steps = buffer.live.hull();
        BlockPool& pool = pools[buffer.arena.index()];
        pool.advance(steps.begin);
        const std::size_t block = pool.take({buffer.bytes, buffer.alignment, colourOf(problem, steps.begin)});
        blockOf[id.index()] = block;
        pool.giveBackAt({steps.end, buffer.freeOrder, 0, block, colourOf(problem, steps.end - 1)});
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

} // namespace

Result<Plan> placeInSizedBlocks(const Problem& problem, const Context& context)
{
    std::optional<Plan> lowest;
    std::int64_t lowestBytes = 0;
    std::vector<MatchRangeTry> tried;
    // With a search, the powers of two up to the match range, and no others. A range of 0 is the only one below them.
    const BlockRule& rule = problem.blockRule;
    const bool search = rule.search && rule.matchRange > 0;
    for (std::int64_t range = search ? 1 : rule.matchRange; !lowest || (search && range <= rule.matchRange);
         range *= 2) {
        PLIMSOLL_ASSIGN(plan, placeWithin(problem, range, context));
        tried.push_back({range, sumOf(plan.arenaBytes)});
        if (lowest && tried.back().bytes >= lowestBytes) continue;
        lowestBytes = tried.back().bytes;
        lowest = std::move(plan);
    }
    lowest->tried = std::move(tried);
    return *std::move(lowest);
}

} // namespace plimsoll
