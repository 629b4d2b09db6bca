#include "core/transform/device_offers.h"

#include "core/transform/sparse_offers.h"

#include <algorithm>

namespace plimsoll::dispatching {

DeviceRules::DeviceRules(const Graph& graph, const DispatchRequest& request)
    : m_graph(graph), m_request(request), m_preferred(policyValue(request.policies, "backend")), m_families(graph)
{
}

bool DeviceRules::isNamed(const Node& node, const Implementation& offer) const
{
    const auto pin = m_request.pins.find(node.name);
    const bool pinned = pin != m_request.pins.end() && pinMeans(pin->second, offer);
    return pinned || m_preferred == offer.backend;
}

Refusal DeviceRules::refuse(const Node& node, const Implementation& offer) const
{
    const auto absent = m_request.catalogue.absent.find(offer.backend);
    if (absent != m_request.catalogue.absent.end() && !isNamed(node, offer))
        return {"cannot-run", "Nobody asked for " + offer.backend + ", which cannot run here: " + absent->second + "."};
    if (offer.device.empty()) return {};
    const auto isPlain = [](const std::string& layout) { return layout == PlainLayout; };
    const bool plain = std::ranges::all_of(offer.inputLayouts, isPlain) &&
                       std::ranges::all_of(offer.outputLayouts, isPlain) && offer.prepared.empty();
    if (!plain) return {"device-layout", "Reorders are computed on the CPU, so a device takes plain tensors only."};
    if (Refusal refusal = refusePlace(node); !refusal.rule.empty()) return refusal;
    for (const auto* values : {&node.inputs, &node.outputs}) {
        for (const ValueId value : *values) {
            if (Refusal refusal = value.valid() ? refuseValue(value) : Refusal {}; !refusal.rule.empty())
                return refusal;
        }
    }
    return {};
}

Refusal DeviceRules::refusePlace(const Node& node) const
{
    if (m_request.hostOnly) return {"plan-has-no-copies", "The plan at hand was made without copies to a device."};
    if (node.ahead) return {"ahead", "It is computed once, ahead of the run."};
    if (node.body != TopBody || !node.bodies.empty())
        return {"nested", "Nested graphs are computed on the CPU, which decides how often they run."};
    return {};
}

Refusal DeviceRules::refuseValue(ValueId value) const
{
    const Value& info = m_graph[value];
    if (info.type.kind != TypeKind::Tensor || info.type.dtype == DType::String || !info.type.bytes())
        return {"device-size", "A device takes tensors whose size is known before the run, and '" + info.name +
                                   "' is " + describe(info.type) + "."};
    if (m_families.isChanged(value))
        return {"written-in-place", "'" + info.name + "' is written to, and a copy of it would not show that."};
    return {};
}

} // namespace plimsoll::dispatching
