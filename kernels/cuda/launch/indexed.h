#pragma once

#include "kernels/cuda/device/device_call.h"
#include "kernels/cuda/launch/cuda_walk.h"

/// What goes where indices say. These lie on the device: one that is outside is noted in the queue's word for faults,
/// which Device::finish() reads, and neither reads nor writes anything.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

struct Indices
{
    const void* data;
    bool wide; ///< int64, else int32.
    std::int32_t* fault;

    /// Counted from the front; -1 where it lies outside a dimension of \p size.
    PLIMSOLL_DEVICE std::int64_t at(std::int64_t i, std::int64_t size) const
    {
        std::int64_t index =
            wide ? static_cast<const std::int64_t*>(data)[i] : static_cast<const std::int32_t*>(data)[i];
        index += index < 0 ? size : 0;
        if (index >= 0 && index < size) return index;
        *fault = 1;
        return -1;
    }
};

inline bool isIndex(DType dtype)
{
    return dtype == DType::Int64 || dtype == DType::Int32;
}

template <typename T>
struct GatherBody
{
    const T* x;
    T* y;
    Indices indices;
    std::int64_t size;
    Divisor inner;
    Divisor count; ///< Of indices.

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const std::int64_t place = i / inner;
        const std::int64_t index = indices.at(place % count, size);
        return index < 0 ? T {} : x[(place / count * size + index) * inner.size + i % inner];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

/// Each element at its own place, but for one axis where its index says.
template <typename T>
struct GatherElementsBody
{
    const T* x;
    T* y;
    Indices indices;
    Walk<1> walk; ///< In x, at index 0.
    std::int64_t size;
    std::int64_t stride; ///< Of the axis.

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const std::int64_t index = indices.at(i, size);
        return index < 0 ? T {} : x[walk.at(i)[0] + index * stride];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

/// The indices lie inside the data but for the axis.
inline bool liesInside(const Shape& indices, const Shape& data, std::size_t axis)
{
    bool fits = indices.size() == data.size();
    for (std::size_t d = 0; fits && d < data.size(); ++d)
        fits = d == axis || indices[d] <= data[d];
    return fits;
}

enum class Update : std::uint8_t { Replace, Add, Multiply, Largest, Smallest };

template <typename T>
PLIMSOLL_DEVICE T updated(Update how, T old, T update)
{
    switch (how) {
    case Update::Add:
        return old + update;
    case Update::Multiply:
        return old * update;
    case Update::Largest:
        return update > old ? update : old;
    case Update::Smallest:
        return update < old ? update : old;
    default:
        return update;
    }
}

/// A thread makes all updates of one line along the axis, in their order: two of one place never meet, and the same
/// numbers come out each time.
template <typename T>
struct ScatterElementsBody
{
    T* y;
    const T* updates;
    Indices indices;
    Walk<2> lines; ///< Where a line begins, in the indices and in the data.
    std::int64_t count;
    std::int64_t step; ///< Of the axis, in the indices.
    std::int64_t size;
    std::int64_t stride; ///< Of the axis, in the data.
    Update how;

    PLIMSOLL_DEVICE Offsets<2> read(std::int64_t line) const { return lines.at(line); }
    PLIMSOLL_DEVICE void write(std::int64_t /*line*/, const Offsets<2>& begin) const
    {
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int64_t from = begin[0] + k * step;
            const std::int64_t index = indices.at(from, size);
            if (index < 0) continue;
            T& place = y[begin[1] + index * stride];
            place = updated(how, place, updates[from]);
        }
    }
};

/// A thread adds up all that goes to one column of the rows along an axis, in their order.
struct IndexAddBody
{
    const float* added;
    Indices indices;
    float* y;
    std::int64_t count; ///< Of indices.
    std::int64_t size;
    std::int64_t inner;

    PLIMSOLL_DEVICE std::int64_t read(std::int64_t column) const { return column; }
    PLIMSOLL_DEVICE void write(std::int64_t /*i*/, std::int64_t column) const
    {
        const std::int64_t outer = column / inner;
        const std::int64_t at = column % inner;
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int64_t index = indices.at(k, size);
            if (index >= 0) y[(outer * size + index) * inner + at] += added[(outer * count + k) * inner + at];
        }
    }
};

/// Slices of \p x at \p count indices.
template <typename T>
void gatherAlong(Queue& queue, const Indices& indices, std::int64_t count, const AxisSplit& split, const T* x, T* y)
{
    const std::int64_t elements = split.outer * count * split.inner;
    forEach(queue, elements,
            GatherBody<T> {x, y, indices, split.size, Divisor(split.inner, elements), Divisor(count, elements)});
}

/// Reads along \p axis where \p indices of \p shape say; false where they do not fit.
template <typename T>
bool gatherElementsAlong(Queue& queue, const Indices& indices, const Shape& shape, std::size_t axis, const T* x,
                         const Shape& xShape, T* y)
{
    if (!liesInside(shape, xShape, axis)) return false;
    Shape strides = rowMajorStrides(xShape);
    const std::int64_t stride = strides[axis];
    strides[axis] = 0;
    const auto walk = walkOver<1>(shape, {strides});
    if (!walk) return false;
    forEach(queue, walk->count, GatherElementsBody<T> {x, y, indices, *walk, xShape[axis], stride});
    return true;
}

/// Updates \p y along \p axis where \p indices of \p shape say; false where they do not fit.
template <typename T>
bool scatterElementsAlong(Queue& queue, const Indices& indices, const Shape& shape, std::size_t axis, const T* updates,
                          T* y, const Shape& yShape, Update how)
{
    if (!liesInside(shape, yShape, axis)) return false;
    Shape lines = shape;
    lines[axis] = 1;
    const Shape steps = rowMajorStrides(shape);
    const Shape strides = rowMajorStrides(yShape);
    const auto walk = walkOver<2>(lines, {steps, strides});
    if (!walk) return false;
    forEach(queue, productOf(shape) > 0 ? walk->count : 0,
            ScatterElementsBody<T> {y, updates, indices, *walk, shape[axis], steps[axis], yShape[axis], strides[axis],
                                    how});
    return true;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
