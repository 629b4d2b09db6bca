#include "kernels/cuda/cudnn.h"

#include "kernels/cuda/cudnn_api.h"
#include "kernels/reference/strides.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace plimsoll::kernels::cuda {
namespace {

using cudnn::Code;

Error cannotUse(std::string reason)
{
    return {ErrorCode::Unsupported, "cuDNN " + std::move(reason) + ".", {}, {}};
}

struct CloseLibrary
{
    void operator()(void* handle) const { dlclose(handle); }
};
using File = std::unique_ptr<void, CloseLibrary>;

struct Loaded
{
    File file;
    cudnn::Functions call {};
};

/// What the loader says, or nothing where there is no such file.
std::string loaderReason(const std::string& path)
{
    const char* said = dlerror();
    const std::string reason = said ? said : "";
    const bool absent = reason.starts_with(path + ": cannot open shared object file: No such file");
    return absent ? "" : reason;
}

/// Looks functions up, and remembers the first that is not there.
class Names
{
public:
    explicit Names(void* file) : m_file(file) {}
    template <typename Function>
    void find(Function*& function, const char* name)
    {
        function = reinterpret_cast<Function*>(dlsym(m_file, name));
        if (!function && m_missing.empty()) m_missing = name;
    }
    [[nodiscard]] const std::string& missing() const { return m_missing; }

private:
    void* m_file;
    std::string m_missing;
};

void findDescriptors(Names& names, cudnn::Functions& call)
{
    names.find(call.createTensor, "cudnnCreateTensorDescriptor");
    names.find(call.destroyTensor, "cudnnDestroyTensorDescriptor");
    names.find(call.setTensor, "cudnnSetTensorNdDescriptor");
    names.find(call.createFilter, "cudnnCreateFilterDescriptor");
    names.find(call.destroyFilter, "cudnnDestroyFilterDescriptor");
    names.find(call.setFilter, "cudnnSetFilterNdDescriptor");
    names.find(call.createConvolution, "cudnnCreateConvolutionDescriptor");
    names.find(call.destroyConvolution, "cudnnDestroyConvolutionDescriptor");
    names.find(call.setConvolution, "cudnnSetConvolutionNdDescriptor");
    names.find(call.setGroups, "cudnnSetConvolutionGroupCount");
    names.find(call.setMath, "cudnnSetConvolutionMathType");
}

void findConvolutions(Names& names, cudnn::Functions& call)
{
    names.find(call.forwardWorkspace, "cudnnGetConvolutionForwardWorkspaceSize");
    names.find(call.dataWorkspace, "cudnnGetConvolutionBackwardDataWorkspaceSize");
    names.find(call.filterWorkspace, "cudnnGetConvolutionBackwardFilterWorkspaceSize");
    names.find(call.forwardRanking, "cudnnGetConvolutionForwardAlgorithm_v7");
    names.find(call.dataRanking, "cudnnGetConvolutionBackwardDataAlgorithm_v7");
    names.find(call.filterRanking, "cudnnGetConvolutionBackwardFilterAlgorithm_v7");
    names.find(call.forward, "cudnnConvolutionForward");
    names.find(call.backwardData, "cudnnConvolutionBackwardData");
    names.find(call.backwardFilter, "cudnnConvolutionBackwardFilter");
}

/// [major, minor, patch]: 9.19.0 is 91900, and 8.9.2 is 8902.
std::array<std::size_t, 3> partsOf(std::size_t version)
{
    const std::size_t major = version < 10000 ? 1000 : 10000;
    return {version / major, version % major / 100, version % 100};
}

std::string versionText(std::size_t version)
{
    const auto parts = partsOf(version);
    return std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." + std::to_string(parts[2]);
}

/// The reason is the error's message; empty where there is no such file.
Result<Loaded> load(const std::string& path)
{
    const auto refuse = [](std::string why) { return Error {ErrorCode::Unsupported, std::move(why), {}, {}}; };
    Loaded loaded;
    loaded.file.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!loaded.file) return refuse(loaderReason(path));
    Names names(loaded.file.get());
    names.find(loaded.call.getVersion, "cudnnGetVersion");
    if (!names.missing().empty()) return refuse("it is no cuDNN: it lacks " + names.missing());
    const std::size_t version = loaded.call.getVersion();
    const std::size_t major = partsOf(version)[0];
    if (major != 8 && major != 9) return refuse("it is version " + versionText(version) + ", and 8 and 9 are known");
    names.find(loaded.call.getErrorString, "cudnnGetErrorString");
    names.find(loaded.call.create, "cudnnCreate");
    names.find(loaded.call.destroy, "cudnnDestroy");
    names.find(loaded.call.setStream, "cudnnSetStream");
    findDescriptors(names, loaded.call);
    findConvolutions(names, loaded.call);
    if (!names.missing().empty()) return refuse("it lacks " + names.missing());
    Names(loaded.file.get()).find(loaded.call.getLastErrorString, "cudnnGetLastErrorString");
    return loaded;
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

std::optional<Code> typeOf(DType dtype)
{
    if (dtype == DType::Float32) return cudnn::Float;
    if (dtype == DType::Float16) return cudnn::Half;
    if (dtype == DType::BFloat16) return cudnn::Bfloat16;
    return std::nullopt;
}

/// Numbers of the size that the library takes.
Result<std::vector<int>> intsOf(const Shape& numbers)
{
    constexpr std::int64_t Most = std::numeric_limits<int>::max();
    if (std::ranges::any_of(numbers, [](std::int64_t n) { return n < 0 || n > Most; }))
        return cannotUse("takes no sizes beyond 31 bits");
    return std::vector<int>(numbers.begin(), numbers.end());
}

class Cudnn final : public ConvolutionLibrary
{
public:
    explicit Cudnn(Loaded loaded) : m_file(std::move(loaded.file)), m_call(loaded.call) {}
    ~Cudnn() override
    {
        if (m_handle) m_call.destroy(m_handle);
    }

    [[nodiscard]] std::string version() const override { return versionText(m_call.getVersion()); }
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
        return static_cast<int>(std::ranges::find(algorithms, c.algorithm) - algorithms.begin());
    }
    [[nodiscard]] Status convolve(const LibraryConvolution& c, const ConvolutionTensors& t, void* stream) override
    {
        PLIMSOLL_TRY(begin());
        PLIMSOLL_TRY(statusOf("cudnnSetStream", m_call.setStream(m_handle, stream)));
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

private:
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
        PLIMSOLL_TRY(statusOf("cudnnSetTensorNdDescriptor", m_call.setTensor(made, type, static_cast<int>(sizes.size()),
                                                                             sizes.data(), strides.data())));
        return made;
    }
    [[nodiscard]] Result<Descriptor<cudnn::FilterDescriptor>> filter(Code type, const Shape& shape) const
    {
        PLIMSOLL_ASSIGN(made, make("cudnnCreateFilterDescriptor", m_call.createFilter, m_call.destroyFilter));
        PLIMSOLL_ASSIGN(sizes, intsOf(shape));
        PLIMSOLL_TRY(statusOf("cudnnSetFilterNdDescriptor",
                              m_call.setFilter(made, type, cudnn::Nchw, static_cast<int>(sizes.size()), sizes.data())));
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
                              m_call.setConvolution(made, static_cast<int>(pads.size()), pads.data(), strides.data(),
                                                    dilations.data(), cudnn::CrossCorrelation, cudnn::Float)));
        PLIMSOLL_TRY(statusOf("cudnnSetConvolutionGroupCount", m_call.setGroups(made, groups[0])));
        const Code math = c.dtype == DType::Float32 ? cudnn::FmaMath : cudnn::DefaultMath;
        PLIMSOLL_TRY(statusOf("cudnnSetConvolutionMathType", m_call.setMath(made, math)));
        return made;
    }
    [[nodiscard]] Result<Descriptors> describe(const LibraryConvolution& c)
    {
        PLIMSOLL_TRY(begin());
        const auto type = typeOf(c.dtype);
        if (!type) return cannotUse("is not asked for " + std::string(dtypeName(c.dtype)) + " tensors");
        Descriptors all;
        PLIMSOLL_ASSIGN(planes, tensor(*type, c.planes));
        PLIMSOLL_ASSIGN(weights, filter(*type, c.weights));
        PLIMSOLL_ASSIGN(windows, tensor(*type, c.windows));
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

    File m_file; ///< First: its functions are called until the end.
    cudnn::Functions m_call;
    cudnn::Handle m_handle = nullptr;
    std::array<Ranking, 3> m_rankings;
};

} // namespace

std::vector<std::string> cudnnFiles()
{
    return {"libcudnn.so.9", "libcudnn.so.8"};
}

Result<std::unique_ptr<ConvolutionLibrary>> openCudnn(const std::vector<std::string>& files)
{
    std::string names;
    std::string reasons;
    for (const std::string& file : files) {
        std::vector<std::string> paths {file};
#ifdef PLIMSOLL_CUDA_LIBRARIES
        if (file.find('/') == std::string::npos) paths.push_back(PLIMSOLL_CUDA_LIBRARIES "/" + file);
#endif
        for (const std::string& path : paths) {
            auto loaded = load(path);
            if (loaded.ok())
                return std::unique_ptr<ConvolutionLibrary>(std::make_unique<Cudnn>(std::move(loaded).value()));
            const std::string& why = loaded.error().message;
            if (!why.empty()) reasons += (reasons.empty() ? "" : "; ") + path + ": " + why;
        }
        names += (names.empty() ? "" : ", ") + file;
    }
    return cannotUse(reasons.empty() ? "is not found (" + names + ")" : "cannot be used: " + reasons);
}

} // namespace plimsoll::kernels::cuda
