#include "kernels/cuda/library_convolution.h"

#include "kernels/cuda/families.h"

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

Result<LibraryConvolution> questionOf(const KernelCall& call, const Convolution& layer, DType dtype,
                                      ConvolutionSide made, int algorithm)
{
    const Windows& windows = layer.windows;
    const std::size_t rank = windows.input.size();
    if (rank < 1 || rank > 3) return decline(call, "cuDNN has one to three spatial dimensions");
    if (!padsAlike(windows)) return decline(call, "cuDNN pads both ends alike");
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

/// The library says which algorithm it takes to be faster, and not by how much.
constexpr double SlowerByRank = 0.05;

/// A device's library launches by itself; where the host stands in for one, its turn comes with that of the queue.
void launch(Queue& queue, const LibraryConvolution& question, const ConvolutionTensors& tensors)
{
    ++queue.launches;
    if (queue.rehearsal || !queue.status.ok()) return;
    const auto compute = [&queue, library = queue.convolutions, question, tensors, stream = queue.stream] {
        const Status status = library->convolve(question, tensors, stream);
        if (queue.status.ok()) queue.status = status;
    };
#ifdef __CUDACC__
    compute();
#else
    carryOut(queue, compute);
#endif
}

} // namespace

Status convolveByLibrary(DeviceCall& call, const Convolution& layer, DType dtype, ConvolutionSide made, int algorithm,
                         ConvolutionTensors tensors)
{
    Queue& queue = call.queue();
    call.noteCudnn();
    if (!queue.convolutions) return decline(call, "cuDNN is not found here");
    PLIMSOLL_TRY(queue.convolutions->begin());
    PLIMSOLL_ASSIGN(question, questionOf(call, layer, dtype, made, algorithm));
    PLIMSOLL_ASSIGN(bytes, queue.convolutions->workspaceBytes(question));
    if (queue.rehearsal) {
        PLIMSOLL_ASSIGN(rank, queue.convolutions->rank(question));
        call.noteSlower(1 + rank * SlowerByRank);
    }
    PLIMSOLL_ASSIGN(workspace, call.scratch<std::byte>(bytes));
    tensors.workspace = bytes > 0 ? workspace : nullptr;
    tensors.workspaceBytes = bytes;
    launch(queue, question, tensors);
    return {};
}

bool standsInForLibrary([[maybe_unused]] const Queue& queue)
{
#ifdef __CUDACC__
    return false;
#else
    return !queue.rehearsal && !queue.convolutions;
#endif
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
