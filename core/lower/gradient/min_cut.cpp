#include "core/lower/gradient/min_cut.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace plimsoll {
namespace {

constexpr std::int64_t Unlimited = std::numeric_limits<std::int64_t>::max() / 4;

/// Dinic's algorithm. Every vertex v of the problem is an edge from 2v to 2v + 1 that carries its weight.
class Flow
{
public:
    explicit Flow(const CutProblem& problem)
        : m_source(2 * problem.weights.size()), m_sink(m_source + 1), m_edges(m_sink + 1), m_level(m_sink + 1),
          m_next(m_sink + 1)
    {
        for (std::size_t vertex = 0; vertex < problem.weights.size(); ++vertex) {
            connect(2 * vertex, 2 * vertex + 1, problem.weights[vertex]);
            if (problem.there[vertex]) connect(m_source, 2 * vertex, Unlimited);
            if (problem.wanted[vertex]) connect(2 * vertex + 1, m_sink, Unlimited);
        }
        for (const auto& [from, to] : problem.edges)
            connect(2 * from + 1, 2 * to, Unlimited);
    }

    void run()
    {
        while (findLevels()) {
            std::ranges::fill(m_next, 0);
            while (pushPath()) {}
        }
    }

    /// By vertex of the flow: whether more could flow from it to the sink.
    [[nodiscard]] std::vector<bool> reachesSink() const
    {
        std::vector<bool> reaches(m_edges.size(), false);
        std::vector<std::size_t> open = {m_sink};
        reaches[m_sink] = true;
        while (!open.empty()) {
            const std::size_t vertex = open.back();
            open.pop_back();
            for (const std::size_t edge : m_edges[vertex]) {
                const std::size_t other = m_all[edge].to;
                if (m_all[edge ^ 1U].room == 0 || reaches[other]) continue;
                reaches[other] = true;
                open.push_back(other);
            }
        }
        return reaches;
    }

private:
    struct Edge
    {
        std::size_t to = 0;
        std::int64_t room = 0;
    };

    void connect(std::size_t from, std::size_t to, std::int64_t room)
    {
        m_edges[from].push_back(m_all.size());
        m_all.push_back({to, room});
        m_edges[to].push_back(m_all.size());
        m_all.push_back({from, 0});
    }

    bool findLevels()
    {
        std::ranges::fill(m_level, -1);
        std::queue<std::size_t> open;
        open.push(m_source);
        m_level[m_source] = 0;
        for (; !open.empty(); open.pop()) {
            for (const std::size_t edge : m_edges[open.front()]) {
                const Edge& there = m_all[edge];
                if (there.room == 0 || m_level[there.to] >= 0) continue;
                m_level[there.to] = m_level[open.front()] + 1;
                open.push(there.to);
            }
        }
        return m_level[m_sink] >= 0;
    }

    /// One way through the levels, found without recursion: graphs are deep.
    bool pushPath()
    {
        std::vector<std::size_t> path;
        std::size_t at = m_source;
        while (at != m_sink) {
            std::size_t& next = m_next[at];
            for (; next < m_edges[at].size(); ++next) {
                const Edge& edge = m_all[m_edges[at][next]];
                if (edge.room > 0 && m_level[edge.to] == m_level[at] + 1) break;
            }
            if (next < m_edges[at].size()) {
                path.push_back(m_edges[at][next]);
                at = m_all[path.back()].to;
            } else if (path.empty()) {
                return false;
            } else {
                at = m_all[path.back() ^ 1U].to;
                path.pop_back();
                ++m_next[at];
            }
        }
        std::int64_t amount = Unlimited;
        for (const std::size_t edge : path)
            amount = std::min(amount, m_all[edge].room);
        for (const std::size_t edge : path) {
            m_all[edge].room -= amount;
            m_all[edge ^ 1U].room += amount;
        }
        return true;
    }

    std::size_t m_source;
    std::size_t m_sink;
    std::vector<Edge> m_all;                       ///< An edge and, next to it, its way back.
    std::vector<std::vector<std::size_t>> m_edges; ///< By vertex.
    std::vector<int> m_level;
    std::vector<std::size_t> m_next;
};

} // namespace

std::vector<bool> nearestLeastCut(const CutProblem& problem)
{
    Flow flow(problem);
    flow.run();
    const std::vector<bool> reaches = flow.reachesSink();
    std::vector<bool> cut;
    for (std::size_t vertex = 0; vertex < problem.weights.size(); ++vertex)
        cut.push_back(!reaches[2 * vertex] && reaches[2 * vertex + 1]);
    return cut;
}

} // namespace plimsoll
