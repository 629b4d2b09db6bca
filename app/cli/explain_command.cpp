#include "app/cli/command.h"
#include "app/cli/explanation.h"
#include "app/cli/files.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace plimsoll::cli {
namespace {

struct ExplainOptions : GraphOptions
{
    std::string subject;
    std::string other;
};

Result<ExitStatus> explain(const ExplainOptions& options)
{
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(report, analyseFile(options, std::move(request)));
    PLIMSOLL_ASSIGN(text, options.other.empty() ? explanation(report, options.subject)
                                                : explainPair(report, options.subject, options.other));
    PLIMSOLL_TRY(writeText("-", text));
    return ExitStatus::Fine;
}

} // namespace

void addExplainCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* command = program.add_subcommand("explain", "Say where a value, node or storage is, and why");
    addGraphOptions(*command, *options);
    command->add_option("SUBJECT", options->subject, "Name of a value or a node, or the number of a storage")
        ->required();
    command->add_option("OTHER", options->other, "Name of a second value: why do the two share, or why not");
    addPlanOption(*command, *options);
    command->callback([options, &exit] { exit.take(explain(*options)); });
}

} // namespace plimsoll::cli
