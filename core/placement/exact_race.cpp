#include "core/placement/exact_race.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <bit>

namespace plimsoll {
namespace {

/// As many dead states as there can be, within 8 MiB.
std::size_t tableSize(std::int64_t nodes)
{
    return std::clamp<std::size_t>(std::bit_width(static_cast<std::uint64_t>(nodes)), 10, 18);
}

} // namespace

FitRace::FitRace(const FitModel& model, std::int64_t nodes, std::uint64_t seed, const Context& context)
    : m_model(model), m_nodes(nodes), m_seed(seed * 1'000'003), m_context(context), m_dead(tableSize(nodes))
{
}

SearchState FitRace::probe(std::int64_t capacity, std::int64_t nodes)
{
    for (const bool varied : {false, true}) {
        for (const FitStrategy& strategy : fitStrategies()) {
            if (over()) return SearchState::Running;
            const SearchState state = attempt(capacity, strategy, varied ? ++m_seed : 0, nodes);
            if (state != SearchState::Running) return state;
        }
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
    for (std::int32_t section = 0; section < model.sections(); ++section)
        bound = std::max(bound, sectionBound(model, section));
    for (std::int32_t item = 0; item < model.items(); ++item)
        bound = std::max(bound, model.firstFree(item, 0) + model.bytes[static_cast<std::size_t>(item)]);
    return alignUp(bound, model.unit);
}

std::int64_t stackedBytes(const FitModel& model)
{
    std::int64_t coarsest = 1;
    for (const std::int64_t alignment : model.alignment)
        coarsest = std::max(coarsest, alignment);
    std::int64_t top = alignUp(model.pinnedEnd, coarsest);
    for (const std::int64_t bytes : model.bytes)
        top += alignUp(bytes, coarsest);
    return top;
}

} // namespace plimsoll
