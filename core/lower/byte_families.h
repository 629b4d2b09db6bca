#pragma once

#include "core/graph/graph.h"

namespace plimsoll {

/// Values that must be the same bytes: bases, their views and their new versions.
class ByteFamilies
{
public:
    explicit ByteFamilies(const Graph& graph);

    /// The value that the family goes back to.
    [[nodiscard]] ValueId root(ValueId value) const { return m_root[value.index()]; }
    /// Whether its bytes are written in place.
    [[nodiscard]] bool isChanged(ValueId value) const { return m_changed[root(value).index()]; }

private:
    std::vector<ValueId> m_root; ///< By ValueId.
    std::vector<bool> m_changed; ///< By ValueId, of roots.
};

} // namespace plimsoll
