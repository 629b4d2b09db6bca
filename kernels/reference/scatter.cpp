#include "kernels/common/call_tools.h"
#include "kernels/common/functions.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

template <typename T>
T combine(const std::string& reduction, T old, T update)
{
    if (reduction == "max") return update > old ? update : old;
    if (reduction == "min") return update < old ? update : old;
    return reduction == "add" ? functions::Plus()(old, update) : functions::Times()(old, update);
}

/// The output begins as the data; element i of the updates then goes to targets[i].
Status applyUpdates(KernelCall& call, const TensorView& updates, const std::vector<std::int64_t>& targets)
{
    const TensorView& data = call.input(0).tensor;
    if (updates.dtype != data.dtype)
        return refuse(call, say("kernel.update-misfit", describe(updates), describe(data)));
    const std::string reduction = textAttribute(call, "reduction", "none");
    PLIMSOLL_ASSIGN(out, call.output(0, data.dtype, data.shape));
    if (reduction == "none") {
        copyAll(data, out);
        visitElements(data.dtype, [&]<typename Elements>() {
            const Elements source(updates.data);
            Elements target(out.data);
            for (std::size_t i = 0; i < targets.size(); ++i)
                target.set(targets[i], source.get(static_cast<std::int64_t>(i)));
        });
        return {};
    }
    const bool known = visitNumericOrBool(data.dtype, [&]<typename T>() {
        const Reader<T> old(data);
        const Reader<T> source(updates);
        Writer<T> target(out);
        if (target.data() != old.data()) std::copy_n(old.data(), data.elements(), target.data());
        for (std::size_t i = 0; i < targets.size(); ++i) {
            T& place = target[targets[i]];
            place = combine(reduction, place, source[static_cast<std::int64_t>(i)]);
        }
    });
    return known ? Status() : refuseType(call, data.dtype);
}

Status scatterElements(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(updates, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), data.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    bool fits = indices.shape == updates.shape && indices.shape.size() == data.shape.size();
    for (std::size_t d = 0; fits && d < data.shape.size(); ++d)
        fits = d == at || indices.shape[d] <= data.shape[d];
    if (!fits) return refuse(call, say("kernel.not-both-inside", describe(indices), describe(updates), describe(data)));
    const std::vector<std::int64_t> indexes = integersOf(indices);
    const Shape strides = rowMajorStrides(data.shape);
    std::vector<std::int64_t> targets;
    targets.reserve(indexes.size());
    for (IndexWalk walk(indices.shape); walk.valid(); walk.advance()) {
        std::int64_t index = indexes[targets.size()];
        if (index < -data.shape[at] || index >= data.shape[at])
            return refuse(call, say("kernel.index-outside", word::Number(index), describe(data)));
        if (index < 0) index += data.shape[at];
        std::int64_t target = 0;
        for (std::size_t d = 0; d < strides.size(); ++d)
            target += strides[d] * (d == at ? index : walk[d]);
        targets.push_back(target);
    }
    return applyUpdates(call, updates, targets);
}

Status scatterNd(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(indices, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(updates, inputTensor(call, 2));
    PLIMSOLL_TRY(requireRank(call, indices, 1));
    const std::int64_t depth = indices.shape.back();
    if (depth < 0 || depth > static_cast<std::int64_t>(data.shape.size()))
        return refuse(call, say("kernel.index-misfit", describe(indices), describe(data)));
    Shape expected(indices.shape.begin(), indices.shape.end() - 1);
    expected.insert(expected.end(), data.shape.begin() + static_cast<std::ptrdiff_t>(depth), data.shape.end());
    if (updates.shape != expected)
        return refuse(call, say("kernel.other-shape", describe(updates), plimsoll::describe(expected)));
    const auto deep = static_cast<std::size_t>(depth);
    const std::int64_t inner = productOf(data.shape, deep, data.shape.size());
    const std::int64_t tuples = productOf(indices.shape, 0, indices.shape.size() - 1);
    const Shape strides = rowMajorStrides(data.shape);
    const std::vector<std::int64_t> numbers = integersOf(indices);
    std::vector<std::int64_t> targets;
    targets.reserve(static_cast<std::size_t>(updates.elements()));
    for (std::int64_t t = 0; t < tuples; ++t) {
        std::int64_t base = 0;
        for (std::size_t k = 0; k < deep; ++k) {
            const std::int64_t index = numbers[static_cast<std::size_t>(t) * deep + k];
            if (index < -data.shape[k] || index >= data.shape[k])
                return refuse(call, say("kernel.index-outside", word::Number(index), describe(data)));
            base += (index < 0 ? index + data.shape[k] : index) * strides[k];
        }
        for (std::int64_t i = 0; i < inner; ++i)
            targets.push_back(base + i);
    }
    return applyUpdates(call, updates, targets);
}

/// Writes new entries into a cache, from each batch's own position on.
Status tensorScatter(KernelCall& call)
{
    PLIMSOLL_ASSIGN(cache, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(update, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", -2), cache.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    Shape expected = cache.shape;
    if (update.shape.size() == expected.size()) expected[at] = update.shape[at];
    if (at == 0 || update.shape != expected)
        return refuse(call, say("kernel.misfit", describe(update), describe(cache)));
    const std::int64_t length = cache.shape[at];
    const bool circular = textAttribute(call, "mode", "linear") == "circular";
    std::vector<std::int64_t> starts(static_cast<std::size_t>(cache.shape[0]), 0);
    if (const TensorView* given = optionalInput(call, 2)) starts = integersOf(*given);
    if (static_cast<std::int64_t>(starts.size()) != cache.shape[0]) return refuse(call, say("kernel.write-indices"));
    const Shape strides = rowMajorStrides(cache.shape);
    std::vector<std::int64_t> targets;
    for (IndexWalk walk(update.shape); walk.valid(); walk.advance()) {
        std::int64_t place = starts[static_cast<std::size_t>(walk[0])];
        if (place < 0 || place > length || (!circular && place + walk[at] >= length))
            return refuse(call, say("kernel.write-index", word::Number(place)));
        place = (place + walk[at]) % length;
        std::int64_t target = 0;
        for (std::size_t d = 0; d < strides.size(); ++d)
            target += strides[d] * (d == at ? place : walk[d]);
        targets.push_back(target);
    }
    return applyUpdates(call, update, targets);
}

constexpr KernelEntry ScatterKernels[] = {
    {"", "Scatter", scatterElements},
    {"", "ScatterElements", scatterElements},
    {"", "ScatterND", scatterNd},
    {"", "TensorScatter", tensorScatter},
};

} // namespace

constinit const KernelTable scatterKernels = ScatterKernels;

} // namespace plimsoll::kernels
