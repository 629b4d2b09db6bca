#include "core/verify/generations.h"

#include <algorithm>
#include <set>

namespace plimsoll::verifying {
namespace {

/// Enough to name every offender of a long-lived value; bounds the work on a hopeless plan.
constexpr std::size_t LongestTrail = 4'096;

} // namespace

GenerationId Generations::add(Generation generation)
{
    m_all.push_back({generation, 0, 0, 0, {}});
    return static_cast<GenerationId>(m_all.size() - 1);
}

GenerationId Generations::pair(GenerationId a, GenerationId b, int meeting)
{
    if (a == b) return a;
    if (m_pairsOf != meeting) m_pairs.clear();
    m_pairsOf = meeting;
    const auto [known, isNew] = m_pairs.try_emplace({a, b}, 0);
    if (isNew) {
        m_all.push_back({{}, a, b, meeting, {}});
        known->second = static_cast<GenerationId>(m_all.size() - 1);
    }
    return known->second;
}

void Generations::overwrote(GenerationId writer, std::vector<ByteMap::Piece> before)
{
    m_all[static_cast<std::size_t>(writer)].before = std::move(before);
}

std::vector<ByteMap::Piece> Generations::trail(GenerationId expected, GenerationId found, Interval bytes) const
{
    std::vector<ByteMap::Piece> writers;
    std::vector<ByteMap::Piece> open = {{bytes, found}};
    while (!open.empty() && writers.size() < LongestTrail) {
        const ByteMap::Piece writer = open.back();
        open.pop_back();
        writers.push_back(writer);
        for (const ByteMap::Piece& before : entry(writer.generation).before) {
            const Interval common = intersection(before.bytes, writer.bytes);
            const bool plain = before.generation != 0 && entry(before.generation).meeting == 0;
            if (plain && before.generation > expected && !common.empty()) open.push_back({common, before.generation});
        }
    }
    return writers;
}

Generations::Verdict Generations::compare(GenerationId expected, GenerationId found) const
{
    if (expected == found) return {};
    using Question = std::pair<GenerationId, GenerationId>;
    std::vector<Question> open = {{expected, found}};
    std::set<Question> seen;
    while (!open.empty()) {
        const auto [want, have] = open.back();
        open.pop_back();
        if (want == have || !seen.insert({want, have}).second) continue;
        const int meeting = std::max(entry(want).meeting, entry(have).meeting);
        if (meeting == 0) return {false, want, have};
        const auto side = [&](GenerationId id, bool first) {
            return entry(id).meeting != meeting ? id : first ? entry(id).a : entry(id).b;
        };
        open.emplace_back(side(want, false), side(have, false));
        open.emplace_back(side(want, true), side(have, true));
    }
    return {};
}

} // namespace plimsoll::verifying
