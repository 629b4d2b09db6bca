#include "core/placement/exact/exact_fit.h"

#include "core/base/bytes.h"
#include "core/placement/exact/exact_race.h"

#include <algorithm>
#include <utility>

namespace plimsoll {
namespace {

/// The highest end of what counts.
std::int64_t highestEnd(std::span<const FitItem> items, std::span<const std::int64_t> offsets)
{
    std::int64_t peak = 0;
    for (std::size_t index = 0; index < items.size(); ++index) {
        if (items[index].bytes > 0 && !items[index].live.empty())
            peak = std::max(peak, offsets[index] + items[index].bytes);
    }
    return peak;
}

/// Above the pins, one on top of the other.
std::vector<std::int64_t> stacked(std::span<const FitItem> items)
{
    std::vector<std::int64_t> offsets(items.size(), 0);
    std::int64_t top = 0;
    for (std::size_t index = 0; index < items.size(); ++index) {
        offsets[index] = items[index].pin.value_or(0);
        if (items[index].pin) top = std::max(top, offsets[index] + items[index].bytes);
    }
    for (std::size_t index = 0; index < items.size(); ++index) {
        if (items[index].pin) continue;
        offsets[index] = alignUp(top, items[index].alignment);
        top = offsets[index] + items[index].bytes;
    }
    return offsets;
}

class Minimiser
{
public:
    Minimiser(std::span<const FitItem> items, const FitModel& model, const MinimiseOptions& options,
              const Context& context)
        : m_items(items), m_model(model), m_options(options), m_context(context),
          m_race(model, options.nodes, options.seed, context)
    {
        m_best.bound = loadBound(model);
    }

    Minimum run()
    {
        m_best.offsets =
            m_options.known.empty() ? stacked(m_items) : std::vector(m_options.known.begin(), m_options.known.end());
        m_best.peak = highestEnd(m_items, m_best.offsets);
        tell();
        for (const FitStrategy& strategy : fitStrategies()) {
            if (m_best.optimal || m_context.stopped()) break;
            const std::vector<std::int64_t> found = firstFit(m_model, rankBy(m_model, strategy.keys, 0), m_context);
            if (!found.empty()) take(found);
        }
        for (int round = Glance; !m_best.optimal && !m_race.over(); ++round)
            descend(round);
        m_best.nodes = m_race.used();
        return std::move(m_best);
    }

private:
    static constexpr int Glance = -1; ///< The round that only brings the first plans down.

    /// Probes at the bound, then between what failed and what worked, until these are near each other.
    void descend(int round)
    {
        const std::int64_t finest = std::max(m_model.unit, (m_best.peak - m_best.bound) / 16);
        for (std::int64_t target = m_best.bound; !m_best.optimal && !m_race.over();) {
            const SearchState state = round == Glance ? m_race.glance(target) : m_race.probe(target, round);
            if (state == SearchState::Exhausted) {
                m_best.bound = std::min(std::max(m_best.bound, target + m_model.unit), m_best.peak);
                tell();
            }
            if (state == SearchState::Found) take(m_race.found());
            const std::int64_t failed = state == SearchState::Found ? m_failed : target;
            if (state != SearchState::Found) m_failed = target;
            if (m_best.peak - failed <= finest) break;
            target = std::max(m_best.bound, alignUp(failed + (m_best.peak - failed) / 2, m_model.unit));
        }
    }

    void take(const std::vector<std::int64_t>& found)
    {
        const std::int64_t peak = peakOf(m_model, found);
        if (peak >= m_best.peak) return;
        m_best.peak = peak;
        m_best.offsets = allOffsets(m_items, m_model, found);
        tell();
    }

    void tell()
    {
        m_best.bound = std::min(m_best.bound, m_best.peak);
        m_best.optimal = m_best.peak == m_best.bound;
        m_best.nodes = m_race.used();
        if (m_options.improved) m_options.improved(m_best);
    }

    std::span<const FitItem> m_items;
    const FitModel& m_model;
    const MinimiseOptions& m_options;
    const Context& m_context;
    FitRace m_race;
    Minimum m_best;
    std::int64_t m_failed = 0; ///< The highest target of this round that was not reached.
};

} // namespace

Minimum minimise(std::span<const FitItem> items, const MinimiseOptions& options, const Context& context)
{
    const std::optional<FitModel> model = makeFitModel(items, context);
    if (model) return Minimiser(items, *model, options, context).run();
    Minimum best;
    best.offsets = options.known.empty() ? stacked(items) : std::vector(options.known.begin(), options.known.end());
    best.peak = highestEnd(items, best.offsets);
    best.bound = fullestStep(items);
    best.optimal = best.peak == best.bound;
    return best;
}

} // namespace plimsoll
