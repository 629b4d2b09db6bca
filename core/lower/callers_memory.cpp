#include "core/lower/callers_memory.h"

#include "core/ops/op_traits.h"

namespace plimsoll::dispatching {

CallersMemory::CallersMemory(const Graph& graph, const std::set<std::string>& devices, const WrittenOn& writtenOn)
    : m_spaces(graph.values.size())
{
    // What the caller brings, and what nodes of the top make for the caller.
    std::vector<bool> callers;
    for (const Value& value : graph.values) {
        const bool brought = value.role == ValueRole::Input || value.role == ValueRole::Parameter;
        callers.push_back(brought && !value.producer.valid());
    }
    for (const ValueId output : graph.top().outputs) {
        const NodeId producer = graph[output].producer;
        if (producer.valid()) callers[output.index()] = !graph.decided[producer].ahead;
    }
    // Not what is read before the first step, when nothing is computed on a device.
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const ValueIds& inputs = graph.nodes[node].inputs;
        for (std::size_t i = 0; graph.decided[NodeId(node)].ahead && i < inputs.size(); ++i) {
            if (readsContent(graph, NodeId(node), static_cast<int>(i))) callers[inputs[i].index()] = false;
        }
    }
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const ValueId id(i);
        const Value& value = graph[id];
        if (!callers[i] || !devices.contains(value.at->space) || !hasBytesOnDevice(value.type)) continue;
        const std::optional<std::string> written = writtenOn(id);
        if (!written || *written == value.at->space) m_spaces[i] = value.at->space;
    }
}

const std::string& CallersMemory::of(ValueId value) const
{
    static const std::string cpu;
    return value.index() < m_spaces.size() ? m_spaces[value.index()] : cpu;
}

bool hasBytesOnDevice(const TensorType& type)
{
    return type.kind == TypeKind::Tensor && !type.isSparse() && type.dtype != DType::String && type.bytes().has_value();
}

} // namespace plimsoll::dispatching
