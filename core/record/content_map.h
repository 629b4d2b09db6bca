#pragma once

#include "core/record/content_summary.h"

#include <vector>

namespace plimsoll {

/// A tensor as a picture of grey levels: its last two dimensions as rows and columns, those before counted through. A
/// tensor of one dimension is a square that is not quite full.
struct ContentMap
{
    static constexpr int MostPixels = 512; ///< An edge; of a larger one every so many elements one is taken.
    static constexpr std::uint8_t NotFinite = 255;

    int rows = 0;
    int columns = 0;
    std::vector<std::uint8_t> levels {}; ///< By row: from 0, the least of all elements, to 254; or NotFinite.
    std::int64_t count = 0;              ///< Maps that the tensor has.
};

/// Map \p at, from 0; empty where the tensor has less than two elements. \p bytes are all of it, and \p summary is
/// theirs.
[[nodiscard]] ContentMap contentMap(DType dtype, const Shape& shape, std::span<const std::byte> bytes,
                                    const ContentSummary& summary, std::int64_t at);

} // namespace plimsoll
