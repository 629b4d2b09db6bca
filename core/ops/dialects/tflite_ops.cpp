#include "core/ops/alike_rows.h"
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

constexpr auto TfliteSchemas =
    joined(alike<"ABS CEIL COS DYNAMIC_UPDATE_SLICE ELU EXP FLOOR GELU HARD_SWISH LEAKY_RELU LOG LOGICAL_NOT LOGISTIC "
                 "NEG PRELU RELU RELU6 RELU_0_TO_1 RELU_N1_TO_1 ROUND RSQRT SIGN SIN SOFTMAX SQRT SQUARE TANH">(
               elementwise(First)),
           alike<"ADD ATAN2 DIV FLOOR_DIV FLOOR_MOD LOGICAL_AND LOGICAL_OR MAXIMUM MINIMUM MUL POW SQUARED_DIFFERENCE "
                 "SUB">(elementwise(FirstTwo)),
           alike<"RANK SHAPE ZEROS_LIKE">(OfShape), alike<"BITCAST EXPAND_DIMS RESHAPE SQUEEZE">(Reshaping),
           alike<"STABLEHLO_WHILE WHILE">(Loop));

} // namespace

constinit const OpFamily tfliteOperators {"tflite", TfliteSchemas};

} // namespace plimsoll::ops
