#include "app/cli/command.h"
#include "app/cli/files.h"
#include "app/cli/summary.h"
#include "core/report/report_json.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <memory>

namespace plimsoll::cli {
namespace {

struct CheckOptions : GraphOptions
{
    std::string plan;
    std::string json;
};

Result<ExitStatus> check(const CheckOptions& options)
{
    if (options.plan == "-" && options.graph == "-") {
        return Error {ErrorCode::BadUsage, "The graph and the plan cannot both come from standard input.", {}, {}};
    }
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    if (!options.plan.empty()) {
        PLIMSOLL_ASSIGN(given, loadPlan(options.plan));
        request.givenPlan = std::move(given);
    }
    PLIMSOLL_ASSIGN(report, analyseFile(options, std::move(request)));
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, writeReportJson(report)));
    if (options.json != "-") {
        const std::string what = report.ownPlan ? "our own plan" : options.plan;
        const std::string text =
            findingsText(report, std::numeric_limits<std::size_t>::max()) + what + ": " + verdict(report) + "\n";
        PLIMSOLL_TRY(writeText("-", text));
    }
    return statusOf(report);
}

} // namespace

void addCheckCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = program.add_subcommand("check", "Judge a plan: exit 1 when it breaks a rule");
    addGraphOptions(*command, *options);
    command->add_option("--plan", options->plan,
                        "A plimsoll.plan/1 or plimsoll.report/1 file; without it, our own plan");
    command->add_option("--json", options->json, "Write the report (plimsoll.report/1) there; '-' is standard output");
    command->callback([options, &exit] { exit.take(check(*options)); });
}

} // namespace plimsoll::cli
