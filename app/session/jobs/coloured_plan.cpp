#include "app/session/jobs/coloured_plan.h"

namespace plimsoll::app {

Result<ColouredPlan> planColoured(const Engine& engine, const Graph& graph, PlanRequest request, const Context& context)
{
    std::shared_ptr<const StorageColours> colours;
    request.whileJudged = [&colours](const PlannedProgram& program) {
        if (isColouredInOrder(program)) colours = std::make_shared<const StorageColours>(colourStorages(program));
    };
    PLIMSOLL_ASSIGN(report, engine.analyse(graph, request, context));
    return ColouredPlan {std::move(report), std::move(colours)};
}

} // namespace plimsoll::app
