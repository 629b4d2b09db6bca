#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/indexed.h"
#include "kernels/cuda/launch/map.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

Result<Indices> indicesOf(DeviceCall& call, std::size_t input)
{
    PLIMSOLL_ASSIGN(tensor, inputTensor(call, input));
    if (!isIndex(tensor.dtype)) return declineType(call, tensor.dtype);
    return Indices {tensor.data, tensor.dtype == DType::Int64, call.queue().fault};
}

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
        gatherAlong<T>(call.queue(), indices, positions.elements(), split, x.as<const T>(), y.as<T>());
    });
    return {};
}

Status gatherElements(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(indices, indicesOf(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    if (!isMovable(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, positions.shape));
    bool fits = false;
    visitWidth(x.dtype, [&]<typename T>() {
        fits = gatherElementsAlong<T>(call.queue(), indices, positions.shape, at, x.as<const T>(), x.shape, y.as<T>());
    });
    return fits ? Status() : decline(call, say("cuda.index-misfit"));
}

Result<Update> updateOf(const KernelCall& call, DType dtype)
{
    const std::string reduction = textAttribute(call, "reduction", "none");
    if (reduction == "none") return Update::Replace;
    if (dtype != DType::Float32) return declineType(call, dtype);
    if (reduction == "add") return Update::Add;
    if (reduction == "mul") return Update::Multiply;
    if (reduction == "max") return Update::Largest;
    if (reduction == "min") return Update::Smallest;
    return decline(call, say("cuda.reduction", reduction));
}

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
    if (positions.shape != updates.shape) return decline(call, say("cuda.update-misfit"));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    copyElements(call.queue(), x, y);
    bool fits = false;
    visitUpdates(how, x.dtype, [&]<typename T>() {
        fits = scatterElementsAlong<T>(call.queue(), indices, positions.shape, at, updates.as<const T>(), y.as<T>(),
                                       x.shape, how);
    });
    return fits ? Status() : decline(call, say("cuda.index-misfit"));
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
    if (!fits) return decline(call, say("cuda.index-tuples"));
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
    if (batchDims < 0) return decline(call, say("cuda.negative-batch"));
    const auto batch = static_cast<std::size_t>(batchDims);
    PLIMSOLL_ASSIGN(tuples, tuplesOf(call, x.shape, batch));
    if (!std::equal(x.shape.begin(), x.shape.begin() + batchDims, positions.shape.begin()))
        return decline(call, say("cuda.batch-misfit"));
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
    if (updates.elements() != tuples.count * tuples.inner) return decline(call, say("cuda.update-misfit"));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    copyElements(call.queue(), x, y);
    visitUpdates(how, x.dtype, [&]<typename T>() {
        forEach(call.queue(), tuples.count > 0 ? tuples.inner : 0,
                ScatterTuplesBody<T> {y.as<T>(), updates.as<const T>(), tuples, how});
    });
    return {};
}

/// Adds slices of the third input to the first.
Status indexAdd(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(positions, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(added, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(indices, indicesOf(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    if (x.dtype != DType::Float32 || added.dtype != x.dtype) return declineType(call, x.dtype);
    Shape expected = x.shape;
    expected[static_cast<std::size_t>(axis)] = positions.elements();
    if (added.shape != expected) return decline(call, say("cuda.addend-misfit"));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, x.shape));
    call.mayLieOver(0, 0);
    copyElements(call.queue(), x, y);
    const AxisSplit split = splitAt(x.shape, axis);
    forEach(
        call.queue(), positions.elements() > 0 ? split.outer * split.inner : 0,
        IndexAddBody {added.as<const float>(), indices, y.as<float>(), positions.elements(), split.size, split.inner});
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Gather", "gather", gather},
    {"", "GatherElements", "gather", gatherElements},
    {"", "GatherND", "gather", gatherNd},
    {"", "Scatter", "scatter", scatterElements},
    {"", "ScatterElements", "scatter", scatterElements},
    {"", "ScatterND", "scatter", scatterNd},
    {"aten", "index_add", "scatter", indexAdd},
    {"plimsoll", "IndexAdd_", "scatter", indexAdd},
};

} // namespace

constinit const DeviceTable gatherKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
