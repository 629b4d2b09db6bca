#include "core/verify/generations.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace plimsoll::verifying {
namespace {

/// Enough to name every offender of a long-lived value; bounds the work on a hopeless plan.
constexpr std::size_t LongestTrail = 4'096;

/// So many conditions that decide several times are remembered; of further ones every combination is looked at,
/// possible or not.
constexpr std::size_t MostRemembered = 12;

} // namespace

GenerationId Generations::append(const Entry& entry)
{
    m_all.push_back(entry);
    return narrow<GenerationId>(m_all.size() - 1);
}

GenerationId Generations::add(Generation generation, const std::vector<ByteMap::Piece>& before)
{
    m_covered.insert(m_covered.end(), before.begin(), before.end());
    return append({generation, 0, 0, 0, m_covered.size()});
}

Generations::Covered Generations::coveredBy(GenerationId writer) const
{
    const auto at = [&](std::size_t position) { return m_covered.begin() + static_cast<std::ptrdiff_t>(position); };
    return {at(writer == 0 ? 0 : entry(writer - 1).covered), at(entry(writer).covered)};
}

int Generations::newMeeting(const ChoiceId& choice, std::int64_t branch)
{
    m_meetings.push_back({choice, branch});
    ++m_meetingsOf[choice];
    return narrow<int>(m_meetings.size() - 1);
}

/// Whether that side of the meeting may be what happened; remembered where another meeting depends on it.
bool Generations::goesOn(const Meeting& meeting, bool first, Taken& taken) const
{
    const Branches side = first ? Branches {0, meeting.branch} : Branches {meeting.branch, meeting.branch + 1};
    const Branches left = intersection(takenBy(taken, meeting.choice), side);
    if (left.begin >= left.end) return false;
    const bool again = m_meetingsOf.at(meeting.choice) > 1 && taken.size() < MostRemembered;
    if (again || taken.contains(meeting.choice)) taken.insert_or_assign(meeting.choice, left);
    return true;
}

GenerationId Generations::pair(GenerationId a, GenerationId b, int meeting)
{
    if (a == b) return a;
    if (m_pairsOf != meeting) m_pairs.clear();
    m_pairsOf = meeting;
    const auto [known, isNew] = m_pairs.try_emplace({a, b}, 0);
    if (isNew) known->second = append({{}, a, b, meeting, m_covered.size()});
    return known->second;
}

void Generations::keeps(GenerationId whole, Interval bytes, GenerationId content)
{
    std::vector<ByteMap::Piece>& kept = m_kept[whole];
    kept.push_back({bytes, content});
    std::ranges::sort(kept, {}, [](const ByteMap::Piece& part) { return part.bytes.begin; });
}

/// What the whole has in those bytes if they are parts of one content that was there before; else the whole itself.
GenerationId Generations::partOf(GenerationId whole, Interval bytes) const
{
    GenerationId content = whole;
    std::int64_t at = bytes.begin;
    const auto kept = m_kept.find(whole);
    if (kept == m_kept.end()) return whole;
    for (const ByteMap::Piece& part : kept->second) { // in the order of their bytes
        if (!part.bytes.contains(at)) continue;
        if (content != whole && content != part.generation) return whole;
        content = part.generation;
        at = part.bytes.end;
        if (at >= bytes.end) return content;
    }
    return whole;
}

std::vector<ByteMap::Piece> Generations::trail(GenerationId expected, GenerationId found, Interval bytes) const
{
    std::vector<ByteMap::Piece> writers;
    std::vector<ByteMap::Piece> open = {{bytes, found}};
    while (!open.empty() && writers.size() < LongestTrail) {
        const ByteMap::Piece writer = open.back();
        open.pop_back();
        writers.push_back(writer);
        for (const ByteMap::Piece& before : coveredBy(writer.generation)) {
            const Interval common = intersection(before.bytes, writer.bytes);
            const bool plain = before.generation != 0 && entry(before.generation).meeting == 0;
            if (plain && before.generation > expected && !common.empty()) open.push_back({common, before.generation});
        }
    }
    return writers;
}

Generations::Verdict Generations::compare(GenerationId expected, const ByteMap::Piece& found, const Taken& taken) const
{
    if (expected == found.generation) return {};
    using Question = std::tuple<GenerationId, GenerationId, Taken>;
    std::vector<Question> open = {{expected, found.generation, taken}};
    std::set<Question> seen;
    while (!open.empty()) {
        const auto [want, have, sofar] = open.back();
        open.pop_back();
        if (want == have || !seen.insert({want, have, sofar}).second) continue;
        // First what lies in its place: both may have been chosen together, at a meeting before the whole was made.
        if (const GenerationId part = partOf(want, found.bytes); part != want) {
            open.emplace_back(part, have, sofar);
            continue;
        }
        const int meeting = std::max(entry(want).meeting, entry(have).meeting);
        if (meeting == 0) return {false, want, have};
        const auto side = [&](GenerationId id, bool first) {
            return entry(id).meeting != meeting ? id : first ? entry(id).a : entry(id).b;
        };
        for (const bool first : {false, true}) {
            Taken further = sofar;
            if (goesOn(m_meetings[static_cast<std::size_t>(meeting)], first, further))
                open.emplace_back(side(want, first), side(have, first), std::move(further));
        }
    }
    return {};
}

} // namespace plimsoll::verifying
