#include "app/cli/commands/command.h"
#include "app/cli/commands/report_formats.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace plimsoll::cli {
namespace {

struct ReportOptions : GraphOptions
{
    std::string output;
    SearchOptionValues search;
};

Result<ExitStatus> writeReport(ReportOptions& options)
{
    options.outputs = {{"-o", options.output}};
    PLIMSOLL_ASSIGN(format, findReportFormat(options.output));
    PLIMSOLL_ASSIGN(report, analyseAndSearch(options, options.search, analyseFile));
    PLIMSOLL_TRY(writeText(options.output, format.write(report)));
    std::cerr << printable(incompleteFirst(report) + notesText(report), {report.graph.get()});
    return statusOf(report);
}

} // namespace

void addReportCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<ReportOptions>();
    CLI::App* command = program.add_subcommand(
        "report", "Plan, or take a plan, and write the report in the format of the file name: " + reportExtensions());
    addGraphOptions(*command, *options);
    addPlanOption(*command, *options);
    addSearchOptions(*command, options->search);
    addWhatIfOption(*command, *options);
    command->add_option("-o,--output", options->output, "File to write; its ending chooses the format")->required();
    command->callback([options, &exit] { exit.take(writeReport(*options)); });
}

} // namespace plimsoll::cli
