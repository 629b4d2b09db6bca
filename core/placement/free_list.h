#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll {

/// The holes of one arena at one moment, by address, in chunks that know their largest hole: taking and giving back
/// cost a walk over the chunks, of which there are few. The last hole reaches up without end.
class FreeList
{
public:
    static constexpr std::int64_t Top = std::numeric_limits<std::int64_t>::max();

    FreeList() { m_chunks.push_back({{{0, Top}}, Top}); }

    /// The lowest multiple of \p alignment with \p units free above it. It is taken.
    std::int64_t takeLowest(std::int64_t units, std::int64_t alignment)
    {
        for (std::size_t c = 0; c < m_chunks.size(); ++c) {
            if (m_chunks[c].largest < units) continue;
            const std::vector<Hole>& holes = m_chunks[c].holes;
            for (std::size_t h = 0; h < holes.size(); ++h) {
                const std::int64_t offset = fit(holes[h], units, alignment);
                if (offset >= 0) return take({c, h}, offset, units);
            }
        }
        return -1;
    }

    /// The start of the smallest hole that is large enough, the lowest of equals. It is taken. Looks at all holes.
    std::int64_t takeTightest(std::int64_t units, std::int64_t alignment)
    {
        Place best;
        std::int64_t offset = -1;
        std::int64_t smallest = Top;
        for (std::size_t c = 0; c < m_chunks.size() && smallest > units; ++c) {
            if (m_chunks[c].largest < units) continue;
            for (std::size_t h = 0; h < m_chunks[c].holes.size(); ++h) {
                const Hole& hole = m_chunks[c].holes[h];
                const std::int64_t size = hole.end - hole.begin;
                if (size < units || (size >= smallest && offset >= 0)) continue;
                const std::int64_t at = fit(hole, units, alignment);
                if (at < 0) continue;
                best = {c, h};
                offset = at;
                smallest = size;
            }
        }
        return take(best, offset, units);
    }

    /// [offset, offset + units) is free again.
    void giveBack(std::int64_t offset, std::int64_t units)
    {
        const std::int64_t end = offset + units;
        std::size_t c = chunkOf(offset);
        std::vector<Hole>& holes = m_chunks[c].holes;
        const auto above = std::lower_bound(holes.begin(), holes.end(), offset,
                                            [](const Hole& hole, std::int64_t at) { return hole.begin < at; });
        const auto h = static_cast<std::size_t>(above - holes.begin());
        const bool joinsBelow = h > 0 && holes[h - 1].end == offset;
        if (h < holes.size() && holes[h].begin == end) {
            holes[h].begin = offset;
            if (joinsBelow) {
                holes[h - 1].end = holes[h].end;
                holes.erase(above);
            }
            noteGrowth(c, holes[joinsBelow ? h - 1 : h]);
            return;
        }
        if (joinsBelow) {
            holes[h - 1].end = end;
            if (h == holes.size() && joinNext(c)) return;
            noteGrowth(c, holes[h - 1]);
            return;
        }
        if (h == holes.size() && c + 1 < m_chunks.size() && m_chunks[c + 1].holes.front().begin == end) {
            m_chunks[c + 1].holes.front().begin = offset;
            noteGrowth(c + 1, m_chunks[c + 1].holes.front());
            return;
        }
        holes.insert(above, {offset, end});
        noteGrowth(c, {offset, end});
        if (holes.size() > MostHoles) split(c);
    }

    [[nodiscard]] std::size_t chunkCount() const { return m_chunks.size(); }

private:
    static constexpr std::size_t MostHoles = 96;

    struct Hole
    {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    struct Chunk
    {
        std::vector<Hole> holes;
        std::int64_t largest = 0; ///< At least the size of its largest hole.
    };
    struct Place
    {
        std::size_t chunk = 0;
        std::size_t hole = 0;
    };

    static std::int64_t fit(const Hole& hole, std::int64_t units, std::int64_t alignment)
    {
        std::int64_t offset = hole.begin;
        if (alignment > 1) offset = (offset + alignment - 1) / alignment * alignment;
        return hole.end - offset >= units ? offset : -1;
    }

    [[nodiscard]] std::size_t chunkOf(std::int64_t offset) const
    {
        const auto above =
            std::upper_bound(m_chunks.begin(), m_chunks.end(), offset,
                             [](std::int64_t at, const Chunk& chunk) { return at < chunk.holes.front().begin; });
        return above == m_chunks.begin() ? 0 : static_cast<std::size_t>(above - m_chunks.begin()) - 1;
    }

    void noteGrowth(std::size_t c, Hole hole)
    {
        m_chunks[c].largest = std::max(m_chunks[c].largest, hole.end - hole.begin);
    }

    /// Joins the last hole of a chunk with the first of the next, where they touch.
    bool joinNext(std::size_t c)
    {
        if (c + 1 >= m_chunks.size()) return false;
        Hole& next = m_chunks[c + 1].holes.front();
        if (next.begin != m_chunks[c].holes.back().end) return false;
        next.begin = m_chunks[c].holes.back().begin;
        noteGrowth(c + 1, next);
        m_chunks[c].holes.pop_back();
        if (m_chunks[c].holes.empty()) m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(c));
        return true;
    }

    void split(std::size_t c)
    {
        std::vector<Hole>& holes = m_chunks[c].holes;
        const auto middle = holes.begin() + static_cast<std::ptrdiff_t>(holes.size() / 2);
        Chunk upper {{middle, holes.end()}, 0};
        holes.erase(middle, holes.end());
        measure(upper);
        measure(m_chunks[c]);
        m_chunks.insert(m_chunks.begin() + static_cast<std::ptrdiff_t>(c) + 1, std::move(upper));
    }

    static void measure(Chunk& chunk)
    {
        chunk.largest = 0;
        for (const Hole& hole : chunk.holes)
            chunk.largest = std::max(chunk.largest, hole.end - hole.begin);
    }

    std::int64_t take(Place place, std::int64_t offset, std::int64_t units)
    {
        Chunk& chunk = m_chunks[place.chunk];
        Hole& hole = chunk.holes[place.hole];
        const Hole whole = hole;
        const bool below = offset > whole.begin;
        const bool above = offset + units < whole.end;
        if (below) {
            hole.end = offset;
            if (above)
                chunk.holes.insert(chunk.holes.begin() + static_cast<std::ptrdiff_t>(place.hole) + 1,
                                   {offset + units, whole.end});
        } else if (above) {
            hole.begin = offset + units;
        } else {
            chunk.holes.erase(chunk.holes.begin() + static_cast<std::ptrdiff_t>(place.hole));
        }
        if (chunk.holes.empty()) {
            m_chunks.erase(m_chunks.begin() + static_cast<std::ptrdiff_t>(place.chunk));
        } else {
            if (whole.end - whole.begin >= chunk.largest) measure(chunk);
            if (chunk.holes.size() > MostHoles) split(place.chunk);
        }
        return offset;
    }

    std::vector<Chunk> m_chunks;
};

} // namespace plimsoll
