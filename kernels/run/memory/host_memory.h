#pragma once

#include "core/base/result.h"
#include "kernels/tensor_view.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace plimsoll::kernels {

/// Bytes of memory of this machine.
[[nodiscard]] std::int64_t machineMemory();

/// Bytes that this process could still take: what the system calls available, and what the limits of its control groups
/// leave. All of the machine's where the system does not say. \p root stands in for "/" in tests.
[[nodiscard]] std::int64_t freeMemory(const std::filesystem::path& root = "/");

/// A tensor of its own, or an Error when the type has no size or the machine cannot hold it (Unsupported).
[[nodiscard]] Result<HostTensor> allocateTensor(DType dtype, const Shape& shape);

/// The fallback allocator: for values whose bytes are not planned. Counts what is alive; a tensor is alive until the
/// last RuntimeValue that refers to it is gone.
class CountingAllocator
{
public:
    CountingAllocator() : m_count(std::make_shared<Count>()) {}

    [[nodiscard]] Result<RuntimeValue> allocate(DType dtype, const Shape& shape);
    /// Counts bytes that were allocated elsewhere (sequences) until the returned token is gone.
    [[nodiscard]] std::shared_ptr<void> account(std::int64_t bytes);
    [[nodiscard]] std::int64_t peakBytes() const { return m_count->peak; }

private:
    struct Count
    {
        std::int64_t now = 0;
        std::int64_t peak = 0;
    };
    std::shared_ptr<Count> m_count;
};

} // namespace plimsoll::kernels
