#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace plimsoll {

/// Holes by address, in chunks of which the largest hole is known, as it is of groups of chunks.
///
///     groups  [        90        |  ∞  ]     the first that is large enough, then its first chunk, then its first hole
///     chunks  [  8 |  90  |   3  |  ∞  ]
///     holes   [2 8 | 90 5 | 1 1 3| 4 ∞ ]
struct HoleChunks
{
    static constexpr std::size_t MostHoles = 48;
    static constexpr std::size_t GroupSize = 16;

    struct Hole
    {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    using Chunk = std::vector<Hole>;

    /// The first chunk from \p c on with a hole of \p units; the number of chunks when there is none.
    [[nodiscard]] std::size_t chunkFrom(std::size_t c, std::int64_t units) const
    {
        for (std::size_t group = c / GroupSize; group < groupLargest.size(); ++group) {
            const std::size_t end = std::min((group + 1) * GroupSize, largest.size());
            if (groupLargest[group] < units) continue;
            for (c = std::max(c, group * GroupSize); c < end; ++c) {
                if (largest[c] >= units) return c;
            }
        }
        return largest.size();
    }

    /// How many of the ascending numbers at(0), at(1), … are below \p limit. Without branches that depend on them:
    /// which way they go cannot be foretold.
    template <typename At>
    static std::size_t countBelow(std::size_t count, std::int64_t limit, At at)
    {
        std::size_t first = 0;
        while (count > 0) {
            const std::size_t half = (count + 1) / 2;
            first += at(first + half - 1) < limit ? half : 0;
            count -= half;
        }
        return first;
    }

    /// Where a hole that begins at \p offset is, or belongs.
    [[nodiscard]] std::size_t chunkOf(std::int64_t offset) const
    {
        const std::size_t above = countBelow(first.size(), offset, [this](std::size_t c) { return first[c]; });
        return above == 0 ? 0 : above - 1;
    }

    void noteGrowth(std::size_t c, Hole hole)
    {
        const std::int64_t size = hole.end - hole.begin;
        largest[c] = std::max(largest[c], size);
        std::int64_t& group = groupLargest[c / GroupSize];
        group = std::max(group, size);
    }

    static std::int64_t largestOf(const Chunk& holes)
    {
        std::int64_t largest = 0;
        for (const Hole& hole : holes)
            largest = std::max(largest, hole.end - hole.begin);
        return largest;
    }

    void insert(std::size_t c, Chunk holes)
    {
        const auto at = static_cast<std::ptrdiff_t>(c);
        first.insert(first.begin() + at, holes.front().begin);
        largest.insert(largest.begin() + at, largestOf(holes));
        chunks.insert(chunks.begin() + at, std::move(holes));
        measureGroups(c == 0 ? 0 : (c - 1) / GroupSize, chunks.size());
    }

    void erase(std::size_t c)
    {
        const auto at = static_cast<std::ptrdiff_t>(c);
        first.erase(first.begin() + at);
        largest.erase(largest.begin() + at);
        chunks.erase(chunks.begin() + at);
        measureGroups(c / GroupSize, chunks.size());
    }

    /// Of the groups from \p group on that have chunks before \p last.
    void measureGroups(std::size_t group, std::size_t last)
    {
        groupLargest.resize((chunks.size() + GroupSize - 1) / GroupSize);
        for (; group * GroupSize < last; ++group) {
            const auto begin = largest.begin() + static_cast<std::ptrdiff_t>(group * GroupSize);
            const auto count = std::min(GroupSize, chunks.size() - group * GroupSize);
            groupLargest[group] = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(count));
        }
    }

    void split(std::size_t c)
    {
        Chunk& holes = chunks[c];
        const auto middle = holes.begin() + static_cast<std::ptrdiff_t>(holes.size() / 2);
        Chunk upper(middle, holes.end());
        holes.erase(middle, holes.end());
        largest[c] = largestOf(holes);
        insert(c + 1, std::move(upper));
    }

    std::vector<Chunk> chunks;              ///< None of them empty.
    std::vector<std::int64_t> first;        ///< By chunk: where its first hole begins.
    std::vector<std::int64_t> largest;      ///< By chunk: at least the size of its largest hole.
    std::vector<std::int64_t> groupLargest; ///< By group: at least that of its chunks.
};

/// The holes of one arena at one moment: taking and giving back look at a few chunks and holes, however many there are.
/// The last hole reaches up without end.
class FreeList
{
public:
    static constexpr std::int64_t Top = std::numeric_limits<std::int64_t>::max();

    FreeList() { m_all.insert(0, Chunk {Hole {0, Top}}); }

    /// The lowest multiple of \p alignment with \p units free above it. It is taken.
    std::int64_t takeLowest(std::int64_t units, std::int64_t alignment)
    {
        for (std::size_t c = m_all.chunkFrom(0, units); c < m_all.chunks.size(); c = m_all.chunkFrom(c + 1, units)) {
            const Chunk& holes = m_all.chunks[c];
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
        for (std::size_t c = 0; c < m_all.chunks.size() && smallest > units; ++c) {
            if (m_all.largest[c] < units) continue;
            for (std::size_t h = 0; h < m_all.chunks[c].size(); ++h) {
                const Hole& hole = m_all.chunks[c][h];
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
        const std::size_t c = m_all.chunkOf(offset);
        Chunk& holes = m_all.chunks[c];
        const std::size_t h =
            HoleChunks::countBelow(holes.size(), offset, [&holes](std::size_t i) { return holes[i].begin; });
        const auto above = holes.begin() + static_cast<std::ptrdiff_t>(h);
        const bool joinsBelow = h > 0 && holes[h - 1].end == offset;
        if (h < holes.size() && holes[h].begin == end) {
            holes[h].begin = joinsBelow ? holes[h - 1].begin : offset;
            m_all.noteGrowth(c, holes[h]);
            if (joinsBelow) holes.erase(above - 1);
        } else if (joinsBelow) {
            holes[h - 1].end = end;
            if (h == holes.size() && joinNext(c)) return;
            m_all.noteGrowth(c, holes[h - 1]);
        } else if (h == holes.size() && c + 1 < m_all.chunks.size() && m_all.first[c + 1] == end) {
            m_all.chunks[c + 1].front().begin = m_all.first[c + 1] = offset;
            m_all.noteGrowth(c + 1, m_all.chunks[c + 1].front());
            return;
        } else {
            holes.insert(above, {offset, end});
            m_all.noteGrowth(c, {offset, end});
        }
        m_all.first[c] = m_all.chunks[c].front().begin;
        if (m_all.chunks[c].size() > HoleChunks::MostHoles) m_all.split(c);
    }

    [[nodiscard]] std::size_t chunkCount() const { return m_all.chunks.size(); }

private:
    using Hole = HoleChunks::Hole;
    using Chunk = HoleChunks::Chunk;
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

    /// Joins the last hole of a chunk with the first of the next, where they touch.
    bool joinNext(std::size_t c)
    {
        if (c + 1 >= m_all.chunks.size()) return false;
        const Hole last = m_all.chunks[c].back();
        if (m_all.first[c + 1] != last.end) return false;
        m_all.chunks[c + 1].front().begin = m_all.first[c + 1] = last.begin;
        m_all.noteGrowth(c + 1, m_all.chunks[c + 1].front());
        m_all.chunks[c].pop_back();
        if (m_all.chunks[c].empty()) m_all.erase(c);
        return true;
    }

    std::int64_t take(Place place, std::int64_t offset, std::int64_t units)
    {
        Chunk& holes = m_all.chunks[place.chunk];
        Hole& hole = holes[place.hole];
        const Hole whole = hole;
        const bool below = offset > whole.begin;
        const bool above = offset + units < whole.end;
        if (below) {
            hole.end = offset;
            if (above)
                holes.insert(holes.begin() + static_cast<std::ptrdiff_t>(place.hole) + 1, {offset + units, whole.end});
        } else if (above) {
            hole.begin = offset + units;
        } else {
            holes.erase(holes.begin() + static_cast<std::ptrdiff_t>(place.hole));
        }
        if (holes.empty()) {
            m_all.erase(place.chunk);
            return offset;
        }
        m_all.first[place.chunk] = holes.front().begin;
        if (whole.end - whole.begin >= m_all.largest[place.chunk]) {
            m_all.largest[place.chunk] = HoleChunks::largestOf(holes);
            m_all.measureGroups(place.chunk / HoleChunks::GroupSize, place.chunk + 1);
        }
        if (holes.size() > HoleChunks::MostHoles) m_all.split(place.chunk);
        return offset;
    }

    HoleChunks m_all;
};

} // namespace plimsoll
