#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/report/report_json.h"

#include <memory>

namespace plimsoll::cli {
namespace {

struct PlanOptions : GraphOptions
{
    std::string json;
    std::string planOutput;
    SearchOptionValues search;
};

Result<ExitStatus> plan(PlanOptions& options)
{
    options.outputs = {{"--json", options.json}, {"--write-plan", options.planOutput}};
    PLIMSOLL_ASSIGN(report, analyseAndSearch(options, options.search, planFile));
    const std::string json = options.json.empty() ? "" : writeReportJson(report);
    const std::string planText = options.planOutput.empty() ? "" : planJsonText(planOf(report));
    PLIMSOLL_TRY(writeTexts({{options.json, json}, {options.planOutput, planText}}));
    // What goes to standard output is for the next program alone.
    if (options.json != "-" && options.planOutput != "-")
        PLIMSOLL_TRY(printText(summaryText(report), {report.program.graph.get()}));
    return statusOf(report);
}

} // namespace

Command planCommand()
{
    auto options = std::make_shared<PlanOptions>();
    return {.name = "plan",
            .meaning = "Plan a graph's memory and say how good the plan is",
            .arguments = joined(
                {graphArguments(*options),
                 searchArguments(options->search),
                 {whatIfArgument(*options),
                  {"--json", &options->json, "Write the report (plimsoll.report/1) there; '-' is standard output"},
                  {"--write-plan", &options->planOutput,
                   "Write the plan (plimsoll.plan/1) there; '-' is standard output"}}}),
            .run = [options] { return plan(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
