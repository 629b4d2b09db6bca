#include "kernels/cuda/families.h"
#include "kernels/cuda/map.h"
#include "kernels/cuda/walk.h"

#include <algorithm>

/// What goes where indices say. These lie on the device: one that is outside is noted in the queue's word for faults,
/// which Device::finish() reads, and neither reads nor writes anything.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

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

Result<Indices> indicesOf(DeviceCall& call, std::size_t input)
{
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, input));
    if (tensor.dtype != DType::Int64 && tensor.dtype != DType::Int32) return declineType(call, tensor.dtype);
    return Indices {tensor.data, tensor.dtype == DType::Int64, call.queue().fault};
}

template <typename T>
struct GatherBody
{
    const T* x;
    T* y;
    Indices indices;
    std::int64_t size;
    std::int64_t inner;
    std::int64_t count; ///< Of indices.

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const std::int64_t place = i / inner;
        const std::int64_t index = indices.at(place % count, size);
        return index < 0 ? T {} : x[(place / count * size + index) * inner + i % inner];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

Status gather(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(indices, indicesOf(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    const AxisSplit split = splitAt(x.shape, axis);
    Shape shape(x.shape.begin(), x.shape.begin() + axis);
    shape.insert(shape.end(), positions.shape.begin(), positions.shape.end());
    shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    visitWidth(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(),
                GatherBody<T> {x.as<const T>(), y.as<T>(), indices, split.size, split.inner, positions.elements()});
    });
    return {};
}

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
bool liesInside(const Shape& indices, const Shape& data, std::size_t axis)
{
    bool fits = indices.size() == data.size();
    for (std::size_t d = 0; fits && d < data.size(); ++d)
        fits = d == axis || indices[d] <= data[d];
    return fits;
}

Status gatherElements(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(indices, indicesOf(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    Shape strides = rowMajorStrides(x.shape);
    const std::int64_t stride = strides[at];
    strides[at] = 0;
    const auto walk = walkOver<1>(positions.shape, {strides});
    if (!walk || !liesInside(positions.shape, x.shape, at)) return decline(call, "its indices do not fit");
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, positions.shape));
    visitWidth(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(),
                GatherElementsBody<T> {x.as<const T>(), y.as<T>(), indices, *walk, x.shape[at], stride});
    });
    return {};
}

enum class Update : std::uint8_t { Replace, Add, Multiply, Largest, Smallest };

Result<Update> updateOf(const KernelCall& call, DType dtype)
{
    const std::string reduction = textAttribute(call, "reduction", "none");
    if (reduction == "none") return Update::Replace;
    if (dtype != DType::Float32) return declineType(call, dtype);
    if (reduction == "add") return Update::Add;
    if (reduction == "mul") return Update::Multiply;
    if (reduction == "max") return Update::Largest;
    if (reduction == "min") return Update::Smallest;
    return decline(call, "reduction " + reduction);
}

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

/// Calls \p launch with the type that the updates move as, or are computed in.
template <typename Launch>
void visitUpdates(Update how, DType dtype, const Launch& launch)
{
    if (how != Update::Replace) {
        launch.template operator()<float>();
    } else {
        visitWidth(dtype, launch);
    }
}

Status scatterElements(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(updates, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(indices, indicesOf(call, 1));
    PLIMSOLL_ASSIGN(how, updateOf(call, x.dtype));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    if (!isMovable(x.dtype) || updates.dtype != x.dtype) return declineType(call, x.dtype);
    if (positions.shape != updates.shape || !liesInside(positions.shape, x.shape, at))
        return decline(call, "its updates do not fit");
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    copyElements(call.queue(), x, y);
    Shape lines = positions.shape;
    lines[at] = 1;
    const Shape steps = rowMajorStrides(positions.shape);
    const Shape strides = rowMajorStrides(x.shape);
    const auto walk = walkOver<2>(lines, {steps, strides});
    if (!walk) return decline(call, "it has too many dimensions");
    visitUpdates(how, x.dtype, [&]<typename T>() {
        forEach(call.queue(), positions.elements() > 0 ? walk->count : 0,
                ScatterElementsBody<T> {y.as<T>(), updates.as<const T>(), indices, *walk, positions.shape[at],
                                        steps[at], x.shape[at], strides[at], how});
    });
    return {};
}

/// Tuples of indices; what is behind them is moved as a whole.
struct Tuples
{
    Indices indices;
    std::int64_t count;
    std::int64_t inner;
    int depth;
    std::int64_t sizes[MaxRank];
    std::int64_t strides[MaxRank];

    /// Where the block of a tuple begins; -1 where one of its indices is outside.
    PLIMSOLL_DEVICE std::int64_t begin(std::int64_t tuple) const
    {
        std::int64_t at = 0;
        for (int k = 0; k < depth; ++k) {
            const std::int64_t index = indices.at(tuple * depth + k, sizes[k]);
            if (index < 0) return -1;
            at += index * strides[k];
        }
        return at;
    }
};

/// Of \p data without its first \p batch dimensions.
Result<Tuples> tuplesOf(DeviceCall& call, const Shape& data, std::size_t batch)
{
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(indices, indicesOf(call, 1));
    const auto depth = positions.shape.empty() ? 0 : static_cast<std::size_t>(positions.shape.back());
    const bool fits = depth > 0 && depth <= MaxRank && batch + depth <= data.size() && batch < positions.shape.size();
    if (!fits) return decline(call, "its tuples of indices do not fit");
    Tuples tuples {indices,
                   productOf(positions.shape, 0, positions.shape.size() - 1),
                   productOf(data, batch + depth, data.size()),
                   static_cast<int>(depth),
                   {},
                   {}};
    const Shape strides = rowMajorStrides(data);
    std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(batch), depth, tuples.sizes);
    std::copy_n(strides.begin() + static_cast<std::ptrdiff_t>(batch), depth, tuples.strides);
    return tuples;
}

template <typename T>
struct GatherTuplesBody
{
    const T* x;
    T* y;
    Tuples tuples;
    std::int64_t perBatch;  ///< Tuples of a batch.
    std::int64_t batchSize; ///< Elements of a batch of the data.

    PLIMSOLL_DEVICE T read(std::int64_t i) const
    {
        const std::int64_t tuple = i / tuples.inner;
        const std::int64_t begin = tuples.begin(tuple);
        return begin < 0 ? T {} : x[tuple / perBatch * batchSize + begin + i % tuples.inner];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, T value) const { y[i] = value; }
};

Status gatherNd(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    const std::int64_t batchDims = intAttribute(call, "batch_dims", 0);
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    if (batchDims < 0) return decline(call, "less than no batch dimensions");
    const auto batch = static_cast<std::size_t>(batchDims);
    PLIMSOLL_ASSIGN(tuples, tuplesOf(call, x.shape, batch));
    if (!std::equal(x.shape.begin(), x.shape.begin() + batchDims, positions.shape.begin()))
        return decline(call, "its batches do not fit");
    Shape shape(positions.shape.begin(), positions.shape.end() - 1);
    shape.insert(shape.end(), x.shape.begin() + batchDims + tuples.depth, x.shape.end());
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const std::int64_t perBatch = productOf(positions.shape, batch, positions.shape.size() - 1);
    visitWidth(x.dtype, [&]<typename T>() {
        forEach(call.queue(), y.elements(),
                GatherTuplesBody<T> {x.as<const T>(), y.as<T>(), tuples, perBatch,
                                     productOf(x.shape, batch, x.shape.size())});
    });
    return {};
}

/// A thread makes the updates of all tuples at one place of their blocks, in their order.
template <typename T>
struct ScatterTuplesBody
{
    T* y;
    const T* updates;
    Tuples tuples;
    Update how;

    PLIMSOLL_DEVICE std::int64_t read(std::int64_t place) const { return place; }
    PLIMSOLL_DEVICE void write(std::int64_t /*i*/, std::int64_t place) const
    {
        for (std::int64_t tuple = 0; tuple < tuples.count; ++tuple) {
            const std::int64_t begin = tuples.begin(tuple);
            if (begin >= 0) y[begin + place] = updated(how, y[begin + place], updates[tuple * tuples.inner + place]);
        }
    }
};

Status scatterNd(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(updates, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(how, updateOf(call, x.dtype));
    PLIMSOLL_ASSIGN(tuples, tuplesOf(call, x.shape, 0));
    if (!isMovable(x.dtype) || updates.dtype != x.dtype) return declineType(call, x.dtype);
    if (updates.elements() != tuples.count * tuples.inner) return decline(call, "its updates do not fit");
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    copyElements(call.queue(), x, y);
    visitUpdates(how, x.dtype, [&]<typename T>() {
        forEach(call.queue(), tuples.count > 0 ? tuples.inner : 0,
                ScatterTuplesBody<T> {y.as<T>(), updates.as<const T>(), tuples, how});
    });
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Gather", "gather", gather},
    {"", "GatherElements", "gather", gatherElements},
    {"", "GatherND", "gather", gatherNd},
    {"", "Scatter", "scatter", scatterElements},
    {"", "ScatterElements", "scatter", scatterElements},
    {"", "ScatterND", "scatter", scatterNd},
};

} // namespace

DeviceTable gatherKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
