#include "core/placement/search/peak_repair.h"

#include "core/placement/fit/fit_items.h"

#include <algorithm>
#include <numeric>

namespace plimsoll {
namespace {

constexpr std::size_t Narrowest = 24;
constexpr std::size_t Widest = 320;
constexpr std::int64_t NodesEach = 400;
/// Freed and held buffers together; a node of the exact search looks at all of them.
constexpr std::size_t MostForExact = 600;
constexpr int OrdersEach = 8;

bool meets(const Section& section, std::size_t a, std::size_t b)
{
    for (const RankSpan x : section.piecesOf(a)) {
        for (const RankSpan y : section.piecesOf(b)) {
            if (std::max(x.begin, y.begin) < std::min(x.end, y.end)) return true;
        }
    }
    return false;
}

} // namespace

std::vector<std::uint32_t> Windows::chooseFree(const Packing& packing)
{
    std::vector<std::uint32_t> highest;
    for (std::uint32_t item = 0; item < m_section.count(); ++item) {
        const bool touches = packing.offsets[item] + m_section.sizes[item] == packing.peak;
        if (touches && !m_section.pinned(item)) highest.push_back(item);
    }
    if (highest.empty()) return {};
    const std::uint32_t centre = highest[m_random.below(highest.size())];
    const RankSpan hull = m_section.hulls[centre];
    const auto middle = static_cast<double>(hull.begin) + m_random.unit() * static_cast<double>(hull.end - hull.begin);
    const std::int64_t low = static_cast<std::int64_t>(static_cast<double>(packing.peak) * m_random.unit());
    const bool upperBand = m_random.unit() < 0.3;
    // The nearer in time to a random moment of the centre's life, the likelier it is freed.
    std::vector<std::pair<double, std::uint32_t>> near;
    for (std::uint32_t item = 0; item < m_section.count(); ++item) {
        if (m_section.pinned(item) || item == centre) continue;
        const RankSpan other = m_section.hulls[item];
        if (upperBand && packing.offsets[item] + m_section.sizes[item] <= low) continue;
        const double away = std::max({0.0, other.begin - middle, middle - other.end});
        const double reach = hull.end - hull.begin;
        if (away > reach && away > 64) continue;
        near.emplace_back(away + reach * 0.3 * m_random.unit(), item);
    }
    const std::size_t count = std::min(m_width, near.size());
    std::nth_element(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    near.resize(count);
    std::vector<std::uint32_t> free = {centre};
    for (const auto& [away, item] : near)
        free.push_back(item);
    std::sort(free.begin(), free.end());
    return free;
}

std::optional<std::vector<std::int64_t>> Windows::packExactly(const Section& part, std::int64_t limit, Budget& budget)
{
    if (part.count() > MostForExact) return {};
    const std::vector<FitItem> items = exactItems(part);
    const FitAnswer answer = fitInto(items, limit, {NodesEach, m_random.next()}, budget.context());
    budget.spend(answer.nodes * workOfNode(part) + static_cast<std::int64_t>(items.size()) * 100);
    if (answer.verdict != FitVerdict::Fits) return {};
    return answer.offsets;
}

std::optional<std::vector<std::int64_t>> Windows::packAnew(const Section& part, std::int64_t limit, Budget& budget)
{
    Orders orders(part);
    OrderedFit fit(part);
    RandomKeys keys(part, orders, fit, m_random.next());
    for (int attempt = 0; attempt < OrdersEach && !budget.over(); ++attempt) {
        if (auto packing = keys.attempt(limit, budget)) return std::move(packing->offsets);
    }
    return packExactly(part, limit, budget);
}

bool Windows::repair(Packing& packing, Budget& budget)
{
    budget.spend(static_cast<std::int64_t>(m_section.count()));
    const std::vector<std::uint32_t> free = chooseFree(packing);
    if (free.empty()) return false;
    std::vector<char> isFree(m_section.count(), 0);
    RankSpan hull = m_section.hulls[free.front()];
    for (const std::uint32_t item : free) {
        isFree[item] = 1;
        hull = {std::min(hull.begin, m_section.hulls[item].begin), std::max(hull.end, m_section.hulls[item].end)};
    }
    std::vector<std::uint32_t> items;
    for (std::uint32_t item = 0; item < m_section.count(); ++item) {
        const RankSpan other = m_section.hulls[item];
        if (other.end <= hull.begin || other.begin >= hull.end) continue;
        const bool near = isFree[item] != 0 || std::any_of(free.begin(), free.end(), [&](std::uint32_t one) {
                              return meets(m_section, item, one);
                          });
        if (near) items.push_back(item);
    }
    Section part = subset(m_section, items);
    part.pins.assign(items.size(), -1);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (isFree[items[i]] == 0) part.pins[i] = packing.offsets[items[i]];
    }
    // What is held may itself touch the peak; it does not count here.
    finishSection(part);
    const auto found = packAnew(part, std::max(packing.peak - 1, part.bound), budget);
    if (!found) {
        m_width = std::min(m_width + 2, Widest);
        return false;
    }
    m_width = std::max(m_width * 3 / 4, Narrowest);
    packing.peak = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
        packing.offsets[items[i]] = (*found)[i];
    for (std::size_t item = 0; item < m_section.count(); ++item)
        packing.peak = std::max(packing.peak, packing.offsets[item] + m_section.sizes[item]);
    return true;
}

} // namespace plimsoll
