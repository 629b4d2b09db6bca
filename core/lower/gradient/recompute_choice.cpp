#include "core/lower/gradient/recompute_choice.h"

#include "core/lower/gradient/min_cut.h"
#include "core/ops/op_traits.h"

#include <algorithm>
#include <array>
#include <limits>

namespace plimsoll {
namespace {

/// So many tensors that backward reads may follow one from the other.
constexpr std::int64_t LongestRow = 4;

/// A weight that no cut takes.
constexpr std::int64_t Never = std::numeric_limits<std::int64_t>::max() / 1024;

/// What may be computed anew: values, one for all that share their bytes.
struct Candidates
{
    Candidates(const Graph& of, const ByteFamilies& its, std::size_t backward, const std::vector<std::string>& names)
        : graph(of), families(its), begin(backward), position(of.nodes.size(), backward), named(of.values.size(), false)
    {
        const std::vector<NodeId>& order = graph.top().nodes;
        for (std::size_t i = 0; i < std::min(begin, order.size()); ++i)
            position[order[i].index()] = i;
        for (const std::string& name : names) {
            if (const ValueId value = findValue(graph, name); value.valid()) named[rootOf(value)] = true;
        }
    }
    [[nodiscard]] std::size_t rootOf(ValueId value) const { return families.root(value).index(); }
    [[nodiscard]] NodeId producerOf(std::size_t root) const { return graph.values[root].producer; }

    const Graph& graph;
    const ByteFamilies& families;
    std::size_t begin;
    std::vector<std::size_t> position; ///< By NodeId, in the order of the top; begin for all others.
    std::vector<bool> named;           ///< By ValueId, of roots.
};

RecomputeVerdict obstacleTo(const Candidates& all, std::size_t root)
{
    const NodeId node = all.producerOf(root);
    const bool callers = !node.valid() || all.graph.values[root].role != ValueRole::Intermediate;
    if (callers || all.graph.decided[node].ahead) return RecomputeVerdict::Callers;
    if (all.position[node.index()] >= all.begin) return RecomputeVerdict::Costly;
    const auto changed = [&all](ValueId input) { return input.valid() && all.families.isChanged(input); };
    const ValueIds& inputs = all.graph[node].inputs;
    if (changed(ValueId(root)) || std::ranges::any_of(inputs, changed)) return RecomputeVerdict::Changed;
    if (isKnownOperator(all.graph, node) && !isPure(all.graph, node)) return RecomputeVerdict::Random;
    const bool anyPrice = all.named[root] && all.graph[node].bodies.empty() && isKnownOperator(all.graph, node);
    return anyPrice || isCheap(all.graph, node) ? RecomputeVerdict::Recomputed : RecomputeVerdict::Costly;
}

class Choice
{
public:
    Choice(const Graph& graph, const ByteFamilies& families, std::size_t begin, const RecomputeRequest& request)
        : m_graph(graph), m_all(graph, families, begin, request.names), m_cheap(request.cheap)
    {
        m_choice.anew.assign(graph.values.size(), false);
        m_choice.verdicts.assign(graph.values.size(), RecomputeVerdict::NotWanted);
        m_cut.there.assign(graph.values.size(), false);
        m_cut.wanted.assign(graph.values.size(), false);
        m_cut.weights.assign(graph.values.size(), 0);
    }

    RecomputeChoice run(const std::vector<SavedTensor>& saved)
    {
        describe();
        for (const SavedTensor& one : saved) {
            const std::size_t root = m_all.rootOf(one.value);
            m_cut.wanted[root] = true;
            if (!m_cheap && !m_all.named[root]) hold(root, RecomputeVerdict::NotWanted);
        }
        connect();
        do {
            takeCut();
        } while (keepWhatIsTooDeep());
        for (std::size_t root = 0; root < m_choice.anew.size(); ++root) {
            if (!m_choice.anew[root] && m_choice.verdicts[root] == RecomputeVerdict::Recomputed)
                m_choice.verdicts[root] = RecomputeVerdict::NoLess;
        }
        return std::move(m_choice);
    }

private:
    /// Weights, and what is there anyway.
    void describe()
    {
        for (std::size_t value = 0; value < m_graph.values.size(); ++value) {
            if (m_all.families.root(ValueId(value)) != ValueId(value)) continue;
            m_cut.weights[value] = m_graph.values[value].type.bytes().value_or(Never);
            m_choice.verdicts[value] = obstacleTo(m_all, value);
            m_cut.there[value] = m_choice.verdicts[value] != RecomputeVerdict::Recomputed;
            const ValueRole role = m_graph.values[value].role;
            if (role == ValueRole::Parameter || role == ValueRole::Constant) m_cut.weights[value] = 0;
            if (m_all.named[value] && !m_cut.there[value]) m_cut.weights[value] = Never;
        }
        for (const ValueId output : m_graph.top().outputs)
            hold(m_all.rootOf(output), RecomputeVerdict::Output);
    }

    /// It is there in any case, and costs nothing more.
    void hold(std::size_t root, RecomputeVerdict why)
    {
        m_cut.weights[root] = 0;
        m_cut.there[root] = true;
        if (m_choice.verdicts[root] == RecomputeVerdict::Recomputed) m_choice.verdicts[root] = why;
    }

    /// Only what the wanted follow from.
    void connect()
    {
        std::vector<bool> seen = m_cut.wanted;
        std::vector<std::size_t> open;
        for (std::size_t root = 0; root < seen.size(); ++root) {
            if (seen[root]) open.push_back(root);
        }
        while (!open.empty()) {
            const std::size_t root = open.back();
            open.pop_back();
            for (const std::size_t input : inputsOf(root)) {
                m_cut.edges.emplace_back(input, root);
                if (seen[input]) continue;
                seen[input] = true;
                open.push_back(input);
            }
        }
    }

    /// Roots that a copy of its producer reads; none of what is not computed anew.
    [[nodiscard]] std::vector<std::size_t> inputsOf(std::size_t root) const
    {
        std::vector<std::size_t> roots;
        if (m_cut.there[root]) return roots;
        const Node& node = m_graph[m_all.producerOf(root)];
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (readsContent(m_graph, m_all.producerOf(root), static_cast<int>(i)))
                roots.push_back(m_all.rootOf(node.inputs[i]));
        }
        return roots;
    }

    void takeCut()
    {
        const std::vector<bool> cut = nearestLeastCut(m_cut);
        m_choice.anew.assign(m_choice.anew.size(), false);
        std::vector<std::size_t> open;
        const auto reach = [&](std::size_t root) {
            if (cut[root] || m_cut.there[root] || m_choice.anew[root]) return;
            m_choice.anew[root] = true;
            open.push_back(root);
        };
        for (std::size_t root = 0; root < cut.size(); ++root) {
            if (m_cut.wanted[root]) reach(root);
        }
        while (!open.empty()) {
            const std::size_t root = open.back();
            open.pop_back();
            for (const std::size_t input : inputsOf(root))
                reach(input);
        }
    }

    bool keepWhatIsTooDeep()
    {
        std::vector<std::size_t> roots;
        for (std::size_t root = 0; root < m_choice.anew.size(); ++root) {
            if (m_choice.anew[root]) roots.push_back(root);
        }
        // Values are numbered as they are made, but for those that a pass added: by their producers' positions.
        std::ranges::stable_sort(roots, {},
                                 [this](std::size_t root) { return m_all.position[m_all.producerOf(root).index()]; });
        std::vector<std::int64_t> depth(m_choice.anew.size(), 0);
        bool changed = false;
        for (const std::size_t root : roots) {
            for (const std::size_t input : inputsOf(root))
                depth[root] = std::max(depth[root], depth[input]);
            if (!m_cut.wanted[root]) continue;
            if (++depth[root] <= LongestRow || m_all.named[root]) continue;
            depth[root] = 0;
            hold(root, RecomputeVerdict::TooDeep);
            changed = true;
        }
        return changed;
    }

    const Graph& m_graph;
    Candidates m_all;
    bool m_cheap;
    CutProblem m_cut; ///< Vertices are roots.
    RecomputeChoice m_choice;
};

} // namespace

std::string_view recomputeRule(RecomputeVerdict verdict)
{
    static constexpr std::array<std::string_view, 9> rules = {
        "recomputed", "no-less", "costly", "random", "changed-bytes", "callers", "an-output", "too-deep", "not-wanted"};
    return rules[static_cast<std::size_t>(verdict)];
}

RecomputeChoice chooseRecomputed(const Graph& graph, const ByteFamilies& families, std::size_t begin,
                                 const std::vector<SavedTensor>& saved, const RecomputeRequest& request)
{
    return Choice(graph, families, begin, request).run(saved);
}

} // namespace plimsoll
