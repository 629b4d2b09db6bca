#pragma once

#include "kernels/common/anywhere.h"
#include "kernels/common/strides.h"
#include "kernels/kernel.h"

#include <utility>
#include <vector>

/// Where operators that only move elements take them from, as blocks of dense tensors.
namespace plimsoll::kernels {

/// What one dimension gives: elements begin, begin + step, …
struct SliceCut
{
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};
/// What Slice's inputs or attributes say, by dimension.
[[nodiscard]] Result<std::vector<SliceCut>> sliceCuts(const KernelCall& call, const TensorView& x);

/// Where the elements that are left stand in a dense tensor. Counted in elements.
struct CutBlock
{
    Shape shape;
    Shape strides;
    std::int64_t offset = 0;
};
/// \p cuts of a tensor of shape \p whole.
[[nodiscard]] CutBlock cutBlock(const std::vector<SliceCut>& cuts, const Shape& whole);

/// Begin and end pads of every dimension, as Pad's inputs or attributes say.
[[nodiscard]] Result<std::vector<std::pair<std::int64_t, std::int64_t>>> padsOf(const KernelCall& call,
                                                                                const TensorView& x);

/// How a line goes on beyond its ends: Pad's attribute mode.
enum class PadMode : std::uint8_t { Constant, Edge, Wrap, Reflect };
[[nodiscard]] Result<PadMode> padMode(const KernelCall& call);

/// Where a place beyond the ends of a line of \p size lies in it; -1: nowhere.
PLIMSOLL_ANYWHERE inline std::int64_t continuedPlace(PadMode mode, std::int64_t at, std::int64_t size)
{
    if (at >= 0 && at < size) return at;
    if (size == 0 || mode == PadMode::Constant) return -1;
    if (mode == PadMode::Edge) return at < 0 ? 0 : size - 1;
    if (mode == PadMode::Wrap) return (at % size + size) % size;
    const std::int64_t period = size > 1 ? 2 * (size - 1) : 1; // reflect: the end stands once
    const std::int64_t inside = (at % period + period) % period;
    return inside < size ? inside : period - inside;
}

/// The dimensions that a reduction folds. Its axes come as attribute or, in newer versions, as input 1. None: all, or
/// nothing at all with noop_with_empty_axes.
[[nodiscard]] Result<std::vector<bool>> reducedAxes(const KernelCall& call, std::size_t rank);

/// The rows of Softmax and its like. Before opset 13 everything from the axis on is one, and the axis is 1; since then
/// it is the axis alone, the last one unless said otherwise.
[[nodiscard]] Result<AxisSplit> softmaxSlices(const KernelCall& call, const Shape& shape);

/// Transpose's attribute: by dimension of the output, which one of \p x it is. Reversed where nothing is said.
[[nodiscard]] Result<Shape> permutationOf(const KernelCall& call, const TensorView& x);

/// A dense tensor seen with other dimensions, and in which order these are walked: what rearranges blocks is a
/// transposition of such a view.
struct PermutedView
{
    Shape shape;
    Shape order;

    [[nodiscard]] Shape permuted() const
    {
        Shape sizes;
        for (const std::int64_t from : order)
            sizes.push_back(shape[static_cast<std::size_t>(from)]);
        return sizes;
    }
    /// Elements, of each dimension in that order.
    [[nodiscard]] Shape strides() const
    {
        const Shape dense = rowMajorStrides(shape);
        Shape strides;
        for (const std::int64_t from : order)
            strides.push_back(dense[static_cast<std::size_t>(from)]);
        return strides;
    }
};

/// Of what DepthToSpace reads, in the order in which it writes.
[[nodiscard]] Result<PermutedView> depthToSpaceView(const KernelCall& call, const Shape& x);
[[nodiscard]] Result<PermutedView> spaceToDepthView(const KernelCall& call, const Shape& x);

} // namespace plimsoll::kernels
