#include "core/verify/generations.h"

#include <algorithm>
#include <set>

namespace plimsoll::judge {

GenerationId Generations::add(Generation generation)
{
    m_all.push_back({generation, 0, 0, 0});
    return static_cast<GenerationId>(m_all.size() - 1);
}

GenerationId Generations::pair(GenerationId a, GenerationId b, int meeting)
{
    if (a == b) return a;
    if (m_pairsOf != meeting) m_pairs.clear();
    m_pairsOf = meeting;
    const auto [known, isNew] = m_pairs.try_emplace({a, b}, 0);
    if (isNew) {
        m_all.push_back({{}, a, b, meeting});
        known->second = static_cast<GenerationId>(m_all.size() - 1);
    }
    return known->second;
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

} // namespace plimsoll::judge
