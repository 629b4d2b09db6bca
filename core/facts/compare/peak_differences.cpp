#include "core/facts/compare/peak_differences.h"

#include "core/facts/compare/fullest_moment.h"
#include "core/facts/words/verdict.h"
#include "core/plan/plan_file.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <unordered_map>

namespace plimsoll {
namespace {

using enum PeakDifference::Kind;

constexpr std::size_t None = static_cast<std::size_t>(-1);

/// One of the two arenas at its fullest step.
struct Side
{
    const Report& report;
    FullestMoment moment {};
    std::vector<std::size_t> partner {}; ///< By place in moment.live: the place on the other side, or None.
    std::unordered_map<StorageId, std::size_t> places {};

    void fill(FullestMoment found)
    {
        moment = std::move(found);
        partner.assign(moment.live.size(), None);
        for (std::size_t i = 0; i < moment.live.size(); ++i)
            places.emplace(moment.live[i], i);
    }
    [[nodiscard]] const Storage& storage(std::size_t place) const
    {
        return report.program.storages[moment.live[place].index()];
    }
    [[nodiscard]] bool isLive(ValueId value) const
    {
        return report.program.values[value.index()].live.contains(moment.step);
    }
    /// The place of the storage in which a value lies; None where that is not alive.
    [[nodiscard]] std::size_t placeOf(ValueId value) const
    {
        if (!value.valid()) return None;
        const auto found = places.find(report.program.values[value.index()].storage);
        return found == places.end() ? None : found->second;
    }
    /// The first value that is alive in it, else its first; invalid for a scratchpad.
    [[nodiscard]] ValueId holder(std::size_t place) const
    {
        const std::vector<ValueId>& values = storage(place).values;
        const auto found = std::ranges::find_if(values, [&](ValueId value) { return isLive(value); });
        if (found != values.end()) return *found;
        return values.empty() ? ValueId() : values.front();
    }
    [[nodiscard]] std::string nameOf(std::size_t place) const
    {
        const Graph& graph = *report.program.graph;
        if (const ValueId value = holder(place); value.valid()) return graph[value].name;
        const NodeId node = storage(place).scratchOf;
        return std::string(ScratchPrefix) + (node.valid() ? graph[node].name : std::string());
    }
};

/// The step of both arenas where one node is at the fullest of both, else the first of each: of equal steps the order
/// does not matter.
std::pair<std::int64_t, std::int64_t> stepsOf(const Side& before, ArenaId first, const Side& after, ArenaId second)
{
    const auto nodeAt = [](const Report& report, std::int64_t step) -> std::string_view {
        if (step >= report.program.schedule.length()) return {};
        return (*report.program.graph)[report.program.schedule.steps[static_cast<std::size_t>(step)].node].name;
    };
    const auto ones = first.valid() ? fullestSteps(before.report, first) : std::vector<std::int64_t>();
    const auto others = second.valid() ? fullestSteps(after.report, second) : std::vector<std::int64_t>();
    std::unordered_map<std::string_view, std::int64_t> named;
    for (const std::int64_t step : ones)
        named.emplace(nodeAt(before.report, step), step);
    for (const std::int64_t step : others) {
        const auto found = named.find(nodeAt(after.report, step));
        if (found != named.end()) return {found->second, step};
    }
    return {ones.empty() ? -1 : ones.front(), others.empty() ? -1 : others.front()};
}

/// A value of two storages that are one; that is alive in both, where there is one. Invalid for scratchpads, and where
/// the storages are one by hand alone.
ValueId commonValue(const Side& before, std::size_t one, const Side& after, std::size_t other,
                    const ValueMatches& matches)
{
    ValueId common;
    for (const ValueId value : after.storage(other).values) {
        const ValueId same = matches.first[value.index()];
        if (before.placeOf(same) != one) continue;
        if (after.isLive(value) && before.isLive(same)) return value;
        if (!common.valid()) common = value;
    }
    return common;
}

void add(std::vector<PeakDifference>& rows, PeakDifference row)
{
    if (row.bytes() != 0) rows.push_back(std::move(row));
}

/// Two arenas of one space; either may be missing.
class ArenaPair
{
public:
    ArenaPair(const Report& before, ArenaId first, const Report& after, ArenaId second, const PlanMatches& matches)
        : m_before {before}, m_after {after}, m_matches(matches.values)
    {
        const auto [one, other] = stepsOf(m_before, first, m_after, second);
        if (first.valid()) m_before.fill(momentAt(before, first, one));
        if (second.valid()) m_after.fill(momentAt(after, second, other));
        const Report& named = second.valid() ? after : before;
        m_space = named.program.map.arenas[(second.valid() ? second : first).index()].space;
        pairByHand(matches.storages);
        pairStorages(true);
        pairStorages(false);
        pairScratchpads();
    }

    void addRows(std::vector<PeakDifference>& rows) const
    {
        for (std::size_t place = 0; place < m_before.partner.size(); ++place) {
            if (m_before.partner[place] == None)
                addGone(rows, place);
            else
                addResized(rows, place, m_before.partner[place]);
        }
        for (std::size_t place = 0; place < m_after.partner.size(); ++place) {
            if (m_after.partner[place] == None) addNew(rows, place);
        }
        const FullestMoment& one = m_before.moment;
        const FullestMoment& other = m_after.moment;
        add(rows, {Holes, m_space, one.holes, other.holes});
        add(rows, {Above, m_space, one.above, other.above});
        add(rows, {Overlap, m_space, -one.overlap, -other.overlap});
        add(rows, {Reserved, m_space, one.reserved, other.reserved});
    }

private:
    void pairByHand(const std::vector<std::pair<StorageId, StorageId>>& said)
    {
        for (const auto& [first, second] : said) {
            const auto one = m_before.places.find(first);
            const auto other = m_after.places.find(second);
            if (one == m_before.places.end() || other == m_after.places.end()) continue;
            const bool free = m_before.partner[one->second] == None && m_after.partner[other->second] == None;
            if (free) pair(one->second, other->second);
        }
    }

    /// Each storage with that which has most of its values; \p alive: that are alive at both steps.
    void pairStorages(bool alive)
    {
        for (std::size_t place = 0; place < m_before.partner.size(); ++place) {
            if (m_before.partner[place] != None) continue;
            std::map<std::size_t, std::size_t> common; // by place: how many values
            for (const ValueId value : m_before.storage(place).values) {
                const ValueId same = m_matches.second[value.index()];
                const std::size_t there = m_after.placeOf(same);
                if (there == None || m_after.partner[there] != None) continue;
                if (!alive || (m_before.isLive(value) && m_after.isLive(same))) ++common[there];
            }
            const auto most = std::ranges::max_element(common, {}, [](const auto& one) { return one.second; });
            if (most != common.end()) pair(place, most->first);
        }
    }

    void pairScratchpads()
    {
        std::unordered_map<std::string, std::size_t> named;
        for (std::size_t place = 0; place < m_after.partner.size(); ++place) {
            if (m_after.storage(place).values.empty()) named.emplace(m_after.nameOf(place), place);
        }
        for (std::size_t place = 0; place < m_before.partner.size(); ++place) {
            if (!m_before.storage(place).values.empty()) continue;
            const auto found = named.find(m_before.nameOf(place));
            if (found != named.end() && m_after.partner[found->second] == None) pair(place, found->second);
        }
    }

    void pair(std::size_t one, std::size_t other)
    {
        m_before.partner[one] = other;
        m_after.partner[other] = one;
    }

    void addResized(std::vector<PeakDifference>& rows, std::size_t one, std::size_t other) const
    {
        const Storage& old = m_before.storage(one);
        const Storage& now = m_after.storage(other);
        if (roundedBytes(m_before.report, old) == roundedBytes(m_after.report, now)) return;
        const auto rounding = [](const Side& side, const Storage& storage) {
            return roundedBytes(side.report, storage) - storage.bytes;
        };
        PeakDifference row {Size, m_space, old.bytes, now.bytes, m_after.nameOf(other)};
        row.value = commonValue(m_before, one, m_after, other, m_matches);
        if (row.value.valid()) {
            row.name = (*m_after.report.program.graph)[row.value].name;
            row.valueBefore = m_matches.first[row.value.index()];
        } else { // by hand alone
            row.value = m_after.holder(other);
            row.valueBefore = m_before.holder(one);
        }
        row.storageBefore = m_before.moment.live[one];
        row.storage = m_after.moment.live[other];
        add(rows, row);
        row.kind = Rounding;
        row.before = rounding(m_before, old);
        row.after = rounding(m_after, now);
        add(rows, std::move(row));
    }

    void addGone(std::vector<PeakDifference>& rows, std::size_t place) const
    {
        PeakDifference row {Went, m_space, roundedBytes(m_before.report, m_before.storage(place)), 0};
        row.name = m_before.nameOf(place);
        row.storageBefore = m_before.moment.live[place];
        row.valueBefore = m_before.holder(place);
        if (row.valueBefore.valid()) row.value = m_matches.second[row.valueBefore.index()];
        if (const std::size_t there = m_after.placeOf(row.value); there != None) {
            row.kind = Joined;
            row.other = m_after.nameOf(there);
        }
        add(rows, std::move(row));
    }

    void addNew(std::vector<PeakDifference>& rows, std::size_t place) const
    {
        PeakDifference row {Came, m_space, 0, roundedBytes(m_after.report, m_after.storage(place))};
        row.name = m_after.nameOf(place);
        row.storage = m_after.moment.live[place];
        row.value = m_after.holder(place);
        if (row.value.valid()) row.valueBefore = m_matches.first[row.value.index()];
        if (const std::size_t there = m_before.placeOf(row.valueBefore); there != None) {
            row.kind = Parted;
            row.other = m_before.nameOf(there);
        }
        add(rows, std::move(row));
    }

    Side m_before;
    Side m_after;
    const ValueMatches& m_matches;
    std::string m_space;
};

/// The arenas of both plans by space, and by order where several are of one.
std::map<std::pair<std::string, int>, std::pair<ArenaId, ArenaId>> pairedArenas(const Report& before,
                                                                                const Report& after)
{
    std::map<std::pair<std::string, int>, std::pair<ArenaId, ArenaId>> pairs;
    std::map<std::string, int> firsts;
    std::map<std::string, int> seconds;
    const auto& ones = before.program.map.arenas;
    const auto& others = after.program.map.arenas;
    for (std::size_t i = 0; i < ones.size(); ++i)
        pairs[{ones[i].space, firsts[ones[i].space]++}].first = ArenaId(i);
    for (std::size_t i = 0; i < others.size(); ++i)
        pairs[{others[i].space, seconds[others[i].space]++}].second = ArenaId(i);
    return pairs;
}

} // namespace

std::string_view peakDifferenceId(PeakDifference::Kind kind)
{
    static constexpr std::array<std::string_view, 10> Ids = {"came",     "went",  "parted", "joined",  "size",
                                                             "rounding", "holes", "above",  "overlap", "reserved"};
    return Ids[static_cast<std::size_t>(kind)];
}

Message peakDifferenceName(PeakDifference::Kind kind)
{
    switch (kind) {
    case Holes:
        return say("peak-change.holes");
    case Above:
        return say("peak-change.above");
    case Overlap:
        return say("peak-change.overlap");
    default:
        return say("peak-change.reserved");
    }
}

Message peakDifferenceReason(const PeakDifference& row)
{
    const std::int64_t old = std::abs(row.before);
    const std::int64_t now = std::abs(row.after);
    const Argument before = sizeBeside(old, now);
    const Argument after = sizeBeside(now, old);
    switch (row.kind) {
    case Came:
        return row.valueBefore.valid() ? say("peak-change.came") : say("peak-change.new");
    case Went:
        return row.value.valid() ? say("peak-change.went") : say("peak-change.gone");
    case Parted:
        return say("peak-change.parted", word::Name {row.other});
    case Joined:
        return say("peak-change.joined", word::Name {row.other});
    case Size:
        return say("peak-change.size", before, after);
    case Rounding:
        return say("peak-change.rounding", before, after);
    default:
        return say("peak-change.arena", before, after);
    }
}

ComparedPeaks comparePeaks(const Report& before, const Report& after, const PlanMatches& matches)
{
    ComparedPeaks compared;
    for (const auto& [space, arenas] : pairedArenas(before, after))
        ArenaPair(before, arenas.first, after, arenas.second, matches).addRows(compared.rows);
    for (const PeakDifference& row : compared.rows)
        compared.sum += row.bytes();
    std::ranges::stable_sort(compared.rows, [](const PeakDifference& one, const PeakDifference& other) {
        return std::abs(one.bytes()) > std::abs(other.bytes());
    });
    return compared;
}

} // namespace plimsoll
