#pragma once

#include "core/graph/graph.h"

#include <vector>

namespace plimsoll {

/// How often the bodies of an owner are executed.
enum class BodyRule : std::uint8_t {
    Branch, ///< At most one of the bodies runs, once (If).
    Loop,   ///< The body runs any number of times, perhaps none (Loop, Scan, SequenceMap).
    Once,   ///< The bodies run once, one after the other: graphs hidden in vendor operators.
};
[[nodiscard]] BodyRule bodyRule(const Graph& graph, NodeId owner);

/// How one tensor travels between an owner and one of its bodies. Indexes are positions in the owner's inputs and
/// outputs and in the body's; -1 where the kind has none.
struct BodyLink
{
    enum class Kind : std::uint8_t {
        Branch, ///< bodyOutput → ownerOutput at the Leave (If).
        Carried, ///< ownerInput → bodyInput at the Enter; bodyOutput → bodyInput at each Leave; bodyInput → ownerOutput
                 ///< at the Exit.
        Iteration, ///< The trip number → bodyInput.
        Condition, ///< ownerInput (may be absent) → bodyInput at the Enter; bodyOutput decides about the next trip and
                   ///< → bodyInput.
        ScanInput,  ///< A slice of ownerInput → bodyInput at the Enter and at each Leave.
        ScanOutput, ///< bodyOutput is written into its place of ownerOutput at each Leave.
        Opaque,     ///< A vendor operator's body: bodyInput written at the Enter; bodyOutput read at the Exit.
    };
    Kind kind = Kind::Branch;
    int ownerInput = -1;
    int bodyInput = -1;
    int bodyOutput = -1;
    int ownerOutput = -1;
};
[[nodiscard]] std::vector<BodyLink> bodyLinks(const Graph& graph, NodeId owner, BodyId body);

/// What the outputs of a node may or must have to do with its inputs: what the file declares, or the schema of its
/// operator; and what the chosen implementation adds to it (core/lower/choose/widened_pairs.h). Outputs that are not
/// listed are fresh. An output may be listed several times (in place over either input). Only traits that the inferred
/// types allow are returned: an in-place or identity pair has equal byte sizes.
[[nodiscard]] std::vector<AliasTrait> aliasTraits(const Graph& graph, NodeId node);

/// Whether the node looks at the bytes of the input, and not only at its shape. False also for an absent input.
[[nodiscard]] bool readsContent(const Graph& graph, NodeId node, int input);

/// Whether it makes something to be read. A moment of a table of buffers only takes and frees bytes.
[[nodiscard]] bool computes(const Graph& graph, NodeId node);

/// The same inputs always give the same outputs, and nothing else happens: no random numbers, state or mutation.
[[nodiscard]] bool isPure(const Graph& graph, NodeId node);

/// Whether a backward graph may compute the node's results anew at little cost: pure, without nested graphs, and about
/// as much work as reading its inputs. Not so what multiplies matrices, convolves, gathers, sorts or joins tensors.
[[nodiscard]] bool isCheap(const Graph& graph, NodeId node);

/// Whether the operator is known here at all. Unknown ones are opaque: fresh outputs, everything read.
[[nodiscard]] bool isKnownOperator(const Graph& graph, NodeId node);

} // namespace plimsoll
