#include "core/ops/onnx/op_families.h"

namespace plimsoll::ops {

namespace {

/// Each element is read before the one in its place is written: PyTorch lets the result of such an operator be one of
/// its arguments, and ExecuTorch's kernels are loops over the elements. Their scalars are not read, so none is pure.
constexpr OpSchema pointwise(std::string_view op, Operands inputs = First)
{
    return {.op = op, .signature = AnyForm, .inPlace = inputs, .pure = false};
}

constexpr OpSchema Schemas[] = {
    pointwise("abs.out"),
    pointwise("acos.out"),
    pointwise("acosh.out"),
    pointwise("add.Scalar_out"),
    pointwise("add.out", FirstTwo),
    pointwise("asin.out"),
    pointwise("asinh.out"),
    pointwise("atan.out"),
    pointwise("atan2.out", FirstTwo),
    pointwise("atanh.out"),
    pointwise("bitwise_and.Scalar_out"),
    pointwise("bitwise_and.Tensor_out", FirstTwo),
    pointwise("bitwise_not.out"),
    pointwise("bitwise_or.Scalar_out"),
    pointwise("bitwise_or.Tensor_out", FirstTwo),
    pointwise("bitwise_xor.Scalar_out"),
    pointwise("bitwise_xor.Tensor_out", FirstTwo),
    pointwise("ceil.out"),
    pointwise("clamp.out"),
    pointwise("cos.out"),
    pointwise("cosh.out"),
    pointwise("div.Scalar_out"),
    pointwise("div.out", FirstTwo),
    pointwise("div.out_mode", FirstTwo),
    pointwise("elu.out"),
    pointwise("erf.out"),
    pointwise("exp.out"),
    pointwise("expm1.out"),
    pointwise("floor.out"),
    pointwise("floor_divide.out", FirstTwo),
    pointwise("fmod.Scalar_out"),
    pointwise("fmod.Tensor_out", FirstTwo),
    pointwise("gelu.out"),
    pointwise("hardtanh.out"),
    pointwise("leaky_relu.out"),
    pointwise("log.out"),
    pointwise("log10.out"),
    pointwise("log1p.out"),
    pointwise("log2.out"),
    pointwise("logical_and.out", FirstTwo),
    pointwise("logical_not.out"),
    pointwise("logical_or.out", FirstTwo),
    pointwise("logical_xor.out", FirstTwo),
    pointwise("logit.out"),
    pointwise("masked_fill.Scalar_out"),
    pointwise("maximum.out", FirstTwo),
    pointwise("minimum.out", FirstTwo),
    pointwise("mul.Scalar_out"),
    pointwise("mul.out", FirstTwo),
    pointwise("neg.out"),
    pointwise("pow.Tensor_Scalar_out"),
    pointwise("pow.Tensor_Tensor_out", FirstTwo),
    pointwise("reciprocal.out"),
    pointwise("relu.out"),
    pointwise("remainder.Scalar_out"),
    pointwise("remainder.Tensor_out", FirstTwo),
    pointwise("round.out"),
    pointwise("rsqrt.out"),
    pointwise("rsub.Scalar_out"),
    pointwise("sigmoid.out"),
    pointwise("sign.out"),
    pointwise("sin.out"),
    pointwise("sinh.out"),
    pointwise("sqrt.out"),
    pointwise("sub.Scalar_out"),
    pointwise("sub.out", FirstTwo),
    pointwise("tan.out"),
    pointwise("tanh.out"),
    pointwise("trunc.out"),
    pointwise("where.self_out", SecondAndThird),
};

} // namespace

std::span<const OpSchema> executorchSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
