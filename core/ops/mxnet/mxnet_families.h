#pragma once

#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/op_schema.h"
#include "core/ops/safe_int.h"

/// MXNet's operators, as its 1.x line registers them: shape rules with MXNet's own attributes, in-place options
/// (FInplaceOption, FInplaceIdentity) and ignored inputs (FIgnoreInputs) as data. Parameters and labels have no types
/// of their own; the operators that read them require them.
namespace plimsoll::mxnet {

std::span<const OpSchema> elementwiseSchemas();
std::span<const OpSchema> creationSchemas();
std::span<const OpSchema> layerSchemas();
std::span<const OpSchema> lossSchemas();
std::span<const OpSchema> matrixSchemas();
std::span<const OpSchema> movementSchemas();
std::span<const OpSchema> poolingSchemas();
std::span<const OpSchema> quantizedSchemas();
std::span<const OpSchema> reductionSchemas();
std::span<const OpSchema> reshapeSchemas();
std::span<const OpSchema> sliceSchemas();
std::span<const OpSchema> visionSchemas();

/// All inputs and output 0 have one type; what is known of any of them is known of all.
Status inferSame(NodeFacts& facts);
/// Output 0 has the shape of input 0 (both ways) and the element type \p dtype.
Status inferSameShape(NodeFacts& facts, DType dtype);

/// As its counterpart; of nothing left, the operators without numpy's shapes make [1].
Status inferLike(NodeFacts& facts);
/// The same with another element type.
Status inferLikeAs(NodeFacts& facts, DType dtype);

/// Layers whose parameters have another element type than their data (Unknown: any).
Status inferConvolutionAs(NodeFacts& facts, DType parameters);
Status inferFullyConnectedAs(NodeFacts& facts, DType parameters);

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
/// Where the channels are in layouts such as NHWC; \p rank - 1 or 1.
[[nodiscard]] std::size_t channelAxis(const NodeFacts& facts, std::size_t rank);

} // namespace plimsoll::mxnet
