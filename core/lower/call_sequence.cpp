#include "core/lower/call_sequence.h"

#include "core/lower/node_copier.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace plimsoll {
namespace {

/// What one call is made of: the nodes that are there, or copies.
struct CallSite
{
    NodeCopier copier;
    bool original = false;
    std::map<NodeId, NodeId> nodes {}; ///< Original → its copy.

    [[nodiscard]] NodeId meaning(NodeId node) const { return original ? node : nodes.at(node); }
    [[nodiscard]] ValueId meaning(ValueId value) const { return original ? value : copier.mapped(value); }
};

/// What one pass of the joint graph is made of.
struct Passes
{
    explicit Passes(const Graph& graph) : inputs(graph.top().inputs)
    {
        for (const NodeId node : graph.top().nodes)
            (graph.decided[node].ahead ? ahead : isBackward(graph, node) ? backward : forward).push_back(node);
        const std::vector<ValueId>& all = graph.top().outputs;
        outputs.assign(all.begin(), all.end() - static_cast<std::ptrdiff_t>(graph.boundary.gradients));
        gradients.assign(all.end() - static_cast<std::ptrdiff_t>(graph.boundary.gradients), all.end());
    }

    std::vector<NodeId> ahead;
    std::vector<NodeId> forward;
    std::vector<NodeId> backward;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    std::vector<ValueId> gradients;
};

/// New versions of parameters, and of buffers that gradients are added to.
struct Versions
{
    std::vector<std::pair<ValueId, ValueId>> origins; ///< Version and its origin, as they are written one by one.
    std::map<ValueId, ValueId> latest;                ///< Origin → its version after the calls so far.
    std::set<ValueId> buffers;                        ///< Origins to which gradients are added.
};

Versions findVersions(const Graph& graph, const Passes& passes)
{
    Versions versions;
    std::map<ValueId, ValueId> originOf;
    const auto take = [&](NodeId node, const AliasTrait& trait) {
        const ValueId from = graph[node].inputs[static_cast<std::size_t>(trait.input)];
        const ValueId to = graph[node].outputs[static_cast<std::size_t>(trait.output)];
        if (trait.kind != AliasKind::Mutates || !from.valid() || !to.valid()) return;
        const ValueId origin = originOf.contains(from) ? originOf.at(from) : from;
        const ValueRole role = graph[origin].role;
        const bool backward = isBackward(graph, node);
        const bool buffer = backward && role == ValueRole::Input;
        if (!buffer && (backward || role != ValueRole::Parameter)) return;
        originOf[to] = origin;
        versions.origins.emplace_back(to, origin);
        if (buffer) versions.buffers.insert(origin);
        versions.latest.try_emplace(origin, origin);
    };
    for (const std::vector<NodeId>* nodes : {&passes.forward, &passes.backward}) {
        for (const NodeId node : *nodes) {
            for (const AliasTrait& trait : aliasTraits(graph, node))
                take(node, trait);
        }
    }
    return versions;
}

class CallWriter
{
public:
    explicit CallWriter(JointGraph joint)
        : m_joint(std::move(joint)), m_names(m_joint.graph), m_passes(m_graph),
          m_versions(findVersions(m_graph, m_passes)), m_saved(std::exchange(m_joint.saved, {}))
    {
    }

    Result<JointGraph> run(const std::vector<Call>& calls)
    {
        const bool trains = std::ranges::find(calls, Call::Forward) != calls.end();
        if (trains && !m_graph.loss.valid()) return Error {ErrorCode::BadUsage, say("calls.no-loss"), {}, {}};
        // The first call of its kind is made of the nodes that are there.
        const auto first = std::ranges::find(calls, trains ? Call::Forward : Call::Infer);
        m_order = m_passes.ahead;
        for (auto call = calls.begin(); call != calls.end(); ++call)
            *call == Call::Backward ? goBack() : goForward(*call, call == first);
        if (!trains) { // The backward graph is never called.
            for (const NodeId node : m_passes.backward) {
                m_graph.decided.at(node).ahead = true;
                m_graph[node].inputs.clear();
                m_graph[node].outputs.clear();
            }
            const auto isBuffer = [this](ValueId input) { return m_versions.buffers.contains(input); };
            std::erase_if(m_graph[TopBody].inputs, isBuffer);
        }
        handOut();
        m_graph[TopBody].nodes = std::move(m_order);
        if (m_mostWaiting > 1) m_joint.notes.push_back(say("note.waiting", word::Number {m_mostWaiting}));
        return std::move(m_joint);
    }

private:
    void goForward(Call call, bool original)
    {
        m_sites.push_back({NodeCopier(m_graph, m_names, "@" + std::to_string(m_sites.size() + 1)), original});
        CallSite& site = m_sites.back();
        for (const ValueId input : m_passes.inputs) {
            const bool own = m_graph[input].role == ValueRole::Input && !m_versions.buffers.contains(input);
            if (own && !original) m_graph[TopBody].inputs.push_back(site.copier.copySource(input, TopBody));
        }
        write(m_passes.forward, site, false);
        for (const ValueId output : m_passes.outputs)
            m_outputs.push_back(site.meaning(output));
        if (call == Call::Infer) return;
        m_waiting.push_back(m_sites.size() - 1);
        m_mostWaiting = std::max(m_mostWaiting, m_waiting.size());
    }

    void goBack()
    {
        CallSite& site = m_sites[m_waiting.back()];
        m_waiting.pop_back();
        write(m_passes.backward, site, true);
        for (const ValueId gradient : m_passes.gradients)
            m_gradients.push_back(site.meaning(gradient));
        for (SavedTensor saved : m_saved) {
            saved.value = site.meaning(saved.value);
            saved.savedBy = site.meaning(saved.savedBy);
            saved.readBy = site.meaning(saved.readBy);
            for (ValueId& variable : saved.neededFor)
                variable = site.meaning(variable);
            m_joint.saved.push_back(std::move(saved));
        }
    }

    /// Adds the nodes to the order; they find parameters and buffers as the last call has left them.
    void write(const std::vector<NodeId>& nodes, CallSite& site, bool backward)
    {
        for (const auto& [origin, latest] : m_versions.latest) {
            if (m_versions.buffers.contains(origin) != backward) continue;
            site.copier.map(origin, latest);
            if (!site.original) continue;
            for (const NodeId node : nodes)
                std::ranges::replace(m_graph[node].inputs, origin, latest);
        }
        for (const NodeId node : nodes) {
            if (!site.original) site.nodes[node] = site.copier.copy(node, TopBody);
            m_order.push_back(site.meaning(node));
        }
        for (const auto& [version, origin] : m_versions.origins) {
            if (m_versions.buffers.contains(origin) == backward) m_versions.latest[origin] = site.meaning(version);
        }
    }

    void handOut()
    {
        std::set<ValueId> old;
        for (const CallSite& site : m_sites) {
            for (const auto& [version, origin] : m_versions.origins)
                old.insert(site.meaning(version));
        }
        for (const auto& [origin, latest] : m_versions.latest)
            old.erase(latest);
        const auto superseded = [&](ValueId value) { return old.contains(value); };
        std::erase_if(m_outputs, superseded);
        std::erase_if(m_gradients, superseded);
        m_graph.boundary.gradients = m_gradients.size();
        m_outputs.insert(m_outputs.end(), m_gradients.begin(), m_gradients.end());
        m_graph[TopBody].outputs = std::move(m_outputs);
    }

    JointGraph m_joint;
    Graph& m_graph = m_joint.graph;
    FreeNames m_names;
    Passes m_passes;
    Versions m_versions;
    std::vector<SavedTensor> m_saved; ///< Of one pass.
    std::deque<CallSite> m_sites;     ///< One for each forward.
    std::vector<std::size_t> m_waiting;
    std::size_t m_mostWaiting = 0;
    std::vector<NodeId> m_order;
    std::vector<ValueId> m_outputs; ///< Of all calls.
    std::vector<ValueId> m_gradients;
};

} // namespace

Result<JointGraph> repeatCalls(JointGraph joint, const std::vector<Call>& calls)
{
    if (calls.empty()) return joint;
    return CallWriter(std::move(joint)).run(calls);
}

} // namespace plimsoll
