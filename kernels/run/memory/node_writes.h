#pragma once

#include "core/plan/program.h"

#include <vector>

namespace plimsoll::kernels {

/// What a node writes where nothing that it reads may be. A kernel that happens to read all of its operands first, or
/// not to touch its scratchpad, hides that these bytes hold something else; poison put there before it reads shows it.
/// Nothing of a node that arranges its memory itself.
struct NodeWrites
{
    /// Outputs but those that lie where the node lets them share with an input; of what is put together of parts, the
    /// bytes between those that lie in their places.
    std::vector<std::pair<ValueId, Interval>> apart;
    std::vector<ValueId> inPlace; ///< Outputs that are computed over an input.
    bool namesOnly = false;       ///< All that it makes are other names for bytes of its inputs: it does nothing.
    ValuePlacement scratch;       ///< Not placed where it has none.
};

/// Whether \p value begins \p offset bytes behind \p under, in the same arena or in the same bytes of the caller.
[[nodiscard]] bool liesOver(const MemoryMap& map, ValueId value, ValueId under, std::int64_t offset = 0);

/// By NodeId.
[[nodiscard]] std::vector<NodeWrites> nodeWrites(const PlannedProgram& program);

} // namespace plimsoll::kernels
