#include "kernels/cuda/device/device_call.h"

#include <algorithm>

namespace plimsoll::kernels::cuda {
namespace {

constexpr std::int64_t ScratchAlignment = 256; // bytes; as cuBLAS likes its operands

/// The bytes of a constant, as the graph holds them.
std::optional<RuntimeValue> constantOf(const Graph& graph, ValueId id)
{
    const Value& value = graph[id];
    const auto shape = value.type.shape();
    const auto bytes = value.type.bytes();
    if (value.role != ValueRole::Constant || !value.data->bytes || !shape || !bytes) return std::nullopt;
    if (static_cast<std::int64_t>(value.data->bytes->size()) < *bytes) return std::nullopt;
    RuntimeValue constant;
    constant.kind = RuntimeValue::Kind::Tensor;
    constant.tensor = {value.type.dtype, *shape, const_cast<std::byte*>(value.data->bytes->data())}; // only read
    return constant;
}

} // namespace

Status DeviceCall::readOnHost(std::size_t index)
{
    if (m_call.input(index).kind == RuntimeValue::Kind::Absent) return {};
    const auto constant = constantOf(graph(), node().inputs[index]);
    if (!constant) return decline(*this, say("cuda.unknown-input", word::Number(index)));
    m_onHost[index] = *constant;
    return {};
}

const RuntimeValue& DeviceCall::input(std::size_t index) const
{
    const auto found = m_onHost.find(index);
    return found == m_onHost.end() ? m_call.input(index) : found->second;
}

Result<TensorView> DeviceCall::plannedOutput(std::size_t index)
{
    if (!wantsOutput(index)) return decline(*this, say("cuda.unnamed-output"));
    const TensorType& type = graph()[node().outputs[index]].type;
    const auto shape = type.shape();
    if (!shape) return decline(*this, say("cuda.unknown-shape"));
    return output(index, type.dtype, *shape);
}

Result<std::byte*> DeviceCall::scratchBytes(std::int64_t bytes)
{
    const std::int64_t begin = m_notes.scratchpadBytes;
    m_notes.scratchpadBytes += (bytes + ScratchAlignment - 1) / ScratchAlignment * ScratchAlignment;
    if (m_queue.rehearsal) return static_cast<std::byte*>(nullptr);
    const std::span<std::byte> room = m_call.scratchpad();
    if (static_cast<std::int64_t>(room.size()) < begin + bytes)
        return decline(*this, say("cuda.small-scratchpad", word::Number(room.size())));
    return room.data() + begin;
}

void DeviceCall::mayLieOver(int output, int input)
{
    const Implementation::InPlacePair pair {output, input};
    if (std::find(m_notes.inPlace.begin(), m_notes.inPlace.end(), pair) == m_notes.inPlace.end())
        m_notes.inPlace.push_back(pair);
}

Error decline(const KernelCall& call, Message message)
{
    return {ErrorCode::Unsupported,
            say("kernel.refuses-on-cuda", qualifiedOp(call.node()), std::move(message)),
            "node '" + call.node().name + "'",
            {}};
}

Error declineType(const KernelCall& call, DType dtype)
{
    return decline(call, say("cuda.no-kernel-of-type", dtypeName(dtype)));
}

} // namespace plimsoll::kernels::cuda
