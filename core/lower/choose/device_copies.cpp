#include "core/lower/choose/device_copies.h"

#include "core/lower/choose/dispatch_candidates.h"
#include "core/lower/choose/dispatch_reorders.h"
#include "core/lower/written_families.h"

#include <algorithm>
#include <set>

namespace plimsoll::dispatching {
namespace {

/// What one thread of a device reads at once, at most: four float32.
constexpr std::int64_t AccessBytes = 16;

std::string spaceName(const std::string& device)
{
    return device.empty() ? std::string("cpu") : device;
}

} // namespace

DeviceCopier::DeviceCopier(Dispatch& dispatch)
    : m_graph(dispatch.graph), m_chosen(dispatch.implementations), m_nodes(dispatch.graph)
{
    for (const Implementation& chosen : m_chosen.chosen()) {
        if (!chosen.device.empty()) m_backends.emplace(chosen.device, chosen.backend);
    }
}

void DeviceCopier::run()
{
    if (m_backends.empty()) return;
    settleSpaces();
    const std::set<ValueId> results(m_graph.top().outputs.begin(), m_graph.top().outputs.end());
    for (const ValueId value : results)
        copyResult(value);
    visit(TopBody);
    m_nodes.rebuildOrder();
    tellFused(m_graph);
}

/// By what was chosen: whether all nodes that touch bytes written in place run on one device.
CallersMemory DeviceCopier::callersMemory() const
{
    WrittenFamilies written(m_graph);
    for (auto& [root, family] : written.families()) {
        const auto deviceOf = [this](NodeId node) -> const std::string& { return m_chosen[node].device; };
        const bool agree = std::ranges::all_of(
            family.nodes, [&](NodeId node) { return deviceOf(node) == deviceOf(family.nodes.front()); });
        if (agree && family.why.empty()) family.device = deviceOf(family.nodes.front());
    }
    std::set<std::string> devices;
    for (const auto& [device, backend] : m_backends)
        devices.insert(device);
    return {m_graph, devices, [&](ValueId value) { return written.deviceOf(value); }};
}

void DeviceCopier::settleSpaces()
{
    m_callers = callersMemory();
    for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
        Value& value = m_graph.values[i];
        if (m_backends.contains(value.at->space)) value.at.edit().space = m_callers.of(ValueId(i));
    }
    for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
        Node& info = m_graph.nodes[node];
        const bool computes = !m_chosen[NodeId(node)].device.empty();
        if (computes || m_backends.contains(info.at->device)) info.at.edit().device = m_chosen[NodeId(node)].device;
        for (const ValueId output : info.outputs) {
            if (computes && output.valid()) m_graph[output].at.edit().space = m_callers.of(output);
        }
    }
}

/// In the order in which they run, so that a copy stands before its first reader.
void DeviceCopier::visit(BodyId body)
{
    const std::vector<NodeId> nodes = m_graph[body].nodes;
    for (const NodeId node : nodes) {
        if (m_graph.decided[node].ahead) continue;
        copyInputs(node);
        const std::vector<BodyId> bodies = m_graph[node].bodies;
        for (const BodyId inner : bodies) {
            visit(inner);
            copyOutputsOf(inner);
        }
    }
}

const std::string& DeviceCopier::deviceOf(ValueId value) const
{
    static const std::string cpu;
    const Value& info = m_graph[value];
    if (!info.producer.valid()) return m_callers.of(value);
    const std::string& device = m_graph[info.producer].at->device;
    return m_backends.contains(device) ? device : cpu;
}

void DeviceCopier::copyInputs(NodeId node)
{
    const std::string device = m_chosen[node].device;
    for (std::size_t i = 0; i < m_graph[node].inputs.size(); ++i) {
        const ValueId source = m_graph[node].inputs[i];
        if (!source.valid() || deviceOf(source) == device) continue;
        m_graph[node].inputs[i] = copied(source, device, {node, {}});
    }
}

/// To the owner, which is the CPU's. A nested graph may hand out what the graph around it computes.
void DeviceCopier::copyOutputsOf(BodyId body)
{
    for (std::size_t i = 0; i < m_graph[body].outputs.size(); ++i) {
        const ValueId source = m_graph[body].outputs[i];
        if (deviceOf(source).empty()) continue;
        m_graph[body].outputs[i] = copied(source, {}, {m_graph[body].owner, body});
    }
}

ValueId DeviceCopier::copied(ValueId source, const std::string& device, const Reader& reader)
{
    const auto [made, isNew] = m_made.try_emplace({source, device});
    if (!isNew) return made->second;
    const ValueId target = m_nodes.addValue(source, spaceName(device));
    made->second = target;
    m_graph[target].at.edit().space = device;
    addCopy(source, target, device);
    const NodeId copy = m_graph[target].producer;
    if (isKnownAhead(m_graph, source)) {
        m_nodes.moveAhead(copy);
        m_graph[target].data = m_graph[source].data;
    }
    if (reader.end.valid() && m_graph[source].body == reader.end)
        m_nodes.putAtEnd(reader.end, copy);
    else
        m_nodes.putBefore(reader.node, source, copy);
    return target;
}

/// What is handed out keeps its name: the producer writes another value from now on.
void DeviceCopier::copyResult(ValueId value)
{
    const std::string device = deviceOf(value);
    const std::string wanted = m_callers.of(value);
    const NodeId producer = m_graph[value].producer;
    if (!producer.valid() || device == wanted) return;
    const ValueId inner = m_nodes.replaceWritten(value, spaceName(device));
    m_graph[inner].at.edit().space.clear();
    for (Node& node : m_graph.nodes)
        std::ranges::replace(node.inputs, value, inner);
    m_made[{inner, wanted}] = value;
    addCopy(inner, value, wanted);
    m_nodes.putBehind(producer, m_graph[value].producer);
}

void DeviceCopier::addCopy(ValueId source, ValueId target, const std::string& device)
{
    const NodeId copy = m_nodes.addNode("CopyTo", "copy", source, target);
    const std::string other = device.empty() ? deviceOf(source) : device;
    m_graph[copy].attributes["space"] = spaceName(device);
    m_graph[copy].at.edit().device = device;
    Implementation how;
    how.backend = m_backends.at(other);
    how.name = "copy";
    how.device = other;
    how.inPlaceKnown = true;
    how.alignment = device.empty() ? 1 : AccessBytes;
    how.timeMs = copyMs(m_graph[source].type.bytes().value_or(0));
    how.provenance = "estimated";
    m_chosen.at(copy) = std::move(how);
}

} // namespace plimsoll::dispatching
