#include "core/ops/derivatives/derivative_data.h"

namespace plimsoll::ops {

const std::string_view MovementDerivatives = R"(
op Identity(self) = aten::clone
  self: g
op Cast(self) = aten::_to_copy
  self: g
op Reshape(self, shape#) = aten::view aten::reshape
  self: reshape(g)
op Flatten(self)
  self: reshape(g)
op Squeeze(self, axes#)
  self: reshape(g)
op Unsqueeze(self, axes#)
  self: reshape(g)
op Expand(self, shape#) = aten::expand
  self: g
op Transpose(self) = aten::permute aten::t aten::transpose
  self: moved_back(g)
op Slice(self, starts#, ends#, axes#, steps#) = aten::slice
  self: moved_back(g, starts, ends, axes, steps)
op Pad(self, pads#, value#, axes#) = aten::constant_pad_nd
  self: moved_back(g, pads, axes)
op Concat(inputs...) = aten::cat
  inputs: moved_back(g)
op Split(self, split#) = aten::split
  self: moved_back(g, split)
op Tile(self, repeats#) = aten::repeat
  self: moved_back(g, repeats)
op DepthToSpace(self) = aten::pixel_shuffle
  self: moved_back(g)
op SpaceToDepth(self) = aten::pixel_unshuffle
  self: moved_back(g)
op Resize(self, roi#, scales#, sizes#)
  self: resized_back(g, roi, scales, sizes)
op Upsample(self, scales#)
  self: resized_back(g, scales)
op CumSum(self, axis#) = aten::cumsum
  self: cumsum_back(g, axis)
op Trilu(self, k#) = aten::tril aten::triu
  self: moved_back(g, k)
op Gather(self, indices) = aten::embedding aten::index_select
  self: moved_back(g, indices)
op GatherElements(self, index) = aten::gather
  self: with(moved_back(g, index), held(self))
op aten::index_add(self, index, source)
  self: g
  source: with(pick(g, index), held(source))
op plimsoll::IndexAdd_(self, index, source) = aten::index_add_
  self: g
  source: with(pick(g, index), held(source))
op ScatterElements(self, index, src) when attribute reduction add = aten::scatter_add
  self: g
  src: pick_elements(g, index)
op Shape(self)
op Size(self)
op ConstantOfShape(shape)

op ReduceSum(self, axes#) = aten::sum
  self: expand(g)
op ReduceMean(self, axes#) -> result = aten::mean
  self: expand(g) * count(result) / count(self)
op ReduceSumSquare(self, axes#)
  self: 2 * expand(g) * self
op ReduceL1(self, axes#)
  self: expand(g) * sign(self)
op ReduceL2(self, axes#) -> result = aten::norm
  self: expand(g) * self / expand(result)
op ReduceLogSum(self, axes#)
  self: expand(g) / reduce(self)
op ReduceLogSumExp(self, axes#) -> result = aten::logsumexp
  self: expand(g) * exp(self - expand(result))
op ReduceProd(self, axes#) -> result = aten::prod
  self: expand(g) * expand(result) / self
op ReduceMax(self, axes#) -> result = aten::amax
  self: expand(g) * eq(self, expand(result)) / reduce(eq(self, expand(result)))
op ReduceMin(self, axes#) -> result = aten::amin
  self: expand(g) * eq(self, expand(result)) / reduce(eq(self, expand(result)))
op ArgMax(self)
op ArgMin(self)
)";

} // namespace plimsoll::ops
