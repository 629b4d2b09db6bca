#pragma once

#include "core/picture/palette.h"
#include "core/plan/program.h"

#include <array>
#include <vector>

namespace plimsoll {

/// How many storages of each colour are alive at some of the steps that are asked about.
///
/// A storage [b, e) is alive in [begin, end) if b < end and not e <= begin: two counts, each by a tree of sums (Fenwick
/// 1994) over the steps at which storages begin. O(log n) for a storage that is added and for a question.
class AliveColours
{
public:
    explicit AliveColours(const PlannedProgram& program);

    using Counts = std::array<std::int32_t, StorageColourCount>;
    [[nodiscard]] Counts in(const LiveRanges& steps) const;
    void add(const LiveRanges& steps, ColourIndex colour) { change(steps, colour, 1); }
    void remove(const LiveRanges& steps, ColourIndex colour) { change(steps, colour, -1); }

private:
    using Sums = std::vector<Counts>;
    [[nodiscard]] std::size_t rankOf(std::int64_t step) const; ///< How many of the steps are before it.
    void change(const LiveRanges& steps, ColourIndex colour, std::int32_t by);

    std::vector<std::int64_t> m_steps; ///< At which storages begin, sorted.
    Sums m_begun;                      ///< By the rank of the first step.
    Sums m_ended;                      ///< By the rank of the end.
};

} // namespace plimsoll
