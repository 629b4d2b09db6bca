#include "core/ops/derivatives/derivative_data.h"

namespace plimsoll::ops {

// In eager mode a matmul of any ranks becomes mm or bmm over views, so each factor has a guard of its own.
const std::string_view MatrixDerivatives = R"(
op MatMul(self, other) when ranks 2 2 = aten::mm
  self: matmul(g, transpose(other))
  other: matmul(transpose(self), g)
op MatMul(self, other) when ranks 3 3 = aten::bmm
  self: matmul(g, transpose(other))
  other: matmul(transpose(self), g)
op MatMul(self, vec) when ranks 2 1 = aten::mv
  self: column(g) * vec
  vec: matmul(transpose(self), g)
op MatMul(self, tensor) when ranks 1 1 = aten::dot
  self: g * tensor
  tensor: g * self
op MatMul(self, other)
  self: matmul_left(g, other)
  other: matmul_right(self, g)
op aten::matmul(self, other)
joint
  self: matmul_left(g, other)
  other: matmul_right(self, g)
op Gemm(mat1, mat2, self) = aten::addmm
  mat1: attr(alpha, 1) * turned(matmul(g, transpose(turned(mat2, attr(transB, 0)))), attr(transA, 0))
  mat2: attr(alpha, 1) * turned(matmul(transpose(turned(mat1, attr(transA, 0))), g), attr(transB, 0))
  self: attr(beta, 1) * g
op aten::baddbmm(self, batch1, batch2)
  self: attr(beta, 1) * g
  batch1: attr(alpha, 1) * matmul(g, transpose(batch2))
  batch2: attr(alpha, 1) * matmul(transpose(batch1), g)
op aten::addbmm(self, batch1, batch2)
  self: attr(beta, 1) * g
  batch1: attr(alpha, 1) * matmul(g, transpose(batch2))
  batch2: attr(alpha, 1) * matmul(transpose(batch1), g)
op aten::addmv(self, mat, vec)
  self: attr(beta, 1) * g
  mat: attr(alpha, 1) * column(g) * vec
  vec: attr(alpha, 1) * matmul(transpose(mat), g)
op aten::addr(self, vec1, vec2)
  self: attr(beta, 1) * g
  vec1: attr(alpha, 1) * matmul(g, vec2)
  vec2: attr(alpha, 1) * matmul(transpose(g), vec1)
op aten::ger(self, vec2)
  self: matmul(g, vec2)
  vec2: matmul(transpose(g), self)
op aten::linalg_cross(self, other) = aten::cross
  self: cross(other, g)
  other: cross(g, self)
op aten::_trilinear(i1, i2, i3)
joint
  i1: expand(g) * i2 * i3
  i2: expand(g) * i1 * i3
  i3: expand(g) * i1 * i2
  hint i1: i2 i3
  hint i2: i1 i3
  hint i3: i1 i2
)";

} // namespace plimsoll::ops
