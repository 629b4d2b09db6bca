#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A sequence that repeats: \c count times \c period items from \c begin on.
struct RepeatedBlocks
{
    std::size_t begin = 0;
    std::size_t period = 0;
    std::size_t count = 0;
    friend bool operator==(const RepeatedBlocks&, const RepeatedBlocks&) = default;
};

/// Finds the layers of a network in the flat list of its operators: the period that explains the longest run, then the
/// same to the left and to the right of it. Sorted, disjoint. Compares every item with the one a period later, for all
/// periods from 4 on, up to a bounded amount of work.
[[nodiscard]] std::vector<RepeatedBlocks> findRepeatedBlocks(const std::vector<std::string_view>& items);

} // namespace plimsoll
