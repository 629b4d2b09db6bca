#pragma once

#include "core/lower/choose/dispatch.h"

namespace plimsoll {

/// Ways that trade time for bytes: none of them is beaten in both by another, as told from the offers alone. What is
/// alive at once is counted in the order in which the nodes run:
///
///     ms ▲ ×                      each × takes less time than those on its right … and more bytes than those
///        │   ×                    on its left have
///        │      × ×
///        └──────────► bytes
///
/// Labels go from node to node along the captured order. A state is what the rest of the graph can still see: in which
/// layouts the values that are alive lie, and in which their readers will want them. Of two labels in one state, one
/// that is slower and takes no fewer bytes is dropped (Bellman 1957; with two criteria, Hansen 1980). So the ways are
/// all there are, unless there are too many labels: then some are left out. Each node that would compute others, too,
/// is looked at with them and without; of more than four such nodes all are, or none.
struct Ways
{
    std::vector<Way> list; ///< Fastest first; never empty. Two may cost the same.
    bool all = true;       ///< Nothing was left out.
};

/// Every node by plain loops where that is possible, and none fused.
[[nodiscard]] Way plainWay(const Graph& graph, const DispatchRequest& request);

/// Stopped where \p context asks for it. Of \p request all but its own way counts.
[[nodiscard]] Result<Ways> findWays(const Graph& graph, const DispatchRequest& request, const Context& context);

} // namespace plimsoll
