#include "kernels/cuda/libraries/cudnn_file.h"

#include <array>
#include <dlfcn.h>

namespace plimsoll::kernels::cuda::cudnn {
namespace {

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

void findDescriptors(Names& names, Functions& call)
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

void findOtherLayers(Names& names, Functions& call)
{
    names.find(call.createActivation, "cudnnCreateActivationDescriptor");
    names.find(call.destroyActivation, "cudnnDestroyActivationDescriptor");
    names.find(call.setActivation, "cudnnSetActivationDescriptor");
    names.find(call.activationForward, "cudnnActivationForward");
    names.find(call.activationBackward, "cudnnActivationBackward");
    names.find(call.createPooling, "cudnnCreatePoolingDescriptor");
    names.find(call.destroyPooling, "cudnnDestroyPoolingDescriptor");
    names.find(call.setPooling, "cudnnSetPoolingNdDescriptor");
    names.find(call.poolingForward, "cudnnPoolingForward");
    names.find(call.poolingBackward, "cudnnPoolingBackward");
}

void findConvolutions(Names& names, Functions& call)
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

} // namespace

void CloseFile::operator()(void* handle) const
{
    dlclose(handle);
}

std::string versionText(std::size_t version)
{
    const auto parts = partsOf(version);
    return std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." + std::to_string(parts[2]);
}

Result<File> openFile(const std::string& path)
{
    const auto refuse = [](std::string why) { return Error {ErrorCode::Unsupported, std::move(why), {}, {}}; };
    File loaded;
    loaded.handle.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!loaded.handle) return refuse(loaderReason(path));
    Names names(loaded.handle.get());
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
    findOtherLayers(names, loaded.call);
    if (!names.missing().empty()) return refuse("it lacks " + names.missing());
    Names(loaded.handle.get()).find(loaded.call.getLastErrorString, "cudnnGetLastErrorString");
    return loaded;
}

} // namespace plimsoll::kernels::cuda::cudnn
