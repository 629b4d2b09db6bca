#pragma once

#include "core/base/result.h"
#include "core/plan/implementation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace plimsoll::kernels {

class KernelCall;

/// Bytes in the memory of a device, 512-byte aligned; freed with the last copy of the handle. \c data is an address of
/// the device: the host may compute with it, and must not follow it.
struct DeviceBlock
{
    std::byte* data = nullptr;
    std::int64_t bytes = 0;
    std::shared_ptr<void> owner;
};

/// One place that computes and keeps tensors of its own: a CUDA device, or host memory standing in for one. Everything
/// a run wants of it goes through here, and nothing else: eight functions, since memory, transfers and kernels of one
/// device cannot be had apart.
class Device
{
public:
    virtual ~Device() = default;

    /// "cuda:0 NVIDIA H100", "cuda:0 (emulated on the host)"
    [[nodiscard]] virtual std::string name() const = 0;

    [[nodiscard]] virtual Result<DeviceBlock> reserve(std::int64_t bytes) = 0;
    [[nodiscard]] virtual Status copyIn(std::byte* device, std::span<const std::byte> host) = 0;
    [[nodiscard]] virtual Status copyOut(std::span<std::byte> host, const std::byte* device) = 0;
    [[nodiscard]] virtual Status fill(std::byte* device, std::int64_t bytes, std::byte pattern) = 0;
    /// The first byte of [device, device + bytes) that is not \p pattern, or \p bytes: canaries, checked on the device.
    [[nodiscard]] virtual Result<std::int64_t> firstDifference(const std::byte* device, std::int64_t bytes,
                                                               std::byte pattern) = 0;

    /// Computes a node; all tensors of the call lie in this device's memory: the call hands out device addresses.
    [[nodiscard]] virtual Status run(KernelCall& call, const Implementation& chosen) = 0;
    /// Waits for all that was begun; a fault of a kernel comes out here at the latest.
    [[nodiscard]] virtual Status finish() = 0;
};

} // namespace plimsoll::kernels
