#include "kernels/common/sliding_windows.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Limit = std::int64_t {1} << 31; // of any size here, so that products of two cannot overflow

bool inRange(const Shape& sizes, std::int64_t low)
{
    return std::all_of(sizes.begin(), sizes.end(), [low](std::int64_t s) { return s >= low && s < Limit; });
}

Status checkSizes(const KernelCall& call, const Windows& windows)
{
    const std::size_t rank = windows.input.size();
    const bool lengths = windows.kernel.size() == rank && windows.strides.size() == rank &&
                         windows.dilations.size() == rank && windows.padBegin.size() == rank &&
                         windows.padEnd.size() == rank;
    const bool ranges = inRange(windows.input, 0) && inRange(windows.kernel, 1) && inRange(windows.strides, 1) &&
                        inRange(windows.dilations, 1) && inRange(windows.padBegin, -Limit) &&
                        inRange(windows.padEnd, -Limit);
    std::int64_t elements = 1;
    for (const std::int64_t size : windows.kernel) {
        if (__builtin_mul_overflow(elements, size, &elements)) elements = Limit;
    }
    if (lengths && ranges && elements < Limit / 64) return {};
    return refuse(
        call, say("kernel.window-attributes", plimsoll::describe(windows.kernel), plimsoll::describe(windows.input)));
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b)
{
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

} // namespace

Result<Shape> spatialShape(const KernelCall& call, const TensorView& tensor)
{
    if (tensor.shape.size() >= 3) return Shape(tensor.shape.begin() + 2, tensor.shape.end());
    return refuse(call, say("kernel.no-spatial", describe(tensor)));
}

Result<Windows> windowsOver(const KernelCall& call, const Shape& input, const Shape& kernel)
{
    const std::size_t rank = input.size();
    Windows windows;
    windows.input = input;
    windows.kernel = kernel.empty() ? intsAttribute(call, "kernel_shape").value_or(Shape()) : kernel;
    windows.strides = intsAttribute(call, "strides").value_or(Shape(rank, 1));
    windows.dilations = intsAttribute(call, "dilations").value_or(Shape(rank, 1));
    const Shape pads = intsAttribute(call, "pads").value_or(Shape(2 * rank, 0));
    if (pads.size() != 2 * rank) return refuse(call, say("kernel.window-pads", plimsoll::describe(pads)));
    windows.padBegin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
    windows.padEnd.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
    windows.output.assign(rank, 0);
    PLIMSOLL_TRY(checkSizes(call, windows));
    const std::string autoPad = textAttribute(call, "auto_pad", "NOTSET");
    const bool ceilMode = intAttribute(call, "ceil_mode", 0) != 0;
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t stride = windows.strides[d];
        const std::int64_t reach = (windows.kernel[d] - 1) * windows.dilations[d] + 1;
        if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER") {
            windows.output[d] = ceilDivide(input[d], stride);
            const auto pad = std::max<std::int64_t>((windows.output[d] - 1) * stride + reach - input[d], 0);
            windows.padBegin[d] = autoPad == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
            windows.padEnd[d] = pad - windows.padBegin[d];
            continue;
        }
        if (autoPad == "VALID") windows.padBegin[d] = windows.padEnd[d] = 0;
        const std::int64_t room = input[d] + windows.padBegin[d] + windows.padEnd[d] - reach;
        const std::int64_t last = ceilMode ? ceilDivide(room, stride) : -ceilDivide(-room, stride);
        windows.output[d] = std::max<std::int64_t>(last + 1, 0);
        // A window that would begin behind the input is none.
        if (ceilMode && windows.output[d] > 1 && (windows.output[d] - 1) * stride >= input[d] + windows.padBegin[d])
            --windows.output[d];
    }
    return windows;
}

void windowSources(const Windows& windows, std::int64_t begin, std::int64_t end, std::vector<std::int64_t>& sources)
{
    const std::size_t rank = windows.input.size();
    const Shape planeStrides = rowMajorStrides(windows.input);
    const Shape windowStrides = rowMajorStrides(windows.output);
    const std::int64_t count = end - begin;
    sources.assign(static_cast<std::size_t>(productOf(windows.kernel) * count), 0);
    std::size_t writeAt = 0;
    for (IndexWalk element(windows.kernel); element.valid(); element.advance()) {
        for (std::int64_t window = begin; window < end; ++window) {
            std::int64_t source = 0;
            for (std::size_t d = 0; d < rank && source != BeyondPadding; ++d) {
                const std::int64_t place = window / windowStrides[d] % windows.output[d];
                const std::int64_t at =
                    place * windows.strides[d] + element[d] * windows.dilations[d] - windows.padBegin[d];
                if (at >= windows.input[d] + std::max<std::int64_t>(windows.padEnd[d], 0)) {
                    source = BeyondPadding;
                } else if (at < 0 || at >= windows.input[d]) {
                    source = InPadding;
                } else if (source >= 0) {
                    source += at * planeStrides[d];
                }
            }
            sources[writeAt++] = source;
        }
    }
}

} // namespace plimsoll::kernels
