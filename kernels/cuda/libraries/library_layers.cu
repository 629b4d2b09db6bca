#include "kernels/cuda/libraries/library_layers.h"

#include "kernels/cuda/cuda_families.h"
#include "kernels/cuda/libraries/cudnn_api.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

/// cuDNN pads both ends of an axis alike. What lies behind the last window does not matter, so windows with other pads
/// are the same where there are as many.
bool padsAlike(const Windows& windows)
{
    for (std::size_t d = 0; d < windows.input.size(); ++d) {
        const std::int64_t reach = (windows.kernel[d] - 1) * windows.dilations[d] + 1;
        const std::int64_t slack = windows.input[d] + 2 * windows.padBegin[d] - reach;
        const bool fits = windows.padBegin[d] >= 0 && slack >= 0;
        if (!fits || slack / windows.strides[d] + 1 != windows.output[d]) return false;
    }
    return true;
}

/// The library has no tensors with one spatial dimension; another one of size 1 changes nothing.
Shape withTwoAxes(Shape shape, const Shape& axes, std::int64_t filler)
{
    shape.insert(shape.end(), axes.begin(), axes.end());
    if (axes.size() == 1) shape.push_back(filler);
    return shape;
}

Status requireAxes(const KernelCall& call, const Windows& windows)
{
    const std::size_t rank = windows.input.size();
    if (rank < 1 || rank > 3) return decline(call, say("cuda.cudnn-rank"));
    return padsAlike(windows) ? Status {} : decline(call, say("cuda.cudnn-uneven-pads"));
}

Result<LibraryConvolution> questionOf(const KernelCall& call, const Convolution& layer, DType dtype,
                                      ConvolutionSide made, int algorithm)
{
    const Windows& windows = layer.windows;
    PLIMSOLL_TRY(requireAxes(call, windows));
    LibraryConvolution question;
    question.made = made;
    question.algorithm = algorithm;
    question.dtype = dtype;
    question.planes = withTwoAxes({layer.batch, layer.channels}, windows.input, 1);
    question.weights = withTwoAxes({layer.filters, layer.channels / layer.groups}, windows.kernel, 1);
    question.windows = withTwoAxes({layer.batch, layer.filters}, windows.output, 1);
    question.pads = withTwoAxes({}, windows.padBegin, 0);
    question.strides = withTwoAxes({}, windows.strides, 1);
    question.dilations = withTwoAxes({}, windows.dilations, 1);
    question.groups = layer.groups;
    return question;
}

Result<LibraryLayer> poolingOf(const KernelCall& call, const Windows& windows, const TensorView& x, int mode)
{
    PLIMSOLL_TRY(requireAxes(call, windows));
    for (std::size_t d = 0; d < windows.input.size(); ++d) {
        if (windows.dilations[d] != 1) return decline(call, say("cuda.cudnn-no-dilations"));
        if (windows.padBegin[d] >= windows.kernel[d]) return decline(call, say("cuda.window-in-padding"));
    }
    LibraryLayer layer;
    layer.mode = mode;
    layer.dtype = x.dtype;
    layer.x = withTwoAxes({x.shape[0], x.shape[1]}, windows.input, 1);
    layer.y = withTwoAxes({x.shape[0], x.shape[1]}, windows.output, 1);
    layer.kernel = withTwoAxes({}, windows.kernel, 1);
    layer.pads = withTwoAxes({}, windows.padBegin, 0);
    layer.strides = withTwoAxes({}, windows.strides, 1);
    return layer;
}

/// The library says which algorithm it takes to be faster, and not by how much.
constexpr double SlowerByRank = 0.05;

/// A device's library launches by itself; where the host stands in for one, its turn comes with that of the queue.
template <typename Work>
void launch(Queue& queue, const Work& work)
{
    ++queue.launches;
    if (queue.rehearsal || !queue.status.ok()) return;
    const auto compute = [&queue, library = queue.layers, work, stream = queue.stream] {
        const Status status = work(*library, stream);
        if (queue.status.ok()) queue.status = status;
    };
#ifdef __CUDACC__
    compute();
#else
    carryOut(queue, compute);
#endif
}

Status beginLibrary(DeviceCall& call)
{
    call.noteCudnn();
    if (!call.queue().layers) return decline(call, say("cuda.no-cudnn"));
    return call.queue().layers->begin();
}

} // namespace

Status convolveByLibrary(DeviceCall& call, const Convolution& layer, DType dtype, ConvolutionSide made, int algorithm,
                         ConvolutionTensors tensors)
{
    PLIMSOLL_TRY(beginLibrary(call));
    Queue& queue = call.queue();
    PLIMSOLL_ASSIGN(question, questionOf(call, layer, dtype, made, algorithm));
    PLIMSOLL_ASSIGN(bytes, queue.layers->workspaceBytes(question));
    if (queue.rehearsal) {
        PLIMSOLL_ASSIGN(rank, queue.layers->rank(question));
        call.noteSlower(1 + rank * SlowerByRank);
    }
    PLIMSOLL_ASSIGN(workspace, call.scratch<std::byte>(bytes));
    tensors.workspace = bytes > 0 ? workspace : nullptr;
    tensors.workspaceBytes = bytes;
    launch(queue, [question, tensors](LayerLibrary& library, void* stream) {
        return library.convolve(question, tensors, stream);
    });
    return {};
}

Status computeByLibrary(DeviceCall& call, const LibraryLayer& layer, const LayerTensors& tensors)
{
    PLIMSOLL_TRY(beginLibrary(call));
    Queue& queue = call.queue();
    if (queue.rehearsal) PLIMSOLL_TRY(queue.layers->accepts(layer));
    launch(queue,
           [layer, tensors](LayerLibrary& library, void* stream) { return library.compute(layer, tensors, stream); });
    return {};
}

LibraryLayer libraryActivation(const TensorView& x, int mode)
{
    LibraryLayer layer;
    layer.mode = mode;
    layer.dtype = x.dtype;
    layer.x = {1, 1, 1, x.elements()};
    layer.y = layer.x;
    return layer;
}

Result<LibraryLayer> libraryMaxPool(const KernelCall& call, const Windows& windows, const TensorView& x)
{
    return poolingOf(call, windows, x, cudnn::MaxDeterministic);
}

Result<LibraryLayer> libraryAveragePool(const KernelCall& call, const Windows& windows, const TensorView& x)
{
    const bool includePad = intAttribute(call, "count_include_pad", 0) != 0;
    for (std::size_t d = 0; includePad && d < windows.input.size(); ++d) {
        const std::int64_t end = (windows.output[d] - 1) * windows.strides[d] + windows.kernel[d];
        if (end > windows.padBegin[d] + windows.input[d] + windows.padEnd[d])
            return decline(call, say("cuda.cudnn-counts-padding"));
    }
    return poolingOf(call, windows, x, includePad ? cudnn::AverageWithPad : cudnn::AverageWithoutPad);
}

bool standsInForLibrary([[maybe_unused]] const Queue& queue)
{
#ifdef __CUDACC__
    return false;
#else
    return !queue.rehearsal && !queue.layers;
#endif
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
