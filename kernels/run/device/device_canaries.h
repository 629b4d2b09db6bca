#pragma once

#include "kernels/run/device/device_spaces.h"

#include <cstdint>
#include <optional>

namespace plimsoll::kernels {

/// Where a tensor of a device lies between rows of known bytes, which a kernel of the device looks through:
///
///     | 512 canaries and what alignment wants | tensor | 512 canaries |
struct DeviceCanaries
{
    static constexpr std::int64_t Bytes = 512;

    Device* device = nullptr;
    std::byte* before = nullptr;
    std::int64_t beforeBytes = 0;
    std::byte* behind = nullptr;

    /// Bytes from the tensor's edge to the first canary that was written over, negative for those in front; nothing
    /// where all are as they were.
    [[nodiscard]] Result<std::optional<std::int64_t>> firstHit() const;
};

struct GuardedTensor
{
    RuntimeValue value;
    DeviceCanaries canaries;
};
/// A tensor of its own in the memory of a device, \p shift bytes behind a boundary of 64.
[[nodiscard]] Result<GuardedTensor> allocateGuarded(Device& device, DType dtype, const Shape& shape,
                                                    std::int64_t shift = 0);

} // namespace plimsoll::kernels
