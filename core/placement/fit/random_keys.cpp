#include "core/placement/fit/random_keys.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll {

RandomKeys::RandomKeys(const Section& section, Orders& orders, OrderedFit& fit, std::uint64_t seed)
    : m_section(section), m_fit(fit), m_random(seed), m_squeaks(section.count(), 0), m_byStart(section.count())
{
    const std::vector<std::int64_t>& loads = orders.peakLoads();
    for (std::size_t item = 0; item < section.count(); ++item) {
        const RankSpan hull = section.hulls[item];
        m_logSize.push_back(std::log2(static_cast<float>(section.sizes[item])));
        m_logLife.push_back(std::log2(static_cast<float>(hull.end - hull.begin)));
        m_load.push_back(static_cast<float>(loads[item]) /
                         static_cast<float>(std::max<std::int64_t>(section.bound, 1)));
    }
    std::iota(m_byStart.begin(), m_byStart.end(), 0U);
}

RandomKeys::Weights RandomKeys::draw()
{
    if (m_bestReach > 0 && m_random.unit() < 0.5) {
        Weights near = m_best;
        near.life = std::max(0.0, near.life + 0.1 * Randomness::normal(m_random.next()));
        near.load = std::max(0.0, near.load * (1 + 0.2 * Randomness::normal(m_random.next())));
        return near;
    }
    Weights weights;
    weights.life = m_random.unit() < 0.3 ? 0 : m_random.unit();
    weights.load = m_random.unit() < 0.3 ? 0 : 20 * std::pow(m_random.unit(), 2);
    weights.itemNoise = m_random.unit() < 0.5 ? 0 : 0.3 * m_random.unit();
    weights.classNoise = m_random.unit() < 0.5 ? 0 : 0.3 * m_random.unit();
    weights.squeak = m_random.unit() < 0.5 ? 0 : m_random.unit();
    return weights;
}

Order RandomKeys::orderFor(const Weights& weights, const Context& context)
{
    const std::uint64_t salt = m_random.next();
    std::vector<std::uint64_t> keys(m_section.count());
    for (std::size_t item = 0; item < keys.size(); ++item) {
        double key = m_logSize[item] + weights.life * m_logLife[item] + weights.load * m_load[item] +
                     weights.squeak * m_squeaks[item];
        if (weights.itemNoise > 0)
            key += weights.itemNoise * Randomness::normal(Randomness::mixed(salt + item * 0x9E3779B97F4A7C15ULL));
        if (weights.classNoise > 0) {
            const RankSpan hull = m_section.hulls[item];
            const auto sort = static_cast<std::uint64_t>(m_section.sizes[item]) * 0x9E3779B97F4A7C15ULL ^
                              static_cast<std::uint64_t>(hull.end - hull.begin);
            key += weights.classNoise * Randomness::normal(Randomness::mixed(salt ^ sort));
        }
        keys[item] = static_cast<std::uint64_t>(std::clamp((key + 64) * 0x1p18, 0.0, 0x1p32));
    }
    Order order = m_byStart;
    Orders::sortStably(order, keys, context);
    return order;
}

std::optional<Packing> RandomKeys::attempt(std::int64_t limit, Budget& budget)
{
    const Weights weights = draw();
    const Order order = orderFor(weights, budget.context());
    budget.spend(static_cast<std::int64_t>(order.size()) * 2);
    std::optional<Packing> packing = m_fit.run(order, limit, FitRule::First, budget);
    const std::size_t reach = packing ? order.size() + 1 : m_fit.failedAt();
    if (!packing && reach < order.size()) m_squeaks[order[reach]] += 0.25F;
    if (reach > m_bestReach || packing) {
        m_best = weights;
        m_bestReach = reach;
    } else {
        m_bestReach -= m_bestReach / 64; // the limit has fallen since: forget slowly
    }
    return packing;
}

} // namespace plimsoll
