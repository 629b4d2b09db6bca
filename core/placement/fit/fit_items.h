#pragma once

#include "core/placement/exact/exact_fit.h"
#include "core/placement/search/section.h"

#include <algorithm>

namespace plimsoll {

/// What a node of the exact search costs, in the units of Budget. Measured: 6 to 8 µs at 200 to 1,000 buffers.
[[nodiscard]] inline std::int64_t workOfNode(const Section& section)
{
    return 150 + 2 * std::min<std::int64_t>(static_cast<std::int64_t>(section.count()), 325);
}

/// A section as the exact search takes it; bytes are units there.
[[nodiscard]] inline std::vector<FitItem> exactItems(const Section& section)
{
    std::vector<FitItem> items(section.count());
    for (std::size_t item = 0; item < section.count(); ++item) {
        for (const RankSpan piece : section.piecesOf(item))
            items[item].live.add({piece.begin, piece.end});
        items[item].bytes = section.sizes[item];
        items[item].alignment = section.alignmentOf(item);
        if (section.pinned(item)) items[item].pin = section.pins[item];
    }
    return items;
}

} // namespace plimsoll
