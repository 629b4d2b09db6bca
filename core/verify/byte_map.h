#pragma once

#include "core/base/interval.h"

#include <cstdint>
#include <map>
#include <vector>

namespace plimsoll::verifying {

/// Names one content: the outcome of one write. 0 is "not written yet".
using GenerationId = std::int32_t;

/// What lies at every byte of one arena, as disjoint pieces:
///
///     bytes   0        64        128       192
///             [ gen 3 )[  gen 7  )         [ gen 5 …
///                                 nothing
class ByteMap
{
public:
    struct Piece
    {
        Interval bytes;
        GenerationId generation = 0;
    };

    /// Writes over whatever was there, and says what that was, as pieces() does. An empty range changes nothing.
    std::vector<Piece> write(Interval bytes, GenerationId generation);

    /// Everything in \p bytes in order, with gaps as pieces of generation 0; the pieces cover the range exactly.
    [[nodiscard]] std::vector<Piece> pieces(Interval bytes) const;

    /// The same for several ranges, one after the other.
    std::vector<Piece> write(const std::vector<Interval>& ranges, GenerationId generation);
    [[nodiscard]] std::vector<Piece> pieces(const std::vector<Interval>& ranges) const;

    /// Byte by byte \p join of two maps; called only where they differ.
    template <typename Join>
    [[nodiscard]] static ByteMap merged(const ByteMap& a, const ByteMap& b, Join join)
    {
        ByteMap result;
        const Interval all = a.span(b);
        const std::vector<Piece> left = a.pieces(all);
        const std::vector<Piece> right = b.pieces(all);
        for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
            const Interval common = intersection(left[i].bytes, right[j].bytes);
            const GenerationId x = left[i].generation;
            const GenerationId y = right[j].generation;
            result.append(common, x == y ? x : join(x, y));
            if (left[i].bytes.end == common.end) ++i;
            if (right[j].bytes.end == common.end) ++j;
        }
        return result;
    }

private:
    struct Tail
    {
        std::int64_t end = 0;
        GenerationId generation = 0;
    };
    using Pieces = std::map<std::int64_t, Tail>; ///< By first byte.
    Pieces::iterator cutAt(std::int64_t byte);   ///< Into two, where one lies over it. \return the first from there on
    void writeOver(Interval bytes, GenerationId generation, std::vector<Piece>& covered);
    void append(Interval bytes, GenerationId generation);
    [[nodiscard]] Interval span(const ByteMap& other) const;

    Pieces m_pieces;
};

} // namespace plimsoll::verifying
