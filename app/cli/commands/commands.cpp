#include "app/cli/commands/command.h"

#include "app/cli/wrong_arguments.h"
#include "core/base/thrown.h"
#include "core/report/escape.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace plimsoll::cli {

void Exit::take(const Result<ExitStatus>& result)
{
    if (!result.ok()) std::cerr << "plimsoll-cli: " << visibleLine(describe(result.error())) << '\n';
    m_status = result.ok() ? result.value() : statusOf(result.error().code);
}

ExitStatus statusOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadUsage:
        return ExitStatus::Usage;
    case ErrorCode::Unsupported:
    case ErrorCode::Stopped:
        return ExitStatus::CannotRun;
    case ErrorCode::BadInput:
    case ErrorCode::Internal:
        break;
    }
    return ExitStatus::Unreadable;
}

ExitStatus statusOf(const Report& report)
{
    return countFindings(report, Severity::Error) > 0 ? ExitStatus::Findings : ExitStatus::Fine;
}

void addAllCommands(CLI::App& program, Exit& exit)
{
    addPlanCommand(program, exit);
    addCheckCommand(program, exit);
    addCompareCommand(program, exit);
    addExplainCommand(program, exit);
    addReportCommand(program, exit);
    addConvertCommand(program, exit);
    addRunCommand(program, exit);
    addPackCommand(program, exit);
    addPoolCommand(program, exit);
    addReplayCommand(program, exit);
    addCatalogueCommand(program, exit);
    addWorkerCommand(program, exit);
}

int runProgram(CLI::App& program, Exit& exit, int argc, const char* const* argv)
{
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool failed = error.get_exit_code() != 0; // --help and --version are thrown, too
        const std::string unknown = failed ? unknownWord(program, {argv + 1, argv + argc}) : "";
        if (!unknown.empty()) {
            std::cerr << "plimsoll-cli: " << unknown << "\nRun with --help for more information.\n";
            return static_cast<int>(ExitStatus::Usage);
        }
        const bool asked = program.exit(error) == 0;
        return static_cast<int>(asked ? ExitStatus::Fine : ExitStatus::Usage);
    } catch (const std::exception& exception) {
        exit.take(thrown(exception));
    }
    return exit.status();
}

} // namespace plimsoll::cli
