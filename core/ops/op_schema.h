#pragma once

#include "core/ops/node_facts.h"
#include "core/ops/op_traits.h"
#include "core/ops/sparse_rules.h"

#include <span>

namespace plimsoll {

/// Fills in the types of a node's outputs. An Error says that the inputs cannot go together.
using InferFunction = Status (*)(NodeFacts&);
/// Fills in what is known of the elements of outputs, whose types are known by then.
using EvaluateFunction = void (*)(NodeFacts&);
/// Whether a trait holds for this very node (Dropout only outside of training).
using NodePredicate = bool (*)(const Graph&, const Node&);

/// Bodies of an operator: how often they run and how tensors travel.
struct BodyTraits
{
    BodyRule rule = BodyRule::Once;
    std::vector<BodyLink> (*links)(const Graph&, NodeId owner, BodyId body) = nullptr;
    /// What a body sees of an input of its owner (a slice of a ScanInput).
    TensorType (*inner)(const NodeFacts&, const BodyLink&) = nullptr;
    /// What the owner's output is, from the body's and the number of trips (UnknownSize where it is data).
    TensorType (*outer)(const NodeFacts&, const BodyLink&, const TensorType& bodyOutput, std::int64_t trips) = nullptr;
    /// The number of trips, if no condition ends them early.
    std::int64_t (*trips)(NodeFacts&) = nullptr;
    /// Whether the bodies run once for each element of a batch, which inputs have in front (Scan-8). Null: never.
    NodePredicate batched = nullptr;
    bool sequences = false; ///< What is cut up and collected are sequences; tensors are handed over whole.
    bool endless = false;   ///< It may run without anything that says how often.
};

/// Everything that is known of one operator, in all its versions.
struct OpSchema
{
    std::string_view op;
    InferFunction infer = nullptr;
    EvaluateFunction evaluate = nullptr;
    std::uint32_t inPlace = 0; ///< Bit i: output 0 may be written over input i where both have the same shape.
    bool identity = false;     ///< Output 0 has the bytes of input 0.
    bool view = false;         ///< Output 0 is input 0, whatever the policies.
    bool mutates = false;      ///< Output 0 is input 0 after being written.
    std::uint32_t ignored = 0; ///< Bit i: the content of input i is not read.
    bool pure = true;
    bool computes = true; ///< False: it stands for a moment at which bytes are taken and freed, and nothing else.
    NodePredicate traitsHold = nullptr; ///< Null: always. Else inPlace and identity hold only where it says so.
    NodePredicate pureWhere = nullptr;  ///< Null: everywhere, if pure.
    const BodyTraits* bodies = nullptr;
    std::span<const SparseRule> storages {}; ///< What it makes of tensors that are sparse.
};

inline constexpr std::uint32_t AllInputs = ~std::uint32_t {0};

/// The schema of an operator; nullptr for one that is not known here. "ai.onnx" is "".
[[nodiscard]] const OpSchema* findSchema(std::string_view domain, std::string_view op);

/// The newest set of ONNX's operators that is known here: what a plimsoll.graph/1 file means when it names none.
inline constexpr std::int64_t NewestOpset = 27;

/// Version of the operator set that the node is from; the newest one known here where the graph does not say.
[[nodiscard]] std::int64_t opsetOf(const Graph& graph, const Node& node);

/// Whether elements of the type are followed through shape arithmetic.
[[nodiscard]] bool isTracked(DType dtype);

/// Bodies of an owner: those of its schema, or those of a vendor operator.
[[nodiscard]] const BodyTraits& bodyTraits(const Graph& graph, NodeId owner);

} // namespace plimsoll
