#pragma once

#include "app/session/engine.h"
#include "core/picture/storage_colours.h"
#include "core/plan/policy_change.h"

#include <memory>
#include <vector>

namespace plimsoll::app {

/// What the window asks of every plan at once, and all values and nodes are looked at for.
struct PlanDigest
{
    PlanCost cost {};
    std::vector<ValueId> sparse {}; ///< Values that are kept so.
};
[[nodiscard]] PlanDigest digestOf(const Report& report);

struct ColouredPlan
{
    Report report;
    std::shared_ptr<const StorageColours> colours; ///< Null of a small plan: they take no time.
    PlanDigest digest;
};

/// Colours a large plan while it is judged, which takes as long.
[[nodiscard]] Result<ColouredPlan> planColoured(const Engine& engine, const Graph& graph, PlanRequest request,
                                                const Context& context);

} // namespace plimsoll::app
