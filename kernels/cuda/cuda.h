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
/// Work lies in its streams until somebody waits for it; then one stream does all it can before the others do anything,
/// and after a finish() with several to wait for it is another one.
[[nodiscard]] Result<std::unique_ptr<Device>> emulateCudaDevice(int index = 0);

/// What the device offers for the nodes of an inferred graph. Plain data, and the same on every machine: nothing is
/// asked, but for cuBLAS, whose products are offered where it is found. Times are estimated by the model of a device
/// that Catalogue::environment names.
[[nodiscard]] Catalogue describeForCuda(const Graph& graph, const Context& context);
/// The same, whether or not cuBLAS is on this machine: with its products, or without.
[[nodiscard]] Catalogue describeForCuda(const Graph& graph, bool withLibrary, const Context& context);

} // namespace plimsoll::kernels
