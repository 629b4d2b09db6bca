#include "kernels/run/probe/overwrite.h"

#include "kernels/run/memory/host_memory.h"
#include "kernels/run/step/compare.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace plimsoll::kernels {
namespace {

constexpr std::int64_t Attempts = 64;

/// False when every number that was tried is there already.
template <typename T>
bool fillWithFresh(const TensorView& tensor, std::int64_t number)
{
    std::vector<T> numbers(static_cast<std::size_t>(tensor.elements()));
    const std::size_t bytes = numbers.size() * sizeof(T);
    std::memcpy(numbers.data(), tensor.data, bytes); // which may lie at any address
    for (std::int64_t i = 0; i < Attempts; ++i) {
        const auto candidate = static_cast<T>(number + i);
        if (std::ranges::find(numbers, candidate) != numbers.end()) continue;
        std::ranges::fill(numbers, candidate);
        std::memcpy(tensor.data, numbers.data(), bytes);
        return true;
    }
    return false;
}

bool fillWithNumber(const TensorView& tensor, std::int64_t number)
{
    switch (tensor.dtype) {
    case DType::Float32:
        return fillWithFresh<float>(tensor, number);
    case DType::Float64:
        return fillWithFresh<double>(tensor, number);
    case DType::Int64:
        return fillWithFresh<std::int64_t>(tensor, number);
    case DType::Int32:
        return fillWithFresh<std::int32_t>(tensor, number);
    case DType::Int16:
        return fillWithFresh<std::int16_t>(tensor, number);
    case DType::UInt64:
        return fillWithFresh<std::uint64_t>(tensor, number);
    case DType::UInt32:
        return fillWithFresh<std::uint32_t>(tensor, number);
    case DType::UInt16:
        return fillWithFresh<std::uint16_t>(tensor, number);
    default:
        return false;
    }
}

std::int64_t changedIn(const TensorView& before, const TensorView& now)
{
    std::int64_t characters = 0;
    for (std::int64_t i = 0; now.dtype == DType::String && i < now.elements(); ++i) {
        const std::string& text = now.as<const std::string>()[i];
        if (text != before.as<const std::string>()[i]) characters += std::max<std::int64_t>(1, std::ssize(text));
    }
    if (now.dtype == DType::String) return characters;
    const std::int64_t total = now.bytes();
    const auto* a = before.as<const std::byte>();
    const auto* b = now.as<const std::byte>();
    if (total == 0 || std::memcmp(a, b, static_cast<std::size_t>(total)) == 0) return 0;
    const std::int64_t size = std::max(1, dtypeBits(now.dtype) / 8);
    std::int64_t bytes = 0;
    for (std::int64_t at = 0; at + size <= total; at += size) {
        if (std::memcmp(a + at, b + at, static_cast<std::size_t>(size)) != 0) bytes += size;
    }
    return bytes;
}

/// nullptr is the host.
Status overwriteOn(Device* device, const TensorView& tensor, std::int64_t number)
{
    if (!device) {
        overwrite(tensor, number);
        return {};
    }
    PLIMSOLL_ASSIGN(here, allocateTensor(tensor.dtype, tensor.shape));
    PLIMSOLL_TRY(device->copyOut(here.view().byteSpan(), tensor.as<const std::byte>()));
    overwrite(here.view(), number);
    return device->copyIn(tensor.as<std::byte>(), here.view().byteSpan());
}

} // namespace

void overwrite(const TensorView& tensor, std::int64_t number)
{
    if (tensor.elements() == 0) return;
    if (tensor.dtype == DType::String) {
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
            tensor.as<std::string>()[i] += '~';
        return;
    }
    if (fillWithNumber(tensor, number)) return;
    auto* bytes = tensor.as<std::uint8_t>();
    const std::uint8_t mask = tensor.dtype == DType::Bool ? 1 : 0xFF;
    std::for_each(bytes, bytes + tensor.bytes(), [mask](std::uint8_t& byte) { byte ^= mask; });
}

void writeThrough(BoundHandles& handles, std::size_t handle, ProbeWrite& result)
{
    const Result<BoundHandles::Permit> permit = handles.beginWrite(handle);
    const auto number = static_cast<std::int64_t>(handle);
    const Status written =
        permit.ok() ? overwriteOn(permit.value().device, permit.value().target, number) : permit.error();
    if (written.ok()) {
        result.detachedBytes = permit.value().detachedBytes;
        if (result.detachedBytes > 0) result.outcome = ProbeWrite::Outcome::Detached;
        return;
    }
    const bool refused = written.error().code == ErrorCode::BadUsage;
    result.outcome = refused ? ProbeWrite::Outcome::Refused : ProbeWrite::Outcome::Skipped;
    result.reason = written.error().message;
}

std::int64_t changedBytes(const RuntimeValue& before, const RuntimeValue& now)
{
    if (before.kind != now.kind) return valueBytes(now);
    if (now.kind == RuntimeValue::Kind::Tensor) {
        const bool alike = before.tensor.dtype == now.tensor.dtype && before.tensor.shape == now.tensor.shape;
        return alike ? changedIn(before.tensor, now.tensor) : valueBytes(now);
    }
    if (before.sequence.size() != now.sequence.size()) return valueBytes(now);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < now.sequence.size(); ++i)
        bytes += changedIn(before.sequence[i].view(), now.sequence[i].view());
    return bytes;
}

} // namespace plimsoll::kernels
