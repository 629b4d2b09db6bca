#pragma once

#include "core/facts/sparse_use.h"

namespace plimsoll {

/// One implementation that was on offer for a node.
struct OfferReport
{
    NodeId node;
    Implementation offer;
    bool taken = false;
    std::int64_t outputBytes = 0; ///< Required by all its outputs.
    Message why;                  ///< The reason of the decision about it; empty where none was recorded.
    /// How the node goes about sparse tensors, if it does.
    SparseDispatchKind dispatch = SparseDispatchKind::Dense;
};

/// Every offer for every node that had one or that is about sparse tensors, in order of the nodes: what each would
/// take, which was taken, and why. The reorders of the run are listed, too.
[[nodiscard]] std::vector<OfferReport> listOffers(const Report& report);

/// What the chosen implementations take, as far as their times are known: estimated or measured, reorders among them.
struct KernelTime
{
    double allMs = 0;
    double reorderMs = 0;
    std::int64_t untimedNodes = 0; ///< That run, and of which no time is known.
    bool known = false;            ///< The time of one node at least is.
    bool measured = false;         ///< All that have one, reorders and plain loops among them, were executed for it.
};
[[nodiscard]] KernelTime kernelTime(const Program& program);

/// Of the node's own step, in milliseconds; nothing where the run did not measure it.
[[nodiscard]] std::optional<double> measuredMs(const Program& program, const RunResult& run, NodeId node);

} // namespace plimsoll
