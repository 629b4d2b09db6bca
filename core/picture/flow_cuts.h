#pragma once

#include "core/graph/graph.h"

#include <span>
#include <vector>

namespace plimsoll {

/// Cuts a flat run of nodes, in captured order, where least data flows from what is before to what is behind:
///
///     a ─ b ─ c ┊ d ─ e ─ f        at ┊ one tensor lives, the sum of c is read by d and by f's addition:
///               ╰─────────╯        a block begins where a value forks
///
/// Where each block begins, 0 first. A block has SmallestBlock to LargestBlock nodes, the last one maybe fewer. Empty
/// where at some place much flows over every border in reach.
inline constexpr std::size_t SmallestBlock = 16;
inline constexpr std::size_t LargestBlock = 48;
class FlowCuts
{
public:
    explicit FlowCuts(const Graph& graph);
    [[nodiscard]] std::vector<std::size_t> of(std::span<const NodeId> nodes) const; ///< O(edges of the run).

private:
    const Graph& m_graph;
    std::vector<char> m_data; ///< By ValueId: it comes from an input of the graph, not of weights and constants alone.
};

} // namespace plimsoll
