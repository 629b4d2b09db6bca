#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace plimsoll::kernels::cuda {

class LayerLibrary;
class Library;

/// Where kernels are launched in order: a stream of a device, or loops of the host. A rehearsal launches nothing and
/// only counts, so that what a kernel will need is told by the function that will run it.
struct Queue
{
    void* stream = nullptr;         ///< A cudaStream_t.
    Library* library = nullptr;     ///< Where it was found.
    LayerLibrary* layers = nullptr; ///< Where it was found.
    std::int32_t* fault = nullptr;  ///< On the device; a kernel that meets an index outside of its tensor writes 1.
    /// Where the host stands in for a device: launches are noted here in place of being carried out.
    std::vector<std::function<void()>>* notes = nullptr;
    bool rehearsal = false;
    std::int64_t launches = 0;
    Status status; ///< The first launch that failed.
};

} // namespace plimsoll::kernels::cuda
