#pragma once

#include "core/plan/search_record.h"

namespace plimsoll {

/// What the plot of a search spans.
///
///     high  |‾|__
///           |    |______          best plan so far
///      low  |- - - - - - - - -    proved: no plan is lower
///           +-----------------> seconds, in decades
struct SearchAxes
{
    double firstSeconds = 0.001;
    double lastSeconds = 0.01;
    double endSeconds = 0.01; ///< Of the search, so far; the axis goes on to a decade at least.
    double lowBytes = 0;
    double highBytes = 1;

    /// In [0, 1] from the first to the last second, by their logarithm.
    [[nodiscard]] double timeShare(double seconds) const;
    /// From the lowest (0) to the highest (1); may be beyond.
    [[nodiscard]] double byteShare(double bytes) const { return (bytes - lowBytes) / (highBytes - lowBytes); }
};

/// Of a search with at least one entry; \p elapsedSeconds is later than the last of them while it goes on. A first plan
/// that is far above all others comes in from above.
[[nodiscard]] SearchAxes searchAxes(const SearchRecord& record, double elapsedSeconds);

} // namespace plimsoll
