#include "core/facts/words/pair_reason.h"

#include "core/facts/words/names.h"
#include "core/facts/words/number_text.h"
#include "core/facts/words/stream_text.h"

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
        using enum DecisionKind;
        constexpr DecisionKind OfPairs[] = {Identity, InPlace, HandOver, Alias, Copy};
        for (const Decision& decision : report.decisions) {
            if (std::ranges::find(OfPairs, decision.kind) == std::end(OfPairs)) continue;
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
    std::unordered_map<std::string, std::vector<const Decision*>> m_edges;
};

/// What stands behind "share" or "do not share".
Message because(const std::vector<const Decision*>& path, bool share)
{
    for (const Decision* decision : path) {
        if (decision->accepted || share) continue;
        return say("pair.refused", word::Name {decision->subject}, word::Name {decision->other}, decision->reason,
                   decision->bytes, decision->rule);
    }
    if (path.empty()) return share ? Message() : say("pair.no-way");
    const auto clause = [](const Decision* decision) { return say("inside", decision->reason); };
    return say("pair.reasons", allOf(path, clause, word::List::Joint::Semicolon));
}

/// "bytes [0, 64) of cpu": what both lie on; empty where they meet nowhere.
Message commonBytes(const Report& report, ValueId a, ValueId b)
{
    const ValuePlacement& first = report.program.map.values[a.index()];
    const ValuePlacement& second = report.program.map.values[b.index()];
    if (!first.placed() || !second.placed() || first.arena != second.arena) return {};
    const Interval bytes {std::max(first.offset, second.offset),
                          std::min(first.offset + first.bytes, second.offset + second.bytes)};
    if (bytes.begin >= bytes.end) return {};
    return say("pair.bytes", bytes.begin, bytes.end, arenaName(report, first.arena));
}

/// That they are over and yet to come by their steps, but not by the streams.
Message waitBetween(const Report& report, ValueId a, ValueId b)
{
    if (!report.program.streams.several()) return {};
    const bool aFirst =
        report.program.values[a.index()].live.hull().begin <= report.program.values[b.index()].live.hull().begin;
    const PlannedValue& earlier = report.program.values[aFirst ? a.index() : b.index()];
    const Interval later = report.program.values[aFirst ? b.index() : a.index()].live.hull();
    if (!earlier.storage.valid() || overlaps(earlier.live.hull(), later)) return {};
    const StreamOrder::Wait wait = storageWaits(report.program)[earlier.storage.index()];
    if (wait.until <= later.begin) return {};
    return say("pair.waits", waitSentence(report, wait));
}

/// The error that names both; null: none.
const Finding* findBroken(const Report& report, ValueId a, ValueId b)
{
    const auto names = [](const Finding& finding, ValueId id) {
        return std::ranges::find(finding.values, id) != finding.values.end();
    };
    const auto found = std::ranges::find_if(report.verdict.findings, [&](const Finding& finding) {
        return finding.severity == Severity::Error && names(finding, a) && names(finding, b);
    });
    return found == report.verdict.findings.end() ? nullptr : &*found;
}

/// An error about what one of them holds; null: none.
const Finding* findSpoiled(const Report& report, ValueId a, ValueId b)
{
    const auto found = std::ranges::find_if(report.verdict.findings, [&](const Finding& finding) {
        return finding.severity == Severity::Error && !finding.values.empty() &&
               (finding.values.front() == a || finding.values.front() == b);
    });
    return found == report.verdict.findings.end() ? nullptr : &*found;
}

/// How they lie to each other, by whatever plan.
Message placesText(const Report& report, ValueId a, ValueId b)
{
    const Message bytes = commonBytes(report, a, b);
    if (bytes.empty()) return waitBetween(report, a, b);
    if (const Finding* broken = findBroken(report, a, b))
        return say("pair.broken", bytes, ruleId(broken->rule), broken->message);
    const bool together = overlaps(report.program.values[a.index()].live, report.program.values[b.index()].live);
    return say(together ? "pair.together" : "pair.after", bytes);
}

bool share(const Report& report, ValueId a, ValueId b)
{
    const StorageId storage = report.program.values[a.index()].storage;
    return storage.valid() && storage == report.program.values[b.index()].storage;
}

Message pairReason(const Report& report, const PairGraph& pairs, ValueId a, ValueId b)
{
    const Graph& graph = *report.program.graph;
    const word::Name one {graph[a].name};
    if (a == b) return say("pair.one", one);
    const bool shared = share(report, a, b);
    Message reason = because(pairs.path(graph[a].name, graph[b].name), shared);
    Message sentence = say(shared ? "pair.share" : "pair.apart", one, word::Name {graph[b].name}, std::move(reason));
    return together(std::move(sentence), shared ? Message() : placesText(report, a, b));
}

} // namespace

Message pairReason(const Report& report, ValueId a, ValueId b)
{
    return pairReason(report, PairGraph(report), a, b);
}

std::vector<Cell> whyOnSameBytes(const Report& report, const std::vector<std::pair<ValueId, ValueId>>& pairs)
{
    const Graph& graph = *report.program.graph;
    const PairGraph decided(report);
    std::vector<Cell> reasons;
    const auto leadTo = [&](const Finding& finding, Message said) {
        const auto index = static_cast<std::int32_t>(&finding - report.verdict.findings.data());
        reasons.push_back(cell::sentence(said).leadingTo(Focus::onFinding(index)));
    };
    for (const auto& [a, b] : pairs) {
        const word::Name one {graph[a].name};
        const word::Name other {graph[b].name};
        const LiveRanges& first = report.program.values[a.index()].live;
        const LiveRanges& second = report.program.values[b.index()].live;
        const bool shared = share(report, a, b);
        Message why;
        if (const Finding* broken = findBroken(report, a, b)) {
            leadTo(*broken, say("pair.may-not", ruleId(broken->rule), broken->message));
            continue;
        }
        const bool undecided = shared && decided.path(graph[a].name, graph[b].name).empty();
        const Finding* spoiled = undecided ? findSpoiled(report, a, b) : nullptr;
        if (spoiled) {
            leadTo(*spoiled, say("pair.spoiled", one, other, ruleId(spoiled->rule), spoiled->message));
            continue;
        }
        if (!shared && !overlaps(first, second))
            why = say("pair.in-turn", one, rangesText(first), other, rangesText(second));
        else if (undecided)
            why = say("pair.judged", one, other);
        else
            why = pairReason(report, decided, a, b);
        reasons.push_back(cell::sentence(why).leadingTo(Focus::on(b)));
    }
    return reasons;
}

} // namespace plimsoll
