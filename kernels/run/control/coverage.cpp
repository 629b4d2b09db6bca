#include "kernels/run/control/coverage.h"

#include <algorithm>
#include <bit>

namespace plimsoll::kernels {
namespace {

using Ways = std::map<std::int64_t, std::int64_t>;

std::int64_t leastTaken(const Ways& ways)
{
    return std::ranges::min_element(ways, {}, &Ways::value_type::second)->first;
}

} // namespace

void Coverage::beginForced(std::optional<std::int64_t> combination)
{
    m_forced = true;
    m_combination = combination;
    m_decided.clear();
}

std::int64_t Coverage::branch(NodeId owner, Decider decider, std::int64_t natural, std::int64_t count)
{
    Ways& ways = m_ways[owner];
    for (std::int64_t way = 0; way < count; ++way)
        ways.try_emplace(way, 0);
    std::int64_t taken = natural;
    if (m_forced && count > 0) taken = std::min(m_decided.try_emplace(decider, next(owner)).first->second, count - 1);
    ++ways[taken];
    return taken;
}

std::optional<std::int64_t> Coverage::trips(NodeId owner, const std::vector<std::int64_t>& possible)
{
    if (possible.empty()) return std::nullopt;
    Ways& ways = m_ways[owner];
    for (const std::int64_t way : possible)
        ways.try_emplace(way, 0);
    return m_forced ? std::optional(next(owner)) : std::nullopt;
}

void Coverage::wentRound(NodeId owner, std::int64_t trips)
{
    const auto found = m_ways.find(owner);
    if (found == m_ways.end()) return;
    const auto way = found->second.lower_bound(trips);
    ++(way == found->second.end() ? std::prev(way) : way)->second;
}

std::int64_t Coverage::open() const
{
    std::int64_t open = 0;
    for (const auto& [owner, ways] : m_ways)
        open += std::ranges::count(ways, 0, &Ways::value_type::second);
    return open;
}

std::int64_t Coverage::combinations() const
{
    constexpr std::uint64_t Most = 16;
    return m_ways.size() < 2 ? 0 : static_cast<std::int64_t>(std::min(Most, std::bit_ceil(m_ways.size() + 1)));
}

std::int64_t Coverage::next(NodeId owner) const
{
    const auto found = m_ways.find(owner);
    const Ways& ways = found->second;
    if (!m_combination) return leastTaken(ways);
    const auto row = static_cast<std::uint64_t>(*m_combination);
    const auto column = static_cast<std::uint64_t>(std::distance(m_ways.begin(), found) + 1);
    const std::uint64_t way = ways.size() == 2 ? static_cast<std::uint64_t>(std::popcount(row & column)) : row + column;
    return std::next(ways.begin(), static_cast<std::ptrdiff_t>(way % ways.size()))->first;
}

} // namespace plimsoll::kernels
