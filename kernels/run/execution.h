#pragma once

#include "kernels/run/control/loop_budget.h"
#include "kernels/run/device/lockstep.h"
#include "kernels/run/device/stream_orders.h"
#include "kernels/run/executor.h"
#include "kernels/run/memory/release_plan.h"

#include <map>
#include <vector>

namespace plimsoll::kernels {

class BetweenProbe;

/// What the caller holds on to from one run to the next: copies of what his handles reach of the inputs, parameters and
/// constants, and the buffers that he brings for outputs.
using CallerBytes = std::map<ValueId, RuntimeValue>;

/// A plan executed once, in arenas that are there.
class Execution
{
public:
    /// \p caller is nullptr where nobody writes to what the run leaves.
    Execution(const PlannedProgram& program, const RunRequest& request, Lockstep::Parts parts, CallerBytes* caller);

    /// Writes through outputs before backward nodes run.
    void writeBetween(BetweenProbe& probe) { m_between = &probe; }

    /// Keeps what the oracle makes, for runs in other orders.
    void keepOracle() { m_lockstep.keepOracle(); }
    [[nodiscard]] const World& oracle() { return m_lockstep.oracle(); }
    [[nodiscard]] World& planned() { return m_lockstep.planned(); }
    [[nodiscard]] NodeRunner& nodes() { return m_nodes; }

    [[nodiscard]] Result<RunOutcome> run();
    /// The nodes of the top in another order, beside an oracle that has run before.
    [[nodiscard]] Result<RunOutcome> runInOrder(const RunOrder& order, const World& oracle);
    /// After run().
    [[nodiscard]] Result<WriteProbe> probe(const Context& context);

    /// The first part of run(), for whoever runs the nodes himself: constants that are computed ahead, then the
    /// caller's bytes where the plan puts them.
    [[nodiscard]] Status prepare();
    [[nodiscard]] Status placeExternals();
    /// An owner of nested graphs, beside an oracle that has run before and was adopted.
    [[nodiscard]] Status runBeside(NodeId owner) { return runNode(owner); }
    void adoptOracle(const World& oracle) { m_lockstep.adoptOracle(oracle); }
    [[nodiscard]] std::vector<RunResult::Mismatch> mismatches() const;

private:
    [[nodiscard]] Status settleMode();
    [[nodiscard]] Status runAhead();
    [[nodiscard]] bool computesConstant(const Node& node, const std::vector<bool>& needed) const;
    [[nodiscard]] Status runAheadIn(BodyId body, const std::vector<bool>& needed);
    [[nodiscard]] Status placeCopy(ValueId host, const RuntimeValue& content);
    [[nodiscard]] RuntimeValue callersCopy(ValueId host, const RuntimeValue& content);
    void bringBuffers();
    void keepBuffers();
    [[nodiscard]] Status runBody(BodyId body);
    [[nodiscard]] Status runNode(NodeId node);
    [[nodiscard]] Status runOwnerNode(NodeId node);
    void releaseInside(NodeId owner);
    [[nodiscard]] bool usesDevice(NodeId owner) const;
    [[nodiscard]] Result<RunOutcome> collect();
    [[nodiscard]] std::string drawnText() const;

    const PlannedProgram& m_program;
    const Graph& m_graph;
    ExternalValues& m_externals;
    NodeRunner m_nodes;
    ReleasePlan m_releases;
    Lockstep m_lockstep;
    const RunRequest& m_request;
    CallerBytes* m_caller;
    BetweenProbe* m_between = nullptr;
    bool m_backward = false; ///< Where the run is.
    LoopBudget m_budget;
    std::map<BodyId, std::int64_t> m_runs {}; ///< How often each graph was run.
};

} // namespace plimsoll::kernels
