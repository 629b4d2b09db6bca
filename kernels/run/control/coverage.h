#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace plimsoll::kernels {

/// Which ways the runs of one graph went: the branch of each If, and how often each loop went round. A first run goes
/// as its data decide. Forced ones take the way that was taken least often, so that a few runs take them all; then some
/// more take them in other combinations.
class Coverage
{
public:
    /// What decides: a value, and the number of the write that made its content. Owners with one decider agree.
    struct Decider
    {
        ValueId value;
        std::int64_t write = 0;
        friend auto operator<=>(const Decider&, const Decider&) = default;
    };

    /// The run from here on is forced, and takes one way at each decider: the least taken one, or that of a
    /// combination.
    void beginForced(std::optional<std::int64_t> combination = std::nullopt);
    void endForced() { m_forced = false; }
    /// Which of \p count branches the owner takes; \p natural is what its data say.
    [[nodiscard]] std::int64_t branch(NodeId owner, Decider decider, std::int64_t natural, std::int64_t count);
    /// How often a loop goes round of which \p possible are the numbers to be tried; nothing where its data decide.
    [[nodiscard]] std::optional<std::int64_t> trips(NodeId owner, const std::vector<std::int64_t>& possible);
    void wentRound(NodeId owner, std::int64_t trips); ///< Counted as the next higher number that is tried.

    /// Ways of owners that some run came to, and that no run took.
    [[nodiscard]] std::int64_t open() const;
    /// So many combinations hold, for every two of the first 15 owners that have two ways each, both ways of the one
    /// with both of the other: the rows of a Hadamard matrix. 0 for a single owner.
    [[nodiscard]] std::int64_t combinations() const;

    std::map<BodyId, std::int64_t> bodyRuns; ///< How often each graph was run, by all runs.

private:
    using Ways = std::map<std::int64_t, std::int64_t>; ///< Branch or number of trips, and how often it was taken.

    [[nodiscard]] std::int64_t next(NodeId owner) const;

    bool m_forced = false;
    std::optional<std::int64_t> m_combination;
    std::map<NodeId, Ways> m_ways;
    std::map<Decider, std::int64_t> m_decided; ///< In this forced run.
};

} // namespace plimsoll::kernels
