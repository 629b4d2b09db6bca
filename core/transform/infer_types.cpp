#include "core/transform/infer_types.h"

#include "core/transform/inference_pass.h"

namespace plimsoll {

namespace {

/// A contradiction may come from a size that was only assumed, or from one that the user replaced in an input. It
/// counts where it follows without them.
Status checkContradiction(const Graph& graph, const InferenceRequest& request, const BoundDims& bound,
                          const InferencePass& pass, const Context& context)
{
    if (!pass.contradiction()) return {};
    if (bound.certain) return *pass.contradiction();
    InferencePass open(graph, leaveOpen(graph, request, bound), context);
    PLIMSOLL_TRY(open.run());
    return open.contradiction() ? Status(*open.contradiction()) : Status();
}

} // namespace

Result<InferredGraph> inferTypes(const Graph& graph, const InferenceRequest& request, const Context& context)
{
    PLIMSOLL_ASSIGN(bound, bindDims(graph, request));
    InferencePass pass(graph, bound, context);
    Status status = pass.run();
    if (status.ok()) status = checkContradiction(graph, request, bound, pass, context);
    if (!status.ok()) {
        Error error = status.error();
        if (error.file.empty()) error.file = graph.file.string();
        return error;
    }
    InferredGraph inferred = pass.take();
    inferred.bindings = std::move(bound.bindings);
    return inferred;
}

} // namespace plimsoll
