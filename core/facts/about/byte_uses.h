#pragma once

#include "core/facts/focus.h"
#include "core/facts/report.h"

namespace plimsoll {

/// What has bytes in an area at its steps, in no order.
[[nodiscard]] std::vector<StorageId> storagesIn(const Report& report, const PlanArea& area);
[[nodiscard]] std::vector<ValueId> valuesIn(const Report& report, const PlanArea& area);

/// What lies in an area: a value, or a storage whose values do not, which has its scratchpad or its padding there.
struct Tenant
{
    StorageId storage;
    ValueId value; ///< Invalid: the storage itself.
    Interval bytes;
    LiveRanges live;
};

/// In the order in which they come to life.
[[nodiscard]] std::vector<Tenant> tenantsOf(const Report& report, const PlanArea& area);

/// A node that touches bytes of an area, those of a value or of its scratchpad. Views, identities and parts hand bytes
/// on and touch none.
struct ByteUse
{
    std::int64_t step = 0;
    NodeId node;
    Interval bytes; ///< Of the arena.
    bool writes = false;
};

/// By step; what a step reads before what it writes.
[[nodiscard]] std::vector<ByteUse> usesOf(const Report& report, const PlanArea& area);

/// The bytes of an area, summed up.
struct AreaSums
{
    std::int64_t mostBytes = 0; ///< Of what is alive at one step…
    std::int64_t mostStep = -1; ///< …the first with so many; -1: nothing is alive at any.
    std::int64_t usedBytes = 0; ///< Those in which something lies at some step.
};
[[nodiscard]] AreaSums sumsOf(const Report& report, const PlanArea& area);

} // namespace plimsoll
