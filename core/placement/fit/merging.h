#pragma once

#include "core/placement/search/budget.h"
#include "core/placement/search/section.h"

#include <optional>
#include <vector>

namespace plimsoll {

/// A section in which buffers were joined to larger ones, and how to take them apart again.
struct Merged
{
    Section section;
    [[nodiscard]] Packing takeApart(const Packing& packing) const;

    struct Node
    {
        std::int64_t size = 0;
        RankSpan hull;
        std::int32_t lower = -1; ///< Both -1: the item of this number.
        std::int32_t upper = -1; ///< On top of lower, or (same address) after it.
        bool stacked = false;
    };
    std::vector<Node> nodes;           ///< The items first.
    std::vector<std::uint32_t> rootOf; ///< By item of the merged section: its node.
    std::size_t items = 0;
};

/// Joins buffers with the same first and last rank into a stack, and a buffer that ends with the only one of its size
/// that begins there into one that lives on, until nothing is left to join. Each join gives up freedom where there is
/// slack; where there is none it is what must happen: any packing made of guillotine cuts is put together again, at its
/// optimum, in nearly linear time. With a \p seed other than 0 a random part of the joins is left out, a \p share of
/// them. Nothing where buffers are pinned, coarsely aligned or have gaps, or when the budget is over.
[[nodiscard]] std::optional<Merged> mergeBlocks(const Section& section, std::uint64_t seed, double share,
                                                Budget& budget);

} // namespace plimsoll
