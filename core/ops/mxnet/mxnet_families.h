#pragma once

#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/op_schema.h"
#include "core/ops/safe_int.h"

/// MXNet's operators, as its 1.x line registers them: shape rules with MXNet's own attributes, in-place options
/// (FInplaceOption, FInplaceIdentity) and ignored inputs (FIgnoreInputs) as data. Parameters and labels have no types
/// of their own; the operators that read them require them.
namespace plimsoll::mxnet {

#define PLIMSOLL_MXNET_FAMILIES(family)                                                                                \
    family(mxnetCreation) family(mxnetElementwise) family(mxnetLayer) family(mxnetLoss) family(mxnetMatrix)            \
        family(mxnetMovement) family(mxnetQuantized) family(mxnetReduction) family(mxnetReshape) family(mxnetSlice)    \
            family(mxnetVision)
#define PLIMSOLL_DECLARE_OPERATORS_OF_MXNET(name) extern const OpFamily name##Operators;
PLIMSOLL_MXNET_FAMILIES(PLIMSOLL_DECLARE_OPERATORS_OF_MXNET)

/// All inputs and output 0 have one type; what is known of any of them is known of all.
Status inferSame(NodeFacts& facts);
/// Output 0 has the shape of input 0 (both ways) and the element type \p dtype.
Status inferSameShape(NodeFacts& facts, DType dtype);

/// As its counterpart; of nothing left, the operators without numpy's shapes make [1].
Status inferLike(NodeFacts& facts);
/// The same with another element type.
Status inferLikeAs(NodeFacts& facts, DType dtype);

/// Which elements of an input an element of an output is made of, by the row of its counterpart.
AccessMap accessLike(NodeFacts& facts, std::size_t input, std::size_t output);

/// As its counterpart, which has the channels first and its parameters in their shapes; they are required, with the
/// element type \p parameters (Unknown: any).
Status inferLayerAs(NodeFacts& facts, DType parameters);
/// The same, where flatten=False keeps the axes of the data.
Status inferConnectedAs(NodeFacts& facts, DType parameters);

inline constexpr std::string_view WindowAttributes = "kernel_shape=kernel[] strides=stride[] pads=pad[2]";
inline constexpr std::string_view FilterAttributes =
    "kernel_shape=kernel[] strides=stride[] dilations=dilate[] pads=pad[2] group=num_group|1";

/// Convolutions: the shapes of the parameters follow from the data and num_filter.
Message convolved(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart);
/// Rows times the transposed weights: of everything behind the first axis (flatten), or of the last axis.
Message connected(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart);
/// Windows by pooling_convention: valid rounds down, full rounds up (the last window may begin in the padding), same
/// gives one for each stride begun.
Message pooled(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart);

[[nodiscard]] inline bool flag(const NodeFacts& facts, std::string_view name, bool fallback)
{
    return flagOf(facts.node().attributes, name, fallback);
}
[[nodiscard]] inline std::optional<std::vector<std::int64_t>> tuple(const NodeFacts& facts, std::string_view name)
{
    return tupleOf(facts.node().attributes, name);
}
/// The tuple, or \p fallback repeated. An Error where it has another length than \p count.
[[nodiscard]] Result<std::vector<std::int64_t>> tupleOfLength(const NodeFacts& facts, std::string_view name,
                                                              std::size_t count, std::int64_t fallback);
/// The attribute \p name as an axis of \p rank, counted from the front.
[[nodiscard]] Result<std::size_t> axisAttribute(const NodeFacts& facts, std::string_view name, std::int64_t fallback,
                                                std::size_t rank);

/// A shape attribute: 0 stands for an unknown size, except where the graph has numpy's shapes (then -1 does).
[[nodiscard]] std::optional<Dims> shapeAttribute(const NodeFacts& facts, std::string_view name);
/// Whether the file says that shapes are numpy's: a size of 0 is one, and a reduction to one element has rank 0.
[[nodiscard]] bool hasNumpyShapes(const Graph& graph);

/// The size, or UnknownSize after an overflow or where any part was unknown.
[[nodiscard]] std::int64_t known(SafeInt number);
/// \p a × \p b; UnknownSize where one of them is.
[[nodiscard]] std::int64_t product(std::int64_t a, std::int64_t b);
/// The product of the dimensions in [begin, end).
[[nodiscard]] std::int64_t product(const Dims& dims, std::size_t begin, std::size_t end);

} // namespace plimsoll::mxnet
