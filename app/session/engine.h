#pragma once

#include "core/formats/read_graph.h"
#include "core/pipeline/own_plan.h"

#include <filesystem>
#include <functional>

namespace plimsoll::app {

/// The calls into core that a session makes. Tests put their own in.
struct Engine
{
    std::function<Result<FormatContent>(const std::filesystem::path& file, const Context& context)> read =
        [](const std::filesystem::path& file, const Context& context) { return readFile(file, context); };
    std::function<Result<PlanFile>(const std::filesystem::path& file, const Context& context)> readPlan =
        [](const std::filesystem::path& file, const Context&) { return plimsoll::readPlan(file); };
    std::function<Result<Report>(const Graph& graph, const PlanRequest& request, const Context& context)> analyse =
        plimsoll::analyse;
    std::function<Result<Report>(const Graph& graph, const PlanRequest& request, const Context& context)> planBeside =
        plimsoll::planBeside;
    std::function<Result<std::vector<TradeOff>>(const Graph& graph, const PlanRequest& request, const Context& context)>
        timeAgainstPeak = plimsoll::timeAgainstPeak;
};

} // namespace plimsoll::app
