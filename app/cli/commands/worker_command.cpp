#include "app/cli/commands/replay_command.h"
#include "app/cli/commands/run_command.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace plimsoll::cli {

/// Not for people: what `run` and `replay` start as a child process, with the same arguments.
void addWorkerCommand(CLI::App& program, Exit& exit)
{
    CLI::App* worker = program.add_subcommand("worker", "The child process of run and replay")->group("");
    worker->require_subcommand(1);

    auto runOptions = std::make_shared<RunOptions>();
    CLI::App* run = worker->add_subcommand("run", "");
    addRunOptions(*run, *runOptions);
    run->callback([runOptions, &exit] { exit.take(runHere(*runOptions)); });

    auto replayOptions = std::make_shared<ReplayOptions>();
    CLI::App* replay = worker->add_subcommand("replay", "");
    addReplayOptions(*replay, *replayOptions);
    replay->callback([replayOptions, &exit] { exit.take(replayHere(*replayOptions)); });
}

} // namespace plimsoll::cli
