#include "app/session/engine.h"

#if __has_include("core/formats/read_graph.h")
#include "core/formats/read_graph.h"
#endif

namespace plimsoll::app {

Engine Engine::core()
{
    Engine engine;
#if __has_include("core/formats/read_graph.h")
    engine.read = [](const std::filesystem::path& file, const Context& context) { return readGraph(file, context); };
#else
    engine.read = [](const std::filesystem::path&, const Context&) -> Result<Graph> {
        return Error {ErrorCode::Internal, "no reader yet", {}, {}};
    };
#endif
    engine.analyse = [](const Graph& graph, const PlanRequest& request, const Context& context) {
        return plimsoll::analyse(graph, request, context);
    };
    return engine;
}

} // namespace plimsoll::app
