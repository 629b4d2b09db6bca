#include "tests/kernels/run/host_device.h"

#include "kernels/kernel.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>

namespace plimsoll::test {
namespace {

constexpr std::align_val_t BlockAlignment {512};

/// Sees to it that outputs lie in the device, too.
class WatchedCall : public kernels::KernelCall
{
public:
    using Check = std::function<Status(const kernels::TensorView&)>;
    WatchedCall(kernels::KernelCall& call, Check check) : m_call(call), m_check(std::move(check)) {}

    const Graph& graph() const override { return m_call.graph(); }
    const Node& node() const override { return m_call.node(); }
    std::int64_t opset() const override { return m_call.opset(); }
    const kernels::RuntimeValue& input(std::size_t index) const override { return m_call.input(index); }
    std::size_t inputCount() const override { return m_call.inputCount(); }
    bool wantsOutput(std::size_t index) const override { return m_call.wantsOutput(index); }
    Result<kernels::TensorView> output(std::size_t index, DType dtype, const Shape& shape) override
    {
        PLIMSOLL_ASSIGN(view, m_call.output(index, dtype, shape));
        PLIMSOLL_TRY(m_check(view));
        if (index == 0) first = view;
        return view;
    }
    Status setOutput(std::size_t index, kernels::RuntimeValue value) override
    {
        return m_call.setOutput(index, std::move(value));
    }
    Result<kernels::TensorView> literal(const TensorLiteral& literal) override { return m_call.literal(literal); }
    std::span<std::byte> scratchpad() override { return m_call.scratchpad(); }
    std::uint64_t seed() const override { return m_call.seed(); }

    kernels::TensorView first;

private:
    kernels::KernelCall& m_call;
    Check m_check;
};

Error fault(const std::string& what)
{
    return {ErrorCode::Unsupported, Message(what), {}, {}};
}

} // namespace

Result<kernels::DeviceBlock> HostDevice::reserve(std::int64_t bytes)
{
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
    constexpr std::size_t Behind = 64; // where a kernel that overruns its tensor may write in a block of its own
    auto* const data = static_cast<std::byte*>(::operator new(size + Behind, BlockAlignment));
    std::memset(data, 0x5A, size);
    blocks->emplace(data, bytes);
    return kernels::DeviceBlock {data, bytes, std::shared_ptr<void>(data, [all = blocks](void* block) {
                                     all->erase(static_cast<const std::byte*>(block));
                                     ::operator delete(block, BlockAlignment);
                                 })};
}

std::int64_t HostDevice::heldBytes() const
{
    std::int64_t bytes = 0;
    for (const auto& [data, size] : *blocks)
        bytes += (std::max<std::int64_t>(size, 1) + 511) / 512 * 512;
    return bytes;
}

Status HostDevice::check(const std::byte* begin, std::int64_t bytes) const
{
    auto block = blocks->upper_bound(begin);
    if (bytes == 0) return {};
    if (block == blocks->begin()) return fault("an address of the host");
    --block;
    if (begin + bytes <= block->first + block->second) return {};
    return fault("an address of the host");
}

Status HostDevice::copyIn(std::byte* device, std::span<const std::byte> host)
{
    PLIMSOLL_TRY(check(device, std::ssize(host)));
    if (!host.empty() && check(host.data(), std::ssize(host)).ok()) return fault("copied in from the device");
    if (!host.empty()) std::memcpy(device, host.data(), host.size());
    copiedIn += std::ssize(host);
    return {};
}

Status HostDevice::copyOut(std::span<std::byte> host, const std::byte* device)
{
    PLIMSOLL_TRY(check(device, std::ssize(host)));
    if (!host.empty() && check(host.data(), std::ssize(host)).ok()) return fault("copied out to the device");
    if (!host.empty()) std::memcpy(host.data(), device, host.size());
    copiedOut += std::ssize(host);
    return {};
}

Status HostDevice::fill(std::byte* device, std::int64_t bytes, std::byte pattern)
{
    PLIMSOLL_TRY(check(device, bytes));
    std::fill(device, device + bytes, pattern);
    return {};
}

Result<std::int64_t> HostDevice::firstDifference(const std::byte* device, std::int64_t bytes, std::byte pattern)
{
    PLIMSOLL_TRY(check(device, bytes));
    return std::find_if(device, device + bytes, [pattern](std::byte b) { return b != pattern; }) - device;
}

Status HostDevice::checkTensors(const kernels::KernelCall& call) const
{
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        const kernels::RuntimeValue& input = call.input(i);
        const bool tensor = input.kind == kernels::RuntimeValue::Kind::Tensor;
        if (tensor) PLIMSOLL_TRY(check(input.tensor.as<const std::byte>(), input.tensor.bytes()));
    }
    return {};
}

Status HostDevice::run(kernels::KernelCall& call, const Implementation& chosen)
{
    const Node& node = call.node();
    PLIMSOLL_TRY(checkTensors(call));
    const std::span<std::byte> scratchpad = call.scratchpad();
    if (std::ssize(scratchpad) < chosen.scratchpadBytes) return fault("its scratchpad is missing");
    PLIMSOLL_TRY(check(scratchpad.data(), std::ssize(scratchpad)));
    std::ranges::fill(scratchpad, std::byte {0xEE});
    if (node.name == failsAt) return fault("an illegal address was met");
    WatchedCall watched(
        call, [this](const kernels::TensorView& view) { return check(view.as<const std::byte>(), view.bytes()); });
    PLIMSOLL_TRY(kernels::findReferenceKernel(node.domain, node.op)(watched));
    if (node.name == overrunsAt) watched.first.as<std::byte>()[watched.first.bytes()] = std::byte {0};
    ran.insert(node.name);
    return {};
}

Status HostDevice::finish()
{
    return {};
}

} // namespace plimsoll::test
