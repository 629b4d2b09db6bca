#include "kernels/cuda/libraries/cudnn.h"

#include "core/base/narrow.h"
#include "kernels/common/strides.h"
#include "kernels/cuda/libraries/cudnn_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace plimsoll::kernels::cuda {
namespace {

using cudnn::Code;

Error cannotUse(Message reason)
{
    return {ErrorCode::Unsupported, say("cudnn", std::move(reason)), {}, {}};
}

/// A descriptor, destroyed with it.
template <typename Handle>
class Descriptor
{
public:
    using Destroy = Code (*)(Handle);
    Descriptor() = default;
    Descriptor(Handle handle, Destroy destroy) : m_handle(handle), m_destroy(destroy) {}
    Descriptor(Descriptor&& other) noexcept
        : m_handle(std::exchange(other.m_handle, nullptr)), m_destroy(other.m_destroy)
    {
    }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_handle, other.m_handle);
        std::swap(m_destroy, other.m_destroy);
        return *this;
    }
    ~Descriptor()
    {
        if (m_handle) m_destroy(m_handle);
    }
    operator Handle() const { return m_handle; }

private:
    Handle m_handle = nullptr;
    Destroy m_destroy = nullptr;
};

struct Descriptors
{
    Descriptor<cudnn::TensorDescriptor> planes;
    Descriptor<cudnn::FilterDescriptor> weights;
    Descriptor<cudnn::TensorDescriptor> windows;
    Descriptor<cudnn::ConvolutionDescriptor> convolution;
};

struct LayerDescriptors
{
    Descriptor<cudnn::TensorDescriptor> x;
    Descriptor<cudnn::TensorDescriptor> y;
    Descriptor<cudnn::ActivationDescriptor> activation; ///< Or
    Descriptor<cudnn::PoolingDescriptor> pooling;
};

Result<Code> knownType(DType dtype)
{
    if (dtype == DType::Float32) return cudnn::Float;
    if (dtype == DType::Float16) return cudnn::Half;
    if (dtype == DType::BFloat16) return cudnn::Bfloat16;
    return cannotUse("is not asked for " + std::string(dtypeName(dtype)) + " tensors");
}

/// Numbers of the size that the library takes.
Result<std::vector<int>> intsOf(const Shape& numbers)
{
    constexpr std::int64_t Most = std::numeric_limits<int>::max();
    if (std::ranges::any_of(numbers, [](std::int64_t n) { return n < 0 || n > Most; }))
        return cannotUse("takes no sizes beyond 31 bits");
    return std::vector<int>(numbers.begin(), numbers.end());
}

class Cudnn final : public LayerLibrary
{
public:
    explicit Cudnn(cudnn::File file) : m_file(std::move(file)), m_call(m_file.call) {}
    ~Cudnn() override
    {
        if (m_handle) m_call.destroy(m_handle);
    }

    [[nodiscard]] std::string version() const override { return cudnn::versionText(m_call.getVersion()); }
    [[nodiscard]] Status begin() override
    {
        if (m_handle) return {};
        cudnn::Handle made = nullptr;
        PLIMSOLL_TRY(statusOf("cudnnCreate", m_call.create(&made)));
        m_handle = made;
        return {};
    }
    [[nodiscard]] Result<std::int64_t> workspaceBytes(const LibraryConvolution& c) override
    {
        PLIMSOLL_ASSIGN(d, describe(c));
        std::size_t bytes = 0;
        PLIMSOLL_TRY(askWorkspace(c, d, bytes));
        return static_cast<std::int64_t>(bytes);
    }
    [[nodiscard]] Result<int> rank(const LibraryConvolution& c) override
    {
        PLIMSOLL_ASSIGN(algorithms, rankingOf(c));
        return narrow<int>(std::ranges::find(algorithms, c.algorithm) - algorithms.begin());
    }
    [[nodiscard]] Status convolve(const LibraryConvolution& c, const ConvolutionTensors& t, void* stream) override
    {
        PLIMSOLL_TRY(goOnIn(stream));
        PLIMSOLL_ASSIGN(d, describe(c));
        const float one = 1;
        const auto bytes = static_cast<std::size_t>(t.workspaceBytes);
        if (c.made == ConvolutionSide::Windows)
            return statusOf("cudnnConvolutionForward",
                            m_call.forward(m_handle, &one, d.planes, t.planes, d.weights, t.weights, d.convolution,
                                           c.algorithm, t.workspace, bytes, &t.beta, d.windows, t.windows));
        if (c.made == ConvolutionSide::Planes)
            return statusOf("cudnnConvolutionBackwardData",
                            m_call.backwardData(m_handle, &one, d.weights, t.weights, d.windows, t.windows,
                                                d.convolution, c.algorithm, t.workspace, bytes, &t.beta, d.planes,
                                                t.planes));
        return statusOf("cudnnConvolutionBackwardFilter",
                        m_call.backwardFilter(m_handle, &one, d.planes, t.planes, d.windows, t.windows, d.convolution,
                                              c.algorithm, t.workspace, bytes, &t.beta, d.weights, t.weights));
    }
    [[nodiscard]] Status accepts(const LibraryLayer& layer) override
    {
        PLIMSOLL_TRY(describe(layer));
        return {};
    }
    [[nodiscard]] Status compute(const LibraryLayer& layer, const LayerTensors& tensors, void* stream) override
    {
        PLIMSOLL_TRY(goOnIn(stream));
        PLIMSOLL_ASSIGN(d, describe(layer));
        return layer.isPooling() ? pool(d, tensors) : activate(d, tensors);
    }

private:
    [[nodiscard]] Status goOnIn(void* stream)
    {
        PLIMSOLL_TRY(begin());
        return statusOf("cudnnSetStream", m_call.setStream(m_handle, stream));
    }
    [[nodiscard]] Status activate(const LayerDescriptors& d, const LayerTensors& t) const
    {
        const float one = 1;
        const float zero = 0;
        if (!t.dx)
            return statusOf("cudnnActivationForward",
                            m_call.activationForward(m_handle, d.activation, &one, d.x, t.x, &zero, d.y, t.y));
        return statusOf("cudnnActivationBackward", m_call.activationBackward(m_handle, d.activation, &one, d.y, t.y,
                                                                             d.y, t.dy, d.x, t.x, &zero, d.x, t.dx));
    }
    [[nodiscard]] Status pool(const LayerDescriptors& d, const LayerTensors& t) const
    {
        const float one = 1;
        const float zero = 0;
        if (!t.dx)
            return statusOf("cudnnPoolingForward",
                            m_call.poolingForward(m_handle, d.pooling, &one, d.x, t.x, &zero, d.y, t.y));
        return statusOf("cudnnPoolingBackward", m_call.poolingBackward(m_handle, d.pooling, &one, d.y, t.y, d.y, t.dy,
                                                                       d.x, t.x, &zero, d.x, t.dx));
    }
    [[nodiscard]] Status statusOf(const char* function, Code code) const
    {
        if (code == cudnn::Success) return {};
        std::string text = std::string("failed: ") + function + " returned " + m_call.getErrorString(code);
        char more[256] = {};
        if (m_call.getLastErrorString) m_call.getLastErrorString(more, sizeof more);
        if (more[0] != 0) text += std::string(" (") + more + ")";
        return cannotUse(std::move(text));
    }

    template <typename Handle>
    [[nodiscard]] Result<Descriptor<Handle>> make(const char* name, Code (*create)(Handle*),
                                                  Code (*destroy)(Handle)) const
    {
        Handle handle = nullptr;
        PLIMSOLL_TRY(statusOf(name, create(&handle)));
        return Descriptor<Handle>(handle, destroy);
    }
    [[nodiscard]] Result<Descriptor<cudnn::TensorDescriptor>> tensor(Code type, const Shape& shape) const
    {
        PLIMSOLL_ASSIGN(made, make("cudnnCreateTensorDescriptor", m_call.createTensor, m_call.destroyTensor));
        PLIMSOLL_ASSIGN(sizes, intsOf(shape));
        PLIMSOLL_ASSIGN(strides, intsOf(rowMajorStrides(shape)));
        PLIMSOLL_TRY(statusOf("cudnnSetTensorNdDescriptor",
                              m_call.setTensor(made, type, narrow<int>(sizes.size()), sizes.data(), strides.data())));
        return made;
    }
    [[nodiscard]] Result<Descriptor<cudnn::FilterDescriptor>> filter(Code type, const Shape& shape) const
    {
        PLIMSOLL_ASSIGN(made, make("cudnnCreateFilterDescriptor", m_call.createFilter, m_call.destroyFilter));
        PLIMSOLL_ASSIGN(sizes, intsOf(shape));
        PLIMSOLL_TRY(statusOf("cudnnSetFilterNdDescriptor",
                              m_call.setFilter(made, type, cudnn::Nchw, narrow<int>(sizes.size()), sizes.data())));
        return made;
    }
    /// Sums are kept as float32.
    [[nodiscard]] Result<Descriptor<cudnn::ConvolutionDescriptor>> convolution(const LibraryConvolution& c) const
    {
        PLIMSOLL_ASSIGN(made,
                        make("cudnnCreateConvolutionDescriptor", m_call.createConvolution, m_call.destroyConvolution));
        PLIMSOLL_ASSIGN(pads, intsOf(c.pads));
        PLIMSOLL_ASSIGN(strides, intsOf(c.strides));
        PLIMSOLL_ASSIGN(dilations, intsOf(c.dilations));
        PLIMSOLL_ASSIGN(groups, intsOf({c.groups}));
        PLIMSOLL_TRY(statusOf("cudnnSetConvolutionNdDescriptor",
                              m_call.setConvolution(made, narrow<int>(pads.size()), pads.data(), strides.data(),
                                                    dilations.data(), cudnn::CrossCorrelation, cudnn::Float)));
        PLIMSOLL_TRY(statusOf("cudnnSetConvolutionGroupCount", m_call.setGroups(made, groups[0])));
        const Code math = c.dtype == DType::Float32 ? cudnn::FmaMath : cudnn::DefaultMath;
        PLIMSOLL_TRY(statusOf("cudnnSetConvolutionMathType", m_call.setMath(made, math)));
        return made;
    }
    [[nodiscard]] Result<Descriptor<cudnn::ActivationDescriptor>> activation(const LibraryLayer& layer) const
    {
        PLIMSOLL_ASSIGN(made,
                        make("cudnnCreateActivationDescriptor", m_call.createActivation, m_call.destroyActivation));
        PLIMSOLL_TRY(statusOf("cudnnSetActivationDescriptor",
                              m_call.setActivation(made, layer.mode, cudnn::PropagateNan, layer.coefficient)));
        return made;
    }
    [[nodiscard]] Result<Descriptor<cudnn::PoolingDescriptor>> pooling(const LibraryLayer& layer) const
    {
        PLIMSOLL_ASSIGN(made, make("cudnnCreatePoolingDescriptor", m_call.createPooling, m_call.destroyPooling));
        PLIMSOLL_ASSIGN(kernel, intsOf(layer.kernel));
        PLIMSOLL_ASSIGN(pads, intsOf(layer.pads));
        PLIMSOLL_ASSIGN(strides, intsOf(layer.strides));
        PLIMSOLL_TRY(statusOf("cudnnSetPoolingNdDescriptor",
                              m_call.setPooling(made, layer.mode, cudnn::PropagateNan, narrow<int>(kernel.size()),
                                                kernel.data(), pads.data(), strides.data())));
        return made;
    }
    [[nodiscard]] Result<LayerDescriptors> describe(const LibraryLayer& layer)
    {
        PLIMSOLL_TRY(begin());
        PLIMSOLL_ASSIGN(type, knownType(layer.dtype));
        LayerDescriptors all;
        PLIMSOLL_ASSIGN(x, tensor(type, layer.x));
        PLIMSOLL_ASSIGN(y, tensor(type, layer.y));
        all.x = std::move(x);
        all.y = std::move(y);
        if (layer.isPooling()) {
            PLIMSOLL_ASSIGN(sliding, pooling(layer));
            all.pooling = std::move(sliding);
        } else {
            PLIMSOLL_ASSIGN(function, activation(layer));
            all.activation = std::move(function);
        }
        return all;
    }
    [[nodiscard]] Result<Descriptors> describe(const LibraryConvolution& c)
    {
        PLIMSOLL_TRY(begin());
        PLIMSOLL_ASSIGN(type, knownType(c.dtype));
        Descriptors all;
        PLIMSOLL_ASSIGN(planes, tensor(type, c.planes));
        PLIMSOLL_ASSIGN(weights, filter(type, c.weights));
        PLIMSOLL_ASSIGN(windows, tensor(type, c.windows));
        PLIMSOLL_ASSIGN(sliding, convolution(c));
        all.planes = std::move(planes);
        all.weights = std::move(weights);
        all.windows = std::move(windows);
        all.convolution = std::move(sliding);
        return all;
    }

    [[nodiscard]] Status askWorkspace(const LibraryConvolution& c, const Descriptors& d, std::size_t& bytes) const
    {
        if (c.made == ConvolutionSide::Windows)
            return statusOf(
                "cudnnGetConvolutionForwardWorkspaceSize",
                m_call.forwardWorkspace(m_handle, d.planes, d.weights, d.convolution, d.windows, c.algorithm, &bytes));
        if (c.made == ConvolutionSide::Planes)
            return statusOf(
                "cudnnGetConvolutionBackwardDataWorkspaceSize",
                m_call.dataWorkspace(m_handle, d.weights, d.windows, d.convolution, d.planes, c.algorithm, &bytes));
        return statusOf(
            "cudnnGetConvolutionBackwardFilterWorkspaceSize",
            m_call.filterWorkspace(m_handle, d.planes, d.windows, d.convolution, d.weights, c.algorithm, &bytes));
    }

    using Performances = std::array<cudnn::Performance, cudnn::MostPerformances>;
    [[nodiscard]] Status askRanking(const LibraryConvolution& c, const Descriptors& d, Performances& list,
                                    int& count) const
    {
        const int room = cudnn::MostPerformances;
        if (c.made == ConvolutionSide::Windows)
            return statusOf("cudnnGetConvolutionForwardAlgorithm_v7",
                            m_call.forwardRanking(m_handle, d.planes, d.weights, d.convolution, d.windows, room, &count,
                                                  list.data()));
        if (c.made == ConvolutionSide::Planes)
            return statusOf(
                "cudnnGetConvolutionBackwardDataAlgorithm_v7",
                m_call.dataRanking(m_handle, d.weights, d.windows, d.convolution, d.planes, room, &count, list.data()));
        return statusOf(
            "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
            m_call.filterRanking(m_handle, d.planes, d.windows, d.convolution, d.weights, room, &count, list.data()));
    }

    /// Algorithms, the one that it takes for the fastest first. The last answer for each side is kept, since all
    /// algorithms are asked about one after the other.
    [[nodiscard]] Result<std::vector<int>> rankingOf(const LibraryConvolution& c)
    {
        Ranking& known = m_rankings[static_cast<std::size_t>(c.made)];
        LibraryConvolution question = c;
        question.algorithm = 0;
        if (known.question && *known.question == question) return known.algorithms;
        PLIMSOLL_ASSIGN(d, describe(c));
        Performances list {};
        int count = 0;
        PLIMSOLL_TRY(askRanking(c, d, list, count));
        known = {question, {}};
        for (const cudnn::Performance& entry : std::span(list).first(static_cast<std::size_t>(count))) {
            const bool counts = entry.status == cudnn::Success && entry.determinism == cudnn::Deterministic;
            const bool isNew = std::ranges::find(known.algorithms, entry.algorithm) == known.algorithms.end();
            if (counts && isNew) known.algorithms.push_back(entry.algorithm);
        }
        return known.algorithms;
    }

    struct Ranking
    {
        std::optional<LibraryConvolution> question;
        std::vector<int> algorithms;
    };

    cudnn::File m_file; ///< First: its functions are called until the end.
    const cudnn::Functions& m_call;
    cudnn::Handle m_handle = nullptr;
    std::array<Ranking, 3> m_rankings;
};

} // namespace

std::vector<std::string> cudnnFiles()
{
    return {"libcudnn.so.9", "libcudnn.so.8"};
}

Result<std::unique_ptr<LayerLibrary>> openCudnn(const std::vector<std::string>& files)
{
    std::string names;
    word::List reasons {.clauses = true};
    for (const std::string& file : files) {
        std::vector<std::string> paths {file};
#ifdef PLIMSOLL_CUDA_LIBRARIES
        if (file.find('/') == std::string::npos) paths.push_back(PLIMSOLL_CUDA_LIBRARIES "/" + file);
#endif
        for (const std::string& path : paths) {
            auto opened = cudnn::openFile(path);
            if (opened.ok()) return std::unique_ptr<LayerLibrary>(std::make_unique<Cudnn>(std::move(opened).value()));
            const Message& why = opened.error().message;
            if (!why.empty()) reasons.items.emplace_back(say("error.at", path, why));
        }
        names += (names.empty() ? "" : ", ") + file;
    }
    return cannotUse(reasons.items.empty() ? say("cudnn.not-found", names)
                                           : say("cudnn.not-usable", std::move(reasons)));
}

} // namespace plimsoll::kernels::cuda
