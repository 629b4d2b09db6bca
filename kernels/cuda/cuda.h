#pragma once

#include "core/base/progress.h"
#include "core/plan/implementation.h"
#include "kernels/cuda/libraries/cudnn.h"
#include "kernels/device.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// A device of this machine. Unsupported, with the reason in one line, where this build has no CUDA, or the machine no
/// driver or no such device.
[[nodiscard]] Result<std::unique_ptr<Device>> openCudaDevice(int index);

/// The same kernels as loops over the same blocks and threads, in memory of the host that stands in for a device's.
/// Work lies in its streams until it is waited for; then one stream does all it can before the others do anything,
/// and after a finish() with several to wait for it is another one.
[[nodiscard]] Result<std::unique_ptr<Device>> emulateCudaDevice(int index = 0);
/// The same with a library that stands in for cuDNN, in a file of one of these names: its functions take addresses of
/// the host. Without one our own kernels compute what is planned for cuDNN.
[[nodiscard]] Result<std::unique_ptr<Device>> emulateCudaDevice(int index, const std::vector<std::string>& cudnn);

/// Libraries whose functions are offered beside our own kernels.
struct CudaLibraries
{
    bool cublas = false;
    cuda::LayerLibrary* cudnn = nullptr; ///< It is asked for the workspace of each algorithm.
};

/// Those of this machine, which are found where there is a device only.
struct FoundLibraries
{
    Result<std::string> cublas; ///< Its version, or why products cannot go through it.
    Result<std::unique_ptr<cuda::LayerLibrary>> cudnn;

    [[nodiscard]] CudaLibraries usable() const { return {cublas.ok(), cudnn.ok() ? cudnn.value().get() : nullptr}; }
    /// "cublas" → "13.1.0", "cudnn" → "absent: cuDNN is not found (libcudnn.so.9, libcudnn.so.8)."
    [[nodiscard]] std::map<std::string, Message> describe() const;
};
[[nodiscard]] FoundLibraries findCudaLibraries();

/// What the device offers for the nodes of an inferred graph. Plain data, and the same on every machine but for what
/// libraries are found: products of cuBLAS, and an offer for each algorithm of cuDNN. Times are estimated by the model
/// of a device that Catalogue::environment names.
[[nodiscard]] Catalogue describeForCuda(const Graph& graph, const Context& context);
/// The same with these libraries, whatever is on this machine.
[[nodiscard]] Catalogue describeForCuda(const Graph& graph, const CudaLibraries& libraries, const Context& context);

} // namespace plimsoll::kernels
