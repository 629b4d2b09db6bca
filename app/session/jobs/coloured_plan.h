#pragma once

#include "app/session/engine.h"
#include "core/picture/storage_colours.h"

#include <memory>

namespace plimsoll::app {

struct ColouredPlan
{
    Report report;
    std::shared_ptr<const StorageColours> colours; ///< Null of a small plan: they take no time.
};

/// Colours a large plan while it is judged, which takes as long.
[[nodiscard]] Result<ColouredPlan> planColoured(const Engine& engine, const Graph& graph, PlanRequest request,
                                                const Context& context);

} // namespace plimsoll::app
