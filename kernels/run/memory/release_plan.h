#pragma once

#include "core/graph/schedule.h"

#include <vector>

namespace plimsoll::kernels {

/// When values that are not planned can be let go: after the last node of their own body that reads them (a read from
/// a nested body counts for its owner; a value is never let go before it is made), or at the end of that body. Graph
/// outputs stay to the end of the run.
class ReleasePlan
{
public:
    ReleasePlan(const Graph& graph, const Schedule& schedule);

    [[nodiscard]] const std::vector<ValueId>& after(NodeId node) const { return m_after[node.index()]; }
    [[nodiscard]] const std::vector<ValueId>& atLeave(BodyId body) const { return m_atLeave[body.index()]; }

private:
    std::vector<std::vector<ValueId>> m_after;   ///< By NodeId.
    std::vector<std::vector<ValueId>> m_atLeave; ///< By BodyId: what the body hands over.
};

} // namespace plimsoll::kernels
