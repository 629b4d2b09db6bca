#pragma once

#include "core/base/result.h"
#include "core/facts/report.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// What the process returns. A contract: scripts rely on the numbers.
enum class ExitStatus {
    Fine = 0,
    Findings = 1,   ///< Of severity error; failed replays; an infeasible pack.
    Usage = 2,      ///< Wrong arguments.
    Unreadable = 3, ///< The input: the reason is on standard error.
    CannotRun = 4,  ///< No device, library or kernel; or stopped.
};

/// How the command that ran has ended. Each command adds itself to the program and sets it:
///
///     void addPlanCommand(CLI::App& program, Exit& exit)
///     {
///         auto options = std::make_shared<PlanOptions>();
///         CLI::App* command = program.add_subcommand("plan", "Plan a graph's memory");
///         addGraphOptions(*command, *options);
///         command->callback([options, &exit] { exit.take(plan(*options)); });
///     }
///
/// where plan() returns Result<ExitStatus> and prints to standard output only. A new command is one file in this
/// folder, one line in addAllCommands (commands.cpp) and one in CMakeLists.txt.
class Exit
{
public:
    /// Prints the error, if it is one, to standard error.
    void take(const Result<ExitStatus>& result);

    [[nodiscard]] int status() const { return static_cast<int>(m_status); }

private:
    ExitStatus m_status = ExitStatus::Fine;
};

[[nodiscard]] ExitStatus statusOf(ErrorCode code);

/// Findings when the report has one of severity error.
[[nodiscard]] ExitStatus statusOf(const Report& report);

void addAllCommands(CLI::App& program, Exit& exit);

/// The command that the arguments name; returns what the process does, also where something threw.
[[nodiscard]] int runProgram(CLI::App& program, Exit& exit, int argc, const char* const* argv);

void addCatalogueCommand(CLI::App& program, Exit& exit);
void addCheckCommand(CLI::App& program, Exit& exit);
void addCompareCommand(CLI::App& program, Exit& exit);
void addConvertCommand(CLI::App& program, Exit& exit);
void addExplainCommand(CLI::App& program, Exit& exit);
void addPackCommand(CLI::App& program, Exit& exit);
void addPlanCommand(CLI::App& program, Exit& exit);
void addPoolCommand(CLI::App& program, Exit& exit);
void addReplayCommand(CLI::App& program, Exit& exit);
void addReportCommand(CLI::App& program, Exit& exit);
void addRunCommand(CLI::App& program, Exit& exit);
void addWorkerCommand(CLI::App& program, Exit& exit); ///< Hidden.

} // namespace plimsoll::cli
