#pragma once

#include "core/formats/format.h"
#include "core/pipeline/pipeline.h"

#include <filesystem>
#include <functional>

namespace plimsoll::app {

/// The calls into core that a session makes. Tests put their own in.
struct Engine
{
    std::function<Result<FormatContent>(const std::filesystem::path& file, const Context& context)> read;
    std::function<Result<PlanFile>(const std::filesystem::path& file)> readPlan;
    std::function<Result<Report>(const Graph& graph, const PlanRequest& request, const Context& context)> analyse;

    /// The real ones.
    [[nodiscard]] static Engine core();
};

} // namespace plimsoll::app
