#include "kernels/runtime/catalogue.h"

#include "kernels/onednn/onednn.h"
#include "kernels/runtime/reference_times.h"

namespace plimsoll::kernels {

namespace {

/// A part of the whole in [begin, end].
Context partOf(const Context& whole, double begin, double end)
{
    if (!whole.progress) return whole;
    return {whole.stop, [&whole, begin, end](std::string_view stage, double done) {
                whole.report(stage, begin + (end - begin) * done);
            }};
}

Catalogue askLibraries(const Graph& graph, const Context& context, bool measure)
{
    if (oneDnnAvailable()) return describeWithOneDnn(graph, measure, context);
    Catalogue none;
    none.environment["onednn"] = "absent";
    return none;
}

} // namespace

Result<Catalogue> describeBackends(const Graph& graph, const InferenceRequest& shapes, const Context& context,
                                   bool measure)
{
    PLIMSOLL_ASSIGN(inferred, inferTypes(graph, shapes, context));
    Catalogue catalogue = askLibraries(inferred.graph, partOf(context, 0, measure ? 0.5 : 1), measure);
    if (measure) measureReference(inferred, catalogue, partOf(context, 0.5, 1));
    if (context.stopped()) return Error {ErrorCode::Stopped, "Asking the backends was stopped.", {}, {}};
    return catalogue;
}

} // namespace plimsoll::kernels
