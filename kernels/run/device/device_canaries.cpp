#include "kernels/run/device/device_canaries.h"

#include "core/base/bytes.h"

namespace plimsoll::kernels {
namespace {

constexpr std::byte Canary {0xC3};

} // namespace

Result<std::optional<std::int64_t>> DeviceCanaries::firstHit() const
{
    PLIMSOLL_ASSIGN(behindHit, device->firstDifference(behind, Bytes, Canary));
    if (behindHit < Bytes) return std::optional<std::int64_t>(behindHit);
    PLIMSOLL_ASSIGN(beforeHit, device->firstDifference(before, beforeBytes, Canary));
    if (beforeHit < beforeBytes) return std::optional<std::int64_t>(beforeHit - beforeBytes);
    return std::optional<std::int64_t> {};
}

Result<GuardedTensor> allocateGuarded(Device& device, DType dtype, const Shape& shape, std::int64_t shift)
{
    const std::int64_t before = DeviceCanaries::Bytes + shift;
    const auto bytes = denseBytes(dtype, shape);
    const auto all = bytes ? checkedAdd(*bytes, before + DeviceCanaries::Bytes) : std::nullopt;
    if (!all) return Error {ErrorCode::BadInput, say("memory.no-size", dtypeName(dtype)), {}, {}};
    PLIMSOLL_ASSIGN(block, device.reserve(*all));
    GuardedTensor guarded;
    guarded.canaries = {&device, block.data, before, block.data + before + *bytes};
    PLIMSOLL_TRY(device.fill(block.data, before, Canary));
    PLIMSOLL_TRY(device.fill(guarded.canaries.behind, DeviceCanaries::Bytes, Canary));
    guarded.value.kind = RuntimeValue::Kind::Tensor;
    guarded.value.tensor = {dtype, shape, block.data + before};
    guarded.value.owner = std::move(block.owner);
    return guarded;
}

} // namespace plimsoll::kernels
