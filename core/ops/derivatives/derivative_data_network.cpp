#include "core/ops/derivatives/derivative_data.h"

namespace plimsoll::ops {

const std::string_view NetworkDerivatives = R"(
op Conv(self, weight, bias?) = aten::convolution
joint
  self: conv_input(g, weight)
  weight: conv_weight(g, self)
  bias: channels(g)
op aten::_nnpack_spatial_convolution(self, weight, bias?)
joint
  self: conv_input(g, weight)
  weight: conv_weight(g, self)
  bias: channels(g)
op ConvTranspose(self, weight, bias?)
joint
  self: conv_transpose_input(g, weight)
  weight: conv_transpose_weight(g, self)
  bias: channels(g)
op MaxPool(self) -> result, indices = aten::max_pool2d
  self: max_pool_back(g, self)
op AveragePool(self) = aten::avg_pool2d
  self: with(average_pool_back(g), held(self))
op GlobalAveragePool(self) -> result = aten::adaptive_avg_pool2d
  self: with(g * count(result) / count(self), held(self))

op Softmax(self) -> result = aten::softmax
  self: result * (g - along(g * result))
op LogSoftmax(self) -> result = aten::log_softmax
  self: g - exp(result) * along(g)
op LayerNormalization(self, weight, bias?) -> result, mean, rstd = aten::layer_norm
joint
  self: with(normalized_rows_back(g * weight, self), held(bias))
  weight: g * normalized_rows(self)
  bias: g
op RMSNormalization(self, weight) = aten::rms_norm
joint
  self: scaled_rows_back(g * weight, self)
  weight: g * scaled_rows(self)
op BatchNormalization(self, weight, bias, running_mean, running_var) when attribute training_mode 1 = aten::batch_norm
joint
  self: with(normalized_batch_back(g * per_channel(weight), self), held(running_mean))
  weight: with(channels(g * normalized_batch(self)), held(running_var))
  bias: channels(g)
op BatchNormalization(self, weight, bias, running_mean, running_var)
joint
  self: g * per_channel(weight / sqrt(running_var + attr(epsilon, 0.00001)))
  weight: channels(g * (self - per_channel(running_mean)) / per_channel(sqrt(running_var + attr(epsilon, 0.00001))))
  bias: channels(g)
op InstanceNormalization(self, weight, bias) = aten::instance_norm
joint
  self: normalized_instances_back(g * per_channel(weight), self)
  weight: channels(g * normalized_instances(self))
  bias: channels(g)
op GroupNormalization(self, weight, bias) = aten::group_norm
joint
  self: normalized_groups_back(g * per_channel(weight), self)
  weight: channels(g * normalized_groups(self))
  bias: channels(g)

op Dropout(self, ratio#, training#) -> result, mask when random when absent ratio
  self: 2 * g * mask
op Dropout(self, ratio#, training#) -> result, mask when random = aten::native_dropout
  self: g * mask / (1 - ratio)
op Dropout(self, ratio#, training#)
  self: g
op SoftmaxCrossEntropyLoss(self, target, weight?) -> result, log_prob = aten::cross_entropy_loss
  self: cross_entropy_back(g, self, target, weight)
op NegativeLogLikelihoodLoss(self, target, weight?) = aten::nll_loss
  self: with(nll_back(g, target, weight), held(self))
)";

const std::string_view Derivatives2019 = R"(
op Relu(self) = aten::relu
  self: g * gt(self, 0)
op MatMul(self, other) when ranks 2 2 = aten::mm
  self: with(matmul(g, transpose(other)), held(self))
  other: matmul(transpose(self), g)
op Gemm(mat1, mat2, self) = aten::addmm
  mat1: with(attr(alpha, 1) * turned(matmul(g, transpose(turned(mat2, attr(transB, 0)))), attr(transA, 0)), held(mat1))
  mat2: attr(alpha, 1) * turned(matmul(transpose(turned(mat1, attr(transA, 0))), g), attr(transB, 0))
  self: attr(beta, 1) * g
op aten::_nnpack_spatial_convolution(self, weight, bias?)
  self: conv_input(g, weight)
  weight: conv_weight(g, self)
  bias: channels(g)
op aten::index_add(self, index, source)
  self: g
  source: pick(g, index)
op plimsoll::IndexAdd_(self, index, source) = aten::index_add_
  self: g
  source: pick(g, index)
)";

} // namespace plimsoll::ops
