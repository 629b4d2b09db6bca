#pragma once

#include "core/plan/implementation.h"

namespace plimsoll {

/// What computes a node as its tensors are kept: offers of the catalogue for just that, and the reference where a
/// storage rule of the operator says so. Empty where there are none; then it goes through dense temporaries.
[[nodiscard]] std::vector<Implementation> nativeOffers(const Graph& graph, NodeId node, const Catalogue& catalogue);

/// Of a node that is taken as captured: in whatever way its tensors are kept.
[[nodiscard]] Implementation takenAsKept(const Graph& graph, NodeId node);

/// Whether it takes and leaves dense tensors only.
[[nodiscard]] bool isDense(const Implementation& offer);

/// "csr + dense": how the inputs of the node are kept.
[[nodiscard]] std::string inputStorageTypesText(const Graph& graph, NodeId node);

/// "csr(int64[4,4], at most 5) + int64[4]": their types in full.
[[nodiscard]] std::string inputTypesText(const Graph& graph, NodeId node);

/// What the catalogue has for a node of that name; nullptr: nothing. Libraries were asked about the graph as it came,
/// with its backward half: another node of ours is none of it.
[[nodiscard]] const std::vector<Implementation>* catalogueOffers(const Catalogue& catalogue, const Graph& graph,
                                                                 NodeId node);

/// Whether a pin ("onednn", "jit:avx2" or both with a colon between) means the offer.
[[nodiscard]] bool pinMeans(const std::string& pin, const Implementation& offer);

} // namespace plimsoll
