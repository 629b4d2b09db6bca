#include "app/cli/command.h"
#include "app/cli/wrong_arguments.h"

#include <CLI/CLI.hpp>

#include <iostream>

int main(int argc, char** argv)
{
    using plimsoll::cli::ExitStatus;
    CLI::App program("Plans how a deep-learning graph's tensors share memory, judges plans, and runs them.",
                     "plimsoll-cli");
    program.set_version_flag("--version", "plimsoll-cli " PLIMSOLL_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Exit status: 0 fine, 1 findings of severity error, 2 wrong usage, 3 unreadable input, 4 cannot run here.\n"
        "'-' stands for standard input or output.");
    plimsoll::cli::Exit exit;
    plimsoll::cli::addAllCommands(program, exit);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool failed = error.get_exit_code() != 0; // --help and --version are thrown, too
        const std::string unknown = failed ? plimsoll::cli::unknownWord(program, {argv + 1, argv + argc}) : "";
        if (!unknown.empty()) {
            std::cerr << "plimsoll-cli: " << unknown << "\nRun with --help for more information.\n";
            return static_cast<int>(ExitStatus::Usage);
        }
        const bool asked = program.exit(error) == 0;
        return static_cast<int>(asked ? ExitStatus::Fine : ExitStatus::Usage);
    }
    return exit.status();
}
