#pragma once

#include "core/base/result.h"
#include "core/plan/implementation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
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

/// Work that was noted, to be begun as a whole, as often as one likes, at the addresses that it was given: a CUDA
/// graph, or calls on the host.
class Recording
{
public:
    virtual ~Recording() = default;
    [[nodiscard]] virtual Status replay() = 0; ///< Does not wait for it.
};

/// The order of a device's work. What is asked of a device goes to the stream in use, which does it in that order; what
/// different streams do is in no order but that of events. Eight functions, since marks, waits and what is noted of
/// them belong together.
class DeviceStreams
{
public:
    virtual ~DeviceStreams() = default;

    /// From here on everything goes to that stream; 0 at first. One that is new is made.
    [[nodiscard]] virtual Status use(std::int32_t stream) = 0;
    /// Sets the event behind all that the stream in use was given. Numbers are the caller's; one is set again by this.
    [[nodiscard]] virtual Status record(std::int32_t event) = 0;
    /// What the stream in use is given from here on begins when the event is over.
    [[nodiscard]] virtual Status wait(std::int32_t event) = 0;
    /// From one event to another, by the clock of the device; both are over.
    [[nodiscard]] virtual Result<double> msBetween(std::int32_t from, std::int32_t to) = 0;
    /// Bytes from or to the host when the stream comes to it: those of the host have to stay until then.
    [[nodiscard]] virtual Status copy(std::byte* to, const std::byte* from, std::int64_t bytes) = 0;
    /// Waits for the stream in use, and so for what that waits for, and for nothing else.
    [[nodiscard]] virtual Status drain() = 0;

    /// From here on run(), record(), wait() and copy() are noted and not done; nothing else may be asked of the device
    /// before endRecording().
    [[nodiscard]] virtual Status beginRecording() = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<Recording>> endRecording() = 0;
};

/// One place that computes and keeps tensors of its own: a CUDA device, or host memory standing in for one. Everything
/// a run wants of it goes through here, and nothing else: twelve functions, since memory, transfers and kernels of one
/// device cannot be had apart.
class Device
{
public:
    virtual ~Device() = default;

    /// "cuda:0 NVIDIA H100", "cuda:0 (emulated on the host)"
    [[nodiscard]] virtual std::string name() const = 0;

    [[nodiscard]] virtual Result<DeviceBlock> reserve(std::int64_t bytes) = 0;
    /// Of all blocks that are held now, in the pieces of 512 bytes that it gives memory in.
    [[nodiscard]] virtual std::int64_t heldBytes() const = 0;
    /// What its driver still has to give, to any program; empty where there is no driver.
    [[nodiscard]] virtual std::optional<std::int64_t> freeBytes() const = 0;
    [[nodiscard]] virtual Status copyIn(std::byte* device, std::span<const std::byte> host) = 0;
    [[nodiscard]] virtual Status copyOut(std::span<std::byte> host, const std::byte* device) = 0;
    /// Bytes of another device without the host in between; false where that cannot be, and nothing was copied.
    [[nodiscard]] virtual Result<bool> copyPeer(std::byte* here, Device& other, const std::byte* there,
                                                std::int64_t bytes) = 0;
    [[nodiscard]] virtual Status fill(std::byte* device, std::int64_t bytes, std::byte pattern) = 0;
    /// The first byte of [device, device + bytes) that is not \p pattern, or \p bytes: canaries, checked on the device.
    [[nodiscard]] virtual Result<std::int64_t> firstDifference(const std::byte* device, std::int64_t bytes,
                                                               std::byte pattern) = 0;

    /// Computes a node; all tensors of the call lie in this device's memory: the call hands out device addresses.
    [[nodiscard]] virtual Status run(KernelCall& call, const Implementation& chosen) = 0;
    /// Waits for all that was begun; a fault of a kernel comes out here at the latest.
    [[nodiscard]] virtual Status finish() = 0;
    /// nullptr where one thing is done after the other, and there is no clock.
    [[nodiscard]] virtual DeviceStreams* streams() = 0;
};

} // namespace plimsoll::kernels
