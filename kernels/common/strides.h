#pragma once

#include "kernels/tensor_view.h"

#include <optional>
#include <vector>

namespace plimsoll::kernels {

/// Distance in elements between neighbours along each dimension of a dense tensor.
[[nodiscard]] Shape rowMajorStrides(const Shape& shape);

/// The shape both broadcast to under numpy's rules; empty when they do not fit.
[[nodiscard]] std::optional<Shape> broadcastShape(const Shape& a, const Shape& b);

/// Strides that walk a dense tensor of shape \p from as if it had shape \p to, 0 where it repeats.
/// \p from must broadcast to \p to.
[[nodiscard]] Shape broadcastStrides(const Shape& from, const Shape& to);

/// Visits a shape row by row for several operands at once, joining dimensions where all operands allow it, so that
/// dense operands of one shape are a single row.
///
///     for (RowWalk walk(shape, {stridesA, stridesOut}); walk.valid(); walk.advance())
///         for (i in [0, walk.count())) out[walk.offset(1) + i * walk.step(1)] = f(a[walk.offset(0) + i *
///         walk.step(0)]);
class RowWalk
{
public:
    RowWalk(const Shape& shape, const std::vector<Shape>& strides);

    [[nodiscard]] bool valid() const { return m_valid; }
    void advance();

    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] std::int64_t offset(std::size_t operand) const { return m_offsets[operand]; }
    [[nodiscard]] std::int64_t step(std::size_t operand) const { return m_steps[operand]; }

private:
    bool m_valid = true;
    std::int64_t m_count = 1;
    Shape m_outer;                                    ///< Sizes of the joined outer dimensions.
    std::vector<std::vector<std::int64_t>> m_strides; ///< By operand: of the outer dimensions.
    std::vector<std::int64_t> m_steps;
    std::vector<std::int64_t> m_offsets;
    Shape m_position;
};

/// The indexes of a shape in row-major order. Not valid at all when a dimension is 0.
class IndexWalk
{
public:
    explicit IndexWalk(Shape shape);

    [[nodiscard]] bool valid() const { return m_valid; }
    void advance();
    [[nodiscard]] const Shape& index() const { return m_index; }
    [[nodiscard]] std::int64_t operator[](std::size_t dimension) const { return m_index[dimension]; }

private:
    Shape m_shape;
    Shape m_index;
    bool m_valid = true;
};

/// A dense tensor seen as [outer, size, inner] around one axis, or around a run of axes.
struct AxisSplit
{
    std::int64_t outer = 1;
    std::int64_t size = 1;
    std::int64_t inner = 1;
};
[[nodiscard]] AxisSplit splitAt(const Shape& shape, std::int64_t axis);

/// Product of the dimensions in [begin, end).
[[nodiscard]] std::int64_t productOf(const Shape& shape, std::size_t begin, std::size_t end);
[[nodiscard]] inline std::int64_t productOf(const Shape& shape)
{
    return productOf(shape, 0, shape.size());
}
/// How many passes loops of those lengths make, one inside the other; no length is too large for that.
[[nodiscard]] double loopPasses(const Shape& lengths);

/// A shape taken apart into the dimensions that stay and those that are folded away, with their strides in elements.
struct Reduction
{
    Shape kept;
    Shape keptStrides;
    Shape gone;
    Shape goneStrides;
    Shape outShape; ///< Of the outcome: with the folded dimensions as 1 when they are to be kept.
};
[[nodiscard]] Reduction reductionOver(const Shape& shape, const std::vector<bool>& reduced, bool keepDims);

} // namespace plimsoll::kernels
