#pragma once

#include "core/pipeline/pipeline.h"

namespace plimsoll {

/// What no legal plan has less of in one memory, and while which node runs.
struct SpaceBound
{
    std::int64_t bytes = 0;
    std::string node; ///< Empty: before the first one.
};

/// By memory space, what no legal plan of the request's order is below, whatever shares and whichever of the offers
/// compute the nodes: boundForAnySharing() without scratchpads, without the bytes that fusion may do without, and with
/// the pairs in place of all offers. Of the policies those hold that change the graph, and those that say whose bytes
/// the inputs and outputs have. Empty where an offer is for a device: values may go to other memories then.
[[nodiscard]] Result<std::map<std::string, SpaceBound>> boundsForAnyOffer(const Graph& captured,
                                                                          const PlanRequest& request,
                                                                          const Context& context);

} // namespace plimsoll
