#include "kernels/run/device/device_spaces.h"

#include "core/base/bytes.h"
#include "core/ops/reorder_node.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/tensor_view.h"

namespace plimsoll::kernels {
namespace {

/// The space in which a node leaves what it makes.
std::string spaceOf(const PlannedProgram& program, NodeId node)
{
    const Node& info = (*program.graph)[node];
    if (isSpaceCopy(info)) return attributeOr<std::string>(info, "space", {});
    return program.implementations[node].device;
}

} // namespace

std::string deviceSpaceOf(const PlannedProgram& program, ValueId value)
{
    const NodeId producer = (*program.graph)[value].producer;
    const std::string space = producer.valid() ? spaceOf(program, producer) : (*program.graph)[value].at->space;
    return space == "cpu" ? std::string() : space;
}

Result<DeviceSpaces> DeviceSpaces::create(const PlannedProgram& program, const RunDevices& devices)
{
    DeviceSpaces spaces;
    for (const Implementation& chosen : program.implementations.chosen()) {
        if (chosen.device.empty()) continue;
        const auto found = devices.find(chosen.device);
        if (found == devices.end())
            return Error {ErrorCode::Unsupported, say("device.absent", word::Name {chosen.device}), {}, {}};
        spaces.m_devices.emplace(chosen.device, found->second.device);
    }
    const Graph& graph = *program.graph;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        spaces.m_ofNode.push_back(isSpaceCopy(graph.nodes[i]) ? nullptr : spaces.of(spaceOf(program, NodeId(i))));
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        spaces.m_ofValue.push_back(spaces.of(deviceSpaceOf(program, ValueId(i))));
    return spaces;
}

Device* DeviceSpaces::of(const std::string& space) const
{
    const auto found = m_devices.find(space);
    return found == m_devices.end() ? nullptr : found->second.get();
}

Result<RuntimeValue> DeviceSpaces::onHost(ValueId id, const RuntimeValue& value) const
{
    Device* const device = of(id);
    if (!device || value.kind != RuntimeValue::Kind::Tensor) return value;
    PLIMSOLL_ASSIGN(tensor, allocateTensor(value.tensor.dtype, value.tensor.shape));
    PLIMSOLL_TRY(device->copyOut(tensor.view().byteSpan(), value.tensor.as<const std::byte>()));
    return tensorValue(std::move(tensor));
}

Result<RuntimeValue> allocateOn(Device& device, DType dtype, const Shape& shape)
{
    const auto bytes = denseBytes(dtype, shape);
    if (!bytes) return Error {ErrorCode::BadInput, say("memory.no-size", dtypeName(dtype)), {}, {}};
    PLIMSOLL_ASSIGN(block, device.reserve(*bytes));
    RuntimeValue value;
    value.kind = RuntimeValue::Kind::Tensor;
    value.tensor = {dtype, shape, block.data};
    value.owner = std::move(block.owner);
    return value;
}

Status copyToDevice(Device& device, const TensorView& source, const TensorView& target)
{
    return device.copyIn(target.as<std::byte>(), source.byteSpan());
}

} // namespace plimsoll::kernels
