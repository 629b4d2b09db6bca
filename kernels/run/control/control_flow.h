#pragma once

#include "core/graph/graph.h"
#include "kernels/run/control/loop_budget.h"
#include "kernels/run/device/lockstep.h"
#include "kernels/run/memory/release_plan.h"
#include "kernels/run/step/node_runner.h"

#include <functional>

namespace plimsoll::kernels {

/// What the execution of an owner needs of the one who walks the graph.
struct OwnerRun
{
    Lockstep& lockstep;
    NodeRunner& nodes;
    const ReleasePlan& releases;
    LoopBudget& budget;
    NodeId owner;
    std::function<Status(BodyId)> runBody; ///< All nodes of the body, once, without its Leave.

    [[nodiscard]] const Graph& graph() const { return lockstep.graph(); }
    [[nodiscard]] const Node& node() const { return lockstep.graph()[owner]; }
    [[nodiscard]] ValueId input(int index) const; ///< Invalid for -1.
    [[nodiscard]] ValueId output(int index) const;

    /// Enter: inputs loaded and compared, the step left open for what the owner writes into its bodies.
    [[nodiscard]] Status beginEnter();
    /// Leave: the outputs of the body loaded, the step left open for what the body hands over.
    [[nodiscard]] Status beginLeave(BodyId body);
    void endLeave(BodyId body); ///< Releases what the body alone has used.
    [[nodiscard]] Status beginExit();
    void endExit();
};

/// Whether it is known here how the node's bodies are executed: If, Loop, Scan, SequenceMap, and XLA's own two.
[[nodiscard]] bool hasControlFlow(const Node& node);

/// Executes an owner and its bodies. Others than those above hide graphs in their attributes: their bodies run once, on
/// inputs drawn from a hash of the owner's inputs, and their outputs are a hash of both.
[[nodiscard]] Status runOwner(OwnerRun& run);

/// The truth of a one-element bool tensor as the oracle has it; \p fallback where there is none.
[[nodiscard]] bool truthOf(const RuntimeValue& value, bool fallback);

} // namespace plimsoll::kernels
