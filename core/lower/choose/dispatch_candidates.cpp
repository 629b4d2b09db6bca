#include "core/lower/choose/dispatch_candidates.h"

#include "core/base/narrow.h"
#include "core/lower/callers_memory.h"
#include "core/lower/choose/dispatch_admission.h"
#include "core/lower/choose/dispatch_progress.h"
#include "core/lower/choose/sparse_offers.h"
#include "core/ops/sparse_rules.h"

#include <algorithm>
#include <set>

namespace plimsoll::dispatching {
namespace {

std::int64_t at(const std::vector<std::int64_t>& list, std::size_t index)
{
    return index < list.size() ? list[index] : 0;
}

void collectReorders(const Graph& graph, const Catalogue& catalogue, Candidates& found)
{
    std::map<std::string, int> kinds;
    for (const auto& [type, offers] : catalogue.reorders) {
        const int kind = kinds.try_emplace(type, narrow<int>(kinds.size())).first->second;
        for (const Implementation& offer : offers) {
            const LayoutId from = found.layouts.idOf(inputLayout(offer, 0));
            const LayoutId to = found.layouts.idOf(outputLayout(offer, 0));
            const auto [time, isNew] = found.reorders.try_emplace({kind, from, to}, offer.timeMs);
            if (!isNew) time->second = std::min(time->second, offer.timeMs);
        }
    }
    found.kindOf.resize(graph.values.size(), -1);
    for (std::size_t i = 0; !kinds.empty() && i < graph.values.size(); ++i) {
        const auto known = kinds.find(describe(graph.values[i].type));
        if (known != kinds.end()) found.kindOf[i] = known->second;
    }
}

/// An operation without a time is taken to do no more than move its bytes.
double movingMs(const Graph& graph, const Node& node)
{
    double bytes = 0;
    for (const auto* values : {&node.inputs, &node.outputs}) {
        for (const ValueId value : *values)
            bytes += value.valid() ? static_cast<double>(graph[value].type.bytes().value_or(0)) : 0.0;
    }
    return bytes / BytesPerMs;
}

void applyPolicy(const std::string& preferred, const DecisionLog& log, const Node& node, std::vector<Candidate>& list)
{
    if (preferred == "auto") return;
    const auto isPreferred = [&preferred](const Candidate& c) { return c.implementation.backend == preferred; };
    if (std::ranges::none_of(list, isPreferred)) return;
    for (const Candidate& left : list) {
        if (log.recording() && !isPreferred(left))
            log.add({DecisionKind::Implementation, node.name, describe(left.implementation), false, "policy-backend",
                     say("offer.backend", Remedy::policy("backend", preferred), preferred), 0});
    }
    std::erase_if(list, std::not_fn(isPreferred));
}

/// "there is 'onednn gemm', 'reference'. On offer, but refused: 'onednn jit'.": each once.
Message offeredFor(const Graph& graph, const Catalogue& catalogue, NodeId node, const std::vector<Candidate>& list)
{
    std::set<std::string> names;
    word::List there;
    word::List refused;
    const auto add = [&names](const Implementation& offer, word::List& to) {
        const std::string name = describe(offer);
        if (names.insert(name).second) to.items.emplace_back(word::Name {name});
    };
    for (const Candidate& candidate : list)
        add(candidate.implementation, there);
    const auto* offers = catalogueOffers(catalogue, graph, node);
    for (std::size_t i = 0; offers && i < offers->size(); ++i) {
        if (computesTheSame(graph, graph.decided[node].fused, (*offers)[i])) add((*offers)[i], refused);
    }
    return refused.items.empty() ? say("choose.there", std::move(there))
                                 : say("choose.there-refused", std::move(there), std::move(refused));
}

/// In which memory the caller has each value; nothing where all is computed on the host.
void collectHomes(const Graph& graph, const Admission& admission, Candidates& found)
{
    std::set<std::string> devices;
    for (const std::vector<Candidate>& list : found.ofNode) {
        for (const Candidate& candidate : list)
            devices.insert(candidate.implementation.device);
    }
    devices.erase(std::string());
    if (devices.empty()) return;
    const CallersMemory callers(graph, devices, [&](ValueId value) { return admission.devices().writtenOn(value); });
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        found.homes.push_back(found.layouts.idOf(PlainLayout, callers.of(ValueId(i))));
}

class Collector
{
public:
    Collector(const Graph& graph, const DispatchRequest& request, const DecisionLog& log, const Context& context)
        : m_graph(graph), m_request(request), m_log(log), m_context(context),
          m_preferred(policyValue(request.policies, "backend")), m_admission(graph, request)
    {
    }

    Result<Candidates> run()
    {
        for (const auto& [name, implementation] : m_request.pins) {
            if (findNode(m_graph, name).valid()) continue;
            return Error {ErrorCode::BadUsage, say("choose.pin-without-node", word::Name {name}), {}, {}};
        }
        m_found.ofNode.resize(m_graph.nodes.size());
        collectReorders(m_graph, m_request.catalogue, m_found);
        for (std::size_t node = 0; node < m_graph.nodes.size(); ++node) {
            PLIMSOLL_TRY(goOn(m_context, {0, 0.5}, node, m_graph.nodes.size()));
            PLIMSOLL_TRY(collect(NodeId(node)));
        }
        collectHomes(m_graph, m_admission, m_found);
        return std::move(m_found);
    }

private:
    Status collect(NodeId id)
    {
        std::vector<Candidate>& list = m_found.ofNode[id.index()];
        const Node& node = m_graph[id];
        const auto pin = m_request.pins.find(node.name);
        if (m_graph.decided[id].fusedInto.valid()) return add(id, {}, 0, list), Status {};
        if (touchesSparse(m_graph, id))
            addSparse(id, list);
        else
            addDense(id, list);
        if (pin == m_request.pins.end()) {
            applyPolicy(m_preferred, m_log, node, list);
            return {};
        }
        const Message there = offeredFor(m_graph, m_request.catalogue, id, list);
        std::erase_if(list, [&](const Candidate& c) { return !pinMeans(pin->second, c.implementation); });
        if (!list.empty()) return {};
        return Error {ErrorCode::BadUsage,
                      say("choose.node-cannot-pinned", word::Name {node.name}, word::Name {pin->second}, there),
                      {},
                      {}};
    }

    void addDense(NodeId id, std::vector<Candidate>& list)
    {
        const Node& node = m_graph[id];
        Implementation reference;
        double slowest = 0;
        if (const auto* offers = catalogueOffers(m_request.catalogue, m_graph, id)) {
            for (const Implementation& offer : *offers) {
                if (!computesTheSame(m_graph, m_graph.decided[id].fused, offer)) continue;
                const bool isReference = offer.backend == reference.backend;
                if (isReference && isDense(offer)) reference = offer;
                if (isReference || !admits(id, offer)) continue;
                add(id, offer, offer.timeMs >= 0 ? offer.timeMs : movingMs(m_graph, node), list);
                slowest = std::max(slowest, list.back().ms);
            }
        }
        const double guess = list.empty() ? movingMs(m_graph, node) : 2 * slowest; // no library is offered for less
        if (m_graph.decided[id].fused.empty())
            add(id, reference, reference.timeMs >= 0 ? reference.timeMs : guess, list);
    }

    /// What sees dense tensors only is left; that it would fit behind a conversion was weighed before.
    void addSparse(NodeId id, std::vector<Candidate>& list)
    {
        for (const Implementation& offer : nativeOffers(m_graph, id, m_request.catalogue))
            add(id, offer, offer.timeMs >= 0 ? offer.timeMs : movingMs(m_graph, m_graph[id]), list);
        const auto* offers = catalogueOffers(m_request.catalogue, m_graph, id);
        for (const Implementation& offer : offers ? *offers : std::vector<Implementation> {}) {
            if (isDense(offer) && offer.backend != ReferenceBackend) (void)admits(id, offer);
        }
        if (!list.empty()) return;
        add(id, m_request.onlyPinned ? takenAsKept(m_graph, id) : Implementation(), movingMs(m_graph, m_graph[id]),
            list);
    }

    void add(NodeId id, const Implementation& offer, double ms, std::vector<Candidate>& list)
    {
        const Node& node = m_graph[id];
        Candidate candidate {offer, ms, {}, {}};
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            candidate.inputs.push_back(inputOf(node, offer, static_cast<int>(i)));
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            candidate.outputs.push_back(m_found.layouts.idOf(outputLayout(offer, static_cast<int>(i)), offer.device));
            noteBytes(node.outputs[i], candidate.outputs.back(), at(offer.requiredOutputBytes, i));
            const std::string_view layout = m_found.layouts.name(candidate.outputs[i]);
            if (!node.outputs[i].valid() || layout == PlainLayout) continue;
            // An offer that names a layout and no size wants what the layout takes.
            auto& stated = candidate.implementation.requiredOutputBytes;
            stated.resize(std::max(stated.size(), i + 1), 0);
            stated[i] = std::max(stated[i], bytesIn(m_graph[node.outputs[i]].type, layout, 0));
        }
        list.push_back(std::move(candidate));
    }

    LayoutId inputOf(const Node& node, const Implementation& offer, int input)
    {
        const auto index = static_cast<std::size_t>(input);
        const bool prepared =
            std::ranges::any_of(offer.prepared, [input](const auto& weight) { return weight.input == input; });
        if (prepared || !node.inputs[index].valid()) return AnyLayout;
        const LayoutId layout = m_found.layouts.idOf(inputLayout(offer, input), offer.device);
        noteBytes(node.inputs[index], layout, at(offer.requiredInputBytes, index));
        return layout;
    }

    void noteBytes(ValueId value, LayoutId layout, std::int64_t stated)
    {
        if (!value.valid() || m_found.layouts.name(layout) == PlainLayout) return;
        std::int64_t& known = m_found.bytes[{value, layout}];
        known = std::max(known, bytesIn(m_graph[value].type, m_found.layouts.name(layout), stated));
    }

    [[nodiscard]] bool admits(NodeId id, const Implementation& offer) const
    {
        const bool sparse = touchesSparse(m_graph, id);
        const Refusal refusal =
            isDense(offer) != sparse ? m_admission.refuse(m_graph[id], offer)
            : sparse ? Refusal {"dense-only", say("offer.dense-only", inputStorageTypesText(m_graph, id))}
                     : Refusal {"sparse-only", say("offer.sparse-only")};
        if (refusal.rule.empty()) return true;
        if (m_log.recording())
            m_log.add({DecisionKind::Implementation, m_graph[id].name, describe(offer), false, refusal.rule,
                       refusal.reason, paddingBytes(m_graph, m_graph[id], offer) + offer.scratchpadBytes});
        return false;
    }

    const Graph& m_graph;
    const DispatchRequest& m_request;
    const DecisionLog& m_log;
    const Context& m_context;
    std::string m_preferred; ///< Value of the policy backend.
    Admission m_admission;
    Candidates m_found;
};

} // namespace

LayoutId LayoutNames::find(std::string_view name, const std::string& device) const
{
    const auto found =
        std::ranges::find_if(m_forms, [&](const Form& form) { return form.name == name && form.device == device; });
    return found == m_forms.end() ? AnyLayout : static_cast<LayoutId>(found - m_forms.begin());
}

LayoutId LayoutNames::idOf(std::string_view name, const std::string& device)
{
    if (const LayoutId known = find(name, device); known != AnyLayout) return known;
    m_forms.push_back({std::string(name), device});
    return static_cast<LayoutId>(m_forms.size() - 1);
}

std::int64_t Candidates::bytesOf(const Graph& graph, ValueId value, LayoutId layout) const
{
    const auto stated = layout == Plain ? bytes.end() : bytes.find({value, layout});
    return stated != bytes.end() ? stated->second : graph[value].type.bytes().value_or(0);
}

std::optional<double> Candidates::measuredReorderMs(ValueId value, LayoutId from, LayoutId to) const
{
    const int kind = value.index() < kindOf.size() ? kindOf[value.index()] : -1;
    const auto found = kind < 0 ? reorders.end() : reorders.find({kind, from, to});
    return found == reorders.end() ? std::nullopt : std::optional(found->second);
}

double Candidates::changeMs(const Graph& graph, ValueId value, LayoutId from, LayoutId to) const
{
    const bool moves = layouts.device(from) != layouts.device(to);
    const double ms = moves ? copyMs(bytesOf(graph, value, Plain)) : 0;
    if (layouts.name(from) == layouts.name(to)) return ms;
    return ms + reorderMs(graph, value, layouts.find(layouts.name(from)), layouts.find(layouts.name(to)));
}

double Candidates::reorderMs(const Graph& graph, ValueId value, LayoutId from, LayoutId to) const
{
    const auto measured = measuredReorderMs(value, from, to);
    return measured ? *measured : dispatching::reorderMs(bytesOf(graph, value, from) + bytesOf(graph, value, to));
}

Result<Candidates> collectCandidates(const Graph& graph, const DispatchRequest& request, const DecisionLog& log,
                                     const Context& context)
{
    return Collector(graph, request, log, context).run();
}

} // namespace plimsoll::dispatching
