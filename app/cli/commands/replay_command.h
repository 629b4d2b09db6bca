#pragma once

#include "app/cli/commands/command.h"

#include <string>
#include <vector>

namespace plimsoll::cli {

struct ReplayOptions
{
    std::vector<std::string> folders;
    std::vector<std::string> policies;
    double timeLimit = 60; ///< Seconds for one case.
    std::string json;
    bool verbose = false;
    bool emulateDevice = false;
    std::size_t from = 0; ///< The worker's: the first case to run.
};

void addReplayOptions(CLI::App& command, ReplayOptions& options);

/// Replays the cases from options.from on in this very process, telling the supervisor about each: what the worker
/// does.
[[nodiscard]] Result<ExitStatus> replayHere(const ReplayOptions& options);

} // namespace plimsoll::cli
