#pragma once

#include "core/base/result.h"

#include <cstdint>

namespace plimsoll::kernels::cuda {

class Library;

/// Where kernels are launched in order: a stream of a device, or loops of the host. A rehearsal launches nothing and
/// only counts, so that what a kernel will need is told by the function that will run it.
struct Queue
{
    void* stream = nullptr;        ///< A cudaStream_t.
    Library* library = nullptr;    ///< Where it was found.
    std::int32_t* fault = nullptr; ///< On the device; a kernel that meets an index outside of its tensor writes 1.
    bool rehearsal = false;
    std::int64_t launches = 0;
    Status status; ///< The first launch that failed.
};

} // namespace plimsoll::kernels::cuda
