#pragma once

#include "kernels/device.h"

#include <map>
#include <set>
#include <string>

namespace plimsoll::test {

/// Memory of the host that plays a device: computes with the reference kernels, and checks each
/// address: one that is not in its blocks is an Error. Faults can be asked for.
class HostDevice : public kernels::Device
{
public:
    std::string name() const override { return "cuda:0 (played by the test)"; }
    Result<kernels::DeviceBlock> reserve(std::int64_t bytes) override;
    Status copyIn(std::byte* device, std::span<const std::byte> host) override;
    Status copyOut(std::span<std::byte> host, const std::byte* device) override;
    std::int64_t heldBytes() const override;
    std::optional<std::int64_t> freeBytes() const override { return Free - heldBytes(); }
    Result<bool> copyPeer(std::byte* /*here*/, Device& /*other*/, const std::byte* /*there*/,
                          std::int64_t /*bytes*/) override
    {
        return false;
    }
    Status fill(std::byte* device, std::int64_t bytes, std::byte pattern) override;
    Result<std::int64_t> firstDifference(const std::byte* device, std::int64_t bytes, std::byte pattern) override;
    Status run(kernels::KernelCall& call, const Implementation& chosen) override;
    Status finish() override;
    kernels::DeviceStreams* streams() override { return nullptr; }

    static constexpr std::int64_t Free = 1 << 30; ///< Bytes, while nothing is held.
    std::string failsAt;                          ///< A node whose kernel fails.
    std::string overrunsAt;                       ///< A node that writes a byte behind its first output.
    std::set<std::string> ran;                    ///< Nodes that were computed here.
    std::int64_t copiedIn = 0;                    ///< Bytes.
    std::int64_t copiedOut = 0;
    std::shared_ptr<std::map<const std::byte*, std::int64_t>> blocks =
        std::make_shared<std::map<const std::byte*, std::int64_t>>();

private:
    [[nodiscard]] Status check(const std::byte* begin, std::int64_t bytes) const;
    [[nodiscard]] Status checkTensors(const kernels::KernelCall& call) const;
};

} // namespace plimsoll::test
