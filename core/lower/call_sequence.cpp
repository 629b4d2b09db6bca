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

class CallWriter
{
public:
    CallWriter(JointGraph joint, const std::vector<Call>& calls)
        : m_joint(std::move(joint)), m_names(m_joint.graph), m_calls(calls)
    {
        for (const NodeId node : m_graph.top().nodes)
            (m_graph[node].ahead ? m_ahead : isBackward(m_graph[node]) ? m_backward : m_forward).push_back(node);
        const std::vector<ValueId>& outputs = m_graph.top().outputs;
        m_outputs.assign(outputs.begin(), outputs.end() - static_cast<std::ptrdiff_t>(m_graph.boundary.gradients));
        m_gradients.assign(outputs.end() - static_cast<std::ptrdiff_t>(m_graph.boundary.gradients), outputs.end());
        m_inputs = m_graph.top().inputs;
        m_saved = std::exchange(m_joint.saved, {});
        findVersions();
    }

    Result<JointGraph> run()
    {
        const bool trains = std::find(m_calls.begin(), m_calls.end(), Call::Forward) != m_calls.end();
        if (trains && !m_graph.loss.valid())
            return Error {ErrorCode::BadUsage, "Policy calls: the graph has no loss; it can only infer.", {}, {}};
        m_first = trains ? Call::Forward : Call::Infer;
        m_order = m_ahead;
        for (const Call call : m_calls)
            call == Call::Backward ? goBack() : goForward(call);
        if (!trains) retireBackward();
        handOut();
        m_graph[TopBody].nodes = std::move(m_order);
        if (m_mostWaiting > 1) m_joint.notes.push_back(say("note.waiting", word::Number {m_mostWaiting}));
        return std::move(m_joint);
    }

private:
    /// Who is a new version of a parameter, or of a buffer that a gradient is added to.
    void findVersions()
    {
        for (const std::vector<NodeId>* nodes : {&m_forward, &m_backward}) {
            for (const NodeId node : *nodes) {
                for (const AliasTrait& trait : aliasTraits(m_graph, node)) {
                    if (trait.kind != AliasKind::Mutates) continue;
                    const ValueId from = m_graph[node].inputs[static_cast<std::size_t>(trait.input)];
                    const ValueId to = m_graph[node].outputs[static_cast<std::size_t>(trait.output)];
                    if (from.valid() && to.valid()) noteVersion(from, to, isBackward(m_graph[node]));
                }
            }
        }
    }

    void noteVersion(ValueId from, ValueId to, bool backward)
    {
        const ValueId origin = m_origin.contains(from) ? m_origin.at(from) : from;
        const ValueRole role = m_graph[origin].role;
        const bool buffer = backward && role == ValueRole::Input;
        if (!buffer && (backward || role != ValueRole::Parameter)) return;
        m_origin[to] = origin;
        m_versions.emplace_back(to, origin);
        if (buffer) m_buffers.insert(origin);
        m_latest.try_emplace(origin, origin);
    }

    void goForward(Call call)
    {
        ++m_number;
        const bool original = call == m_first && !std::exchange(m_usedOriginal, true);
        m_sites.push_back({NodeCopier(m_graph, m_names, "@" + std::to_string(m_number)), original});
        CallSite& site = m_sites.back();
        for (const ValueId input : m_inputs) {
            const bool own = m_graph[input].role == ValueRole::Input && !m_buffers.contains(input);
            if (own && !original) m_graph[TopBody].inputs.push_back(site.copier.copySource(input, TopBody));
        }
        write(m_forward, site, false);
        for (const ValueId output : m_outputs)
            m_allOutputs.push_back(site.meaning(output));
        if (call == Call::Infer) return;
        m_waiting.push_back(m_sites.size() - 1);
        m_mostWaiting = std::max(m_mostWaiting, m_waiting.size());
    }

    void goBack()
    {
        CallSite& site = m_sites[m_waiting.back()];
        m_waiting.pop_back();
        write(m_backward, site, true);
        for (const ValueId gradient : m_gradients)
            m_allGradients.push_back(site.meaning(gradient));
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
        for (const auto& [origin, latest] : m_latest) {
            if (m_buffers.contains(origin) != backward) continue;
            site.copier.map(origin, latest);
            if (site.original) replaceInputs(nodes, origin, latest);
        }
        for (const NodeId node : nodes) {
            if (!site.original) site.nodes[node] = site.copier.copy(node, TopBody);
            m_order.push_back(site.meaning(node));
        }
        for (const auto& [version, origin] : m_versions) {
            if (m_buffers.contains(origin) == backward) m_latest[origin] = site.meaning(version);
        }
    }

    void replaceInputs(const std::vector<NodeId>& nodes, ValueId from, ValueId to)
    {
        for (const NodeId node : nodes)
            std::replace(m_graph[node].inputs.begin(), m_graph[node].inputs.end(), from, to);
    }

    /// The backward graph that is never called.
    void retireBackward()
    {
        for (const NodeId node : m_backward) {
            m_graph[node].ahead = true;
            m_graph[node].inputs.clear();
            m_graph[node].outputs.clear();
        }
        std::erase_if(m_graph[TopBody].inputs, [this](ValueId input) { return m_buffers.contains(input); });
    }

    void handOut()
    {
        std::set<ValueId> old;
        for (const CallSite& site : m_sites) {
            for (const auto& [version, origin] : m_versions)
                old.insert(site.meaning(version));
        }
        for (const auto& [origin, latest] : m_latest)
            old.erase(latest);
        const auto superseded = [&](ValueId value) { return old.contains(value); };
        std::erase_if(m_allOutputs, superseded);
        std::erase_if(m_allGradients, superseded);
        m_graph.boundary.gradients = m_allGradients.size();
        m_allOutputs.insert(m_allOutputs.end(), m_allGradients.begin(), m_allGradients.end());
        m_graph[TopBody].outputs = std::move(m_allOutputs);
    }

    JointGraph m_joint;
    Graph& m_graph = m_joint.graph;
    FreeNames m_names;
    const std::vector<Call>& m_calls;
    Call m_first = Call::Forward; ///< The first call of this kind is made of the nodes that are there.
    bool m_usedOriginal = false;
    std::vector<NodeId> m_ahead;
    std::vector<NodeId> m_forward;
    std::vector<NodeId> m_backward;
    std::vector<ValueId> m_inputs;
    std::vector<ValueId> m_outputs;
    std::vector<ValueId> m_gradients;
    std::vector<SavedTensor> m_saved;
    std::map<ValueId, ValueId> m_origin;                 ///< Version → the parameter or buffer.
    std::vector<std::pair<ValueId, ValueId>> m_versions; ///< The same, as they are written one after the other.
    std::map<ValueId, ValueId> m_latest; ///< Parameter or buffer → its version after the calls so far.
    std::set<ValueId> m_buffers;

    std::deque<CallSite> m_sites; ///< One for each forward.
    std::vector<std::size_t> m_waiting;
    std::size_t m_mostWaiting = 0;
    int m_number = 0;
    std::vector<NodeId> m_order;
    std::vector<ValueId> m_allOutputs;
    std::vector<ValueId> m_allGradients;
};

} // namespace

Result<JointGraph> repeatCalls(JointGraph joint, const std::vector<Call>& calls)
{
    if (calls.empty()) return joint;
    return CallWriter(std::move(joint), calls).run();
}

} // namespace plimsoll
