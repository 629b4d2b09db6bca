#include "core/ops/saving.h"
#include "kernels/common/formula/gradient_node.h"
#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/formula/cuda_formula.h"
#include "kernels/cuda/launch/map.h"
#include "kernels/cuda/launch/region.h"
#include "kernels/cuda/libraries/cudnn_api.h"
#include "kernels/cuda/libraries/library_layers.h"

#include <algorithm>

/// Backward nodes, with the values of formulas in the scratchpad of the device.
namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

struct TimesBody
{
    const float* x;
    float* y;
    const float* added; ///< May be absent, and may be the bytes of y.
    Walk<2> walk;       ///< In x, and in what is added.
    float factor;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const Offsets<2> at = walk.at(i);
        return x[at[0]] * factor + (added ? added[at[1]] : 0);
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

/// y = gradient + what is there already, where the graph asks for that.
Status finish(const FormulaScope& scope, const BroughtGradient& gradient, const TensorView* there, const TensorView& y)
{
    DeviceCall& call = deviceCall(scope);
    PLIMSOLL_ASSIGN(whole, scope.written(gradient.value, gradient.value.shape));
    if (there && (there->elements() != y.elements() || there->dtype != DType::Float32))
        return decline(call, say("cuda.gradient-addend-size"));
    const auto walk = walkOver<2>(y.shape, {broadcastStrides(whole.shape, y.shape), rowMajorStrides(y.shape)});
    if (!walk) return decline(call, say("cuda.repeats"));
    forEach(call.queue(), walk->count,
            TimesBody {floatsOf(whole), y.as<float>(), there ? there->as<const float>() : nullptr, *walk,
                       static_cast<float>(gradient.times)});
    return {};
}

/// Whether nothing that is computed after output \p output reads the input of that name.
bool isReadNoMore(const DeviceCall& call, const GradientNode& backward, std::size_t output, const std::string& name)
{
    for (std::size_t later = output + 1; later < backward.formulas.size(); ++later) {
        if (!call.wantsOutput(later)) continue;
        if (isGradientView(call.node(), later)) return false;
        for (const Mention& mention : mentionsOf(backward.formulas[later])) {
            if (mention.name == name) return false;
        }
    }
    return true;
}

/// A gradient may lie over a tensor of its shape: in a fused formula each thread reads all it needs of an element
/// before it writes it there.
void notePlaces(DeviceCall& call, const GradientNode& backward, std::size_t output, const TensorView& y)
{
    for (std::size_t i = 0; i < backward.names.size(); ++i) {
        const TensorView* input = optionalInput(call, i);
        const bool fits = input && input->shape == y.shape && input->dtype == y.dtype;
        if (fits && isReadNoMore(call, backward, output, backward.names[i]))
            call.mayLieOver(static_cast<int>(output), static_cast<int>(i));
    }
}

Status passOn(DeviceCall& call, std::size_t output)
{
    PLIMSOLL_ASSIGN(gradient, inputTensor(call, 0));
    PLIMSOLL_ASSIGN(y, call.plannedOutput(output));
    if (gradient.elements() != y.elements() || gradient.dtype != y.dtype)
        return decline(call, say("cuda.output-no-view"));
    copyElements(call.queue(), {y.dtype, y.shape, gradient.data}, y);
    return {};
}

/// Where the value is as it has to be, it is written where it belongs; else a last pass brings it there.
Status computeGradient(DeviceCall& call, const GradientNode& backward, std::size_t output)
{
    PLIMSOLL_ASSIGN(y, call.plannedOutput(output));
    if (y.dtype != DType::Float32) return declineType(call, y.dtype);
    const Formula& formula = backward.formulas[output];
    const FormulaScope scope(call, deviceSteps(), backward.names, backward.variables[output]);
    const TensorView* there = nullptr;
    if (backward.onto[output] >= 0) there = optionalInput(call, static_cast<std::size_t>(backward.onto[output]));
    if (backward.onto[output] >= 0 && !there) return decline(call, say("cuda.no-gradient-addend"));
    PLIMSOLL_ASSIGN(gradient, bringGradient(formula, scope, y.shape, there ? nullptr : &y));
    if (gradient.mayLieOver) notePlaces(call, backward, output, y);
    return gradient.inPlace ? Status() : finish(scope, gradient, there, y);
}

Status gradients(DeviceCall& call)
{
    PLIMSOLL_ASSIGN(backward, readGradientNode(call));
    for (std::size_t output = 0; output < backward.formulas.size(); ++output) {
        if (!call.wantsOutput(output)) continue;
        PLIMSOLL_TRY(isGradientView(call.node(), output) ? passOn(call, output)
                                                         : computeGradient(call, backward, output));
    }
    return {};
}

/// Its convolutions go through cuDNN, each side by the algorithm for it.
template <int Planes, int Weights, int Windows>
Status gradientsByCudnn(DeviceCall& call)
{
    call.convolveBy({Planes, Weights, Windows});
    PLIMSOLL_TRY(gradients(call));
    return call.notes().asksCudnn || standsInForLibrary(call.queue()) ? Status {}
                                                                      : decline(call, say("cuda.nothing-to-convolve"));
}

/// What a library makes the one gradient of a layer of: the incoming one and a tensor that forward kept.
struct LayerGradient
{
    int incoming = 0; ///< The input that dy is.
    TensorView dy;
    TensorView kept;
    TensorView dx;
};

Result<LayerGradient> layerGradient(DeviceCall& call, std::string_view kept)
{
    PLIMSOLL_ASSIGN(backward, readGradientNode(call));
    if (backward.formulas.size() != 1 || backward.onto[0] >= 0) return decline(call, say("cuda.several-gradients"));
    const FormulaScope scope(call, deviceSteps(), backward.names, backward.variables[0]);
    const TensorView* dy = scope.input("g");
    const TensorView* other = scope.input(kept);
    PLIMSOLL_ASSIGN(dx, call.plannedOutput(0));
    const bool whole = dy && other && dy->shape == scope.sizes("g") && dx.shape == scope.target();
    if (!whole || dy->dtype != DType::Float32 || other->dtype != DType::Float32 || dx.dtype != DType::Float32)
        return decline(call, say("cuda.cudnn-not-whole"));
    const auto at = std::find(backward.names.begin(), backward.names.end(), "g") - backward.names.begin();
    return LayerGradient {static_cast<int>(at), *dy, *other, dx};
}

/// The output stands for the input, too, which forward did not keep: where a Relu's is above 0, its input is; of
/// Sigmoid and Tanh the library reads the output. cudnnActivationBackward() allows dx over dy, and not over the others.
template <cudnn::Code Mode>
Status activationGradient(DeviceCall& call)
{
    if (standsInForLibrary(call.queue())) return gradients(call);
    PLIMSOLL_ASSIGN(layer, layerGradient(call, "result"));
    call.mayLieOver(0, layer.incoming);
    return computeByLibrary(call, libraryActivation(layer.dx, Mode),
                            {.x = layer.kept.data, .y = layer.kept.data, .dy = layer.dy.data, .dx = layer.dx.data});
}

/// The library wants the output, too, which forward did not keep: it is made once more.
template <LayerOver layerOver>
Status poolGradient(DeviceCall& call)
{
    if (standsInForLibrary(call.queue())) return gradients(call);
    PLIMSOLL_ASSIGN(layer, layerGradient(call, "self"));
    PLIMSOLL_ASSIGN(spatial, spatialShape(call, layer.kept));
    PLIMSOLL_ASSIGN(windows, windowsOver(call, spatial, {}));
    PLIMSOLL_ASSIGN(pooling, layerOver(call, windows, layer.kept));
    PLIMSOLL_ASSIGN(y, call.scratch<float>(layer.dy.elements()));
    PLIMSOLL_TRY(computeByLibrary(call, pooling, {.x = layer.kept.data, .y = y}));
    return computeByLibrary(call, pooling, {.x = layer.kept.data, .y = y, .dy = layer.dy.data, .dx = layer.dx.data});
}

using namespace cudnn;
constexpr DeviceKernel Table[] = {
    {GradientDomain, "Conv", "cudnn:implicit_gemm", gradientsByCudnn<DataImplicitGemm, FilterImplicitGemm, -1>},
    {GradientDomain, "Conv", "cudnn:winograd", gradientsByCudnn<DataWinograd, FilterImplicitGemm, -1>},
    {GradientDomain, "Conv", "cudnn:winograd_nonfused",
     gradientsByCudnn<DataWinogradNonfused, FilterWinogradNonfused, -1>},
    {GradientDomain, "Conv", "cudnn:fft", gradientsByCudnn<DataFft, FilterFft, -1>},
    {GradientDomain, "Conv", "cudnn:fft_tiling", gradientsByCudnn<DataFftTiling, FilterFftTiling, -1>},
    {GradientDomain, "ConvTranspose", "cudnn:implicit_gemm",
     gradientsByCudnn<-1, FilterImplicitGemm, ForwardImplicitPrecompGemm>},
    {GradientDomain, "ConvTranspose", "cudnn:winograd_nonfused",
     gradientsByCudnn<-1, FilterWinogradNonfused, ForwardWinogradNonfused>},
    {GradientDomain, "ConvTranspose", "cudnn:fft", gradientsByCudnn<-1, FilterFft, ForwardFft>},
    {GradientDomain, "ConvTranspose", "cudnn:fft_tiling", gradientsByCudnn<-1, FilterFftTiling, ForwardFftTiling>},
    {GradientDomain, "", "formulas", gradients},
    {GradientDomain, "AveragePool", "cudnn:pooling", poolGradient<libraryAveragePool>},
    {GradientDomain, "MaxPool", "cudnn:pooling", poolGradient<libraryMaxPool>},
    {GradientDomain, "Relu", "cudnn:activation", activationGradient<Relu>},
    {GradientDomain, "Sigmoid", "cudnn:activation", activationGradient<Sigmoid>},
    {GradientDomain, "Tanh", "cudnn:activation", activationGradient<Tanh>},
};

} // namespace

constinit const DeviceTable gradientKernels = Table;

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
