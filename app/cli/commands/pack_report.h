#pragma once

#include "core/formats/packing/packing_table.h"
#include "core/placement/search/search.h"
#include "core/verify/packing.h"

#include <optional>
#include <string>

namespace plimsoll::cli {

/// What `pack` found out: by a search, or of offsets that came with the table.
struct PackReport
{
    const PackingTable& table;
    std::optional<SearchAnswer> answer {}; ///< Absent: the offsets were given.
    std::vector<Allocation> given {};      ///< Empty where there is an answer.
    PackingVerdict verdict {};             ///< The judge's, of either.
    std::optional<SearchAnswer> anew {};   ///< Beside offsets that an allocator gave: what there was room for.

    [[nodiscard]] std::int64_t peakBytes() const { return verdict.arenaBytes.front(); }
    /// Proved: no plan is lower.
    [[nodiscard]] std::int64_t lowerBoundBytes() const;
    /// Within the capacity; of an allocator's addresses, which lie far apart, the plan that was made anew.
    [[nodiscard]] bool fits() const;
};

/// plimsoll.pack/1.
[[nodiscard]] std::string packJson(const PackReport& report);

/// A few lines for people.
[[nodiscard]] std::string packText(const PackReport& report);

} // namespace plimsoll::cli
