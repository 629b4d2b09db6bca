#include "app/cli/command.h"

#include "core/report/escape.h"

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

} // namespace plimsoll::cli
