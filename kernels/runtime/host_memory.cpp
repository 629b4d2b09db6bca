#include "kernels/runtime/host_memory.h"

#include "core/base/bytes.h"
#include "kernels/tensor_value.h"

#include <algorithm>
#include <new>
#include <unistd.h>

namespace plimsoll::kernels {

std::int64_t machineMemory()
{
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
}

Result<HostTensor> allocateTensor(DType dtype, const Shape& shape)
{
    const auto count = elementCount(shape);
    const auto bytes =
        dtype == DType::String && count ? checkedMultiply(*count, sizeof(std::string)) : denseBytes(dtype, shape);
    if (!bytes) {
        return Error {ErrorCode::BadInput, std::string(dtypeName(dtype)) + describe(shape) + " has no size.", {}, {}};
    }
    const Error tooLarge {ErrorCode::Unsupported,
                          std::string(dtypeName(dtype)) + describe(shape) + " needs " + formatBytes(*bytes) +
                              ", which this machine cannot hold.",
                          {},
                          {}};
    if (*bytes > machineMemory()) return tooLarge;
    try {
        return HostTensor(dtype, shape);
    } catch (const std::bad_alloc&) {
        return tooLarge;
    }
}

Result<RuntimeValue> CountingAllocator::allocate(DType dtype, const Shape& shape)
{
    PLIMSOLL_ASSIGN(tensor, allocateTensor(dtype, shape));
    RuntimeValue value = tensorValue(tensor);
    const std::shared_ptr<void> token = account(tensor.view().bytes());
    value.owner = std::make_shared<std::pair<HostTensor, std::shared_ptr<void>>>(std::move(tensor), token);
    return value;
}

std::shared_ptr<void> CountingAllocator::account(std::int64_t bytes)
{
    m_count->now += bytes;
    m_count->peak = std::max(m_count->peak, m_count->now);
    return {nullptr, [count = m_count, bytes](void*) { count->now -= bytes; }};
}

} // namespace plimsoll::kernels
