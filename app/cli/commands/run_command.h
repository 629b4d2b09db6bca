#pragma once

#include "app/cli/options.h"
#include "core/facts/report.h"
#include "kernels/run/executor.h"

#include <cstdint>

namespace plimsoll::cli {

struct RunOptions : GraphOptions
{
    std::string inputs;
    std::uint64_t seed = 0;
    std::string mode = "auto";
    std::string cover = "cheap";
    bool reference = false;
    bool writeProbe = false;
    bool noPoison = false;
    bool emulateDevice = false;
    std::int64_t repeat = 1;
    std::int64_t maxTrips = 100'000; ///< Node executions inside loops.
    std::int64_t maxSeconds = 600;
    std::string maxMemory; ///< "8GiB"; empty: what is free.
    std::string record;
    std::string keepBytes; ///< "256MiB"; empty: none.
    std::int64_t keepFrom = 0;
    std::string json;
    bool progress = false;
};

/// A plan, and what its run depends on beside it.
struct ReadyRun
{
    Report report;
    kernels::RunRequest run;
};
/// Inputs, mode and limits of a run.
[[nodiscard]] Arguments runArguments(RunOptions& options);
[[nodiscard]] Result<ReadyRun> readyRun(const RunOptions& options);
/// What the plan computes on devices depends on them: their names stand in the report.
[[nodiscard]] Result<kernels::RunDevices> openDevices(const RunOptions& options, Report& report);

/// Of the file of the graph, where the error names no other.
[[nodiscard]] Error ofFile(Error error, const RunOptions& options);

[[nodiscard]] std::vector<Output> outputsOf(const RunOptions& options);

} // namespace plimsoll::cli
