#include "core/facts/pool.h"

#include "core/base/bytes.h"
#include "core/base/sum.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>

namespace plimsoll {
namespace {

/// Each block takes the smallest buffer that is large enough and that no other block of its plan has.
void grow(std::vector<std::int64_t>& pool, const std::vector<std::int64_t>& blocks)
{
    std::multiset<std::int64_t> free(pool.begin(), pool.end());
    for (const std::int64_t block : blocks) {
        const auto found = free.lower_bound(block);
        if (found == free.end())
            pool.push_back(block);
        else
            free.erase(found);
    }
}

} // namespace

std::vector<Blocks> blocksOf(const Report& report)
{
    std::vector<Blocks> all;
    for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i) {
        const PlannedArena& arena = report.program.map.arenas[i];
        Blocks blocks {arena.space, {arena.bytes}};
        if (plansLikeMxnet(report.program.policies)) { // of one offset is one block, as large as the largest storage
            std::map<std::int64_t, std::int64_t> byOffset;
            for (const Storage& storage : report.program.storages) {
                if (storage.arena != ArenaId(i)) continue;
                const std::int64_t rounded = checkedAlignUp(storage.bytes, arena.alignment).value_or(storage.bytes);
                byOffset[storage.offset] = std::max(byOffset[storage.offset], rounded);
            }
            const auto sizes = std::views::values(byOffset);
            blocks.bytes.assign(sizes.begin(), sizes.end());
        }
        std::erase(blocks.bytes, 0);
        std::sort(blocks.bytes.begin(), blocks.bytes.end(), std::greater<>());
        all.push_back(std::move(blocks));
    }
    return all;
}

std::vector<Pool> poolOf(std::span<const std::vector<Blocks>> plans)
{
    std::vector<Pool> pools;
    std::map<std::string, std::vector<std::int64_t>> grown;
    for (const std::vector<Blocks>& plan : plans) {
        for (const Blocks& blocks : plan) {
            const auto known = std::ranges::find(pools, blocks.space, &Pool::space);
            Pool& pool = known != pools.end() ? *known : pools.emplace_back(Pool {blocks.space, {}});
            pool.bytes.resize(std::max(pool.bytes.size(), blocks.bytes.size()), 0);
            for (std::size_t i = 0; i < blocks.bytes.size(); ++i)
                pool.bytes[i] = std::max(pool.bytes[i], blocks.bytes[i]);
            grow(grown[blocks.space], blocks.bytes);
            pool.separateBytes += sumOf(blocks.bytes);
        }
    }
    for (Pool& pool : pools) {
        pool.poolBytes = sumOf(pool.bytes);
        pool.oneByOneBytes = sumOf(grown[pool.space]);
    }
    return pools;
}

} // namespace plimsoll
