#pragma once

#include "core/base/result.h"
#include "core/plan/implementation.h"

namespace plimsoll {

/// Whether what a catalogue says of the nodes of a graph can be true: no layout, size, weight or pair in place of an
/// input or output that the node does not have, and no node fused that is none. The place is that in the file:
/// "offers.conv[0].inputLayouts". Offers for nodes that are not there are not looked at: see strangeNodes().
[[nodiscard]] Status checkCatalogue(const Catalogue& catalogue, const Graph& graph);

/// The nodes that the catalogue has offers for and that neither the captured nor the planned graph knows.
[[nodiscard]] std::vector<std::string> strangeNodes(const Catalogue& catalogue, const Graph& captured,
                                                    const Graph& planned);

} // namespace plimsoll
