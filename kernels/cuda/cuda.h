#pragma once

#include "core/base/progress.h"
#include "core/plan/implementation.h"
#include "kernels/device.h"

#include <memory>

namespace plimsoll::kernels {

/// A device of this machine. Unsupported, with the reason in one line, where this build has no CUDA, or the machine no
/// driver or no such device.
[[nodiscard]] Result<std::unique_ptr<Device>> openCudaDevice(int index);

/// The same kernels as loops over the same blocks and threads, in memory of the host that stands in for a device's.
[[nodiscard]] std::unique_ptr<Device> emulateCudaDevice();

/// Kernels that were noted, to be launched as a whole, as often as one likes, at the addresses that they were given: a
/// CUDA graph, or calls on the host.
class Recording
{
public:
    virtual ~Recording() = default;
    [[nodiscard]] virtual Status replay() = 0;
};

/// What both devices can do beside Device.
class Recorder
{
public:
    virtual ~Recorder() = default;
    /// From here on Device::run() launches nothing. Nothing else may be asked of the device before endRecording().
    [[nodiscard]] virtual Status beginRecording() = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<Recording>> endRecording() = 0;
};
/// Of a device that was opened by one of the functions above; nullptr for another.
[[nodiscard]] Recorder* recorderOf(Device& device);

/// What the device offers for the nodes of an inferred graph. Plain data, and the same on every machine: nothing is
/// asked, but for cuBLAS, whose products are offered where it is found. Times are estimated by the model of a device
/// that Catalogue::environment names.
[[nodiscard]] Catalogue describeForCuda(const Graph& graph, const Context& context);
/// The same, whether or not cuBLAS is on this machine: with its products, or without.
[[nodiscard]] Catalogue describeForCuda(const Graph& graph, bool withLibrary, const Context& context);

} // namespace plimsoll::kernels
