#include "kernels/cuda/libraries/cudnn_file.h"

#include <array>
#include <dlfcn.h>

namespace plimsoll::kernels::cuda::cudnn {
namespace {

/// Looks functions up, and remembers the first that is not there.
class Names
{
public:
    explicit Names(void* file) : m_file(file) {}
    template <typename Function>
    void find(Function*& function, const std::string& name)
    {
        function = reinterpret_cast<Function*>(dlsym(m_file, name.c_str()));
        if (!function && m_missing.empty()) m_missing = name;
    }
    [[nodiscard]] const std::string& missing() const { return m_missing; }

private:
    void* m_file;
    std::string m_missing;
};

template <typename Descriptor>
void findKind(Names& names, Lifetime<Descriptor>& of)
{
    names.find(of.create, std::string("cudnnCreate") + of.kind + "Descriptor");
    names.find(of.destroy, std::string("cudnnDestroy") + of.kind + "Descriptor");
}

template <typename Side>
void findSide(Names& names, Side& of)
{
    names.find(of.workspace, std::string("cudnnGetConvolution") + of.side + "WorkspaceSize");
    names.find(of.ranking, std::string("cudnnGetConvolution") + of.side + "Algorithm_v7");
    names.find(of.run, std::string("cudnnConvolution") + of.side);
}

template <typename Layer>
void findLayer(Names& names, LayerFunctions<Layer>& of)
{
    names.find(of.forward, std::string("cudnn") + of.name + "Forward");
    names.find(of.backward, std::string("cudnn") + of.name + "Backward");
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
    const auto refuse = [](Message why) { return Error {ErrorCode::Unsupported, std::move(why), {}, {}}; };
    File loaded;
    loaded.handle.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!loaded.handle) { // what the loader says, or nothing where there is no such file
        const char* said = dlerror();
        const std::string reason = said ? said : "";
        const bool absent = reason.starts_with(path + ": cannot open shared object file: No such file");
        return refuse(Message(absent ? std::string() : reason));
    }
    Names names(loaded.handle.get());
    names.find(loaded.call.getVersion, "cudnnGetVersion");
    if (!names.missing().empty()) return refuse(say("cudnn.no-cudnn", names.missing()));
    const std::size_t version = loaded.call.getVersion();
    const std::size_t major = partsOf(version)[0];
    if (major != 8 && major != 9) return refuse(say("cudnn.version", versionText(version)));
    Functions& call = loaded.call;
    names.find(call.getErrorString, "cudnnGetErrorString");
    names.find(call.create, "cudnnCreate");
    names.find(call.destroy, "cudnnDestroy");
    names.find(call.setStream, "cudnnSetStream");
    findKind(names, call.tensor);
    findKind(names, call.filter);
    findKind(names, call.convolution);
    findKind(names, call.activation);
    findKind(names, call.pooling);
    names.find(call.setTensor, "cudnnSetTensorNdDescriptor");
    names.find(call.setFilter, "cudnnSetFilterNdDescriptor");
    names.find(call.setConvolution, "cudnnSetConvolutionNdDescriptor");
    names.find(call.setGroups, "cudnnSetConvolutionGroupCount");
    names.find(call.setMath, "cudnnSetConvolutionMathType");
    names.find(call.setActivation, "cudnnSetActivationDescriptor");
    names.find(call.setPooling, "cudnnSetPoolingNdDescriptor");
    findSide(names, call.windows);
    findSide(names, call.planes);
    findSide(names, call.weights);
    findLayer(names, call.activate);
    findLayer(names, call.pool);
    if (!names.missing().empty()) return refuse(say("cudnn.lacks", names.missing()));
    Names(loaded.handle.get()).find(call.getLastErrorString, "cudnnGetLastErrorString");
    return loaded;
}

} // namespace plimsoll::kernels::cuda::cudnn
