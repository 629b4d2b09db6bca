#include "kernels/cuda/libraries/cudnn.h"

#include "core/base/narrow.h"
#include "kernels/common/strides.h"
#include "kernels/cuda/libraries/cudnn_file.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

namespace plimsoll::kernels::cuda {
namespace {

using namespace cudnn;

Error cannotUse(Message reason)
{
    return {ErrorCode::Unsupported, say("cudnn", std::move(reason)), {}, {}};
}

template <typename Handle>
struct Destroy
{
    Code (*function)(Handle) = nullptr;

    void operator()(Handle handle) const { function(handle); }
};
template <typename Handle>
using Descriptor = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<Handle>>;

struct ConvolutionDescriptors
{
    Descriptor<TensorDescriptor> planes;
    Descriptor<FilterDescriptor> weights;
    Descriptor<TensorDescriptor> windows;
    Descriptor<ConvolutionDescriptor> convolution;
};

struct LayerDescriptors
{
    Descriptor<TensorDescriptor> x;
    Descriptor<TensorDescriptor> y;
    Descriptor<ActivationDescriptor> activation; ///< Or
    Descriptor<PoolingDescriptor> pooling;
};

Result<Code> knownType(DType dtype)
{
    if (dtype == DType::Float32) return Float;
    if (dtype == DType::Float16) return Half;
    if (dtype == DType::BFloat16) return Bfloat16;
    return cannotUse(say("cudnn.type", dtypeName(dtype)));
}

/// Numbers of the size that the library takes.
Result<std::vector<int>> intsOf(const Shape& numbers)
{
    constexpr std::int64_t Most = std::numeric_limits<int>::max();
    if (std::ranges::any_of(numbers, [](std::int64_t n) { return n < 0 || n > Most; }))
        return cannotUse(say("cudnn.large-size"));
    return std::vector<int>(numbers.begin(), numbers.end());
}

/// \p function: its name without what all begin with.
Status statusOf(const Functions& call, const std::string& function, Code code)
{
    if (code == Success) return {};
    char more[256] = {};
    if (call.getLastErrorString) call.getLastErrorString(more, sizeof more);
    return cannotUse(more[0] == 0 ? say("cudnn.failed", function, call.getErrorString(code))
                                  : say("cudnn.failed-saying", function, call.getErrorString(code), more));
}

template <typename Handle>
Result<Descriptor<Handle>> make(const Functions& call, const Lifetime<Handle>& of)
{
    Handle handle = nullptr;
    PLIMSOLL_TRY(statusOf(call, std::string("Create") + of.kind + "Descriptor", of.create(&handle)));
    return Descriptor<Handle>(handle, {of.destroy});
}

Result<Descriptor<TensorDescriptor>> tensorOf(const Functions& call, Code type, const Shape& shape)
{
    PLIMSOLL_ASSIGN(made, make(call, call.tensor));
    PLIMSOLL_ASSIGN(sizes, intsOf(shape));
    PLIMSOLL_ASSIGN(strides, intsOf(rowMajorStrides(shape)));
    const int rank = narrow<int>(sizes.size());
    PLIMSOLL_TRY(
        statusOf(call, "SetTensorNdDescriptor", call.setTensor(made.get(), type, rank, sizes.data(), strides.data())));
    return made;
}

Result<Descriptor<FilterDescriptor>> filterOf(const Functions& call, Code type, const Shape& shape)
{
    PLIMSOLL_ASSIGN(made, make(call, call.filter));
    PLIMSOLL_ASSIGN(sizes, intsOf(shape));
    const int rank = narrow<int>(sizes.size());
    PLIMSOLL_TRY(statusOf(call, "SetFilterNdDescriptor", call.setFilter(made.get(), type, Nchw, rank, sizes.data())));
    return made;
}

/// Sums are kept as float32.
Result<Descriptor<ConvolutionDescriptor>> slidingOf(const Functions& call, const LibraryConvolution& c)
{
    PLIMSOLL_ASSIGN(made, make(call, call.convolution));
    PLIMSOLL_ASSIGN(pads, intsOf(c.pads));
    PLIMSOLL_ASSIGN(strides, intsOf(c.strides));
    PLIMSOLL_ASSIGN(dilations, intsOf(c.dilations));
    PLIMSOLL_ASSIGN(groups, intsOf({c.groups}));
    PLIMSOLL_TRY(statusOf(call, "SetConvolutionNdDescriptor",
                          call.setConvolution(made.get(), narrow<int>(pads.size()), pads.data(), strides.data(),
                                              dilations.data(), CrossCorrelation, Float)));
    PLIMSOLL_TRY(statusOf(call, "SetConvolutionGroupCount", call.setGroups(made.get(), groups[0])));
    const Code math = c.dtype == DType::Float32 ? FmaMath : DefaultMath;
    PLIMSOLL_TRY(statusOf(call, "SetConvolutionMathType", call.setMath(made.get(), math)));
    return made;
}

Result<ConvolutionDescriptors> describe(const Functions& call, const LibraryConvolution& c)
{
    PLIMSOLL_ASSIGN(type, knownType(c.dtype));
    PLIMSOLL_ASSIGN(planes, tensorOf(call, type, c.planes));
    PLIMSOLL_ASSIGN(weights, filterOf(call, type, c.weights));
    PLIMSOLL_ASSIGN(windows, tensorOf(call, type, c.windows));
    PLIMSOLL_ASSIGN(sliding, slidingOf(call, c));
    return ConvolutionDescriptors {std::move(planes), std::move(weights), std::move(windows), std::move(sliding)};
}

Result<LayerDescriptors> describe(const Functions& call, const LibraryLayer& layer)
{
    PLIMSOLL_ASSIGN(type, knownType(layer.dtype));
    PLIMSOLL_ASSIGN(x, tensorOf(call, type, layer.x));
    PLIMSOLL_ASSIGN(y, tensorOf(call, type, layer.y));
    LayerDescriptors all {std::move(x), std::move(y), {}, {}};
    if (!layer.isPooling()) {
        PLIMSOLL_ASSIGN(made, make(call, call.activation));
        PLIMSOLL_TRY(statusOf(call, "SetActivationDescriptor",
                              call.setActivation(made.get(), layer.mode, PropagateNan, layer.coefficient)));
        all.activation = std::move(made);
        return all;
    }
    PLIMSOLL_ASSIGN(made, make(call, call.pooling));
    PLIMSOLL_ASSIGN(kernel, intsOf(layer.kernel));
    PLIMSOLL_ASSIGN(pads, intsOf(layer.pads));
    PLIMSOLL_ASSIGN(strides, intsOf(layer.strides));
    PLIMSOLL_TRY(statusOf(call, "SetPoolingNdDescriptor",
                          call.setPooling(made.get(), layer.mode, PropagateNan, narrow<int>(kernel.size()),
                                          kernel.data(), pads.data(), strides.data())));
    all.pooling = std::move(made);
    return all;
}

/// A tensor as a function takes it.
template <typename Handle>
struct Operand
{
    Handle descriptor;
    void* data;
};

/// Calls \p visit with the functions that make a side, both tensors that they read, and the one that they make.
template <typename Visit>
Status visitSide(const Functions& call, ConvolutionSide made, const ConvolutionDescriptors& d,
                 const ConvolutionTensors& t, const Visit& visit)
{
    const Operand<TensorDescriptor> planes {d.planes.get(), t.planes};
    const Operand<FilterDescriptor> weights {d.weights.get(), t.weights};
    const Operand<TensorDescriptor> windows {d.windows.get(), t.windows};
    if (made == ConvolutionSide::Windows) return visit(call.windows, planes, weights, windows);
    if (made == ConvolutionSide::Planes) return visit(call.planes, weights, windows, planes);
    return visit(call.weights, planes, windows, weights);
}

template <typename Layer>
Status runLayer(const Functions& call, Handle handle, const LayerFunctions<Layer>& of, Layer layer,
                const LayerDescriptors& d, const LayerTensors& t)
{
    const float one = 1;
    const float zero = 0;
    TensorDescriptor x = d.x.get();
    TensorDescriptor y = d.y.get();
    if (!t.dx)
        return statusOf(call, std::string(of.name) + "Forward", of.forward(handle, layer, &one, x, t.x, &zero, y, t.y));
    return statusOf(call, std::string(of.name) + "Backward",
                    of.backward(handle, layer, &one, y, t.y, y, t.dy, x, t.x, &zero, x, t.dx));
}

class Cudnn final : public LayerLibrary
{
public:
    explicit Cudnn(File file) : m_file(std::move(file)), m_call(m_file.call) {}
    ~Cudnn() override
    {
        if (m_handle) m_call.destroy(m_handle);
    }

    [[nodiscard]] std::string version() const override { return versionText(m_call.getVersion()); }

    [[nodiscard]] Status begin() override
    {
        if (m_handle) return {};
        Handle made = nullptr;
        PLIMSOLL_TRY(statusOf(m_call, "Create", m_call.create(&made)));
        m_handle = made;
        return {};
    }

    [[nodiscard]] Result<std::int64_t> workspaceBytes(const LibraryConvolution& c) override
    {
        PLIMSOLL_TRY(begin());
        PLIMSOLL_ASSIGN(d, describe(m_call, c));
        std::size_t bytes = 0;
        PLIMSOLL_TRY(visitSide(m_call, c.made, d, {}, [&](const auto& of, auto first, auto second, auto made) {
            return statusOf(m_call, std::string("GetConvolution") + of.side + "WorkspaceSize",
                            of.workspace(m_handle, first.descriptor, second.descriptor, d.convolution.get(),
                                         made.descriptor, c.algorithm, &bytes));
        }));
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
        PLIMSOLL_ASSIGN(d, describe(m_call, c));
        return visitSide(m_call, c.made, d, t, [&](const auto& of, auto first, auto second, auto made) {
            const float one = 1;
            return statusOf(m_call, std::string("Convolution") + of.side,
                            of.run(m_handle, &one, first.descriptor, first.data, second.descriptor, second.data,
                                   d.convolution.get(), c.algorithm, t.workspace,
                                   static_cast<std::size_t>(t.workspaceBytes), &t.beta, made.descriptor, made.data));
        });
    }

    [[nodiscard]] Status accepts(const LibraryLayer& layer) override
    {
        PLIMSOLL_TRY(begin());
        PLIMSOLL_TRY(describe(m_call, layer));
        return {};
    }

    [[nodiscard]] Status compute(const LibraryLayer& layer, const LayerTensors& tensors, void* stream) override
    {
        PLIMSOLL_TRY(goOnIn(stream));
        PLIMSOLL_ASSIGN(d, describe(m_call, layer));
        return layer.isPooling() ? runLayer(m_call, m_handle, m_call.pool, d.pooling.get(), d, tensors)
                                 : runLayer(m_call, m_handle, m_call.activate, d.activation.get(), d, tensors);
    }

private:
    [[nodiscard]] Status goOnIn(void* stream)
    {
        PLIMSOLL_TRY(begin());
        return statusOf(m_call, "SetStream", m_call.setStream(m_handle, stream));
    }

    /// Algorithms, the one that it takes for the fastest first. The last answer for each side is kept, since all
    /// algorithms are asked about one after the other.
    [[nodiscard]] Result<std::vector<int>> rankingOf(const LibraryConvolution& c)
    {
        Ranking& known = m_rankings[static_cast<std::size_t>(c.made)];
        LibraryConvolution question = c;
        question.algorithm = 0;
        if (known.question && *known.question == question) return known.algorithms;
        PLIMSOLL_TRY(begin());
        PLIMSOLL_ASSIGN(d, describe(m_call, c));
        std::array<Performance, MostPerformances> list {};
        int count = 0;
        PLIMSOLL_TRY(visitSide(m_call, c.made, d, {}, [&](const auto& of, auto first, auto second, auto made) {
            return statusOf(m_call, std::string("GetConvolution") + of.side + "Algorithm_v7",
                            of.ranking(m_handle, first.descriptor, second.descriptor, d.convolution.get(),
                                       made.descriptor, MostPerformances, &count, list.data()));
        }));
        known = {question, {}};
        for (const Performance& entry : std::span(list).first(static_cast<std::size_t>(count))) {
            const bool counts = entry.status == Success && entry.determinism == Deterministic;
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
    File m_file; ///< First: its functions are called until the end.
    const Functions& m_call;
    Handle m_handle = nullptr;
    std::array<Ranking, 3> m_rankings;
};

} // namespace

std::vector<std::string> cudnnFiles()
{
    return {"libcudnn.so.9", "libcudnn.so.8"};
}

Result<std::unique_ptr<LayerLibrary>> openCudnn(const std::vector<std::string>& files)
{
    word::List reasons {.joint = word::List::Joint::Semicolon};
    for (const std::string& file : files) {
        std::vector<std::string> paths {file};
#ifdef PLIMSOLL_CUDA_LIBRARIES
        if (file.find('/') == std::string::npos) paths.push_back(PLIMSOLL_CUDA_LIBRARIES "/" + file);
#endif
        for (const std::string& path : paths) {
            auto opened = openFile(path);
            if (opened.ok()) return std::unique_ptr<LayerLibrary>(std::make_unique<Cudnn>(std::move(opened).value()));
            const Message& why = opened.error().message;
            if (!why.empty()) reasons.items.emplace_back(say("error.at", path, why));
        }
    }
    return cannotUse(reasons.items.empty()
                         ? say("cudnn.not-found", allOf(files, std::identity {}, word::List::Joint::Comma))
                         : say("cudnn.not-usable", std::move(reasons)));
}

} // namespace plimsoll::kernels::cuda
