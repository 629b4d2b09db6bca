#pragma once

#include "core/pipeline/pipeline.h"

#include <filesystem>
#include <functional>

namespace plimsoll::app {

/// The calls into core that a session makes. Tests put their own in.
struct Engine
{
    std::function<Result<Graph>(const std::filesystem::path& file, const Context& context)> read;
    std::function<Result<PlanFile>(const std::filesystem::path& file)> readPlan;
    std::function<std::optional<PlanFile>(const std::filesystem::path& file)> planWithin; ///< That a graph file brings.
    std::function<Result<Report>(const Graph& graph, const PlanRequest& request, const Context& context)> analyse;

    /// The real ones.
    [[nodiscard]] static Engine core();
};

} // namespace plimsoll::app
