#include "core/report/pair_reason.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace plimsoll {
namespace {

/// Values as places in a graph whose edges are decisions about pairs.
class PairGraph
{
public:
    explicit PairGraph(const Report& report)
    {
        for (const Decision& decision : report.decisions) {
            if (!isAboutPair(decision)) continue;
            m_edges[decision.subject].push_back(&decision);
            m_edges[decision.other].push_back(&decision);
        }
    }

    /// The decisions on the way from one to the other, with as few refusals as can be; empty when there is none.
    [[nodiscard]] std::vector<const Decision*> path(const std::string& from, const std::string& to) const
    {
        struct Visit
        {
            const Decision* by = nullptr;
            std::string before;
            int refusals = 0;
        };
        std::unordered_map<std::string, Visit> visits {{from, {}}};
        std::deque<std::string> open {from};
        while (!open.empty()) {
            const std::string here = open.front();
            open.pop_front();
            const auto edges = m_edges.find(here);
            if (edges == m_edges.end()) continue;
            for (const Decision* edge : edges->second) {
                const std::string& there = edge->subject == here ? edge->other : edge->subject;
                const int refusals = visits.at(here).refusals + (edge->accepted ? 0 : 1);
                const auto known = visits.find(there);
                if (known != visits.end() && known->second.refusals <= refusals) continue;
                visits[there] = {edge, here, refusals};
                edge->accepted ? open.push_front(there) : open.push_back(there);
            }
        }
        std::vector<const Decision*> decisions;
        if (!visits.contains(to)) return decisions;
        for (std::string here = to; here != from; here = visits.at(here).before)
            decisions.push_back(visits.at(here).by);
        std::reverse(decisions.begin(), decisions.end());
        return decisions;
    }

private:
    static bool isAboutPair(const Decision& decision)
    {
        return decision.kind == DecisionKind::Identity || decision.kind == DecisionKind::InPlace ||
               decision.kind == DecisionKind::HandOver || decision.kind == DecisionKind::Alias ||
               decision.kind == DecisionKind::Copy;
    }

    std::unordered_map<std::string, std::vector<const Decision*>> m_edges;
};

std::string bytesText(const Decision& decision)
{
    return formatCount(decision.bytes) + " B, rule " + decision.rule;
}

/// The sentence inside another one: without its capital and its full stop.
std::string clause(std::string sentence)
{
    if (!sentence.empty() && sentence.front() >= 'A' && sentence.front() <= 'Z') sentence.front() += 'a' - 'A';
    if (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
    return sentence;
}

std::string because(const std::vector<const Decision*>& path, bool share)
{
    for (const Decision* decision : path) {
        if (decision->accepted || share) continue;
        return ": between '" + decision->subject + "' and '" + decision->other + "', " + clause(decision->reason) +
               " (" + bytesText(*decision) + ").";
    }
    if (path.empty())
        return share ? "." : ": no identity, in-place option or pass-through leads from one to the other.";
    std::string text;
    for (const Decision* decision : path)
        text += (text.empty() ? ": " : "; ") + clause(decision->reason);
    return text + ".";
}

} // namespace

std::string pairReason(const Report& report, ValueId a, ValueId b)
{
    const Graph& graph = *report.graph;
    if (a == b) return "'" + graph[a].name + "' is one entry, whatever the number of its names.";
    const StorageId first = report.values[a.index()].storage;
    const bool share = first.valid() && first == report.values[b.index()].storage;
    const auto path = PairGraph(report).path(graph[a].name, graph[b].name);
    return "'" + graph[a].name + "' and '" + graph[b].name + (share ? "' share" : "' do not share") +
           because(path, share);
}

} // namespace plimsoll
