#pragma once

#include "core/ops/derivatives/derivatives.h"

#include <span>
#include <vector>

namespace plimsoll {

/// Which values require a gradient, and which of them the loss depends on.
class Reach
{
public:
    Reach(const Graph& graph, const DerivativeSet& derivatives);

    /// Walks back from the loss. Errors: an operator on the way that has no derivative.
    [[nodiscard]] Status walk(const DerivativeSet& derivatives);

private:
    const Graph& m_graph;
    std::vector<std::vector<ValueId>> m_captured; ///< By NodeId: what nested graphs of a node of the top read.

public:
    std::vector<bool> requiresGrad;         ///< By ValueId.
    std::vector<std::size_t> contributions; ///< By ValueId: of its gradient.
    std::vector<bool> reached;              ///< By ValueId: its gradient is computed.

private:
    void findCaptures();
    [[nodiscard]] bool any(std::span<const ValueId> values, const std::vector<bool>& flags) const;
    void passOn(NodeId id, const Derivative* derivative);
    [[nodiscard]] Status walkNode(NodeId id, const Derivative* derivative);
};

} // namespace plimsoll
