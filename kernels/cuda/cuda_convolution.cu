#include "kernels/cuda/cuda_convolution.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/cudnn_api.h"
#include "kernels/cuda/library_layers.h"
#include "kernels/cuda/region.h"

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
    return decline(call, "its bias does not fit");
}

Result<Layer> convLayer(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    Layer layer;
    layer.planes = call.input(0).tensor;
    layer.weights = call.input(1).tensor;
    if (!isComputedReal(layer.planes.dtype)) return declineType(call, layer.planes.dtype);
    PLIMSOLL_ASSIGN(plan, planConvolution(call, layer.planes, layer.weights));
    PLIMSOLL_ASSIGN(y, call.output(0, layer.planes.dtype, plan.outShape()));
    layer.plan = plan;
    layer.windows = y;
    PLIMSOLL_TRY(takeBias(call, layer));
    return layer;
}

Result<Layer> transposedLayer(DeviceCall& call)
{
    PLIMSOLL_TRY(requireSameType(call, 2));
    Layer layer;
    layer.made = ConvolutionSide::Planes;
    layer.windows = call.input(0).tensor;
    layer.weights = call.input(1).tensor;
    if (!isComputedReal(layer.windows.dtype)) return declineType(call, layer.windows.dtype);
    PLIMSOLL_ASSIGN(plan, planTransposed(call, layer.windows, layer.weights));
    layer.plan = layerOf(plan, layer.windows.shape[0]);
    Shape shape {layer.plan.batch, layer.plan.channels};
    shape.insert(shape.end(), plan.windows.input.begin(), plan.windows.input.end());
    PLIMSOLL_ASSIGN(y, call.output(0, layer.windows.dtype, shape));
    layer.planes = y;
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

using LayerOf = Result<Layer> (*)(DeviceCall&);

template <LayerOf layerOf>
Status byOwnKernel(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(layer, layerOf(call));
    PLIMSOLL_ASSIGN(sizes, sizesOf(call, layer.plan));
    call.noteOperations(sizes.operations());
    visitReal(layer.output().dtype, [&]<typename T>() { convolveAs<T>(call.queue(), sizes, layer); });
    return {};
}

/// The bias is brought to the output first, and the library adds to it.
template <LayerOf layerOf, int Algorithm>
Status byCudnn(DeviceCall& call)
{
    if (standsInForLibrary(call.queue())) return byOwnKernel<layerOf>(call);
    PLIMSOLL_ASSIGN(layer, layerOf(call));
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

constexpr DeviceKernel Table[] = {
    {"", "Conv", "cudnn:implicit_precomp_gemm", byCudnn<convLayer, cudnn::ForwardImplicitPrecompGemm>},
    {"", "Conv", "cudnn:implicit_gemm", byCudnn<convLayer, cudnn::ForwardImplicitGemm>},
    {"", "Conv", "cudnn:gemm", byCudnn<convLayer, cudnn::ForwardGemm>},
    {"", "Conv", "cudnn:winograd", byCudnn<convLayer, cudnn::ForwardWinograd>},
    {"", "Conv", "cudnn:winograd_nonfused", byCudnn<convLayer, cudnn::ForwardWinogradNonfused>},
    {"", "Conv", "cudnn:fft", byCudnn<convLayer, cudnn::ForwardFft>},
    {"", "Conv", "cudnn:fft_tiling", byCudnn<convLayer, cudnn::ForwardFftTiling>},
    {"", "ConvTranspose", "cudnn:implicit_gemm", byCudnn<transposedLayer, cudnn::DataImplicitGemm>},
    {"", "ConvTranspose", "cudnn:winograd", byCudnn<transposedLayer, cudnn::DataWinograd>},
    {"", "ConvTranspose", "cudnn:winograd_nonfused", byCudnn<transposedLayer, cudnn::DataWinogradNonfused>},
    {"", "ConvTranspose", "cudnn:fft", byCudnn<transposedLayer, cudnn::DataFft>},
    {"", "ConvTranspose", "cudnn:fft_tiling", byCudnn<transposedLayer, cudnn::DataFftTiling>},
    {"", "Conv", "implicit_gemm", byOwnKernel<convLayer>},
    {"", "ConvTranspose", "implicit_gemm", byOwnKernel<transposedLayer>},
};

} // namespace

DeviceTable convolutionKernels()
{
    return Table;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
