#pragma once

#include "kernels/run/run.h"
#include "kernels/run/step/digest.h"

#include <span>
#include <string>

namespace plimsoll::kernels {

/// One node without nested graphs, with the kernel of its chosen implementation: in the oracle, then as planned.
[[nodiscard]] Status runPlainNode(Run& run, NodeId node);
/// Hands a node to the stream in use of its device without waiting for it; what the host computes is computed.
[[nodiscard]] Status launchNode(Run& run, NodeId node);
/// A node whose outputs are constants: once, before the first step, into memory of their own.
[[nodiscard]] Status runNodeAhead(Run& run, NodeId node);
[[nodiscard]] Status loadInputs(Run& run, NodeId node);

/// Names every operator of the graph that has no kernel, "Attention (com.microsoft) x 5"; empty when all have one.
[[nodiscard]] word::List missingKernels(const Graph& graph);

/// Whether a hash may take the place of what the node failed to compute. Where it computed something of another type
/// than was planned, only if hashes stand in for other nodes already: else the inputs are to be mended.
[[nodiscard]] bool mayStandIn(const Run& run, NodeId node);
/// What to say where it may not.
[[nodiscard]] Error refusal(const Run& run, NodeId node, const Error& error);
/// The same hash in both memories for the outputs of an owner that failed halfway: of what it reads the plan may have
/// put something else in place by then.
[[nodiscard]] Status standIn(Run& run, NodeId owner, const Message& reason);

/// What an owner without a kernel has read: in the oracle, and where the plan has it.
struct ReadDigests
{
    Digest oracle;
    Digest planned;
};
[[nodiscard]] ReadDigests readInputs(Run& run, NodeId owner); ///< With its operator and attributes.
void readValues(Run& run, std::span<const ValueId> values, ReadDigests& digests);
/// Its outputs: a hash of that.
[[nodiscard]] Status fingerprintOwner(Run& run, NodeId owner, ReadDigests digests);

/// "onednn+reference", in the order of the table.
[[nodiscard]] std::string usedBackends(const KernelUse& kernels);

} // namespace plimsoll::kernels
