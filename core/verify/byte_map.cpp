#include "core/verify/byte_map.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::verifying {

ByteMap::Pieces::iterator ByteMap::cutAt(std::int64_t byte)
{
    const auto after = m_pieces.lower_bound(byte);
    if (after == m_pieces.begin()) return after;
    const auto piece = std::prev(after);
    if (piece->second.end <= byte) return after;
    const auto rest = m_pieces.emplace_hint(after, byte, piece->second);
    piece->second.end = byte;
    return rest;
}

/// Adds to \p covered what was there.
void ByteMap::writeOver(Interval bytes, GenerationId generation, std::vector<Piece>& covered)
{
    if (bytes.empty()) return;
    auto piece = cutAt(bytes.begin);
    std::int64_t at = bytes.begin;
    while (piece != m_pieces.end() && piece->first < bytes.end) {
        const Interval part = intersection({piece->first, piece->second.end}, bytes);
        if (at < part.begin) covered.push_back({{at, part.begin}, 0});
        covered.push_back({part, piece->second.generation});
        at = part.end;
        if (part.end < piece->second.end) m_pieces.emplace_hint(std::next(piece), part.end, piece->second);
        piece = m_pieces.erase(piece);
    }
    if (at < bytes.end) covered.push_back({{at, bytes.end}, 0});
    m_pieces.emplace_hint(piece, bytes.begin, Tail {bytes.end, generation});
}

std::vector<ByteMap::Piece> ByteMap::write(Interval bytes, GenerationId generation)
{
    std::vector<Piece> covered;
    writeOver(bytes, generation, covered);
    return covered;
}

std::vector<ByteMap::Piece> ByteMap::write(const std::vector<Interval>& ranges, GenerationId generation)
{
    std::vector<Piece> covered;
    for (const Interval bytes : ranges)
        writeOver(bytes, generation, covered);
    return covered;
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
