#pragma once

#include "app/cli/arguments.h"
#include "app/cli/commands/run_command.h"

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::cli {

/// The arguments this process was started with, without the program's name, behind "worker".
[[nodiscard]] std::vector<std::string> workerArguments();

/// Shows how far a run is: one line that is written over on a terminal, else lines "progress <step> <total> <node>"
/// when asked for. At most twenty a second.
class ProgressLine
{
public:
    ProgressLine(bool asked, std::string what);
    ~ProgressLine(); ///< Clears the line of a terminal.
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const std::string& line);                 ///< "<step> <total> <name>"
    void show(std::string_view stage, double fraction); ///< In thousandths.

private:
    bool m_asked;
    bool m_terminal;
    bool m_shown = false;
    std::string m_what;
    double m_last = 0;
};

/// \p result, whose error is said as a line "error {…}" (report/message_json.h) to a program that \p listens: it words
/// it for its own user.
[[nodiscard]] Result<ExitStatus> toListener(bool listens, Result<ExitStatus> result);

/// The worker's side: from here on it computes, and opens no file but those with the constants of \p graph.
/// \p devices: on those of this machine, too.
void shutInWorker(const Graph& graph, bool devices);
/// Its other side: \p text for the file of --json, which the supervisor has opened and keeps where the worker ends
/// well.
[[nodiscard]] Status handOver(const std::string& path, std::string_view text);

/// Lets a child process do what this command was asked for, and says where it was when something kills it. The record
/// is emptied before that.
[[nodiscard]] Result<ExitStatus> superviseRun(const RunOptions& options);

} // namespace plimsoll::cli
