#pragma once

#include "kernels/backend.h"

namespace plimsoll::kernels {

/// Unsupported where this program was built without oneDNN.
[[nodiscard]] Status oneDnnHere();
[[nodiscard]] inline bool oneDnnAvailable()
{
    return oneDnnHere().ok();
}

/// Asks oneDNN, for every node of an inferred graph that it can compute exactly as ONNX means it, which implementations
/// it would take in which layouts, how many bytes those need and how large a scratchpad. In float32, and in bfloat16
/// where the CPU has it. Empty where the library is absent. Answers hold for this machine: they depend on the
/// instruction set and on the number of threads, which are recorded in Catalogue::environment. Times are estimated;
/// with \p measure every offer is executed a few times instead, which takes that long.
[[nodiscard]] Catalogue describeWithOneDnn(const Graph& graph, bool measure, const Context& context);

/// Runs nodes that were planned with one of those implementations, and reorders. Keeps the primitives of one run: they
/// are made once for a node, and again where its shapes change.
[[nodiscard]] std::unique_ptr<BackendSession> beginOneDnn();

} // namespace plimsoll::kernels
