#include "core/ops/alike_rows.h"
#include "core/ops/dialects/parts_by_shapes.h"
#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

/// Each element is read before the one in its place is written: PyTorch lets the result of such an operator be one of
/// its arguments, and ExecuTorch's kernels are loops over the elements. Their scalars are not read, so none is pure.
constexpr OpSchema pointwise(Operands inputs)
{
    return {.op = {}, .signature = AnyForm, .inPlace = inputs, .pure = false};
}

constexpr auto ExecutorchSchemas = joined(
    alike<"abs.out acos.out acosh.out add.Scalar_out asin.out asinh.out atan.out atanh.out "
          "bitwise_and.Scalar_out bitwise_not.out bitwise_or.Scalar_out bitwise_xor.Scalar_out ceil.out "
          "clamp.out cos.out cosh.out div.Scalar_out elu.out erf.out exp.out expm1.out floor.out "
          "fmod.Scalar_out gelu.out hardtanh.out leaky_relu.out log.out log10.out log1p.out log2.out "
          "logical_not.out logit.out masked_fill.Scalar_out mul.Scalar_out neg.out pow.Tensor_Scalar_out "
          "reciprocal.out relu.out remainder.Scalar_out round.out rsqrt.out rsub.Scalar_out sigmoid.out "
          "sign.out sin.out sinh.out sqrt.out sub.Scalar_out tan.out tanh.out trunc.out">(pointwise(First)),
    alike<"add.out atan2.out bitwise_and.Tensor_out bitwise_or.Tensor_out bitwise_xor.Tensor_out div.out "
          "div.out_mode floor_divide.out fmod.Tensor_out logical_and.out logical_or.out logical_xor.out "
          "maximum.out minimum.out mul.out pow.Tensor_Tensor_out remainder.Tensor_out sub.out">(pointwise(FirstTwo)),
    alike<"where.self_out">(pointwise(SecondAndThird)),
    std::to_array<OpSchema>(
        {{.op = "cat.out", .signature = AnyForm, .access = joinedByShapes, .moves = true, .pure = false},
         {.op = "stack.out", .signature = AnyForm, .access = stackedByShapes, .moves = true, .pure = false}}));

} // namespace

constinit const OpFamily executorchOperators {"aten", ExecutorchSchemas};

} // namespace plimsoll::ops
