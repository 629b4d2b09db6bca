#include "core/lower/choose/ways.h"

#include "core/lower/choose/dispatch_progress.h"
#include "core/lower/choose/fusion.h"
#include "core/lower/choose/way_steps.h"

#include <algorithm>
#include <map>

namespace plimsoll {
namespace {

using dispatching::Candidates;
using dispatching::State;
using dispatching::Step;
using dispatching::StepMaker;

/// The choices up to some node: what they cost, and the last of them.
struct Label
{
    double ms = 0;
    std::int64_t bytes = 0;
    std::size_t before = 0; ///< Its predecessor among all labels.
    const dispatching::Candidate* last = nullptr;
};

constexpr double SameMs = 1e-12; ///< As sums of times may differ.

/// Leaves those that no other beats in both; fastest first. Of equal ones the first.
template <typename Cost>
void keepBest(std::vector<Cost>& costs)
{
    std::ranges::stable_sort(costs, [](const Cost& a, const Cost& b) {
        return a.ms < b.ms - SameMs || (a.ms <= b.ms + SameMs && a.bytes < b.bytes);
    });
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::erase_if(costs, [&least](const Cost& cost) {
        if (cost.bytes >= least) return true;
        least = cost.bytes;
        return false;
    });
}

class Search
{
public:
    Search(const Graph& graph, const Candidates& candidates, const Policies& policies)
        : m_graph(graph), m_candidates(candidates), m_steps(graph, candidates, policies), m_all(m_steps.whole())
    {
        m_open[{}] = {{}};
    }

    Status run(const Context& context)
    {
        const std::size_t nodes = m_steps.timeline().order.size();
        for (std::size_t position = 0; position < nodes; ++position) {
            context.report("implementations", static_cast<double>(position) / static_cast<double>(nodes));
            if (context.stopped()) return Error {ErrorCode::Stopped, say("stopped.implementations"), {}, {}};
            const std::size_t each = m_steps.branching(position) * (8 + m_open.begin()->first.size());
            thin(std::max<std::size_t>(4, MostWork / nodes / each));
            advance(position);
        }
        return {};
    }

    Ways ways(const std::vector<NodeId>& apart) const
    {
        std::vector<Label> ends;
        for (const auto& [state, labels] : m_open)
            ends.insert(ends.end(), labels.begin(), labels.end());
        keepBest(ends);
        Ways found {{}, m_all};
        for (const Label& end : ends)
            found.list.push_back(wayTo(end, apart));
        return found;
    }

private:
    static constexpr std::size_t MostWork = 8'000'000; ///< Values looked at, of all steps: about a second.

    void advance(std::size_t position)
    {
        std::map<State, std::vector<Label>> next;
        for (const auto& [state, labels] : m_open) {
            const std::size_t first = m_history.size();
            m_history.insert(m_history.end(), labels.begin(), labels.end());
            for (const Step& step : m_steps.stepsFrom(state, position)) {
                std::vector<Label>& reached = next[step.after];
                for (std::size_t i = 0; i < labels.size(); ++i)
                    reached.push_back(
                        {labels[i].ms + step.ms, std::max(labels[i].bytes, step.bytes), first + i, step.candidate});
            }
        }
        for (auto& [state, labels] : next) {
            keepBest(labels);
            spread(labels);
        }
        m_open = std::move(next);
    }

    /// Of too many, some at equal distances, the ends among them.
    void spread(std::vector<Label>& labels)
    {
        constexpr std::size_t Most = 500;
        if (labels.size() <= Most) return;
        m_all = false;
        std::vector<Label> some;
        for (std::size_t i = 0; i < Most; ++i)
            some.push_back(labels[i * (labels.size() - 1) / (Most - 1)]);
        labels = std::move(some);
    }

    /// Where there are more states, those are dropped whose best label is slow and whose smallest is large.
    void thin(std::size_t most)
    {
        if (m_open.size() <= most) return;
        m_all = false;
        std::vector<const State*> byMs;
        for (const auto& [state, labels] : m_open)
            byMs.push_back(&state);
        std::vector<const State*> byBytes = byMs;
        std::ranges::stable_sort(byMs, {}, [&](const State* state) { return m_open.at(*state).front().ms; });
        std::ranges::stable_sort(byBytes, {}, [&](const State* state) { return m_open.at(*state).back().bytes; });
        std::map<State, std::vector<Label>> kept;
        for (std::size_t i = 0; kept.size() < most; ++i) {
            kept.emplace(*byMs[i], m_open.at(*byMs[i]));
            kept.emplace(*byBytes[i], m_open.at(*byBytes[i]));
        }
        m_open = std::move(kept);
    }

    [[nodiscard]] Way wayTo(Label label, const std::vector<NodeId>& apart) const
    {
        Way way {std::vector<std::size_t>(m_graph.nodes.size(), 0), apart, label.ms, label.bytes};
        const auto& order = m_steps.timeline().order;
        for (auto node = order.rbegin(); node != order.rend(); ++node) {
            const auto& list = m_candidates.ofNode[node->index()];
            way.candidates[node->index()] = static_cast<std::size_t>(label.last - list.data());
            label = m_history[label.before];
        }
        return way;
    }

    const Graph& m_graph;
    const Candidates& m_candidates;
    StepMaker m_steps;
    std::map<State, std::vector<Label>> m_open; ///< Labels of each state, fastest first.
    std::vector<Label> m_history;               ///< What was open once.
    bool m_all;
};

DispatchRequest with(const DispatchRequest& request, const Way& way)
{
    return {request.catalogue, request.policies, request.pins, request.withoutBytes, request.onlyPinned, &way};
}

/// The ways of the graph in which those nodes are fused with none.
Result<Ways> waysWith(std::vector<NodeId> apart, const Graph& graph, const DispatchRequest& request,
                      const Context& context)
{
    const Way some {{}, std::move(apart), 0, 0};
    const DispatchRequest own = with(request, some);
    const Graph fused = fuse(graph, own, {});
    PLIMSOLL_ASSIGN(candidates, dispatching::collectCandidates(fused, own, {}, {context.stop, {}}));
    Search search(fused, candidates, request.policies);
    PLIMSOLL_TRY(search.run(context));
    return search.ways(some.apart);
}

std::vector<NodeId> allNodes(const Graph& graph)
{
    std::vector<NodeId> all;
    for (std::size_t node = 0; node < graph.nodes.size(); ++node)
        all.emplace_back(node);
    return all;
}

/// Which nodes are fused with none: all subsets of those that would be, or where they are many all of them and none.
std::vector<std::vector<NodeId>> fusions(const Graph& graph, const DispatchRequest& request)
{
    constexpr std::size_t Few = 4;
    const Way every;
    const Graph fused = fuse(graph, with(request, every), {});
    std::vector<NodeId> heads;
    for (const NodeId node : allNodes(fused)) {
        if (!fused.decided[node].fused.empty()) heads.push_back(node);
    }
    std::vector<std::vector<NodeId>> all {{}};
    if (heads.size() > Few) all.push_back(allNodes(graph));
    for (std::size_t subset = 1; heads.size() <= Few && subset < std::size_t {1} << heads.size(); ++subset) {
        all.emplace_back();
        for (std::size_t i = 0; i < heads.size(); ++i) {
            if (subset >> i & 1) all.back().push_back(heads[i]);
        }
    }
    return all;
}

} // namespace

Way plainWay(const Graph& graph, const DispatchRequest& request)
{
    Way way {std::vector<std::size_t>(graph.nodes.size(), 0), allNodes(graph), 0, 0};
    const Result<Candidates> candidates = dispatching::collectCandidates(graph, with(request, way), {}, {});
    for (std::size_t node = 0; candidates.ok() && node < graph.nodes.size(); ++node) {
        const auto& list = candidates.value().ofNode[node];
        const auto isPlain = [](const dispatching::Candidate& one) {
            return one.implementation.backend == ReferenceBackend;
        };
        const auto found = std::ranges::find_if(list, isPlain);
        if (found != list.end()) way.candidates[node] = static_cast<std::size_t>(found - list.begin());
    }
    return way;
}

Result<Ways> findWays(const Graph& graph, const DispatchRequest& request, const Context& context)
{
    const auto all = fusions(graph, request);
    Ways found;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto count = static_cast<double>(all.size());
        const Context part {context.stop, [&](std::string_view stage, double done) {
                                context.report(stage, (static_cast<double>(i) + done) / count);
                            }};
        PLIMSOLL_ASSIGN(ways, waysWith(all[i], graph, request, part));
        found.all = found.all && ways.all;
        std::ranges::move(ways.list, std::back_inserter(found.list));
    }
    keepBest(found.list);
    return found;
}

} // namespace plimsoll
