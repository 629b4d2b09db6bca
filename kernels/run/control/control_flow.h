#pragma once

#include "kernels/run/run.h"

namespace plimsoll::kernels {

/// All nodes of a graph, once; of a nested one without its Leave.
[[nodiscard]] Status runBody(Run& run, BodyId body);
/// A node of it; an owner with its nested graphs. Owners whose control flow is not known hide graphs in their
/// attributes: their bodies run once, on inputs drawn from a hash of the owner's inputs, and their outputs are a hash
/// of both.
[[nodiscard]] Status runNode(Run& run, NodeId node);

/// Whether it is known here how the node's bodies are executed: If, Loop, Scan, SequenceMap, and XLA's own two.
[[nodiscard]] bool hasControlFlow(const Node& node);

/// Executes Loop, Scan (8 and later) and SequenceMap, as their links (core/ops/op_traits.h) say what travels when:
///
///     Enter   owner's inputs → body's inputs, first slices
///     body    ┐
///     Leave   ┘ once for each iteration: slices out, carried state and next slices in
///     Exit    final state and stacked slices → owner's outputs
[[nodiscard]] Status runLoop(Run& run, NodeId owner);

/// Enter: inputs loaded and compared, the step left open for what the owner writes into its bodies.
[[nodiscard]] Status beginEnter(Run& run, NodeId owner);
/// Leave: the outputs of the body loaded, the step left open for what the body hands over.
[[nodiscard]] Status beginLeave(Run& run, BodyId body);
void endLeave(Run& run, BodyId body); ///< Releases what the body alone has used.
[[nodiscard]] Status beginExit(Run& run, NodeId owner);
void endExit(Run& run, NodeId owner);

/// The truth of a one-element bool tensor as the oracle has it; \p fallback where there is none.
[[nodiscard]] bool truthOf(const RuntimeValue& value, bool fallback);

} // namespace plimsoll::kernels
