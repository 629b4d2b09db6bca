#pragma once

#include "core/graph/schedule.h"
#include "core/ops/saving.h"

#include <span>

namespace plimsoll {

/// A tensor that was written in place between being saved and being read, as PyTorch's counters see it. They belong to
/// a whole family of views, so that a write beside the saved bytes counts as well.
struct VersionClash
{
    std::size_t saved = 0;     ///< Index of the saved tensor.
    std::int64_t expected = 0; ///< Version when it was saved: the number of writes so far.
    std::int64_t found = 0;    ///< When its backward node begins.
    NodeId writer;             ///< The first write in between.
};

/// In the order in which the backward nodes run: the first one is where PyTorch would stop.
[[nodiscard]] std::vector<VersionClash> findVersionClashes(const Graph& graph, const Schedule& schedule,
                                                           std::span<const SavedTensor> saved);

} // namespace plimsoll
