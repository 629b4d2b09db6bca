#include "kernels/reference/layers/convolution.h"

#include "kernels/reference/kernel_families.h"
#include "kernels/reference/numbers.h"

namespace plimsoll::kernels {

Result<Convolution> planConvolution(const KernelCall& call, const TensorView& x, const TensorView& w)
{
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    const std::int64_t groups = intAttribute(call, "group", 1);
    const bool fits = w.shape.size() == x.shape.size() && groups > 0 && w.shape[0] % groups == 0 &&
                      x.shape[1] % groups == 0 && w.shape[1] == x.shape[1] / groups;
    if (!fits)
        return refuse(call, "the weights " + describe(w) + " do not fit " + describe(x) + " in " +
                                std::to_string(groups) + " groups.");
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, Shape(w.shape.begin() + 2, w.shape.end())));
    return Convolution {windows, x.shape[0], x.shape[1], w.shape[0], groups};
}

namespace {

/// Sets each channel of [batch, channels, plane] to its bias, or to 0.
template <typename T>
void startWithBias(const TensorView* bias, const Shape& shape, T* y)
{
    const std::int64_t plane = productOf(shape, 2, shape.size());
    const std::vector<double> numbers = bias ? doublesOf(*bias) : std::vector<double>();
    for (std::int64_t c = 0; c < shape[0] * shape[1]; ++c) {
        const auto channel = static_cast<std::size_t>(c % shape[1]);
        std::fill_n(y + c * plane, plane, bias ? static_cast<T>(numbers[channel]) : T {0});
    }
}

Status checkBias(const KernelCall& call, const TensorView* bias, std::int64_t channels)
{
    if (!bias || bias->elements() == channels) return {};
    return refuse(call, "the bias " + describe(*bias) + " has not one number for each of " + std::to_string(channels) +
                            " channels.");
}

Status conv(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& x = call.input(0).tensor;
    const TensorView& w = call.input(1).tensor;
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(plan, planConvolution(call, x, w));
    const TensorView* bias = optionalInput(call, 2);
    PLIMSOLL_TRY(checkBias(call, bias, plan.filters));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, plan.outShape()));
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        const Reader<T> weights(w);
        Writer<T> out(y);
        startWithBias(bias, y.shape, out.data());
        convolve(plan, in.data(), weights.data(), out.data());
    });
    return {};
}

/// Sizes and pads of one dimension of the output, from what the attributes ask.
void placeOutput(const KernelCall& call, Windows& windows, std::size_t d, std::int64_t extra)
{
    const std::int64_t reach = (windows.kernel[d] - 1) * windows.dilations[d] + 1;
    const std::int64_t full = windows.strides[d] * (windows.output[d] - 1) + extra + reach;
    const std::string autoPad = textAttribute(call, "auto_pad", "NOTSET");
    const bool same = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
    const auto outputShape = intsAttribute(call, "output_shape");
    if (!outputShape && !same) {
        windows.input[d] = full - windows.padBegin[d] - windows.padEnd[d];
        return;
    }
    const std::size_t rank = windows.input.size();
    const bool given = outputShape && outputShape->size() >= rank;
    windows.input[d] = given ? (*outputShape)[outputShape->size() - rank + d] : windows.output[d] * windows.strides[d];
    const std::int64_t pad = std::max<std::int64_t>(full - windows.input[d], 0);
    windows.padBegin[d] = autoPad == "SAME_UPPER" ? pad / 2 : pad - pad / 2;
    windows.padEnd[d] = pad - windows.padBegin[d];
}

} // namespace

Result<TransposedPlan> planTransposed(const KernelCall& call, const TensorView& x, const TensorView& w)
{
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, x));
    const std::int64_t groups = intAttribute(call, "group", 1);
    if (w.shape.size() != x.shape.size() || groups < 1 || x.shape[1] % groups != 0 || w.shape[0] != x.shape[1]) {
        return refuse(call, "the weights " + describe(w) + " do not fit " + describe(x) + ".");
    }
    // Checks lengths and ranges of the attributes; its number of windows is for the other direction.
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, Shape(w.shape.begin() + 2, w.shape.end())));
    const Shape extra = intsAttribute(call, "output_padding").value_or(Shape(spatial.size(), 0));
    if (extra.size() != spatial.size()) return refuse(call, "output_padding has not one number for each dimension.");
    windows.output = spatial;
    if (textAttribute(call, "auto_pad", "NOTSET") != "NOTSET") {
        windows.padBegin.assign(spatial.size(), 0);
        windows.padEnd.assign(spatial.size(), 0);
    }
    for (std::size_t d = 0; d < spatial.size(); ++d) {
        placeOutput(call, windows, d, extra[d]);
        if (windows.input[d] < 0) return refuse(call, "the pads leave nothing of " + describe(x) + ".");
    }
    return TransposedPlan {windows, x.shape[1], w.shape[1] * groups, groups};
}

namespace {

template <typename T>
void convolveTransposed(const TransposedPlan& plan, std::int64_t batch, const T* x, const T* w, T* y)
{
    const std::int64_t plane = productOf(plan.windows.input);
    const std::int64_t windows = productOf(plan.windows.output);
    const std::int64_t kernel = productOf(plan.windows.kernel);
    const std::int64_t channels = plan.channels / plan.groups;
    const std::int64_t filters = plan.filters / plan.groups;
    std::vector<std::int64_t> sources;
    std::vector<T> added;
    for (std::int64_t part = 0; part < batch * plan.groups; ++part) {
        const std::int64_t group = part % plan.groups;
        const std::vector<T> turned = transposed(w + group * channels * filters * kernel, channels, filters * kernel);
        added.assign(static_cast<std::size_t>(filters * kernel * windows), T {0});
        addProduct(turned.data(), x + part * channels * windows, added.data(), {filters * kernel, channels, windows});
        for (std::int64_t begin = 0; begin < windows; begin += WindowBlock) {
            const std::int64_t count = std::min(WindowBlock, windows - begin);
            windowSources(plan.windows, begin, begin + count, sources);
            for (std::int64_t i = 0; i < filters * kernel * count; ++i) {
                const std::int64_t target = sources[static_cast<std::size_t>(i % (kernel * count))];
                if (target < 0) continue;
                const std::int64_t row = i / count;
                y[(part * filters + row / kernel) * plane + target] +=
                    added[static_cast<std::size_t>(row * windows + begin + i % count)];
            }
        }
    }
}

Status convTranspose(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& x = call.input(0).tensor;
    const TensorView& w = call.input(1).tensor;
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(plan, planTransposed(call, x, w));
    const TensorView* bias = optionalInput(call, 2);
    PLIMSOLL_TRY(checkBias(call, bias, plan.filters));
    Shape shape {x.shape[0], plan.filters};
    shape.insert(shape.end(), plan.windows.input.begin(), plan.windows.input.end());
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        const Reader<T> weights(w);
        Writer<T> out(y);
        startWithBias(bias, shape, out.data());
        convolveTransposed(plan, x.shape[0], in.data(), weights.data(), out.data());
    });
    return {};
}

constexpr KernelEntry Table[] = {
    {"", "Conv", conv},
    {"", "ConvTranspose", convTranspose},
};

} // namespace

KernelTable convolutionKernels()
{
    return Table;
}

} // namespace plimsoll::kernels
