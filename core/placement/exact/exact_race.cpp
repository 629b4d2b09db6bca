#include "core/placement/exact/exact_race.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <bit>

namespace plimsoll {
FitRace::FitRace(const FitModel& model, std::int64_t nodes, std::uint64_t seed, const Context& context)
    : m_model(model), m_nodes(nodes), m_seed(seed * 1'000'003), m_context(context),
      // As many dead states as there can be, within 4 MiB.
      m_dead(std::clamp<std::size_t>(std::bit_width(static_cast<std::uint64_t>(nodes)), 10, 17))
{
}

SearchState FitRace::glance(std::int64_t capacity)
{
    constexpr std::size_t Few = 6;
    for (const FitStrategy& strategy : fitStrategies().first(Few)) {
        if (over()) return SearchState::Running;
        const SearchState state = attempt(capacity, strategy, 0, itemCount(m_model) + itemCount(m_model) / 8 + 64);
        if (state != SearchState::Running) return state;
    }
    return SearchState::Running;
}

SearchState FitRace::probe(std::int64_t capacity, int round)
{
    const std::int64_t least = itemCount(m_model) + itemCount(m_model) / 2 + 64;
    int repeats = 1;
    for (int level = round; level >= 0; --level) {
        for (int repeat = 0; repeat < repeats; ++repeat) {
            for (const FitStrategy& strategy : fitStrategies()) {
                if (over()) return SearchState::Running;
                const bool plain = repeat == 0 && level == round;
                const SearchState state = attempt(capacity, strategy, plain ? 0 : ++m_seed, least << level);
                if (state != SearchState::Running) return state;
            }
        }
        repeats *= 3;
    }
    return SearchState::Running;
}

SearchState FitRace::attempt(std::int64_t capacity, const FitStrategy& strategy, std::uint64_t seed, std::int64_t nodes)
{
    FitSearch search(m_model, capacity, rankBy(m_model, strategy.keys, seed), strategy.pick, m_dead);
    const SearchState state = search.run(std::min(nodes, m_nodes - m_used), m_context);
    m_used += std::max<std::int64_t>(search.nodes(), 1);
    if (state == SearchState::Found) m_found = search.offsets();
    return state;
}

std::int64_t loadBound(const FitModel& model)
{
    std::int64_t bound = model.pinnedEnd;
    for (std::int32_t section = 0; section < sectionCount(model); ++section)
        bound = std::max(bound, sectionBound(model, section));
    for (std::int32_t item = 0; item < itemCount(model); ++item)
        bound = std::max(bound, firstFree(model, item, 0) + model.bytes[static_cast<std::size_t>(item)]);
    return alignUp(bound, model.unit);
}

std::int64_t stackedBytes(const FitModel& model)
{
    std::int64_t top = model.pinnedEnd;
    for (std::size_t item = 0; item < model.bytes.size(); ++item)
        top = alignUp(top, model.alignment[item]) + model.bytes[item];
    return top;
}

} // namespace plimsoll
