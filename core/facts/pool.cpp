#include "core/facts/pool.h"

#include "core/base/sum.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace plimsoll {
namespace {

/// Blocks do not overlap, and whoever is handed one begins where it does.
std::vector<std::int64_t> sizedBlocks(const Report& report, ArenaId arena)
{
    std::map<std::int64_t, std::int64_t> blocks; // by offset
    for (const Storage& storage : report.program.storages) {
        if (storage.arena == arena) blocks[storage.offset] = std::max(blocks[storage.offset], storage.bytes);
    }
    std::vector<std::int64_t> bytes;
    for (const auto& [offset, size] : blocks)
        bytes.push_back(size);
    return bytes;
}

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

Pool& poolIn(std::vector<Pool>& pools, const std::string& space)
{
    const auto found = std::find_if(pools.begin(), pools.end(), [&](const Pool& pool) { return pool.space == space; });
    if (found != pools.end()) return *found;
    pools.push_back({space, {}});
    return pools.back();
}

} // namespace

std::vector<Blocks> blocksOf(const Report& report)
{
    std::vector<Blocks> all;
    for (std::size_t i = 0; i < report.program.map.arenas.size(); ++i) {
        const PlannedArena& arena = report.program.map.arenas[i];
        Blocks blocks {arena.space, {arena.bytes}};
        if (plansLikeMxnet(report.program.policies)) blocks.bytes = sizedBlocks(report, ArenaId(i));
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
            Pool& pool = poolIn(pools, blocks.space);
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
