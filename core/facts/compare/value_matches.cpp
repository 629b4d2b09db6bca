#include "core/facts/compare/value_matches.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

namespace plimsoll {
namespace {

/// What makes a node: its operator and what it reads, by ids of the second graph.
using Making = std::tuple<std::string, ValueIds, std::size_t>;

class Matcher
{
public:
    Matcher(const Graph& first, const Graph& second) : m_first(first), m_second(second)
    {
        m_made.second.resize(first.values.size());
        m_made.first.resize(second.values.size());
    }

    void matchByHand(std::span<const std::pair<ValueId, ValueId>> pairs)
    {
        for (const auto& [one, other] : pairs)
            m_made.byHand += join(one, other) ? 1 : 0;
    }

    void matchNames()
    {
        std::unordered_map<std::string_view, ValueId> named;
        for (std::size_t i = 0; i < m_second.values.size(); ++i)
            named.emplace(m_second.values[i].name, ValueId(i));
        for (std::size_t i = 0; i < m_first.values.size(); ++i) {
            const auto found = named.find(m_first.values[i].name);
            if (found != named.end() && join(ValueId(i), found->second)) ++m_made.byName;
        }
    }

    void matchBroughtValues()
    {
        for (std::size_t body = 0; body < std::min(m_first.bodies.size(), m_second.bodies.size()); ++body)
            matchLists(m_first.bodies[body].inputs, m_second.bodies[body].inputs);
        for (const ValueRole role : {ValueRole::Parameter, ValueRole::Constant})
            matchLists(valuesOf(m_first, role), valuesOf(m_second, role));
    }

    void matchMade()
    {
        std::map<Making, std::deque<NodeId>> makers;
        for (const NodeId id : inOrder(m_second)) {
            const Node& node = m_second[id];
            if (hasUnmatched(node.outputs, m_made.first))
                makers[{qualifiedOp(node), node.inputs, node.outputs.size()}].push_back(id);
        }
        for (const NodeId id : inOrder(m_first)) {
            const Node& node = m_first[id];
            if (!hasUnmatched(node.outputs, m_made.second) || hasUnmatched(node.inputs, m_made.second)) continue;
            ValueIds read;
            for (const ValueId input : node.inputs)
                read.push_back(input.valid() ? m_made.second[input.index()] : input);
            const auto found = makers.find({qualifiedOp(node), std::move(read), node.outputs.size()});
            if (found == makers.end() || found->second.empty()) continue;
            for (std::size_t output = 0; output < node.outputs.size(); ++output)
                joinUnnamed(node.outputs[output], m_second[found->second.front()].outputs[output]);
            found->second.pop_front();
        }
    }

    /// What is inside of the same node, in the order of both graphs.
    void matchFused()
    {
        std::map<NodeId, std::deque<ValueId>> inside;
        for (std::size_t i = 0; i < m_second.values.size(); ++i) {
            const NodeId into = m_second.decided[ValueId(i)].fusedInto;
            if (into.valid() && !m_made.first[i].valid()) inside[into].emplace_back(i);
        }
        for (std::size_t i = 0; i < m_first.values.size(); ++i) {
            const NodeId into = m_first.decided[ValueId(i)].fusedInto;
            if (!into.valid() || m_made.second[i].valid()) continue;
            const auto found = inside.find(sameNode(into));
            if (found == inside.end() || found->second.empty()) continue;
            joinUnnamed(ValueId(i), found->second.front());
            found->second.pop_front();
        }
    }

    [[nodiscard]] ValueMatches take() { return std::move(m_made); }

private:
    bool join(ValueId one, ValueId other)
    {
        if (!one.valid() || !other.valid()) return false;
        if (m_made.second[one.index()].valid() || m_made.first[other.index()].valid()) return false;
        m_made.second[one.index()] = other;
        m_made.first[other.index()] = one;
        return true;
    }
    void joinUnnamed(ValueId one, ValueId other)
    {
        if (join(one, other)) ++m_made.byStructure;
    }

    /// Which makes the same values; invalid: none does.
    [[nodiscard]] NodeId sameNode(NodeId node) const
    {
        for (const ValueId output : m_first[node].outputs) {
            if (output.valid() && m_made.second[output.index()].valid())
                return m_second[m_made.second[output.index()]].producer;
        }
        return {};
    }

    void matchLists(std::span<const ValueId> ones, std::span<const ValueId> others)
    {
        for (std::size_t i = 0; i < std::min(ones.size(), others.size()); ++i) {
            const Value& one = m_first[ones[i]];
            const Value& other = m_second[others[i]];
            if (one.role == other.role && one.type == other.type) joinUnnamed(ones[i], others[i]);
        }
    }

    /// Each node behind those that it reads from, those of nested graphs behind their owner. Ids do not tell: nodes
    /// that were added have the highest.
    static std::vector<NodeId> inOrder(const Graph& graph)
    {
        std::vector<NodeId> order;
        appendNodes(graph, TopBody, order);
        return order;
    }
    static void appendNodes(const Graph& graph, BodyId body, std::vector<NodeId>& order)
    {
        for (const NodeId node : graph[body].nodes) {
            order.push_back(node);
            for (const BodyId inner : graph[node].bodies)
                appendNodes(graph, inner, order);
        }
    }

    static bool hasUnmatched(std::span<const ValueId> values, const std::vector<ValueId>& matches)
    {
        return std::ranges::any_of(values,
                                   [&](ValueId value) { return value.valid() && !matches[value.index()].valid(); });
    }

    static std::vector<ValueId> valuesOf(const Graph& graph, ValueRole role)
    {
        std::vector<ValueId> values;
        for (std::size_t i = 0; i < graph.values.size(); ++i) {
            if (graph.values[i].role == role && !graph.values[i].producer.valid()) values.emplace_back(i);
        }
        return values;
    }

    const Graph& m_first;
    const Graph& m_second;
    ValueMatches m_made;
};

} // namespace

ValueMatches matchValues(const Graph& first, const Graph& second, std::span<const std::pair<ValueId, ValueId>> byHand)
{
    Matcher matcher(first, second);
    matcher.matchByHand(byHand);
    matcher.matchNames();
    matcher.matchBroughtValues();
    matcher.matchMade();
    matcher.matchFused();
    return matcher.take();
}

} // namespace plimsoll
