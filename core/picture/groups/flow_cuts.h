#pragma once

#include "core/graph/graph.h"

#include <limits>
#include <span>
#include <vector>

namespace plimsoll {

/// What flows along a run of nodes: each value from one use to the next. One from before the run flows from its first
/// reader on.
struct RunFlow
{
    static constexpr std::size_t NoFork = std::numeric_limits<std::size_t>::max();
    struct Stretch
    {
        std::size_t from = 0; ///< Positions in the run.
        std::size_t to = 0;
        std::size_t forks = NoFork; ///< The writer of the value, where that has had a reader already.
    };
    std::vector<Stretch> stretches;
    std::size_t nodes = 0;

    /// By node, what a cut behind it goes through: twice the tensors, and one more where no value forks. What is only
    /// read more than \p reach nodes later is kept, as for the backward pass, and does not count.
    [[nodiscard]] std::vector<int> behind(std::size_t reach) const;
};

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
    [[nodiscard]] RunFlow along(std::span<const NodeId> nodes) const;               ///< O(edges of the run).
    [[nodiscard]] std::vector<std::size_t> of(std::span<const NodeId> nodes) const; ///< O(edges of the run).

private:
    const Graph& m_graph;
    std::vector<char> m_data; ///< By ValueId: it comes from an input of the graph, not of weights and constants alone.
};

} // namespace plimsoll
