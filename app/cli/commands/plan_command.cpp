#include "app/cli/commands/command.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/search_options.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/report/report_json.h"

#include <CLI/CLI.hpp>

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
        PLIMSOLL_TRY(printText(summaryText(report), {report.graph.get()}));
    return statusOf(report);
}

} // namespace

void addPlanCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<PlanOptions>();
    CLI::App* command = program.add_subcommand("plan", "Plan a graph's memory and say how good the plan is");
    addGraphOptions(*command, *options);
    addSearchOptions(*command, options->search);
    addWhatIfOption(*command, *options);
    command->add_option("--json", options->json, "Write the report (plimsoll.report/1) there; '-' is standard output");
    command->add_option("--write-plan", options->planOutput,
                        "Write the plan (plimsoll.plan/1) there; '-' is standard output");
    command->callback([options, &exit] { exit.take(plan(*options)); });
}

} // namespace plimsoll::cli
