#include "core/placement/fit/orders.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace plimsoll {
namespace {

/// The largest number in any range: blocks of 64, doubled ranges of blocks, and a walk at both ends.
class RangeMax
{
public:
    explicit RangeMax(const std::vector<std::int64_t>& numbers) : m_numbers(numbers)
    {
        std::vector<std::int64_t> blocks((numbers.size() + Block - 1) / Block, 0);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            blocks[i / Block] = std::max(blocks[i / Block], numbers[i]);
        m_doubled.push_back(std::move(blocks));
        for (std::size_t half = 1; half * 2 <= m_doubled.front().size(); half *= 2) {
            const std::vector<std::int64_t>& from = m_doubled.back();
            std::vector<std::int64_t> next(from.size() - half);
            for (std::size_t i = 0; i < next.size(); ++i)
                next[i] = std::max(from[i], from[i + half]);
            m_doubled.push_back(std::move(next));
        }
    }

    [[nodiscard]] std::int64_t in(RankSpan span) const
    {
        auto first = static_cast<std::size_t>(span.begin);
        auto last = static_cast<std::size_t>(span.end);
        std::int64_t most = 0;
        while (first < last && first % Block != 0)
            most = std::max(most, m_numbers[first++]);
        while (first < last && last % Block != 0)
            most = std::max(most, m_numbers[--last]);
        if (first >= last) return most;
        const std::size_t blocks = (last - first) / Block;
        const auto level = static_cast<std::size_t>(std::bit_width(blocks)) - 1;
        const std::vector<std::int64_t>& row = m_doubled[level];
        const std::size_t other = last / Block - (std::size_t {1} << level);
        return std::max({most, row[first / Block], row[other]});
    }

private:
    static constexpr std::size_t Block = 64;
    const std::vector<std::int64_t>& m_numbers;
    std::vector<std::vector<std::int64_t>> m_doubled;
};

constexpr std::uint32_t DigitBits = 11;
constexpr std::size_t Digits = std::size_t {1} << DigitBits;

} // namespace

void Orders::sortStably(Order& order, std::span<const std::uint64_t> keys, const Context& context)
{
    std::uint64_t all = 0;
    std::uint64_t common = ~std::uint64_t {0};
    for (const std::uint64_t key : keys) {
        all |= key;
        common &= key;
    }
    const std::uint64_t differing = keys.empty() ? 0 : all ^ common;
    Order other(order.size());
    for (std::uint32_t shift = 0; shift < 64 && differing >> shift != 0; shift += DigitBits) {
        if ((differing >> shift) % Digits == 0 || context.stopped()) continue;
        std::array<std::uint32_t, Digits + 1> at {};
        const auto digit = [&](std::uint32_t item) { return Digits - 1 - (keys[item] >> shift) % Digits; };
        for (const std::uint32_t item : order)
            ++at[digit(item) + 1];
        std::partial_sum(at.begin(), at.end(), at.begin());
        for (const std::uint32_t item : order)
            other[at[digit(item)]++] = item;
        order.swap(other);
    }
}

const std::vector<std::int64_t>& Orders::peakLoads()
{
    if (!m_peakLoads.empty()) return m_peakLoads;
    const std::vector<std::int64_t> load = loadOf(m_section);
    const RangeMax most(load);
    m_peakLoads.reserve(m_section.count());
    for (const RankSpan hull : m_section.hulls)
        m_peakLoads.push_back(most.in(hull));
    return m_peakLoads;
}

std::vector<std::uint64_t> Orders::keysOf(OrderKey key)
{
    std::vector<std::uint64_t> keys(m_section.count());
    if (key == OrderKey::Load || key == OrderKey::Critical) (void)peakLoads();
    for (std::size_t item = 0; item < keys.size(); ++item) {
        const auto size = static_cast<std::uint64_t>(m_section.sizes[item]);
        const auto life = static_cast<std::uint64_t>(m_section.hulls[item].end - m_section.hulls[item].begin);
        switch (key) {
        case OrderKey::Size:
            keys[item] = size;
            break;
        case OrderKey::Life:
            keys[item] = life;
            break;
        case OrderKey::LogLife:
            keys[item] = static_cast<std::uint64_t>(std::bit_width(life));
            break;
        case OrderKey::Area:
            keys[item] = size > ~std::uint64_t {0} / life ? ~std::uint64_t {0} : size * life;
            break;
        case OrderKey::Load:
            keys[item] = static_cast<std::uint64_t>(m_peakLoads[item]);
            break;
        case OrderKey::Critical:
            keys[item] = m_peakLoads[item] >= m_section.bound - m_section.bound / 20 ? 1 : 0;
            break;
        }
    }
    return keys;
}

Order Orders::by(std::span<const OrderKey> keys, const Context& context)
{
    Order order(m_section.count());
    std::iota(order.begin(), order.end(), 0U);
    for (auto key = keys.rbegin(); key != keys.rend() && !context.stopped(); ++key)
        sortStably(order, keysOf(*key), context);
    return order;
}

} // namespace plimsoll
