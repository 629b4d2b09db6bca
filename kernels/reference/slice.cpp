#include "kernels/reference/slice.h"

#include "kernels/reference/call_tools.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/moved_elements.h"
#include "kernels/reference/numbers.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace plimsoll::kernels {
namespace {

SliceCut cutOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size)
{
    const auto place = [size](std::int64_t at, std::int64_t low, std::int64_t high) {
        return std::clamp(at < 0 ? std::max(at, -size - 1) + size : at, low, high);
    };
    const std::int64_t begin = step > 0 ? place(start, 0, size) : place(start, -1, size - 1);
    const std::int64_t stop = step > 0 ? place(end, 0, size) : place(end, -1, size - 1);
    if (step > 0) return {begin, step, stop > begin ? (stop - begin - 1) / step + 1 : 0};
    const std::int64_t back = step == std::numeric_limits<std::int64_t>::min() ? -(step + 1) : -step;
    return {begin, -back, begin > stop ? (begin - stop - 1) / back + 1 : 0};
}

} // namespace

Result<std::vector<SliceCut>> sliceCuts(const KernelCall& call, const TensorView& x)
{
    const auto starts = intsInputOrAttribute(call, 1, "starts");
    const auto ends = intsInputOrAttribute(call, 2, "ends");
    if (!starts || !ends || starts->size() != ends->size()) return refuse(call, "starts and ends do not match.");
    std::vector<std::int64_t> axes(starts->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    axes = intsInputOrAttribute(call, 3, "axes").value_or(axes);
    const auto steps = intsInputOrAttribute(call, 4, "steps").value_or(std::vector<std::int64_t>(starts->size(), 1));
    if (axes.size() != starts->size() || steps.size() != starts->size()) {
        return refuse(call, "starts, axes and steps do not match in length.");
    }
    std::vector<SliceCut> cuts;
    for (const std::int64_t size : x.shape)
        cuts.push_back({0, 1, size});
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (steps[i] == 0) return refuse(call, "a step is 0.");
        PLIMSOLL_ASSIGN(axis, normalAxis(call, axes[i], x.shape.size()));
        const auto at = static_cast<std::size_t>(axis);
        cuts[at] = cutOf((*starts)[i], (*ends)[i], steps[i], x.shape[at]);
    }
    return cuts;
}

CutBlock cutBlock(const std::vector<SliceCut>& cuts, const Shape& whole)
{
    const Shape dense = rowMajorStrides(whole);
    CutBlock block;
    for (std::size_t d = 0; d < cuts.size(); ++d) {
        block.shape.push_back(cuts[d].count);
        block.strides.push_back(cuts[d].count > 1 ? dense[d] * cuts[d].step : 0);
        block.offset += cuts[d].count > 0 ? dense[d] * cuts[d].begin : 0;
    }
    return block;
}

namespace {

Status slice(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(cuts, sliceCuts(call, x));
    const CutBlock block = cutBlock(cuts, x.shape);
    PLIMSOLL_ASSIGN(out, call.output(0, x.dtype, block.shape));
    copyRegion({x, block.offset, block.strides}, {out, 0, rowMajorStrides(block.shape)}, block.shape);
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "Slice", slice},
    {"", "DynamicSlice", slice},
};

} // namespace

KernelTable sliceKernels()
{
    return Table;
}

} // namespace plimsoll::kernels
