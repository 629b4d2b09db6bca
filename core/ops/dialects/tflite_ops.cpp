#include "core/ops/onnx/op_families.h"
#include "core/ops/while_loop.h"

namespace plimsoll::ops {

namespace {

// Options of operators are not read, so no two nodes are known to compute the same: none is pure.

/// Each element is read before the one in its place is written, by TensorFlow Lite's kernels and its arena planner's
/// table of operators that may share (inplace_operator).
constexpr OpSchema elementwise(std::string_view op, Operands inputs = First)
{
    return {.op = op, .signature = AnyForm, .inPlace = inputs, .pure = false};
}

/// The bytes of input 0 under another shape.
constexpr OpSchema reshaping(std::string_view op)
{
    return {.op = op, .signature = AnyForm, .inPlace = First, .identity = true, .pure = false};
}

/// Looks at the shape of input 0 only.
constexpr OpSchema ofShape(std::string_view op)
{
    return {.op = op, .signature = AnyForm, .ignored = First, .pure = false};
}

constexpr OpSchema Schemas[] = {
    elementwise("ABS"),
    elementwise("ADD", FirstTwo),
    elementwise("ATAN2", FirstTwo),
    elementwise("CEIL"),
    elementwise("COS"),
    elementwise("DIV", FirstTwo),
    elementwise("DYNAMIC_UPDATE_SLICE"),
    elementwise("ELU"),
    elementwise("EXP"),
    elementwise("FLOOR"),
    elementwise("FLOOR_DIV", FirstTwo),
    elementwise("FLOOR_MOD", FirstTwo),
    elementwise("GELU"),
    elementwise("HARD_SWISH"),
    elementwise("LEAKY_RELU"),
    elementwise("LOG"),
    elementwise("LOGICAL_AND", FirstTwo),
    elementwise("LOGICAL_NOT"),
    elementwise("LOGICAL_OR", FirstTwo),
    elementwise("LOGISTIC"),
    elementwise("MAXIMUM", FirstTwo),
    elementwise("MINIMUM", FirstTwo),
    elementwise("MUL", FirstTwo),
    elementwise("NEG"),
    elementwise("POW", FirstTwo),
    elementwise("PRELU"),
    elementwise("RELU"),
    elementwise("RELU6"),
    elementwise("RELU_0_TO_1"),
    elementwise("RELU_N1_TO_1"),
    elementwise("ROUND"),
    elementwise("RSQRT"),
    elementwise("SIGN"),
    elementwise("SIN"),
    elementwise("SOFTMAX"),
    elementwise("SQRT"),
    elementwise("SQUARE"),
    elementwise("SQUARED_DIFFERENCE", FirstTwo),
    elementwise("SUB", FirstTwo),
    elementwise("TANH"),
    ofShape("RANK"),
    ofShape("SHAPE"),
    ofShape("ZEROS_LIKE"),
    reshaping("BITCAST"),
    reshaping("EXPAND_DIMS"),
    reshaping("RESHAPE"),
    reshaping("SQUEEZE"),
    {.op = "STABLEHLO_WHILE", .signature = AnyForm, .pure = false, .bodies = &WhileLoop},
    {.op = "WHILE", .signature = AnyForm, .pure = false, .bodies = &WhileLoop},
};

} // namespace

std::span<const OpSchema> tfliteSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
