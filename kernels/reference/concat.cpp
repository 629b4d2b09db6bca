#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/parts.h"

#include <numeric>

namespace plimsoll::kernels {

Result<Shape> joinedShape(const KernelCall& call, const std::vector<TensorView>& parts, std::int64_t axis)
{
    Shape shape = parts.front().shape;
    const auto at = static_cast<std::size_t>(axis);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        Shape other = parts[i].shape;
        const bool sameRank = other.size() == shape.size();
        const std::int64_t size = sameRank ? other[at] : 0;
        if (sameRank) other[at] = shape[at];
        if (!sameRank || other != shape || parts[i].dtype != parts.front().dtype) {
            return refuse(call, say("kernel.part-misfit", word::Number(i), describe(parts[i]), describe(parts.front()),
                                    word::Number(axis)));
        }
        if (__builtin_add_overflow(shape[at], size, &shape[at])) return refuse(call, say("kernel.outcome-too-large"));
    }
    return shape;
}

void copyParts(const std::vector<TensorView>& parts, const TensorView& whole, std::int64_t axis)
{
    const AxisSplit split = splitAt(whole.shape, axis);
    std::int64_t offset = 0;
    for (const TensorView& part : parts) {
        const std::int64_t block = part.shape[static_cast<std::size_t>(axis)] * split.inner;
        copyRegion({part, 0, {block, 1}}, {whole, offset, {split.size * split.inner, 1}}, {split.outer, block});
        offset += block;
    }
}

void copyPart(const TensorView& whole, const TensorView& part, std::int64_t axis, std::int64_t begin)
{
    const AxisSplit split = splitAt(whole.shape, axis);
    const std::int64_t block = part.shape[static_cast<std::size_t>(axis)] * split.inner;
    copyRegion({whole, begin * split.inner, {split.size * split.inner, 1}}, {part, 0, {block, 1}},
               {split.outer, block});
}

namespace {

Status concat(KernelCall& call)
{
    std::vector<TensorView> parts;
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        PLIMSOLL_ASSIGN(part, inputTensor(call, i));
        parts.push_back(part);
    }
    if (parts.empty()) return refuse(call, say("kernel.nothing-to-join"));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 1), parts.front().shape.size()));
    PLIMSOLL_ASSIGN(shape, joinedShape(call, parts, axis));
    PLIMSOLL_ASSIGN(out, call.output(0, parts.front().dtype, shape));
    copyParts(parts, out, axis);
    return {};
}

/// Sizes given as input or attribute; otherwise equal parts, the last one smaller.
Result<std::vector<std::int64_t>> splitSizes(const KernelCall& call, std::int64_t size)
{
    if (const auto given = intsInputOrAttribute(call, 1, "split")) return *given;
    const auto outputs = static_cast<std::int64_t>(call.node().outputs.size());
    const std::int64_t parts = intAttribute(call, "num_outputs", outputs);
    if (parts < 1 || parts < outputs) return refuse(call, say("kernel.num-outputs", word::Number(parts)));
    const std::int64_t each = (size + parts - 1) / parts;
    std::vector<std::int64_t> sizes;
    for (std::int64_t left = size, i = 0; i < outputs; ++i, left -= sizes.back())
        sizes.push_back(std::min(each, left));
    return sizes;
}

Status split(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(axis, normalAxis(call, intAttribute(call, "axis", 0), x.shape.size()));
    const auto at = static_cast<std::size_t>(axis);
    PLIMSOLL_ASSIGN(sizes, splitSizes(call, x.shape[at]));
    const bool negative = std::any_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s < 0; });
    if (negative || sizes.size() < call.node().outputs.size() ||
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t {0}) != x.shape[at]) {
        return refuse(call, say("kernel.axis-sizes", plimsoll::describe(sizes), word::Number(axis), describe(x)));
    }
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < call.node().outputs.size(); begin += sizes[i++]) {
        if (!call.wantsOutput(i)) continue;
        Shape shape = x.shape;
        shape[at] = sizes[i];
        PLIMSOLL_ASSIGN(part, call.output(i, x.dtype, shape));
        copyPart(x, part, axis, begin);
    }
    return {};
}

constexpr KernelEntry ConcatKernels[] = {
    {"", "Concat", concat},
    {"", "Split", split},
    {"com.microsoft", "ConcatTraining", concat},
};

} // namespace

constinit const KernelTable concatKernels = ConcatKernels;

} // namespace plimsoll::kernels
