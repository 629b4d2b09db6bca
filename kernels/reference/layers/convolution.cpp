#include "kernels/reference/layers/convolution.h"

#include "kernels/common/numbers.h"
#include "kernels/reference/kernel_families.h"

namespace plimsoll::kernels {
namespace {

Status checkBias(const KernelCall& call, const TensorView* bias, std::int64_t channels)
{
    if (!bias || bias->elements() == channels) return {};
    return refuse(call, say("kernel.bias-size", describe(*bias), word::Number(channels)));
}

template <typename T>
void convolveTransposed(const Convolution& plan, const T* x, const T* w, T* y)
{
    const std::int64_t plane = productOf(plan.windows.input);
    const std::int64_t windows = productOf(plan.windows.output);
    const std::int64_t kernel = productOf(plan.windows.kernel);
    const std::int64_t planes = plan.channels / plan.groups;
    const std::int64_t filters = plan.filters / plan.groups;
    std::vector<std::int64_t> sources;
    std::vector<T> added;
    for (std::int64_t part = 0; part < plan.batch * plan.groups; ++part) {
        const std::int64_t group = part % plan.groups;
        const std::vector<T> turned = transposed(w + group * filters * planes * kernel, filters, planes * kernel);
        added.assign(static_cast<std::size_t>(planes * kernel * windows), T {0});
        addProduct(turned.data(), x + part * filters * windows, added.data(), {planes * kernel, filters, windows});
        for (std::int64_t begin = 0; begin < windows; begin += WindowBlock) {
            const std::int64_t count = std::min(WindowBlock, windows - begin);
            windowSources(plan.windows, begin, begin + count, sources);
            for (std::int64_t i = 0; i < planes * kernel * count; ++i) {
                const std::int64_t target = sources[static_cast<std::size_t>(i % (kernel * count))];
                if (target < 0) continue;
                const std::int64_t row = i / count;
                y[(part * planes + row / kernel) * plane + target] +=
                    added[static_cast<std::size_t>(row * windows + begin + i % count)];
            }
        }
    }
}

using PlanOf = Result<Convolution> (*)(const KernelCall&, const TensorView&, const TensorView&);

template <PlanOf planOf, bool Transposed>
Status conv(KernelCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView& x = call.input(0).tensor;
    const TensorView& w = call.input(1).tensor;
    if (!isFloatingPoint(x.dtype)) return refuseType(call, x.dtype);
    PLIMSOLL_ASSIGN(plan, planOf(call, x, w));
    const TensorView* bias = optionalInput(call, 2);
    PLIMSOLL_TRY(checkBias(call, bias, Transposed ? plan.channels : plan.filters));
    PLIMSOLL_TRY(call.announce(rowEffort(plan.products())));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, Transposed ? plan.planeShape() : plan.windowShape()));
    visitFloating(x.dtype, [&]<typename T>() {
        const Reader<T> in(x);
        const Reader<T> weights(w);
        Writer<T> out(y);
        const std::int64_t plane = productOf(y.shape, 2, y.shape.size());
        const std::vector<double> numbers = bias ? doublesOf(*bias) : std::vector<double>();
        for (std::int64_t c = 0; c < y.shape[0] * y.shape[1]; ++c) {
            const auto channel = static_cast<std::size_t>(c % y.shape[1]);
            std::fill_n(out.data() + c * plane, plane, bias ? static_cast<T>(numbers[channel]) : T {0});
        }
        if (Transposed)
            convolveTransposed(plan, in.data(), weights.data(), out.data());
        else
            convolve(plan, in.data(), weights.data(), out.data());
    });
    return {};
}

constexpr KernelEntry ConvolutionKernels[] = {
    {"", "Conv", conv<planConvolution, false>},
    {"", "ConvTranspose", conv<planTransposed, true>},
};

} // namespace

constinit const KernelTable convolutionKernels = ConvolutionKernels;

} // namespace plimsoll::kernels
