#include "kernels/backend.h"
#include "kernels/cuda/cuda.h"
#include "kernels/cuda/device/cuda_device.h"
#include "kernels/onednn/onednn.h"
#include "kernels/reference/reference_backend.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

const Backend Table[] = {
    {.name = "onednn",
     .title = "oneDNN",
     .available = oneDnnHere,
     .describe = describeWithOneDnn,
     .measures = true,
     .begin = beginOneDnn},
    {.name = "cuda",
     .title = "CUDA",
     .available = []() -> Status {
         const Result<std::vector<CudaDevice>> devices = findCudaDevices();
         return devices.ok() ? Status {} : Status(devices.error());
     },
     .describe = [](const Graph& graph, bool /*measure*/,
                    const Context& context) { return describeForCuda(graph, context); },
     .describesAnywhere = true,
     .open = openCudaDevice,
     .emulate = emulateCudaDevice},
    {.name = ReferenceBackend, .title = "reference", .begin = beginReference},
};

} // namespace

std::span<const Backend> backends()
{
    return Table;
}

const Backend* findBackend(std::string_view name)
{
    const auto found = std::ranges::find(Table, name, &Backend::name);
    return found == std::end(Table) ? nullptr : found;
}

} // namespace plimsoll::kernels
