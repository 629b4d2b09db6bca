#include "core/placement/fit/squeaky_fit.h"

#include "core/base/narrow.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace plimsoll {
namespace {

/// Runs without a better packing after which an episode ends.
constexpr int Patience = 24;
/// Measured: 1 and 1.5 get furthest on most families, 2 sooner on some.
constexpr std::array<float, 3> Steps = {1.0F, 1.5F, 2.0F};
constexpr float HighestKey = 120;
constexpr int RunsOfCore = 30;
/// Buffers for each of the core, so that learning takes no more than a few runs.
constexpr std::size_t LeastBeyondCore = 16;

/// The items alive near a rank that is nearly as full as the fullest: within as many ranks as items are alive there,
/// in which about all of those are replaced by others.
std::vector<std::uint32_t> coreOf(const Section& section)
{
    const std::vector<std::int64_t> load = loadOf(section);
    const auto fullest = std::max_element(load.begin(), load.end());
    const auto rank = narrow<std::int32_t>(fullest - load.begin());
    const auto live = std::count_if(section.hulls.begin(), section.hulls.end(),
                                    [rank](RankSpan hull) { return hull.begin <= rank && hull.end > rank; });
    const auto reach = std::min(static_cast<std::int32_t>(live), section.ranks);
    std::vector<std::int32_t> near(load.size() + 1, 0); // ranks before each that are near
    std::int32_t until = 0;                             // what is near to a full rank so far ends here
    for (std::int32_t r = 0, ahead = 0; r < section.ranks; ++r) {
        for (; ahead < std::min(r + reach, section.ranks); ++ahead) {
            if (load[static_cast<std::size_t>(ahead)] >= *fullest - *fullest / 25) until = ahead + reach;
        }
        near[static_cast<std::size_t>(r) + 1] = near[static_cast<std::size_t>(r)] + (r < until ? 1 : 0);
    }
    std::vector<std::uint32_t> items;
    for (std::uint32_t item = 0; item < section.count(); ++item) {
        const RankSpan hull = section.hulls[item];
        if (near[static_cast<std::size_t>(hull.begin)] < near[static_cast<std::size_t>(hull.end)])
            items.push_back(item);
    }
    return items;
}

} // namespace

SqueakyFit::SqueakyFit(const Section& section, Orders& orders, OrderedFit& fit, std::uint64_t seed)
    : m_section(section), m_orders(orders), m_fit(fit), m_random(seed), m_most(OrderedFit::mostUnits(section))
{
    begin();
}

/// The first episodes go by size alone; later ones by what is drawn.
void SqueakyFit::begin()
{
    const auto episode = static_cast<std::size_t>(m_episode++);
    const bool plain = episode < Steps.size();
    m_step = Steps[episode % Steps.size()];
    m_idle = 0;
    m_best = std::numeric_limits<std::int64_t>::max();
    const double life = plain ? 0 : m_random.unit();
    const double load = plain || m_random.unit() < 0.5 ? 0 : 20 * m_random.unit();
    const std::vector<std::int64_t>& loads = m_orders.peakLoads();
    m_keys.resize(m_section.count());
    for (std::size_t item = 0; item < m_keys.size(); ++item) {
        const RankSpan hull = m_section.hulls[item];
        double key = std::log2(static_cast<double>(m_section.sizes[item]));
        if (life > 0) key += life * std::log2(static_cast<double>(hull.end - hull.begin));
        if (load > 0)
            key += load * static_cast<double>(loads[item]) /
                   static_cast<double>(std::max<std::int64_t>(m_section.bound, 1));
        m_keys[item] = static_cast<float>(std::min(key, 0.9 * HighestKey));
    }
}

Order SqueakyFit::order(const Context& context) const
{
    std::vector<std::uint64_t> keys(m_section.count());
    for (std::size_t item = 0; item < keys.size(); ++item)
        keys[item] = static_cast<std::uint64_t>(m_keys[item] * 0x1p20F);
    Order order(m_section.count());
    std::iota(order.begin(), order.end(), 0U);
    Orders::sortStably(order, keys, context);
    return order;
}

std::optional<Packing> SqueakyFit::attempt(std::int64_t goal, Budget& budget)
{
    if (m_idle >= Patience) begin();
    const Order now = order(budget.context());
    budget.spend(static_cast<std::int64_t>(now.size()) * 3);
    constexpr std::int64_t Narrow = (std::int64_t {1} << 31) - 1; // numbers that are narrow stay so
    const std::int64_t high = std::min(m_most, goal + std::min(goal / 2, m_most));
    const std::int64_t limit = goal < Narrow ? std::min(high, Narrow) : high;
    std::optional<Packing> packing = m_fit.run(now, limit, FitRule::First, budget);
    ++m_idle;
    if (!packing) {
        if (m_fit.failedAt() < now.size()) m_keys[now[m_fit.failedAt()]] += m_step;
        return {};
    }
    if (packing->peak < m_best) {
        m_best = packing->peak;
        m_idle = 0;
    }
    for (std::size_t item = 0; item < m_keys.size(); ++item) {
        if (packing->offsets[item] + m_section.sizes[item] > goal)
            m_keys[item] = std::min(m_keys[item] + m_step, HighestKey);
    }
    return packing;
}

void SqueakyFit::learnFromCore(std::int64_t goal, Budget& budget)
{
    const std::vector<std::uint32_t> items = coreOf(m_section);
    if (items.size() > m_section.count() / LeastBeyondCore) return;
    Section core = subset(m_section, items);
    finishSection(core);
    Orders orders(core);
    OrderedFit fit(core);
    SqueakyFit learner(core, orders, fit, m_random.next());
    for (int run = 0; run < RunsOfCore && !budget.over(); ++run) {
        const auto packing = learner.attempt(goal, budget);
        if (packing && packing->peak <= goal) break;
    }
    for (std::size_t i = 0; i < items.size(); ++i)
        m_keys[items[i]] = learner.m_keys[i];
}

} // namespace plimsoll
