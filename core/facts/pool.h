#pragma once

#include "core/facts/report.h"

#include <span>

namespace plimsoll {

/// What a plan takes of a memory space at once: under placement=storage-reuse its blocks, each allocated by itself as
/// in MXNet; under all others one arena. Largest first.
struct Blocks
{
    std::string space;
    std::vector<std::int64_t> bytes;
};
[[nodiscard]] std::vector<Blocks> blocksOf(const Report& report);

/// Buffers that several plans take turns with: each finds one for every block of its own, and no two run at once.
///
///     plans {4000, 20} and {2000, 30}     pool {4000, 30}: the k-th largest is the largest k-th of all plans
struct Pool
{
    std::string space;
    std::vector<std::int64_t> bytes; ///< Largest first. No pool is smaller, and the order of plans is nothing to it.
    std::int64_t poolBytes = 0;      ///< Their sum.
    std::int64_t oneByOneBytes = 0;  ///< Of a pool that grows plan by plan in the given order, as in MXNet.
    std::int64_t separateBytes = 0;  ///< Without a pool.
};
/// By space, in order of first appearance.
[[nodiscard]] std::vector<Pool> poolOf(std::span<const std::vector<Blocks>> plans);

} // namespace plimsoll
