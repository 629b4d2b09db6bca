#include "core/ops/derivatives/derivative_data.h"

namespace plimsoll::ops {

// Numbers (a constant of one element) are no tensors: they are never kept.
const std::string_view ElementwiseDerivatives = R"(
op Add(self, other) = aten::add
  self: g
  other: g
op Sub(self, other) = aten::sub
  self: g
  other: -g
op Sum(inputs...)
  inputs: g
op Mul(self, other#) when number other = aten::mul.Scalar
  self: g * other
op Mul(self#, other) when number self
  other: g * self
op Mul(self, other) = aten::mul
  self: g * other
  other: g * self
op Div(self, other#) when number other = aten::div.Scalar
  self: g / other
op Div(self, other) = aten::div
  self: g / other
  other: -g * self / (other * other)
op Mod(self, other) when attribute fmod 1 = aten::fmod
  self: g
  other: -g * trunc(self / other)
op Pow(self, exponent#) when number exponent = aten::pow.Tensor_Scalar
  self: g * exponent * pow(self, exponent - 1)
op Pow(self, exponent) -> result = aten::pow.Tensor_Tensor
  self: g * exponent * pow(self, exponent - 1)
  exponent: where(both(eq(self, 0), ge(exponent, 0)), 0, g * result * log(self))
op Max(self, other) = aten::maximum
  self: g * (gt(self, other) + eq(self, other) / 2)
  other: g * (gt(other, self) + eq(self, other) / 2)
op Min(self, other) = aten::minimum
  self: g * (lt(self, other) + eq(self, other) / 2)
  other: g * (lt(other, self) + eq(self, other) / 2)
op Where(condition, self, other) = aten::where
  self: where(condition, g, 0)
  other: where(condition, 0, g)
op PRelu(self, weight) = aten::_prelu_kernel
joint
  self: where(gt(self, 0), g, g * weight)
  weight: where(gt(self, 0), 0, g * self)
op aten::addcmul(self, tensor1, tensor2)
  self: g
  tensor1: g * tensor2 * attr(value, 1)
  tensor2: g * tensor1 * attr(value, 1)
op aten::addcdiv(self, tensor1, tensor2)
  self: g
  tensor1: g * attr(value, 1) / tensor2
  tensor2: -g * attr(value, 1) * tensor1 / (tensor2 * tensor2)
op aten::lerp(self, end, weight)
  self: g * (1 - weight)
  end: g * weight
  weight: g * (end - self)
op aten::sigmoid_backward(grad_output, output)
  grad_output: g * output * (1 - output)
  output: g * grad_output * (1 - 2 * output)

op Neg(self) = aten::neg
  self: -g
op Abs(self) = aten::abs
  self: g * sign(self)
op Exp(self) -> result = aten::exp
  self: g * result
op Log(self) = aten::log
  self: g / self
op Sqrt(self) -> result = aten::sqrt
  self: g / (2 * result)
op Reciprocal(self) -> result = aten::reciprocal
  self: -g * result * result
op Sin(self) = aten::sin
  self: g * cos(self)
op Cos(self) = aten::cos
  self: -g * sin(self)
op Tan(self) -> result = aten::tan
  self: g * (1 + result * result)
op Asin(self) = aten::asin
  self: g / sqrt(1 - self * self)
op Acos(self) = aten::acos
  self: -g / sqrt(1 - self * self)
op Atan(self) = aten::atan
  self: g / (1 + self * self)
op Sinh(self) = aten::sinh
  self: g * cosh(self)
op Cosh(self) = aten::cosh
  self: g * sinh(self)
op Asinh(self) = aten::asinh
  self: g / sqrt(self * self + 1)
op Acosh(self) = aten::acosh
  self: g / sqrt(self * self - 1)
op Atanh(self) = aten::atanh
  self: g / (1 - self * self)
op Erf(self) = aten::erf
  self: g * 1.1283791670955126 * exp(-self * self)
op Floor(self)
op Ceil(self)
op Round(self)
op Sign(self)

op Relu(self) -> result = aten::relu
  self: g * gt(result, 0)
op Sigmoid(self) -> result = aten::sigmoid
  self: g * result * (1 - result)
op Tanh(self) -> result = aten::tanh
  self: g * (1 - result * result)
op Gelu(self) when attribute approximate tanh
  self: g * (0.5 * (1 + tanh(0.7978845608028654 * (self + 0.044715 * self * self * self))) + 0.5 * self * (1 - pow(tanh(0.7978845608028654 * (self + 0.044715 * self * self * self)), 2)) * 0.7978845608028654 * (1 + 0.134145 * self * self))
op Gelu(self) = aten::gelu
  self: g * (0.5 * (1 + erf(self * 0.7071067811865476)) + self * exp(-0.5 * self * self) * 0.3989422804014327)
op Swish(self) = aten::silu
  self: g * sigmoid(attr(alpha, 1) * self) * (1 + attr(alpha, 1) * self * (1 - sigmoid(attr(alpha, 1) * self)))
op Mish(self) = aten::mish
  self: g * (tanh(softplus(self)) + self * (1 - pow(tanh(softplus(self)), 2)) * sigmoid(self))
op Softplus(self) = aten::softplus
  self: g * sigmoid(self)
op Softsign(self)
  self: g / ((1 + abs(self)) * (1 + abs(self)))
op LeakyRelu(self) = aten::leaky_relu
  self: where(gt(self, 0), g, g * attr(alpha, 0.01))
op Elu(self) = aten::elu
  self: where(gt(self, 0), g, g * attr(alpha, 1) * exp(self))
op Celu(self) = aten::celu
  self: where(gt(self, 0), g, g * exp(self / attr(alpha, 1)))
op Selu(self) = aten::selu
  self: attr(gamma, 1.0507010221481323) * where(gt(self, 0), g, g * attr(alpha, 1.6732631921768188) * exp(self))
op ThresholdedRelu(self) = aten::threshold
  self: g * gt(self, attr(alpha, 1))
op HardSigmoid(self) = aten::hardsigmoid
  self: g * attr(alpha, 0.2) * both(gt(attr(alpha, 0.2) * self + attr(beta, 0.5), 0), lt(attr(alpha, 0.2) * self + attr(beta, 0.5), 1))
op HardSwish(self) = aten::hardswish
  self: g * where(lt(self, -3), 0, where(gt(self, 3), 1, self / 3 + 0.5))
op Clip(self, min#, max#) = aten::clamp
  self: g * (1 - lt(self, min)) * (1 - gt(self, max)) * (1 - lt(self, attr(min, -1e300))) * (1 - gt(self, attr(max, 1e300)))

op plimsoll::Detach(self)
op plimsoll::Data(self)
op plimsoll::Copy_(self, src)
  self: 0
  src: g
op plimsoll::Fill_(self, value#)
  self: 0
op plimsoll::Zero_(self)
  self: 0
op plimsoll::Add_(self, other) = aten::add_
  self: g
  other: g
op plimsoll::Sub_(self, other) = aten::sub_
  self: g
  other: -g
op plimsoll::Mul_(self, other) = aten::mul_
  self: g * other
  other: g * self
op plimsoll::Div_(self, other) = aten::div_
  self: g / other
  other: -g * self / (other * other)
op plimsoll::Neg_(self) = aten::neg_
  self: -g
op plimsoll::Exp_(self) -> result = aten::exp_
  self: g * result
op plimsoll::Relu_(self) -> result = aten::relu_
  self: g * gt(result, 0)
op plimsoll::Sigmoid_(self) -> result = aten::sigmoid_
  self: g * result * (1 - result)
op plimsoll::Tanh_(self) -> result = aten::tanh_
  self: g * (1 - result * result)
op plimsoll::LeakyRelu_(self) -> result = aten::leaky_relu_
  self: where(gt(result, 0), g, g * attr(alpha, 0.01))
op plimsoll::Elu_(self) -> result = aten::elu_
  self: where(gt(result, 0), g, g * (result + attr(alpha, 1)))
op plimsoll::Clamp_(self, min#, max#) = aten::clamp_
  self: g * (1 - lt(self, min)) * (1 - gt(self, max))
)";

} // namespace plimsoll::ops
