#include "kernels/run/promise.h"

#include "kernels/run/control/not_run.h"
#include "kernels/run/step/node_step.h"

#include <algorithm>

namespace plimsoll::kernels {

Message promiseOf(const PlannedProgram& program, const RunRequest& request)
{
    const Graph& graph = *program.graph;
    const bool nested = graph.bodies.size() > 1;
    Message promise = say("run.promise", nodesRun(graph, {}).all);
    const auto add = [&](Message clause) { promise = say("clauses", std::move(promise), std::move(clause)); };
    if (word::List missing = missingKernels(graph); !missing.items.empty())
        add(say("run.promise-hashes", std::move(missing)));
    if (program.streams.several()) add(say("run.promise-orders"));
    if (nested && request.cover != RunRequest::Cover::Never) add(say("run.promise-forced"));
    if (nested && request.cover == RunRequest::Cover::Never) add(say("run.promise-as-led"));
    if (request.writeProbe) add(say("run.promise-writes"));
    return promise;
}

} // namespace plimsoll::kernels
