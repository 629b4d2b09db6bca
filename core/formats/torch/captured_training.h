#pragma once

#include "core/formats/files/json_input.h"
#include "core/graph/graph.h"

namespace plimsoll {

/// Takes what a capture of PyTorch says of forward and backward into graph.boundary: the object "pytorch" of a graph
/// file, of which these are read:
///
///     "saved": names, in order      kept from forward to backward
///     "donated": names              of these, what backward may write over
///     "gradients": [name or null]   by primal; those that are names are the last outputs
///     "primals": names              whose these are; the graph's inputs where they are not listed
///     "backward": name              of the first node of the backward half; or "phase": "backward" on the nodes
///
/// A graph without "saved" is left alone. Errors, with the place: names that do not exist, a list of gradients that the
/// outputs do not end with, no backward half, a donated tensor that is not kept.
[[nodiscard]] Status takeCapturedTraining(const JsonPlace& facts, Graph& graph);

/// What the values of a capture say of their storages ("pytorch": {"storage": number}) against the views and writes of
/// its nodes: an error where a node makes a view, or a new version, of bytes that lie in another storage.
[[nodiscard]] Status checkCapturedStorages(const Graph& graph);

} // namespace plimsoll
