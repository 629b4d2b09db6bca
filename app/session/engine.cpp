#include "app/session/engine.h"

#include "core/formats/read_graph.h"

namespace plimsoll::app {

Engine Engine::core()
{
    Engine engine;
    engine.read = [](const std::filesystem::path& file, const Context& context) { return readFile(file, context); };
    engine.readPlan = [](const std::filesystem::path& file) { return plimsoll::readPlan(file); };
    engine.analyse = [](const Graph& graph, const PlanRequest& request, const Context& context) {
        return plimsoll::analyse(graph, request, context);
    };
    return engine;
}

} // namespace plimsoll::app
