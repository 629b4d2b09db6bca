#include "core/verify/byte_map.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::verifying {

void ByteMap::splitAt(std::int64_t byte)
{
    auto after = m_pieces.lower_bound(byte);
    if (after == m_pieces.begin()) return;
    const auto piece = std::prev(after);
    if (piece->second.end <= byte) return;
    m_pieces.emplace_hint(after, byte, piece->second);
    piece->second.end = byte;
}

void ByteMap::write(Interval bytes, GenerationId generation)
{
    if (bytes.empty()) return;
    splitAt(bytes.begin);
    splitAt(bytes.end);
    const auto next = m_pieces.erase(m_pieces.lower_bound(bytes.begin), m_pieces.lower_bound(bytes.end));
    m_pieces.emplace_hint(next, bytes.begin, Tail {bytes.end, generation});
}

void ByteMap::write(const std::vector<Interval>& ranges, GenerationId generation)
{
    for (const Interval bytes : ranges)
        write(bytes, generation);
}

std::vector<ByteMap::Piece> ByteMap::pieces(const std::vector<Interval>& ranges) const
{
    std::vector<Piece> all;
    for (const Interval bytes : ranges)
        std::ranges::copy(pieces(bytes), std::back_inserter(all));
    return all;
}

std::vector<ByteMap::Piece> ByteMap::pieces(Interval bytes) const
{
    std::vector<Piece> found;
    if (bytes.empty()) return found;
    auto piece = m_pieces.upper_bound(bytes.begin);
    if (piece != m_pieces.begin()) --piece;
    std::int64_t at = bytes.begin;
    for (; piece != m_pieces.end() && piece->first < bytes.end; ++piece) {
        const Interval part = intersection({piece->first, piece->second.end}, bytes);
        if (part.empty()) continue;
        if (at < part.begin) found.push_back({{at, part.begin}, 0});
        found.push_back({part, piece->second.generation});
        at = part.end;
    }
    if (at < bytes.end) found.push_back({{at, bytes.end}, 0});
    return found;
}

void ByteMap::append(Interval bytes, GenerationId generation)
{
    if (generation == 0 || bytes.empty()) return;
    if (!m_pieces.empty()) {
        Tail& last = m_pieces.rbegin()->second;
        if (last.end == bytes.begin && last.generation == generation) {
            last.end = bytes.end;
            return;
        }
    }
    m_pieces.emplace_hint(m_pieces.end(), bytes.begin, Tail {bytes.end, generation});
}

Interval ByteMap::span(const ByteMap& other) const
{
    if (m_pieces.empty() && other.m_pieces.empty()) return {};
    if (m_pieces.empty()) return other.span(*this);
    Interval all {m_pieces.begin()->first, m_pieces.rbegin()->second.end};
    if (!other.m_pieces.empty()) {
        all.begin = std::min(all.begin, other.m_pieces.begin()->first);
        all.end = std::max(all.end, other.m_pieces.rbegin()->second.end);
    }
    return all;
}

} // namespace plimsoll::verifying
