#pragma once

#include "core/base/progress.h"
#include "core/plan/finding.h"
#include "core/plan/program.h"
#include "core/plan/saved_tensor.h"
#include "kernels/run/control/time_limit.h"
#include "kernels/run/device/device_spaces.h"
#include "kernels/run/probe/run_observer.h"

#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace plimsoll::kernels {

enum class RunMode : std::uint8_t {
    Auto,        ///< Numeric as far as there are kernels that accept their data; hashes where there are none.
    Numeric,     ///< Every node by its kernel, or an Error.
    Fingerprint, ///< Kernels where there are any; hashes for the rest and for what a kernel refuses.
};

/// What a run depends on beside the plan.
struct RunRequest
{
    /// Whether further runs take the branches and numbers of trips that the inputs do not lead to.
    enum class Cover : std::uint8_t {
        Never,
        WhenCheap, ///< At most 10,000 node executions.
        Always,
    };
    RunMode mode = RunMode::Auto;
    Cover cover = Cover::WhenCheap;
    std::uint64_t seed = 0;
    bool reference = false; ///< Compare what backends compute with the reference kernels, within a bound per operator.
    /// Afterwards write through each handle, see which others change, and run again over what that left.
    bool writeProbe = false;
    bool poison = true; ///< Overwrite what is dead, and watch guard zones: a late read or a write beside shows.
    std::int64_t maxLoopNodes = 100'000; ///< Node executions inside loops, of all loops together.
    std::int64_t maxBytes = std::numeric_limits<std::int64_t>::max(); ///< Of the host's memory.
    TimeLimit time {};                                                ///< Nodes that cannot end within it are refused.
    std::int64_t repeat = 1; ///< How often a plan that uses a device is launched without waits, at least.
    std::map<ValueId, RuntimeValue> inputs; ///< What is not given is drawn from the seed.
    RunDevices devices {};                  ///< Those that the plan's implementations name.
    std::span<const SavedReport> saved {};  ///< For the write probe: what backward reads of the forward graph.
    std::span<const Finding> findings {};   ///< Of several streams: races among them are run the other way round.
};

struct RunOutcome
{
    RunResult result;
    std::vector<RuntimeValue> outputs; ///< Of the graph, by position; owned.
};

/// Executes \p program beside its oracle: the same kernels with every value in memory of its own. A plan
/// that is wrong is executed as it is and caught with the value it spoils; only what leaves its arena is refused.
///
/// Errors: Unsupported where kernels are missing (mode Numeric), a device is missing or fails, or memory is short,
/// BadInput for plans that leave their arenas and for data that a kernel refuses, Stopped. Mismatches are no Error but
/// part of the result.
[[nodiscard]] Result<RunOutcome> execute(const PlannedProgram& program, const RunRequest& request,
                                         RunObserver& observer, const Context& context);

} // namespace plimsoll::kernels
