#pragma once

#include "core/facts/report.h"
#include "kernels/run/probe/run_observer.h"
#include "kernels/run/step/node_runner.h"

#include <map>
#include <string>
#include <vector>

namespace plimsoll::kernels {

/// What a run depends on beside the plan.
struct RunRequest
{
    RunMode mode = RunMode::Auto;
    std::uint64_t seed = 0;
    bool reference = false; ///< Compare what backends compute with the reference kernels, within a bound per operator.
    /// Afterwards write through each handle, see who else changes, and run again over what that left.
    bool writeProbe = false;
    std::int64_t maxLoopNodes = 100'000; ///< Node executions inside loops, of all loops together.
    std::int64_t repeat = 1;             ///< How often a plan that uses a device is launched without waits, at least.
    std::map<ValueId, RuntimeValue> inputs; ///< What is not given is drawn from the seed.
    RunDevices devices {};                  ///< Those that the plan's implementations name.
};

struct RunOutcome
{
    RunResult result;
    std::vector<RuntimeValue> outputs; ///< Of the graph, by position; owned.
};

/// Executes the plan of \p report beside its oracle: the same kernels with every value in memory of its own. A plan
/// that is wrong is executed as it is and caught with the value it spoils; only what leaves its arena is refused.
///
/// Errors: Unsupported where kernels are missing (mode Numeric), a device is missing or fails, or memory is short,
/// BadInput for plans that leave their arenas and for data that a kernel refuses, Stopped. Mismatches are no Error but
/// part of the result.
[[nodiscard]] Result<RunOutcome> execute(const Report& report, const RunRequest& request, RunObserver& observer,
                                         const Context& context);

} // namespace plimsoll::kernels
