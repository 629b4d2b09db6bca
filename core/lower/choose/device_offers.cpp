#include "core/lower/choose/device_offers.h"

#include "core/lower/callers_memory.h"
#include "core/lower/choose/dispatch_admission.h"
#include "core/lower/choose/sparse_offers.h"
#include "core/ops/op_traits.h"

#include <algorithm>

namespace plimsoll::dispatching {

DeviceRules::DeviceRules(const Graph& graph, const DispatchRequest& request)
    : m_graph(graph), m_request(request), m_preferred(policyValue(request.policies, "backend")), m_written(graph)
{
    settleWritten();
}

/// A family goes to a device with all nodes that touch it. What keeps one on the CPU keeps the nodes that touch it
/// there, and so may keep others.
void DeviceRules::settleWritten()
{
    for (auto& [root, family] : m_written.families())
        propose(family);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [root, family] : m_written.families()) {
            if (family.device.empty()) continue;
            family.why = unableOn(family);
            if (family.why.empty()) continue;
            family.device.clear();
            changed = true;
        }
    }
}

/// The device of the first offer that the policy would take.
void DeviceRules::propose(WrittenFamilies::Family& family) const
{
    if (!family.why.empty()) return;
    for (const NodeId node : family.nodes) {
        const auto* const offers = catalogueOffers(m_request.catalogue, m_graph, node);
        for (std::size_t i = 0; offers && i < offers->size() && family.device.empty(); ++i) {
            if ((*offers)[i].backend == m_preferred) family.device = (*offers)[i].device;
        }
    }
    if (family.device.empty()) family.why = "no policy asks for a device";
}

/// Empty where all can.
std::string DeviceRules::unableOn(const WrittenFamilies::Family& family) const
{
    if (std::string obstacle = m_written.obstacleOn(family, family.device); !obstacle.empty()) return obstacle;
    const auto unable =
        std::ranges::find_if_not(family.nodes, [&](NodeId node) { return computesOn(node, family.device); });
    if (unable == family.nodes.end()) return {};
    return "'" + m_graph[*unable].name + "' (" + qualifiedOp(m_graph[*unable]) + ") is not computed there";
}

/// Whether the policy leaves it nothing else.
bool DeviceRules::computesOn(NodeId node, const std::string& device) const
{
    const Node& info = m_graph[node];
    const auto pin = m_request.pins.find(info.name);
    const auto* const offers = catalogueOffers(m_request.catalogue, m_graph, node);
    return offers && std::ranges::any_of(*offers, [&](const Implementation& offer) {
               if (offer.backend != m_preferred || offer.device != device) return false;
               if (pin != m_request.pins.end() && !pinMeans(pin->second, offer)) return false;
               const bool padded =
                   m_request.policies.padding == PaddingPolicy::Off && tensorPadding(m_graph, info, offer) > 0;
               return !padded && isDense(offer) && computesTheSame(m_graph, m_graph.decided[node].fused, offer) &&
                      refuse(info, offer).rule.empty();
           });
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
        return {"cannot-run", say("offer.cannot-run", offer.backend, absent->second)};
    if (offer.device.empty()) return {};
    const auto isPlain = [](const std::string& layout) { return layout == PlainLayout; };
    const bool plain = std::ranges::all_of(offer.inputLayouts, isPlain) &&
                       std::ranges::all_of(offer.outputLayouts, isPlain) && offer.prepared.empty();
    if (!plain) return {"device-layout", say("offer.device-layout")};
    if (Refusal refusal = refusePlace(node); !refusal.rule.empty()) return refusal;
    for (const auto* values : {&node.inputs, &node.outputs}) {
        for (const ValueId value : *values) {
            if (Refusal refusal = value.valid() ? refuseValue(value, offer.device) : Refusal {}; !refusal.rule.empty())
                return refusal;
        }
    }
    return {};
}

Refusal DeviceRules::refusePlace(const Node& node) const
{
    for (BodyId body = node.body; body != TopBody; body = m_graph[m_graph[body].owner].body) {
        const Node& owner = m_graph[m_graph[body].owner];
        if (bodyRule(m_graph, m_graph[body].owner) == BodyRule::Once)
            return {"nested", say("offer.nested", word::Name {owner.name}, qualifiedOp(owner))};
    }
    return {};
}

Refusal DeviceRules::refuseValue(ValueId value, const std::string& device) const
{
    const Value& info = m_graph[value];
    if (!hasBytesOnDevice(info.type))
        return {"device-size", say("offer.device-size", word::Name {info.name}, describe(info.type))};
    const WrittenFamilies::Family* const family = m_written.of(value);
    if (family && family->device != device)
        return {"written-in-place",
                say("offer.written-in-place", word::Name {info.name}, word::Name {device}, family->why)};
    return {};
}

} // namespace plimsoll::dispatching
