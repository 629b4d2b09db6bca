#pragma once

#include "core/graph/access_map.h"
#include "core/ops/counterparts.h"
#include "core/ops/node_facts.h"
#include "core/ops/op_traits.h"
#include "core/ops/rules/attribute_choices.h"
#include "core/ops/rules/signature.h"
#include "core/ops/sparse_rules.h"

#include <span>

namespace plimsoll {

/// Fills in the types of a node's outputs. An Error says that the inputs cannot go together.
using InferFunction = Status (*)(NodeFacts&);
/// Fills in what is known of the elements of outputs, whose types are known by then.
using EvaluateFunction = void (*)(NodeFacts&);
/// Which elements of an input those of an output are made of. Types of inputs are known.
using AccessFunction = AccessMap (*)(NodeFacts&, std::size_t input, std::size_t output);
class ShapeSearch;
/// Says what the inputs must hold so that the outputs have the sizes that their types say.
using ContentsFunction = void (*)(ShapeSearch&);
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

/// Some of the inputs of a node, by position.
struct Operands
{
    std::uint32_t bits = 0;

    friend bool operator==(const Operands&, const Operands&) = default;
    [[nodiscard]] constexpr bool empty() const { return bits == 0; }
    [[nodiscard]] constexpr bool has(int input) const
    {
        return input >= 0 && (bits == ~std::uint32_t {0} || (input < 32 && ((bits >> input) & 1U) != 0));
    }
};
inline constexpr Operands First {0b1};
inline constexpr Operands Second {0b10};
inline constexpr Operands FirstTwo {0b11};
inline constexpr Operands SecondAndThird {0b110};
inline constexpr Operands AllInputs {~std::uint32_t {0}};

/// Everything that is known of one operator, in all its versions: its row. Files of families hold the rows.
struct OpSchema
{
    std::string_view op;
    Signature signature; ///< Has no default: every row says it.
    InferFunction infer = nullptr;
    InferFunction most = nullptr; ///< The same of the largest types of inputs, for sizes that only the run knows.
    Operands grows = {};          ///< Without most: larger ones among these make no smaller outputs by infer.
    EvaluateFunction evaluate = nullptr;
    ContentsFunction contents = nullptr; ///< Null: what its inputs hold decides no size.
    AccessFunction access = nullptr;     ///< Null: nothing is known beside inPlace.
    bool moves = false;                  ///< Elements of outputs are some of those that access says, unchanged.
    AttributeChoice choices[4] = {};
    Operands inPlace = {}; ///< Output 0 may be written over these where both have the same shape.
    Operands ignored = {}; ///< Whose content is not read.
    bool identity = false; ///< Output 0 has the bytes of input 0.
    bool view = false;     ///< Output 0 is input 0, whatever the policies.
    bool mutates = false;  ///< Output 0 is input 0 after being written.
    bool pure = true;      ///< The same inputs give the same outputs, and nothing else happens.
    bool computes = true;  ///< False: it stands for a moment at which bytes are taken and freed, and nothing else.
    bool cheap = false;    ///< About as much work as reading its inputs; so is all that is in place or an identity.
    NodePredicate traitsHold = nullptr; ///< Null: always. Else inPlace and identity hold only where it says so.
    NodePredicate pureWhere = nullptr;  ///< Null: everywhere, if pure.
    const BodyTraits* bodies = nullptr;
    CounterpartRule counterpart = {};          ///< Of another dialect: the operator of the standard that does the same.
    std::span<const SparseRule> storages = {}; ///< What it makes of tensors that are sparse.
    /// Gradients, in the language of derivatives.h. A head needs no name: "(self) -> result; self: g * result".
    std::string_view derivative = {};
    std::string_view derivative2019 = {}; ///< Where PyTorch's was otherwise in 2019.
};

/// The schema of an operator; nullptr for one that is not known here. "ai.onnx" is "".
[[nodiscard]] const OpSchema* findSchema(std::string_view domain, std::string_view op);

/// The rows of one file, and the domain that they are of; "" is the standard's.
struct OpFamily
{
    std::string_view domain;
    std::span<const OpSchema> rows;
};
[[nodiscard]] std::span<const OpFamily> opFamilies();

/// The newest set of ONNX's operators that is known here: what a plimsoll.graph/1 file means when it names none.
inline constexpr std::int64_t NewestOpset = 27;

/// Version of the operator set that the node is from; the newest one known here where the graph does not say.
[[nodiscard]] std::int64_t opsetOf(const Graph& graph, const Node& node);

/// Whether elements of the type are followed through shape arithmetic.
[[nodiscard]] bool isTracked(DType dtype);

/// Bodies of an owner: those of its schema, or those of a vendor operator.
[[nodiscard]] const BodyTraits& bodyTraits(const Graph& graph, NodeId owner);

} // namespace plimsoll
