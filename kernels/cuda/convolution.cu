#include "kernels/cuda/convolution.h"

#include "kernels/cuda/families.h"
#include "kernels/reference/convolution.h"

#include <algorithm>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// One number a channel, or none.
Status checkBias(const DeviceCall& call, const TensorView* bias, DType dtype, std::int64_t channels)
{
    if (!bias || (bias->dtype == dtype && bias->elements() == channels)) return {};
    return decline(call, "its bias does not fit");
}

Status conv(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView x = call.input(0).tensor;
    const TensorView w = call.input(1).tensor;
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(plan, planConvolution(call, x, w));
    const auto sliding = slidingOf(plan.windows, std::max({plan.batch, plan.channels, plan.filters}));
    if (!sliding) return decline(call, "it is empty or has more than three spatial dimensions");
    const TensorView* bias = optionalInput(call, 2);
    PLIMSOLL_TRY(checkBias(call, bias, x.dtype, plan.filters));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, plan.outShape()));
    const ConvolutionSizes sizes {*sliding, plan.batch, plan.groups, plan.channels / plan.groups,
                                  plan.filters / plan.groups};
    call.noteOperations(sizes.operations());
    visitReal(x.dtype, [&]<typename T>() {
        convolve<T>(call.queue(), sizes, x.as<const T>(), w.as<const T>(), bias ? bias->as<const T>() : nullptr,
                    y.as<T>());
    });
    return {};
}

Status convTranspose(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView x = call.input(0).tensor;
    const TensorView w = call.input(1).tensor;
    if (x.dtype != DType::Float32) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(plan, planTransposed(call, x, w));
    const auto sliding = slidingOf(plan.windows, std::max({x.shape[0], plan.channels, plan.filters}));
    if (!sliding) return decline(call, "it is empty or has more than three spatial dimensions");
    const TensorView* bias = optionalInput(call, 2);
    PLIMSOLL_TRY(checkBias(call, bias, x.dtype, plan.filters));
    Shape shape {x.shape[0], plan.filters};
    shape.insert(shape.end(), plan.windows.input.begin(), plan.windows.input.end());
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, shape));
    const ConvolutionSizes sizes {*sliding, x.shape[0], plan.groups, plan.filters / plan.groups,
                                  plan.channels / plan.groups};
    call.noteOperations(sizes.operations());
    convolveBack<float>(call.queue(), sizes, x.as<const float>(), w.as<const float>(),
                        bias ? bias->as<const float>() : nullptr, y.as<float>());
    return {};
}

constexpr DeviceKernel Table[] = {
    {"", "Conv", "implicit_gemm", conv},
    {"", "ConvTranspose", "implicit_gemm", convTranspose},
};

} // namespace

DeviceTable convolutionKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
