#include "core/formats/snapshot/plain_data.h"

#include <bit>

namespace plimsoll {

bool PlainData::Walk::next(Item& item)
{
    while (m_left == 0) {
        if (m_next == 0) return false;
        enter(m_next);
    }
    item.m_bits = m_data->m_cells[m_at++];
    --m_left;
    return true;
}

PlainData::Walk::Walk(const PlainData& data, std::uint64_t chunk) : m_data(&data), m_next(chunk) {}

void PlainData::Walk::enter(std::uint64_t chunk)
{
    m_left = m_data->m_cells[chunk];
    m_next = m_data->m_cells[chunk + 1];
    m_at = chunk + 2;
}

PlainData::Item PlainData::integer(std::int64_t value)
{
    constexpr std::int64_t Inline = std::int64_t {1} << 58;
    if (value >= 0 && value < Inline) return {Kind::Integer, static_cast<std::uint64_t>(value) << 1 | 1};
    m_numbers.push_back(static_cast<std::uint64_t>(value));
    return {Kind::Integer, (m_numbers.size() - 1) << 1};
}

PlainData::Item PlainData::real(double value)
{
    m_numbers.push_back(std::bit_cast<std::uint64_t>(value));
    return {Kind::Real, m_numbers.size() - 1};
}

PlainData::Item PlainData::text(std::string_view text, Kind kind)
{
    m_texts.push_back(text);
    return {kind, m_texts.size() - 1};
}

PlainData::Item PlainData::container(Kind kind)
{
    m_chains.emplace_back();
    return {kind, m_chains.size() - 1};
}

std::uint64_t PlainData::addChunk()
{
    m_cells.insert(m_cells.end(), {0, 0});
    return m_cells.size() - 2;
}

void PlainData::append(Item container, std::span<const Item> items)
{
    if (items.empty()) return;
    Chain& chain = m_chains[container.payload()];
    const bool behind = chain.last != 0 && chain.last + 2 + m_cells[chain.last] == m_cells.size();
    if (!behind) {
        const std::uint64_t chunk = addChunk();
        if (chain.first == 0) chain.first = chunk;
        if (chain.last != 0) m_cells[chain.last + 1] = chunk;
        chain.last = chunk;
    }
    for (const Item item : items)
        m_cells.push_back(item.m_bits);
    m_cells[chain.last] += items.size();
}

std::string_view PlainData::keep(std::string text)
{
    m_keptBytes += sizeof(std::string) + text.size();
    return m_kept.emplace_back(std::move(text));
}

std::size_t PlainData::bytes() const
{
    return m_numbers.size() * sizeof(std::uint64_t) + m_texts.size() * sizeof(std::string_view) +
           m_chains.size() * sizeof(Chain) + m_cells.size() * sizeof(std::uint64_t) + m_keptBytes;
}

std::optional<bool> PlainData::asBool(Item item) const
{
    if (item.kind() != Kind::Bool) return std::nullopt;
    return item.payload() != 0;
}

std::optional<std::int64_t> PlainData::asInteger(Item item) const
{
    if (item.kind() != Kind::Integer) return std::nullopt;
    const std::uint64_t value = item.payload() >> 1;
    const bool within = (item.payload() & 1) != 0;
    return static_cast<std::int64_t>(within ? value : m_numbers[value]);
}

std::optional<double> PlainData::asReal(Item item) const
{
    if (item.kind() != Kind::Real) return std::nullopt;
    return std::bit_cast<double>(m_numbers[item.payload()]);
}

std::optional<std::string_view> PlainData::asText(Item item) const
{
    if (item.kind() != Kind::Text && item.kind() != Kind::Bytes) return std::nullopt;
    return m_texts[item.payload()];
}

std::size_t PlainData::size(Item container) const
{
    std::size_t count = 0;
    if (!container.isList() && container.kind() != Kind::Dict) return count;
    for (std::uint64_t chunk = m_chains[container.payload()].first; chunk != 0; chunk = m_cells[chunk + 1])
        count += m_cells[chunk];
    return count;
}

bool PlainData::hasMoreThan(Item container, std::size_t values) const
{
    Walk one = walk(container);
    Item item;
    std::size_t count = 0;
    while (count <= values && one.next(item))
        ++count;
    return count > values;
}

PlainData::Walk PlainData::walk(Item container) const
{
    const bool holds = container.isList() || container.kind() == Kind::Dict;
    return {*this, holds ? m_chains[container.payload()].first : 0};
}

std::optional<PlainData::Item> PlainData::find(Item dict, std::string_view key) const
{
    std::optional<Item> found;
    if (dict.kind() != Kind::Dict) return found;
    Walk entries = walk(dict);
    Item name;
    Item value;
    while (entries.next(name) && entries.next(value)) {
        if (asText(name) == key) found = value;
    }
    return found;
}

} // namespace plimsoll
