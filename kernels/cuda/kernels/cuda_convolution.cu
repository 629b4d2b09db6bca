#include "kernels/cuda/kernels/cuda_convolution.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/launch/region.h"
#include "kernels/cuda/libraries/cudnn_api.h"
#include "kernels/cuda/libraries/library_layers.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// A node with its tensors by the sides that they are on, the output among them.
struct Layer
{
    Convolution plan;
    ConvolutionSide made = ConvolutionSide::Windows;
    TensorView planes;
    TensorView weights;
    TensorView windows;
    const TensorView* bias = nullptr;

    [[nodiscard]] const TensorView& output() const { return made == ConvolutionSide::Windows ? windows : planes; }
};

/// One number a channel of the output, or none.
Status takeBias(DeviceCall& call, Layer& layer)
{
    layer.bias = optionalInput(call, 2);
    const TensorView& y = layer.output();
    if (!layer.bias || (layer.bias->dtype == y.dtype && layer.bias->elements() == y.shape[1])) return {};
    return decline(call, say("cuda.bias-misfit"));
}

/// By the side that the node makes: a transposed convolution makes planes.
template <ConvolutionSide Made>
Result<Layer> layerOf(DeviceCall& call)
{
    constexpr bool Transposed = Made == ConvolutionSide::Planes;
    PLIMSOLL_TRY(requireSameType(call, 2));
    const TensorView x = call.input(0).tensor;
    Layer layer;
    layer.made = Made;
    layer.weights = call.input(1).tensor;
    if (!isComputedReal(x.dtype)) return declineType(call, x.dtype);
    PLIMSOLL_ASSIGN(plan,
                    Transposed ? planTransposed(call, x, layer.weights) : planConvolution(call, x, layer.weights));
    PLIMSOLL_ASSIGN(y, call.output(0, x.dtype, Transposed ? plan.planeShape() : plan.windowShape()));
    layer.planes = Transposed ? y : x;
    layer.windows = Transposed ? x : y;
    layer.plan = plan;
    PLIMSOLL_TRY(takeBias(call, layer));
    return layer;
}

template <typename T>
void convolveAs(Queue& queue, const ConvolutionSizes& sizes, const Layer& layer)
{
    const T* bias = layer.bias ? layer.bias->as<const T>() : nullptr;
    const T* weights = layer.weights.as<const T>();
    if (layer.made == ConvolutionSide::Windows)
        convolve<T>(queue, sizes, layer.planes.as<const T>(), weights, bias, layer.windows.as<T>());
    else
        convolveBack<T>(queue, sizes, layer.windows.as<const T>(), weights, bias, layer.planes.as<T>());
}

template <ConvolutionSide Made>
Status byOwnKernel(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(layer, layerOf<Made>(call));
    PLIMSOLL_ASSIGN(sizes, sizesOf(call, layer.plan));
    call.noteOperations(sizes.operations());
    visitReal(layer.output().dtype, [&]<typename T>() { convolveAs<T>(call.queue(), sizes, layer); });
    return {};
}

/// The bias is brought to the output first, and the library adds to it.
template <ConvolutionSide Made, int Algorithm>
Status byCudnn(DeviceCall& call)
{
    if (standsInForLibrary(call.queue())) return byOwnKernel<Made>(call);
    PLIMSOLL_ASSIGN(layer, layerOf<Made>(call));
    PLIMSOLL_ASSIGN(sizes, sizesOf(call, layer.plan));
    const TensorView& y = layer.output();
    if (layer.bias) {
        Shape strides(y.shape.size(), 0);
        strides[1] = 1;
        PLIMSOLL_TRY(copyRegion(call, {*layer.bias, 0, strides}, {y, 0, rowMajorStrides(y.shape)}, y.shape));
    }
    call.noteOperations(sizes.operations());
    return convolveByLibrary(call, layer.plan, y.dtype, layer.made, Algorithm,
                             {.planes = layer.planes.data,
                              .weights = layer.weights.data,
                              .windows = layer.windows.data,
                              .beta = layer.bias ? 1.0F : 0.0F});
}

constexpr auto Windows = ConvolutionSide::Windows;
constexpr auto Planes = ConvolutionSide::Planes;
constexpr DeviceKernel Table[] = {
    {"", "Conv", "cudnn:implicit_precomp_gemm", byCudnn<Windows, cudnn::ForwardImplicitPrecompGemm>},
    {"", "Conv", "cudnn:implicit_gemm", byCudnn<Windows, cudnn::ForwardImplicitGemm>},
    {"", "Conv", "cudnn:gemm", byCudnn<Windows, cudnn::ForwardGemm>},
    {"", "Conv", "cudnn:winograd", byCudnn<Windows, cudnn::ForwardWinograd>},
    {"", "Conv", "cudnn:winograd_nonfused", byCudnn<Windows, cudnn::ForwardWinogradNonfused>},
    {"", "Conv", "cudnn:fft", byCudnn<Windows, cudnn::ForwardFft>},
    {"", "Conv", "cudnn:fft_tiling", byCudnn<Windows, cudnn::ForwardFftTiling>},
    {"", "ConvTranspose", "cudnn:implicit_gemm", byCudnn<Planes, cudnn::DataImplicitGemm>},
    {"", "ConvTranspose", "cudnn:winograd", byCudnn<Planes, cudnn::DataWinograd>},
    {"", "ConvTranspose", "cudnn:winograd_nonfused", byCudnn<Planes, cudnn::DataWinogradNonfused>},
    {"", "ConvTranspose", "cudnn:fft", byCudnn<Planes, cudnn::DataFft>},
    {"", "ConvTranspose", "cudnn:fft_tiling", byCudnn<Planes, cudnn::DataFftTiling>},
    {"", "Conv", "implicit_gemm", byOwnKernel<Windows>},
    {"", "ConvTranspose", "implicit_gemm", byOwnKernel<Planes>},
};

} // namespace

constinit const DeviceTable convolutionKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
