#pragma once

#include "kernels/backend.h"
#include "kernels/run/control/coverage.h"
#include "kernels/run/control/loop_budget.h"
#include "kernels/run/executor.h"
#include "kernels/run/memory/bytes_in_use.h"
#include "kernels/run/memory/dead_bytes.h"
#include "kernels/run/memory/node_writes.h"
#include "kernels/run/memory/release_plan.h"
#include "kernels/run/memory/run_memory.h"

#include <optional>
#include <set>

namespace plimsoll::kernels {

class BetweenProbe;

/// What a run begins with.
struct RunStart
{
    const PlannedProgram& program;
    const RunRequest& request;
    ExternalValues& externals;
    ArenaMemory arenas; ///< A copy is the same bytes.
    RunObserver& observer;
    const Context& context;
    Coverage& coverage;                    ///< Of all runs that begin so.
    const std::vector<NodeWrites>& writes; ///< By NodeId.
};

/// The same once more. Steps are told once.
[[nodiscard]] RunStart silently(const RunStart& start, RunObserver& silent);

/// The step that is being executed.
struct CurrentStep
{
    std::int64_t number = -1;
    std::vector<std::int64_t>
        iteration {}; ///< Of the loops around it, outermost first: part of the key of every event.
    std::vector<ValueId> written {};
    double ms = 0;            ///< Of the planned half, so far.
    bool spoiledRead = false; ///< It has read a spoiled value.
    bool backward = false;    ///< Of the backward graph.
};

/// What the order of a plan reads before it is made, and what the oracle has there at which iteration.
struct EarlyReads
{
    std::set<ValueId> values {};
    std::map<std::pair<ValueId, std::vector<std::int64_t>>, RuntimeValue> made {}; ///< Of nested graphs.
};

/// What the comparison of planned bytes with the oracle's remembers.
struct Comparison
{
    enum class Oracle : std::uint8_t {
        Own,     ///< It goes along, and lets values go when the plan does.
        Kept,    ///< It keeps what the top makes, for runs in other orders.
        Adopted, ///< Of a run in the captured order: this one runs in another, and poisons nothing.
    };
    struct LastWrite
    {
        std::int64_t order = 0; ///< 0: never.
        std::int64_t step = 0;
        bool overOthers = false; ///< Ever: it is more than another name for what lay there.
    };
    Oracle oracle = Oracle::Own;
    EarlyReads early {};
    std::vector<LastWrite> lastWrites; ///< By ValueId.
    std::int64_t writes = 0;
    std::set<ValueId> mismatched {};
    std::set<ValueId> falseIdentities {};
    std::vector<RunResult::Mismatch> ofIdentities {}; ///< One for each of them.
    std::vector<RunResult::Mismatch> ofReference {};
    Status failure {}; ///< Of a device or a library: the run cannot go on.
};

/// Which kernels have run, and for which nodes hashes stood in.
struct KernelUse
{
    std::map<std::string, std::unique_ptr<BackendSession>> sessions {}; ///< Of what has been needed so far.
    std::set<std::string> devices {};                                   ///< "cuda (emulated)"
    bool fingerprints = false; ///< Hashes may take the place of kernels that are missing or refuse their data.
    std::set<NodeId> fingerprinted {};
};

/// Copies of what the caller's handles reach of the inputs, parameters and constants, and the buffers that the caller
/// brings for outputs. A copy of the map holds the same bytes, for the next run.
using CallerBytes = std::map<ValueId, RuntimeValue>;

/// What holds bytes how long, and what that comes to.
struct Lifetimes
{
    DeadBytes dead;
    ReleasePlan releases;
    BytesInUse inUse;
    HeldBytes held;
};

/// One run of a plan and of its oracle: the same steps in two memories, and a comparison. Plain state, which the
/// functions of steps (step/), nested graphs (control/) and launches (device/) take along.
struct Run
{
    explicit Run(const RunStart& begin);

    RunStart start;
    PlannedMemory planned;
    OracleMemory oracle;
    Comparison compared;
    Lifetimes lifetimes;
    KernelUse kernels {};
    CurrentStep now {};
    LoopBudget budget;
    std::optional<CallerBytes> caller {}; ///< Absent where what the run leaves is not written to.
    BetweenProbe* between = nullptr;      ///< Writes through outputs before backward nodes run.
    RunResult result {};                  ///< What is known so far.
};

/// Of the random numbers of a node at this iteration: the same for the planned run and the oracle.
[[nodiscard]] std::uint64_t seedOf(const Run& run, NodeId node);

/// The first part of a run: constants that are computed ahead, then the caller's bytes where the plan puts them.
[[nodiscard]] Status prepare(Run& run);
[[nodiscard]] Status placeExternals(Run& run);

/// The whole of it.
[[nodiscard]] Result<RunOutcome> runAll(Run& run);
/// The nodes of the top in another order, beside an oracle that has run before.
[[nodiscard]] Result<RunOutcome> runInOrder(Run& run, std::span<const NodeId> order, const Memory& oracle);
/// After the run: the buffers of outputs are kept for the next one, which begins with this one's caller.
[[nodiscard]] Result<WriteProbe> probeHandles(Run& run);

} // namespace plimsoll::kernels
