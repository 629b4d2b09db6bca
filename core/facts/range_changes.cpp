#include "core/facts/range_changes.h"

#include "core/facts/report.h"
#include "core/graph/never_made.h"
#include "core/ops/reorder_node.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace plimsoll {
namespace {

constexpr std::string_view FusedAway = "fused away";
constexpr std::string_view PreparedAhead = "prepared ahead";
constexpr std::string_view ComputedAhead = "computed ahead";

/// One of the two plans.
class Side
{
public:
    /// \p matches: by ValueId, which value of the other plan it is.
    Side(const Report& shown, const std::vector<ValueId>& matches) : report(shown), m_matches(matches)
    {
        // A storage is in full the first value's that is alive in it then: so they add up to what is alive.
        m_atPeak.assign(report.program.values.size(), 0);
        const std::vector<ArenaPeak>& peaks = report.memory.peaks;
        for (const Storage& storage : report.program.storages) {
            const std::int64_t step = storage.arena.valid() ? peaks[storage.arena.index()].step : -1;
            const auto holder =
                std::ranges::find_if(storage.values, [&](ValueId value) { return (*this)[value].live.contains(step); });
            if (storage.live.contains(step) && holder != storage.values.end())
                m_atPeak[holder->index()] = storage.bytes;
        }
        for (const SavedReport& saved : report.training.saved)
            m_reasons.emplace(saved.tensor.value, savingReasonId(saved.tensor.reason));
        for (const RecomputedReport& one : report.training.recomputed)
            m_reasons.emplace(one.tensor.value, "recomputed");
    }

    const Report& report;

    /// A report that was saved does not say which nodes make its values.
    [[nodiscard]] bool tellsMakers() const
    {
        return std::ranges::any_of(report.program.graph->values,
                                   [](const Value& value) { return value.producer.valid(); });
    }

    /// In the other plan; invalid: it is not there.
    [[nodiscard]] ValueId same(ValueId value) const { return m_matches[value.index()]; }
    [[nodiscard]] const PlannedValue& operator[](ValueId value) const { return report.program.values[value.index()]; }
    [[nodiscard]] LiveRanges liveOf(ValueId value) const { return value.valid() ? (*this)[value].live : LiveRanges(); }
    [[nodiscard]] std::int64_t atPeak(ValueId value) const { return value.valid() ? m_atPeak[value.index()] : 0; }

    /// See RangeChange.
    [[nodiscard]] std::string placeOf(ValueId id) const
    {
        if (!id.valid()) return {};
        const Value& value = (*report.program.graph)[id];
        const StorageId storage = (*this)[id].storage;
        if (report.program.graph->decided[id].fusedInto.valid()) return std::string(FusedAway);
        if (isNeverMade(*report.program.graph, id)) return "never made";
        if (!storage.valid()) return "at run time";
        if (const ArenaId arena = report.program.storages[storage.index()].arena; arena.valid())
            return report.program.map.arenas[arena.index()].space;
        const bool made = value.producer.valid();
        const bool prepared = made && (isReorder(maker(value)) || isSpaceCopy(maker(value)));
        if (prepared) return std::string(PreparedAhead);
        return made && report.program.graph->decided[value.producer].ahead ? std::string(ComputedAhead) : "the caller";
    }

    [[nodiscard]] std::string_view reasonFor(ValueId value) const
    {
        const auto found = m_reasons.find(value);
        return found == m_reasons.end() ? std::string_view() : found->second;
    }

    /// The first value in the bytes of \p value that the other plan has, too; invalid where it is the value itself.
    [[nodiscard]] ValueId hostOf(ValueId value) const
    {
        if (!(*this)[value].storage.valid()) return {};
        const std::vector<ValueId>& together = report.program.storages[(*this)[value].storage.index()].values;
        const auto found = std::ranges::find_if(together, [&](ValueId one) { return same(one).valid(); });
        return found == together.end() || *found == value ? ValueId() : *found;
    }
    [[nodiscard]] bool together(ValueId one, ValueId two) const
    {
        const StorageId storage = (*this)[one].storage;
        return storage.valid() && storage == (*this)[two].storage;
    }
    [[nodiscard]] std::string_view nameOf(ValueId value) const { return (*report.program.graph)[value].name; }

    /// Why \p value shares, or does not share, the bytes of another one.
    [[nodiscard]] Message whyShared(ValueId value, bool shared) const
    {
        const auto isIt = [&](const Decision& one) {
            const bool sharing = one.kind == DecisionKind::Identity || one.kind == DecisionKind::InPlace ||
                                 one.kind == DecisionKind::HandOver;
            return sharing && one.accepted == shared && one.subject == nameOf(value);
        };
        const auto found = std::ranges::find_if(report.decisions, isIt);
        return found == report.decisions.end() ? Message() : found->reason;
    }

    /// From which node to which, or to the end, of what no node makes from the start: a node that is inserted before a
    /// value moves its steps, and changes nothing.
    [[nodiscard]] std::vector<std::pair<std::string_view, StepKind>> nodesOf(ValueId value) const
    {
        std::vector<std::pair<std::string_view, StepKind>> nodes;
        const bool brought = value.valid() && (*report.program.graph)[value].role != ValueRole::Intermediate;
        for (const Interval& steps : liveOf(value).intervals()) {
            nodes.push_back(steps.begin == 0 && brought ? AtAnEdge : nodeAt(steps.begin));
            nodes.push_back(nodeAt(steps.end - 1));
        }
        return nodes;
    }

    /// From now on nodes have the names of the other graph, where it makes the same values.
    void renameNodes(const Graph& other)
    {
        for (std::size_t i = 0; i < m_matches.size(); ++i) {
            const NodeId maker = report.program.graph->values[i].producer;
            if (!maker.valid() || !m_matches[i].valid() || !other[m_matches[i]].producer.valid()) continue;
            m_nodes.emplace(maker, other[other[m_matches[i]].producer].name);
        }
    }

private:
    static constexpr std::pair<std::string_view, StepKind> AtAnEdge = {"", StepKind::Node};

    [[nodiscard]] std::pair<std::string_view, StepKind> nodeAt(std::int64_t step) const
    {
        if (step + 1 >= report.program.schedule.length()) return AtAnEdge;
        const Step& what = report.program.schedule.steps[static_cast<std::size_t>(step)];
        return {nameOf(what.node), what.kind};
    }
    [[nodiscard]] std::string_view nameOf(NodeId node) const
    {
        const auto found = m_nodes.find(node);
        return found == m_nodes.end() ? std::string_view((*report.program.graph)[node].name) : found->second;
    }
    [[nodiscard]] const Node& maker(const Value& value) const { return (*report.program.graph)[value.producer]; }

    const std::vector<ValueId>& m_matches;
    std::unordered_map<NodeId, std::string_view> m_nodes;
    std::unordered_map<ValueId, std::string_view> m_reasons;
    std::vector<std::int64_t> m_atPeak; ///< By ValueId.
};

Message reasonOf(const Side& first, const Side& second, const RangeChange& change)
{
    if (const std::string_view kept = second.reasonFor(change.id); !kept.empty()) return Message(std::string(kept));
    if (const std::string_view kept = first.reasonFor(change.idBefore); !kept.empty())
        return Message(std::string(kept));
    if (!change.beforeHost.empty() || !change.afterHost.empty()) {
        Message shared = second.whyShared(change.id, !change.afterHost.empty());
        if (!shared.empty()) return shared;
    }
    if (change.beforePlace == change.afterPlace) return {};
    if (change.afterPlace == ComputedAhead) return say("change.constant");
    if (change.afterPlace == PreparedAhead) return say("change.prepared");
    const Graph& graph = *second.report.program.graph;
    if (change.afterPlace == FusedAway)
        return say("change.fused", word::Name {graph[graph.decided[change.id].fusedInto].name});
    return {};
}

/// The name of the host in \p one with which the value does not lie in \p other; empty: there is none.
std::string partedHost(const Side& one, const Side& other, ValueId value)
{
    if (!value.valid() || !one.same(value).valid()) return {};
    const ValueId host = one.hostOf(value);
    if (!host.valid() || other.together(one.same(host), one.same(value))) return {};
    return std::string(one.nameOf(host));
}

void compare(const Side& first, const Side& second, bool makersKnown, ValueId old, ValueId now,
             std::vector<RangeChange>& changes)
{
    RangeChange change;
    change.value = now.valid() ? second.nameOf(now) : first.nameOf(old);
    change.idBefore = old;
    change.id = now;
    change.before = first.liveOf(old);
    change.after = second.liveOf(now);
    change.beforePlace = first.placeOf(old);
    change.afterPlace = second.placeOf(now);
    for (std::string* place : {&change.beforePlace, &change.afterPlace})
        if (!makersKnown && (*place == ComputedAhead || *place == PreparedAhead)) *place = "the caller";
    change.beforeHost = partedHost(first, second, old);
    change.afterHost = partedHost(second, first, now);
    const bool sameNodes = first.nodesOf(old) == second.nodesOf(now);
    const bool sameBytes = change.beforeHost.empty() && change.afterHost.empty();
    if (sameNodes && sameBytes && change.beforePlace == change.afterPlace) return;
    change.bytes = std::max<std::int64_t>(0, now.valid() ? second[now].requiredBytes : first[old].requiredBytes);
    change.beforePeak = first.atPeak(old);
    change.afterPeak = second.atPeak(now);
    change.reason = reasonOf(first, second, change);
    changes.push_back(std::move(change));
}

} // namespace

std::vector<RangeChange> changedRanges(const Report& before, const Report& after, const ValueMatches& matches)
{
    Side first(before, matches.second);
    first.renameNodes(*after.program.graph);
    const Side second(after, matches.first);
    const bool makersKnown = first.tellsMakers() && second.tellsMakers();
    std::vector<RangeChange> changes;
    for (std::size_t i = 0; i < matches.first.size(); ++i)
        compare(first, second, makersKnown, matches.first[i], ValueId(i), changes);
    for (std::size_t i = 0; i < matches.second.size(); ++i) {
        if (!matches.second[i].valid()) compare(first, second, makersKnown, ValueId(i), {}, changes);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const RangeChange& a, const RangeChange& b) {
        const auto key = [](const RangeChange& c) { return std::pair(std::max(c.beforePeak, c.afterPeak), c.bytes); };
        return key(a) > key(b);
    });
    return changes;
}

} // namespace plimsoll
