#include "core/ops/alike_rows.h"
#include "core/ops/dialects/parts_by_shapes.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/while_loop.h"

namespace plimsoll::ops {

namespace {

// Options of operators are not read, so no two nodes are known to compute the same: none is pure.

/// Each element is read before the one in its place is written, by TensorFlow Lite's kernels and its arena planner's
/// table of operators that may share (inplace_operator).
constexpr OpSchema elementwise(Operands inputs)
{
    return {.op = {}, .signature = AnyForm, .inPlace = inputs, .pure = false};
}

/// Looks at the shape of input 0 only.
constexpr OpSchema OfShape = {.op = {}, .signature = AnyForm, .ignored = First, .pure = false};
/// The bytes of input 0 under another shape.
constexpr OpSchema Reshaping = {.op = {}, .signature = AnyForm, .inPlace = First, .identity = true, .pure = false};
constexpr OpSchema Loop = {.op = {}, .signature = AnyForm, .pure = false, .bodies = &WhileLoop};

/// A tensor that is joined, cut or padded: elements keep their values.
constexpr OpSchema moving(AccessFunction access)
{
    return {.op = {}, .signature = AnyForm, .access = access, .moves = true, .pure = false};
}

/// Inputs of uint8 may have scales of their own; the kernel then brings them to that of the result.
AccessMap concatenationAccess(NodeFacts& facts, std::size_t input, std::size_t output)
{
    return facts.dtype(input) == DType::UInt8 ? AccessMap {} : joinedByShapes(facts, input, output);
}

/// Input 0 is the axis.
AccessMap splitAccess(NodeFacts& facts, std::size_t input, std::size_t output)
{
    return input == 1 ? cutByShapes(facts, input, output) : AccessMap {};
}

AccessMap splitVAccess(NodeFacts& facts, std::size_t input, std::size_t output)
{
    return input == 0 ? cutByShapes(facts, input, output) : AccessMap {};
}

/// Input 1 says where it begins, along each axis.
AccessMap sliceAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto dims = facts.dims(0);
    const auto begin = facts.integers(1);
    if (input != 0 || !dims || !begin || begin->size() != dims->size()) return {};
    AccessMap map = sameIndex(dims->size());
    for (std::size_t axis = 0; axis < dims->size(); ++axis)
        map.axes[axis].start = (*begin)[axis];
    return map;
}

/// Input 1 says of each axis how many are added in front and behind.
AccessMap padAccess(NodeFacts& facts, std::size_t input, std::size_t)
{
    const auto dims = facts.dims(0);
    const auto added = facts.integers(1);
    if (input != 0 || !dims || !added || added->size() != 2 * dims->size()) return {};
    AccessMap map = sameIndex(dims->size());
    for (std::size_t axis = 0; axis < dims->size(); ++axis)
        map.axes[axis].start = -(*added)[2 * axis];
    return map;
}

constexpr auto TfliteSchemas =
    joined(alike<"ABS CEIL COS DYNAMIC_UPDATE_SLICE ELU EXP FLOOR GELU HARD_SWISH LEAKY_RELU LOG LOGICAL_NOT LOGISTIC "
                 "NEG PRELU RELU RELU6 RELU_0_TO_1 RELU_N1_TO_1 ROUND RSQRT SIGN SIN SOFTMAX SQRT SQUARE TANH">(
               elementwise(First)),
           alike<"ADD ATAN2 DIV FLOOR_DIV FLOOR_MOD LOGICAL_AND LOGICAL_OR MAXIMUM MINIMUM MUL POW SQUARED_DIFFERENCE "
                 "SUB">(elementwise(FirstTwo)),
           alike<"RANK SHAPE ZEROS_LIKE">(OfShape), alike<"BITCAST EXPAND_DIMS RESHAPE SQUEEZE">(Reshaping),
           alike<"STABLEHLO_WHILE WHILE">(Loop), alike<"CONCATENATION">(moving(concatenationAccess)),
           alike<"PAD PADV2">(moving(padAccess)), alike<"SLICE">(moving(sliceAccess)),
           alike<"SPLIT">(moving(splitAccess)), alike<"SPLIT_V">(moving(splitVAccess)),
           alike<"PACK">(moving(stackedByShapes)), alike<"UNPACK">(moving(unstackedByShapes)));

} // namespace

constinit const OpFamily tfliteOperators {"tflite", TfliteSchemas};

} // namespace plimsoll::ops
