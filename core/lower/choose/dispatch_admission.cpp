#include "core/lower/choose/dispatch_admission.h"

#include "core/graph/graph.h"
#include "core/ops/op_traits.h"
#include "core/plan/decision.h"

#include <algorithm>

namespace plimsoll::dispatching {
namespace {

std::int64_t at(const std::vector<std::int64_t>& list, std::size_t index)
{
    return index < list.size() ? list[index] : 0;
}

bool isPlain(const std::vector<std::string>& layouts)
{
    return std::ranges::all_of(layouts, [](const std::string& name) { return name == PlainLayout; });
}

} // namespace

Admission::Admission(const Graph& graph, const DispatchRequest& request)
    : m_graph(graph), m_request(request), m_devices(graph, request), m_mutated(graph.values.size(), false)
{
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        noteMutated(NodeId(node));
}

Refusal Admission::refuse(const Node& node, const Implementation& offer) const
{
    if (Refusal refusal = m_devices.refuse(node, offer); !refusal.rule.empty()) return refusal;
    for (const auto check : {&Admission::refuseLayouts, &Admission::refuseWeights, &Admission::refusePadding}) {
        if (Refusal refusal = (this->*check)(node, offer); !refusal.rule.empty()) return refusal;
    }
    return {};
}

void Admission::noteMutated(NodeId node)
{
    for (const AliasTrait& trait : aliasTraits(m_graph, node)) {
        const ValueId input = m_graph[node].inputs[static_cast<std::size_t>(trait.input)];
        if (trait.kind == AliasKind::Mutates && input.valid()) m_mutated[input.index()] = true;
    }
}

Refusal Admission::refuseLayouts(const Node& node, const Implementation& offer) const
{
    const bool plain = isPlain(offer.inputLayouts) && isPlain(offer.outputLayouts);
    if (plain && offer.prepared.empty()) return {};
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const std::string_view name = outputLayout(offer, static_cast<int>(i));
        if (!node.outputs[i].valid() || name == PlainLayout) continue;
        if (m_mutated[node.outputs[i].index()])
            return {"mutated", say("offer.mutated", word::Name {m_graph[node.outputs[i]].name})};
        if (!fits(node.outputs[i], name)) return unknownLayout(node.outputs[i], name);
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const std::string_view name = inputLayout(offer, static_cast<int>(i));
        if (node.inputs[i].valid() && !fits(node.inputs[i], name)) return unknownLayout(node.inputs[i], name);
    }
    return {};
}

bool Admission::fits(ValueId value, std::string_view layout) const
{
    return layout == PlainLayout || bytesIn(m_graph[value].type, layout, 0) >= 0;
}

Refusal Admission::unknownLayout(ValueId value, std::string_view layout) const
{
    return {"unknown-layout", say("offer.unknown-layout", word::Name {m_graph[value].name},
                                  describe(m_graph[value].type), word::Name {std::string(layout)})};
}

Refusal Admission::refuseWeights(const Node& node, const Implementation& offer) const
{
    for (const Implementation::Prepared& weight : offer.prepared) {
        const auto index = static_cast<std::size_t>(weight.input);
        const bool named = weight.input >= 0 && index < node.inputs.size() && node.inputs[index].valid();
        const ValueRole role = named ? m_graph[node.inputs[index]].role : ValueRole::Intermediate;
        if (role == ValueRole::Parameter || role == ValueRole::Constant) continue;
        return {"weights-not-known", say("offer.weights-not-known")};
    }
    return {};
}

Refusal Admission::refusePadding(const Node& node, const Implementation& offer) const
{
    if (m_request.policies.padding == PaddingPolicy::On) return {};
    const std::int64_t extra = tensorPadding(m_graph, node, offer);
    if (extra == 0) return {};
    return {std::string(rules::PaddingOff), say("offer.padding-off", extra)};
}

bool computesTheSame(const Graph& graph, const std::vector<FusedNode>& fused, const Implementation& offer)
{
    return std::equal(fused.begin(), fused.end(), offer.fuses.begin(), offer.fuses.end(),
                      [&](const FusedNode& one, const std::string& name) { return graph[one.node].name == name; });
}

std::int64_t bytesIn(const TensorType& type, std::string_view layout, std::int64_t stated)
{
    const auto logical = type.bytes();
    const auto shape = type.shape();
    if (!logical || !shape) return -1;
    if (type.isSparse()) return layout == PlainLayout ? std::max(*logical, stated) : -1;
    const auto parsed = layoutFromName(layout, shape->size());
    if (!parsed) return -1;
    return std::max({*logical, stated, layoutBytes(*parsed, type.dtype, *shape).value_or(*logical)});
}

namespace {

/// How much more than its own bytes the tensor takes there; 0 where these are not known.
std::int64_t beyondLogical(const Graph& graph, ValueId value, std::string_view layout, std::int64_t stated)
{
    const auto logical = value.valid() ? graph[value].type.bytes() : std::nullopt;
    if (!logical) return 0;
    return std::max({std::int64_t {0}, stated - *logical, bytesIn(graph[value].type, layout, stated) - *logical});
}

} // namespace

std::int64_t tensorPadding(const Graph& graph, const Node& node, const Implementation& implementation)
{
    std::int64_t extra = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const auto isIt = [i](const auto& weight) { return weight.input == static_cast<int>(i); };
        if (std::ranges::any_of(implementation.prepared, isIt)) continue;
        extra += beyondLogical(graph, node.inputs[i], inputLayout(implementation, static_cast<int>(i)),
                               at(implementation.requiredInputBytes, i));
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        extra += beyondLogical(graph, node.outputs[i], outputLayout(implementation, static_cast<int>(i)),
                               at(implementation.requiredOutputBytes, i));
    return extra;
}

std::int64_t paddingBytes(const Graph& graph, const Node& node, const Implementation& implementation)
{
    std::int64_t extra = tensorPadding(graph, node, implementation);
    for (const Implementation::Prepared& weight : implementation.prepared) {
        if (static_cast<std::size_t>(weight.input) < node.inputs.size())
            extra +=
                beyondLogical(graph, node.inputs[static_cast<std::size_t>(weight.input)], PlainLayout, weight.bytes);
    }
    return extra;
}

} // namespace plimsoll::dispatching
