#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {
namespace {

/// Indexes counted from the front; an Error for one outside [-size, size).
Result<std::vector<std::int64_t>> indexesIn(const KernelCall& call, const TensorView& tensor, std::int64_t size)
{
    if (!isInteger(tensor.dtype)) return refuse(call, say("kernel.index-type", describe(tensor)));
    std::vector<std::int64_t> indexes = integersOf(tensor);
    for (std::int64_t& index : indexes) {
        if (index < -size || index >= size) {
            return refuse(call, say("kernel.index-outside-dimension", word::Number(index), word::Number(size)));
        }
        if (index < 0) index += size;
    }
    return indexes;
}

Status gather(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), data.shape.size()));
    const AxisSplit split = splitAt(data.shape, axis);
    PLIMSOLL_ASSIGN(indexes, indexesIn(call, indices, split.size));
    const auto at = static_cast<std::ptrdiff_t>(axis);
    Shape shape(data.shape.begin(), data.shape.begin() + at);
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), data.shape.begin() + at + 1, data.shape.end());
    PLIMSOLL_ASSIGN(out, call.output(0, data.dtype, shape));
    visitElements(data.dtype, [&]<typename Elements>() {
        const Elements source(data.data);
        Elements target(out.data);
        std::int64_t writeAt = 0;
        for (std::int64_t outer = 0; outer < split.outer; ++outer) {
            for (const std::int64_t index : indexes) {
                const std::int64_t readAt = (outer * split.size + index) * split.inner;
                for (std::int64_t i = 0; i < split.inner; ++i)
                    target.set(writeAt++, source.get(readAt + i));
            }
        }
    });
    return {};
}

Status gatherElements(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), data.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    PLIMSOLL_ASSIGN(indexes, indexesIn(call, indices, data.shape[at]));
    bool fits = indices.shape.size() == data.shape.size();
    for (std::size_t d = 0; fits && d < data.shape.size(); ++d)
        fits = d == at || indices.shape[d] <= data.shape[d];
    if (!fits) return refuse(call, say("kernel.not-inside", describe(indices), describe(data)));
    PLIMSOLL_ASSIGN(out, call.output(0, data.dtype, indices.shape));
    const Shape strides = rowMajorStrides(data.shape);
    std::vector<std::int64_t> source;
    source.reserve(indexes.size());
    for (IndexWalk walk(indices.shape); walk.valid(); walk.advance()) {
        std::int64_t from = 0;
        for (std::size_t d = 0; d < strides.size(); ++d) {
            from += strides[d] * (d == at ? indexes[source.size()] : walk[d]);
        }
        source.push_back(from);
    }
    copyFrom(data, out, source);
    return {};
}

Status gatherNd(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    PLIMSOLL_TRY(requireRank(call, data, 1));
    PLIMSOLL_TRY(requireRank(call, indices, 1));
    const std::int64_t batchDims = intAttribute(call, "batch_dims", 0);
    const std::int64_t depth = indices.shape.back();
    const auto rank = static_cast<std::int64_t>(data.shape.size());
    if (batchDims < 0 || batchDims >= static_cast<std::int64_t>(indices.shape.size()) || depth < 0 ||
        batchDims + depth > rank) {
        return refuse(call, say("kernel.index-misfit", describe(indices), describe(data)));
    }
    const auto batch = static_cast<std::size_t>(batchDims);
    const auto deep = static_cast<std::size_t>(depth);
    if (!std::equal(data.shape.begin(), data.shape.begin() + batchDims, indices.shape.begin())) {
        return refuse(call, say("kernel.batches-differ", describe(indices), describe(data)));
    }
    Shape shape(indices.shape.begin(), indices.shape.end() - 1);
    shape.insert(shape.end(), data.shape.begin() + batchDims + depth, data.shape.end());
    const std::int64_t inner = productOf(data.shape, batch + deep, data.shape.size());
    const std::int64_t batchSize = productOf(data.shape, batch, data.shape.size());
    const std::int64_t tuplesPerBatch = productOf(indices.shape, batch, indices.shape.size() - 1);
    const std::int64_t tuples = productOf(indices.shape, 0, indices.shape.size() - 1);
    const Shape strides = rowMajorStrides(data.shape);
    const std::vector<std::int64_t> numbers = integersOf(indices);
    PLIMSOLL_ASSIGN(out, call.output(0, data.dtype, shape));
    for (std::int64_t t = 0; t < tuples; ++t) {
        std::int64_t from = tuplesPerBatch > 0 ? t / tuplesPerBatch * batchSize : 0;
        for (std::size_t k = 0; k < deep; ++k) {
            const std::int64_t size = data.shape[batch + k];
            const std::int64_t index = numbers[static_cast<std::size_t>(t) * deep + k];
            if (index < -size || index >= size)
                return refuse(call, say("kernel.index-outside", word::Number(index), describe(data)));
            from += (index < 0 ? index + size : index) * strides[batch + k];
        }
        copyRegion({data, from, {1}}, {out, t * inner, {1}}, {inner});
    }
    return {};
}

constexpr KernelEntry GatherKernels[] = {
    {"", "Gather", gather},
    {"", "GatherElements", gatherElements},
    {"", "GatherND", gatherNd},
};

} // namespace

constinit const KernelTable gatherKernels = GatherKernels;

} // namespace plimsoll::kernels
