#include "app/cli/commands/all_commands.h"

using namespace plimsoll::cli;

int main(int argc, char** argv)
{
    const Command program = {
        .name = "plimsoll-cli",
        .meaning = "Plans how a deep-learning graph's tensors share memory, judges plans, and runs them.",
        .footer = "Exit status: 0 fine, 1 findings of severity error, 2 wrong usage, 3 unreadable input, 4 cannot run "
                  "here.\n'-' stands for standard input or output.",
        .commands = {planCommand(),
                     checkCommand(),
                     compareCommand(),
                     explainCommand(),
                     reportCommand(),
                     convertCommand(),
                     runCommand(),
                     bisectCommand(),
                     fitCommand(),
                     sweepCommand(),
                     packCommand(),
                     poolCommand(),
                     replayCommand(),
                     catalogueCommand(),
                     tryReadingCommand(),
                     {.name = "worker",
                      .meaning = "The child process of run, bisect and replay",
                      .hidden = true,
                      .commands = {runWorker(), bisectWorker(), replayWorker()}}}};
    return runProgram(program, "plimsoll-cli " PLIMSOLL_VERSION, argc, argv);
}
