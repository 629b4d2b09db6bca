#pragma once

#include "core/graph/graph.h"
#include "core/plan/run_result.h"

#include <cstdint>
#include <map>

namespace plimsoll::kernels {

/// How many node executions inside loops a run makes, loops of all dialects and depths together: no run is without end.
class LoopBudget
{
public:
    explicit LoopBudget(std::int64_t most) : m_most(most) {}

    /// Takes one more iteration of \p body out of the budget; false where that is more than is left. Each iteration
    /// counts the body's nodes and the larger branch of every If in it, and at least one; loops inside count their own.
    [[nodiscard]] bool take(const Graph& graph, BodyId body);
    /// \p owner was ended for that reason, behind so many iterations.
    void noteCut(NodeId owner, std::int64_t iterations) { m_cut[owner] = iterations; }

    [[nodiscard]] RunResult::Cut cut(const Graph& graph) const;

private:
    std::int64_t m_most;
    std::int64_t m_taken = 0;
    std::map<BodyId, std::int64_t> m_sizes; ///< Of one iteration.
    std::map<NodeId, std::int64_t> m_cut;   ///< The latest time.
};

} // namespace plimsoll::kernels
