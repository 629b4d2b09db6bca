#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/report_formats.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"

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
    std::cerr << printable(incompleteFirst(report) + notesText(report), {report.program.graph.get()});
    return statusOf(report);
}

} // namespace

Command reportCommand()
{
    auto options = std::make_shared<ReportOptions>();
    return {.name = "report",
            .meaning =
                "Plan, or take a plan, and write the report in the format of the file name: " + reportExtensions(),
            .arguments = joined({graphArguments(*options),
                                 {planArgument(*options)},
                                 searchArguments(options->search),
                                 {whatIfArgument(*options),
                                  {.names = "-o,--output",
                                   .target = &options->output,
                                   .meaning = "File to write; its ending chooses the format",
                                   .required = true}}}),
            .run = [options] { return writeReport(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
