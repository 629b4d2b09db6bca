#include "kernels/runtime/catalogue.h"

#include "kernels/onednn/onednn.h"

namespace plimsoll::kernels {

Result<Catalogue> describeBackends(const Graph& graph, const InferenceRequest& shapes, const Context& context,
                                   bool measure)
{
    if (!oneDnnAvailable()) {
        Catalogue none;
        none.environment["onednn"] = "absent";
        return none;
    }
    PLIMSOLL_ASSIGN(inferred, inferTypes(graph, shapes, context));
    return describeWithOneDnn(inferred.graph, measure, context);
}

} // namespace plimsoll::kernels
