#pragma once

#include "core/base/narrow.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll {

/// A set of addresses as sorted runs that do not touch. Flat while it is short, as nearly all are; a long one is cut
/// into blocks, so that a change moves no more than one block.
template <typename Coord>
class RunList
{
public:
    struct Run
    {
        Coord begin = 0;
        Coord end = 0;
    };
    /// Where a search that only goes up has come to.
    struct Cursor
    {
        std::uint32_t block = 0;
        std::uint32_t run = 0;
    };

    [[nodiscard]] bool empty() const { return m_flat.empty() && m_blocks.empty(); }

    void clear()
    {
        m_flat.clear();
        m_blocks.clear();
    }

    /// The first run that ends above \p at, not below the cursor; nothing when there is none.
    [[nodiscard]] const Run* firstAbove(Coord at, Cursor& cursor) const
    {
        if (m_blocks.empty()) return inBlock(m_flat, at, cursor.run);
        if (m_blocks[cursor.block].back().end <= at) {
            const auto found = std::partition_point(m_blocks.begin() + cursor.block, m_blocks.end(),
                                                    [at](const Block& block) { return block.back().end <= at; });
            if (found == m_blocks.end()) return nullptr;
            cursor = {narrow<std::uint32_t>(found - m_blocks.begin()), 0};
        }
        return inBlock(m_blocks[cursor.block], at, cursor.run);
    }

    /// Adds [begin, end), which may overlap what is there.
    void add(Coord begin, Coord end)
    {
        if (m_blocks.empty()) {
            addTo(m_flat, begin, end);
            if (m_flat.size() > LongestFlat) cut();
            return;
        }
        addToBlocks(begin, end);
    }

private:
    using Block = std::vector<Run>;
    static constexpr std::size_t LongestFlat = 1024;
    static constexpr std::size_t LongestBlock = 512;

    static const Run* inBlock(const Block& runs, Coord at, std::uint32_t& from)
    {
        const std::size_t size = runs.size();
        std::size_t low = from;
        if (low >= size) return nullptr;
        if (runs[low].end > at) return &runs[low];
        std::size_t step = 1; // gallop: what is looked for is mostly near
        while (low + step < size && runs[low + step].end <= at) {
            low += step;
            step *= 2;
        }
        std::size_t high = std::min(low + step, size);
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (runs[middle].end <= at ? low : high) = middle;
        }
        from = static_cast<std::uint32_t>(high);
        return high < size ? &runs[high] : nullptr;
    }

    static void addTo(Block& runs, Coord begin, Coord end)
    {
        if (runs.empty() || runs.back().end < begin) {
            runs.push_back({begin, end});
            return;
        }
        auto first =
            std::partition_point(runs.begin(), runs.end(), [begin](const Run& run) { return run.end < begin; });
        if (first == runs.end() || end < first->begin) {
            runs.insert(first, {begin, end});
            return;
        }
        first->begin = std::min(first->begin, begin);
        if (end <= first->end) return;
        auto last = first + 1;
        while (last != runs.end() && last->begin <= end)
            ++last;
        first->end = std::max(end, (last - 1)->end);
        runs.erase(first + 1, last);
    }

    void cut()
    {
        for (std::size_t at = 0; at < m_flat.size(); at += LongestBlock / 2) {
            const auto first = m_flat.begin() + static_cast<std::ptrdiff_t>(at);
            const auto last =
                m_flat.begin() + static_cast<std::ptrdiff_t>(std::min(at + LongestBlock / 2, m_flat.size()));
            m_blocks.emplace_back(first, last);
        }
        Block().swap(m_flat);
    }

    void addToBlocks(Coord begin, Coord end)
    {
        auto block = std::partition_point(m_blocks.begin(), m_blocks.end(),
                                          [begin](const Block& one) { return one.back().end < begin; });
        if (block == m_blocks.end()) --block;
        // What reaches into later blocks swallows their first runs.
        auto next = block + 1;
        while (next != m_blocks.end() && next->front().begin <= end) {
            end = std::max(end, swallow(*next, end));
            if (!next->empty()) break;
            ++next;
        }
        m_blocks.erase(block + 1, next);
        addTo(*block, begin, end);
        if (block->size() <= LongestBlock) return;
        const auto middle = block->begin() + static_cast<std::ptrdiff_t>(block->size() / 2);
        Block upper(middle, block->end());
        block->erase(middle, block->end());
        m_blocks.insert(block + 1, std::move(upper));
    }

    /// Removes the runs of \p block that begin at or below \p end, and returns the highest end among them.
    static Coord swallow(Block& block, Coord end)
    {
        auto last = block.begin();
        Coord highest = end;
        while (last != block.end() && last->begin <= highest) {
            highest = std::max(highest, last->end);
            ++last;
        }
        block.erase(block.begin(), last);
        return highest;
    }

    Block m_flat;
    std::vector<Block> m_blocks;
};

} // namespace plimsoll
