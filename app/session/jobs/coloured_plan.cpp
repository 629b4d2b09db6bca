#include "app/session/jobs/coloured_plan.h"

#include "core/advice/what_if.h"

namespace plimsoll::app {

PlanDigest digestOf(const Report& report)
{
    PlanDigest digest {.cost = costOf(report)};
    const SharedVector<Value>& values = report.program.graph->values;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i].type.isSparse()) digest.sparse.push_back(ValueId(i));
    return digest;
}

Result<ColouredPlan> planColoured(const Engine& engine, const Graph& graph, PlanRequest request, const Context& context)
{
    std::shared_ptr<const StorageColours> colours;
    request.whileJudged = [&colours](const PlannedProgram& program) {
        if (isColouredInOrder(program)) colours = std::make_shared<const StorageColours>(colourStorages(program));
    };
    PLIMSOLL_ASSIGN(report, engine.analyse(graph, request, context));
    PlanDigest digest = digestOf(report);
    return ColouredPlan {std::move(report), std::move(colours), std::move(digest)};
}

} // namespace plimsoll::app
