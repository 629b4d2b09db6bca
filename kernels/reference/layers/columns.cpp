#include "kernels/common/numbers.h"
#include "kernels/common/sliding_windows.h"
#include "kernels/reference/kernel_families.h"

#include <algorithm>
#include <cmath>

namespace plimsoll::kernels {
namespace {

/// Adds the columns of [batch, channels · block, windows] back into pictures.
Status col2Im(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(imageTensor, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(blockTensor, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, integersOf(imageTensor), integersOf(blockTensor)));
    const std::int64_t block = productOf(windows.kernel);
    const std::int64_t count = productOf(windows.output);
    if (x.shape.size() != 3 || x.shape[1] % block != 0 || x.shape[2] != count) {
        return refuse(call, say("kernel.block-columns", describe(x), word::Number(count), word::Number(block)));
    }
    Shape shape {x.shape[0], x.shape[1] / block};
    shape.insert(shape.end(), windows.input.begin(), windows.input.end());
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const std::vector<double> in = doublesOf(x);
    std::vector<double> out(static_cast<std::size_t>(y.elements()), 0);
    const std::int64_t plane = productOf(windows.input);
    std::vector<std::int64_t> targets;
    for (std::int64_t begin = 0; begin < count; begin += WindowBlock) {
        const std::int64_t some = std::min(WindowBlock, count - begin);
        windowSources(windows, begin, begin + some, targets);
        for (std::int64_t channel = 0; channel < shape[0] * shape[1]; ++channel) {
            for (std::int64_t i = 0; i < block * some; ++i) {
                const std::int64_t target = targets[static_cast<std::size_t>(i)];
                const std::int64_t from = (channel * block + i / some) * count + begin + i % some;
                if (target >= 0)
                    out[static_cast<std::size_t>(channel * plane + target)] += in[static_cast<std::size_t>(from)];
            }
        }
    }
    storeNumbers(out.data(), y);
    return {};
}

/// Between four pixels; 0 outside.
double bilinear(const double* plane, std::int64_t height, std::int64_t width, double y, double x)
{
    if (!(y > -1 && x > -1 && y < static_cast<double>(height) && x < static_cast<double>(width))) return 0;
    const auto top = static_cast<std::int64_t>(std::floor(y));
    const auto left = static_cast<std::int64_t>(std::floor(x));
    double sum = 0;
    for (std::int64_t row = top; row <= top + 1; ++row) {
        for (std::int64_t column = left; column <= left + 1; ++column) {
            if (row < 0 || row >= height || column < 0 || column >= width) continue;
            sum += (1 - std::fabs(y - static_cast<double>(row))) * (1 - std::fabs(x - static_cast<double>(column))) *
                   plane[row * width + column];
        }
    }
    return sum;
}

struct Deformation
{
    Windows windows;
    std::int64_t groups = 1;
    std::int64_t offsetGroups = 1;
};

Result<Deformation> planDeformation(const KernelCall& call, const TensorView& x, const TensorView& w,
                                    const TensorView& offset)
{
    if (x.shape.size() != 4 || w.shape.size() != 4 || offset.shape.size() != 4)
        return refuse(call, say("kernel.only-pictures"));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, {x.shape[2], x.shape[3]}, {w.shape[2], w.shape[3]}));
    const Deformation plan {windows, intAttribute(call, "group", 1), intAttribute(call, "offset_group", 1)};
    const Shape expected {x.shape[0], plan.offsetGroups * productOf(windows.kernel) * 2, windows.output[0],
                          windows.output[1]};
    const bool grouped = plan.groups > 0 && plan.offsetGroups > 0 && x.shape[1] % plan.groups == 0 &&
                         x.shape[1] % plan.offsetGroups == 0 && w.shape[0] % plan.groups == 0 &&
                         w.shape[1] == x.shape[1] / plan.groups;
    if (!grouped || offset.shape != expected)
        return refuse(call, say("kernel.deformed-weights", describe(w), describe(offset), describe(x)));
    return plan;
}

/// A convolution whose windows' elements are each moved by an offset of their own.
Status deformConv(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(w, inputTensor(call, 1));
    PLIMSOLL_ASSIGN(offsetTensor, inputTensor(call, 2));
    PLIMSOLL_ASSIGN(plan, planDeformation(call, x, w, offsetTensor));
    const Windows& windows = plan.windows;
    const std::int64_t kernel = productOf(windows.kernel);
    const std::int64_t count = productOf(windows.output);
    const TensorView* biasTensor = optionalInput(call, 3);
    const TensorView* maskTensor = optionalInput(call, 4);
    if ((biasTensor && biasTensor->elements() != w.shape[0]) ||
        (maskTensor && maskTensor->elements() * 2 != offsetTensor.elements())) {
        return refuse(call, say("kernel.bias-or-mask", describe(w)));
    }
    PLIMSOLL_TRY(call.announce({loopPasses({x.shape[0], w.shape[0], count, w.shape[1], kernel})}));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, {x.shape[0], w.shape[0], windows.output[0], windows.output[1]}));
    const std::vector<double> in = doublesOf(x);
    const std::vector<double> weights = doublesOf(w);
    const std::vector<double> offsets = doublesOf(offsetTensor);
    const std::vector<double> bias =
        biasTensor ? doublesOf(*biasTensor) : std::vector<double>(static_cast<std::size_t>(w.shape[0]), 0);
    const std::vector<double> mask = maskTensor ? doublesOf(*maskTensor) : std::vector<double>(offsets.size() / 2, 1);
    const std::int64_t filters = w.shape[0] / plan.groups;
    const std::int64_t perOffset = x.shape[1] / plan.offsetGroups;
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(y.elements()));
    for (IndexWalk walk({x.shape[0], w.shape[0], count}); walk.valid(); walk.advance()) {
        const std::int64_t row = walk[2] / windows.output[1];
        const std::int64_t column = walk[2] % windows.output[1];
        double sum = bias[static_cast<std::size_t>(walk[1])];
        for (std::int64_t i = 0; i < w.shape[1] * kernel; ++i) {
            const std::int64_t channel = walk[1] / filters * w.shape[1] + i / kernel;
            const std::int64_t k = i % kernel;
            const std::int64_t moved = (walk[0] * plan.offsetGroups + channel / perOffset) * kernel + k;
            const double dy = offsets[static_cast<std::size_t>(2 * moved * count + walk[2])];
            const double dx = offsets[static_cast<std::size_t>((2 * moved + 1) * count + walk[2])];
            const std::int64_t tapRow = k / windows.kernel[1];
            const std::int64_t tapColumn = k % windows.kernel[1];
            const auto top =
                static_cast<double>(row * windows.strides[0] - windows.padBegin[0] + tapRow * windows.dilations[0]);
            const auto left = static_cast<double>(column * windows.strides[1] - windows.padBegin[1] +
                                                  tapColumn * windows.dilations[1]);
            const double* plane = in.data() + (walk[0] * x.shape[1] + channel) * x.shape[2] * x.shape[3];
            sum += weights[static_cast<std::size_t>(walk[1] * w.shape[1] * kernel + i)] *
                   mask[static_cast<std::size_t>(moved * count + walk[2])] *
                   bilinear(plane, x.shape[2], x.shape[3], top + dy, left + dx);
        }
        out.push_back(sum);
    }
    storeNumbers(out.data(), y);
    return {};
}

constexpr KernelEntry ColumnKernels[] = {
    {"", "Col2Im", col2Im},
    {"", "DeformConv", deformConv},
};

} // namespace

constinit const KernelTable columnKernels = ColumnKernels;

} // namespace plimsoll::kernels
