#include "core/lower/choose/fusion.h"

#include "core/base/bytes.h"
#include "core/base/narrow.h"
#include "core/graph/graph.h"
#include "core/lower/choose/dispatch_admission.h"
#include "core/lower/choose/sparse_offers.h"
#include "core/ops/op_traits.h"
#include "core/ops/saving.h"
#include "core/ops/sparse_rules.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace plimsoll {
namespace {

using dispatching::Admission;
using dispatching::Refusal;

/// Nodes that a backend would compute as one: the first by id, those behind it by name.
struct Offer
{
    NodeId head;
    std::vector<std::string> fuses;
};

ValueId onlyOutput(const Node& node)
{
    ValueId only;
    for (const ValueId output : node.outputs) {
        if (only.valid() && output.valid()) return {};
        if (output.valid()) only = output;
    }
    return only;
}

/// Whether element i of the output may be written where element i of that input was.
bool mayBeInPlace(const std::vector<AliasTrait>& traits, int input)
{
    return std::ranges::any_of(traits, [input](const AliasTrait& trait) {
        return trait.kind == AliasKind::MayBeInPlace && trait.output == 0 && trait.input == input;
    });
}

/// More nodes before fewer, later before earlier.
std::vector<Offer> offers(const Graph& graph, const Catalogue& catalogue, const std::vector<std::size_t>& position)
{
    std::vector<Offer> all;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        const auto* list = catalogueOffers(catalogue, graph, NodeId(node));
        std::set<std::vector<std::string>> chains;
        for (std::size_t i = 0; list && i < list->size(); ++i)
            chains.insert((*list)[i].fuses);
        for (const auto& chain : chains) {
            if (!chain.empty()) all.push_back({NodeId(node), chain});
        }
    }
    std::ranges::stable_sort(all, [&](const Offer& a, const Offer& b) {
        if (a.fuses.size() != b.fuses.size()) return a.fuses.size() > b.fuses.size();
        return position[a.head.index()] > position[b.head.index()];
    });
    return all;
}

/// What one operation may write over an input, the last may, if all between can work in place, too.
std::vector<AliasTrait> traitsOf(const Graph& graph, NodeId head, const std::vector<FusedNode>& chain)
{
    std::vector<int> open; ///< Inputs of the fused node that the operation so far may write over.
    const auto own = narrow<int>(graph[head].inputs.size());
    const auto headTraits = aliasTraits(graph, head);
    for (int input = 0; input < own; ++input) {
        if (mayBeInPlace(headTraits, input)) open.push_back(input);
    }
    int position = own;
    for (const FusedNode& follower : chain) {
        const auto traits = aliasTraits(graph, follower.node);
        if (!mayBeInPlace(traits, follower.input)) open.clear();
        for (int input = 0; input < narrow<int>(graph[follower.node].inputs.size()); ++input) {
            if (input == follower.input) continue;
            if (mayBeInPlace(traits, input)) open.push_back(position);
            ++position;
        }
    }
    std::vector<AliasTrait> all;
    for (const int input : open)
        all.push_back({0, input, AliasKind::MayBeInPlace, 0});
    return all;
}

/// The first node as it will be.
Node fusedNode(const Graph& graph, NodeId head, const std::vector<FusedNode>& chain)
{
    Node node = graph[head];
    node.declared.edit().traits = traitsOf(graph, head, chain);
    for (const FusedOperand& operand : fusedOperands(graph, chain))
        node.inputs.push_back(graph[operand.node].inputs[static_cast<std::size_t>(operand.input)]);
    const ValueId last = onlyOutput(graph[chain.back().node]);
    std::ranges::replace(node.outputs, onlyOutput(node), last);
    return node;
}

/// Of the offers that compute just these nodes; -1 where no time is known, empty where none can be taken.
std::optional<double> leastMs(const Graph& graph, NodeId id, const DispatchRequest& request, const Admission& admission,
                              const Node& node, const std::vector<std::string>& fuses)
{
    const auto* list = catalogueOffers(request.catalogue, graph, id);
    const auto pin = request.pins.find(node.name);
    const std::string wanted = policyValue(request.policies, "backend");
    std::optional<double> least;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        const Implementation& offer = (*list)[i];
        const bool pinned = pin != request.pins.end();
        const bool allowed = pinned ? pinMeans(pin->second, offer) : wanted == "auto" || wanted == offer.backend;
        if (offer.fuses != fuses || !allowed || !admission.refuse(node, offer).rule.empty()) continue;
        least = least ? std::min(*least, offer.timeMs) : offer.timeMs;
    }
    return least;
}

/// Why no offer for the chain is worth taking.
Refusal refuseTimes(const Graph& graph, const DispatchRequest& request, const Admission& admission, const Offer& offer,
                    const std::vector<FusedNode>& chain)
{
    const Node fused = fusedNode(graph, offer.head, chain);
    const auto best = leastMs(graph, offer.head, request, admission, fused, offer.fuses);
    if (!best) return {"no-offer", say("fuse.no-offer")};
    const auto alone = leastMs(graph, offer.head, request, admission, graph[offer.head], {});
    if (!alone || *alone < 0 || *best < 0) return {};
    double apart = *alone;
    for (const FusedNode& follower : chain)
        apart += std::max(0.0, leastMs(graph, follower.node, request, admission, graph[follower.node], {}).value_or(0));
    if (*best <= apart) return {};
    return {"slower", say("fuse.slower")};
}

void keepInside(Graph& graph, ValueId value, NodeId head, const DecisionLog& log)
{
    graph.decided.at(value).fusedInto = head;
    if (!log.recording()) return;
    log.add({DecisionKind::Fusion, graph[value].name, graph[head].name, true, "fused",
             say("fuse", word::Name {graph[head].name}), graph[value].type.bytes().value_or(0)});
}

class Fuser
{
public:
    Fuser(Graph& graph, const DispatchRequest& request, const DecisionLog& log)
        : m_graph(graph), m_request(request), m_log(log), m_admission(graph, request), m_uses(findUses(graph)),
          m_position(graph.nodes.size(), 0)
    {
        for (std::size_t node = 0; node < graph.nodes.size(); ++node)
            m_nodes.emplace(graph.nodes[node].name, NodeId(node));
        for (const Body& body : graph.bodies) {
            for (std::size_t i = 0; i < body.nodes.size(); ++i)
                m_position[body.nodes[i].index()] = i;
        }
        if (request.withoutBytes) m_withoutBytes.insert(request.withoutBytes->begin(), request.withoutBytes->end());
    }

    void run()
    {
        for (const Offer& offer : offers(m_graph, m_request.catalogue, m_position))
            consider(offer);
        for (Body& body : m_graph.bodies)
            std::erase_if(body.nodes, [&](NodeId node) { return m_graph.decided[node].fusedInto.valid(); });
    }

private:
    void consider(const Offer& offer)
    {
        if (m_request.way && std::ranges::binary_search(m_request.way->apart, offer.head)) return;
        std::vector<FusedNode> chain;
        Refusal refusal = resolve(offer, chain);
        if (refusal.rule == "taken") return;
        if (refusal.rule.empty() && m_request.policies.fusion == FusionPolicy::Off)
            refusal = {"policy-off", say("fuse.policy")};
        if (refusal.rule.empty() && m_request.policies.inplace == InplacePolicy::Off)
            refusal = {"policy-off", say("fuse.inplace")};
        if (refusal.rule.empty()) refusal = refuseTimes(m_graph, m_request, m_admission, offer, chain);
        if (refusal.rule.empty()) return apply(offer.head, chain);
        // Once for each first node: of its offers the one with the most nodes.
        const ValueId made = onlyOutput(m_graph[offer.head]);
        if (!m_log.recording() || !made.valid() || !m_refused.insert(offer.head).second) return;
        m_log.add({DecisionKind::Fusion, m_graph[made].name, m_graph[offer.head].name, false, refusal.rule,
                   say("fuse.refused", word::Name {m_graph[offer.head].name}, namesOf(offer.fuses, offer.fuses.size()),
                       refusal.reason),
                   m_graph[made].type.bytes().value_or(0)});
    }

    /// The nodes of the offer as they stand in the graph, or why they cannot be fused.
    Refusal resolve(const Offer& offer, std::vector<FusedNode>& chain) const
    {
        const Node& head = m_graph[offer.head];
        const bool taken = m_graph.decided[offer.head].fusedInto.valid() ||
                           !m_graph.decided[offer.head].fused.empty() || head.declared->traits;
        if (taken || touchesSparse(m_graph, offer.head)) return {"taken", {}};
        ValueId made = onlyOutput(head);
        for (const std::string& name : offer.fuses) {
            const auto found = m_nodes.find(name);
            if (found == m_nodes.end() || !made.valid() || m_uses.reads[made.index()].empty()) return {"taken", {}};
            Refusal refusal = refuseBetween(made, found->second);
            if (refusal.rule.empty()) refusal = refuseFollower(offer.head, found->second, made);
            if (!refusal.rule.empty()) return refusal;
            chain.push_back({found->second, m_uses.reads[made.index()].front().input});
            made = onlyOutput(m_graph[found->second]);
        }
        return made.valid() ? Refusal {} : Refusal {"taken", {}};
    }

    /// Why a value that \p next is to take cannot do without bytes.
    [[nodiscard]] Refusal refuseBetween(ValueId value, NodeId next) const
    {
        const Value& info = m_graph[value];
        const word::Name name {info.name};
        if (!m_uses.results[value.index()].empty()) return {"output", say("fuse.output", name)};
        for (const Uses::Read& read : m_uses.reads[value.index()]) {
            if (read.node == next) continue;
            const Node& other = m_graph[read.node];
            return {isBackward(m_graph, read.node) ? "saved" : "read-elsewhere",
                    say("fuse.read-too", word::Name {other.name}, name)};
        }
        if (m_uses.reads[value.index()].size() != 1)
            return {"read-elsewhere", say("fuse.read-twice", word::Name {m_graph[next].name}, name)};
        if (info.at->pinnedOffset) return {"pinned", say("share.pinned", name)};
        const bool placed = m_request.withoutBytes && !m_withoutBytes.contains(info.name);
        return placed ? Refusal {"plan-stores-it", say("fuse.plan-stores-it", name)} : Refusal {};
    }

    /// \p made is what it takes of the chain.
    [[nodiscard]] Refusal refuseFollower(NodeId head, NodeId id, ValueId made) const
    {
        const Node& node = m_graph[id];
        const Node& first = m_graph[head];
        if (m_graph.decided[id].fusedInto.valid() || !m_graph.decided[id].fused.empty()) return {"taken", {}};
        if (m_request.pins.contains(node.name)) return {"pinned", say("fuse.pinned", word::Name {node.name})};
        const bool asCaptured = m_request.policies.streams == CapturedStreams; // else the file's streams say nothing
        const bool sameStream = !asCaptured || node.at->stream == first.at->stream;
        const bool same = node.body == first.body && node.at->device == first.at->device;
        if (!same || !sameStream || m_graph.decided[id].ahead || !node.bodies.empty() || node.declared->traits ||
            touchesSparse(m_graph, id))
            return {"apart", say("fuse.apart", word::Name {node.name}, word::Name {first.name})};
        for (const ValueId input : node.inputs) {
            const NodeId producer = input.valid() && input != made ? m_graph[input].producer : NodeId();
            if (!producer.valid() || m_graph.decided[producer].ahead || m_graph[producer].body != first.body) continue;
            if (m_position[producer.index()] >= m_position[head.index()])
                return {"operand-late",
                        say("fuse.operand-late", word::Name {m_graph[input].name}, word::Name {first.name})};
        }
        return {};
    }

    void apply(NodeId head, const std::vector<FusedNode>& chain)
    {
        Node node = fusedNode(m_graph, head, chain);
        const ValueId last = onlyOutput(node);
        keepInside(m_graph, onlyOutput(m_graph[head]), head, m_log);
        for (const FusedNode& follower : chain) {
            m_graph.decided.at(follower.node).fusedInto = head;
            const ValueId made = onlyOutput(m_graph[follower.node]);
            if (made != last) keepInside(m_graph, made, head, m_log);
        }
        m_graph[last].producer = head;
        m_graph[last].producerOutput = narrow<int>(std::ranges::find(node.outputs, last) - node.outputs.begin());
        m_graph[head] = std::move(node);
        m_graph.decided.at(head).fused = chain;
    }

    Graph& m_graph;
    const DispatchRequest& m_request;
    const DecisionLog& m_log;
    const Admission m_admission;
    const Uses m_uses;                   ///< Before anything is fused.
    std::vector<std::size_t> m_position; ///< By NodeId: in its body.
    std::unordered_map<std::string, NodeId> m_nodes;
    std::set<std::string> m_withoutBytes;
    std::set<NodeId> m_refused;
};

} // namespace

Graph fuse(Graph graph, const DispatchRequest& request, const DecisionLog& log)
{
    Fuser(graph, request, log).run();
    return graph;
}

} // namespace plimsoll
