#include "app/cli/commands/command.h"

#include <CLI/CLI.hpp>

int main(int argc, char** argv)
{
    CLI::App program("Plans how a deep-learning graph's tensors share memory, judges plans, and runs them.",
                     "plimsoll-cli");
    program.set_version_flag("--version", "plimsoll-cli " PLIMSOLL_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Exit status: 0 fine, 1 findings of severity error, 2 wrong usage, 3 unreadable input, 4 cannot run here.\n"
        "'-' stands for standard input or output.");
    plimsoll::cli::Exit exit;
    plimsoll::cli::addAllCommands(program, exit);
    return plimsoll::cli::runProgram(program, exit, argc, argv);
}
