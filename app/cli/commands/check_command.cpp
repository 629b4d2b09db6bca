#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/summary.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/given.h"
#include "core/facts/words/terms_text.h"
#include "core/facts/words/verdict.h"
#include "core/report/report_json.h"

#include <limits>
#include <memory>

namespace plimsoll::cli {
namespace {

struct CheckOptions : GraphOptions
{
    std::string json;
    bool allowIncomplete = false;
};

Result<ExitStatus> check(CheckOptions options)
{
    options.outputs = {{"--json", options.json}};
    options.planOfGraph = true;
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(report, analyseFile(options, std::move(request)));
    if (!options.allowIncomplete) addIncompleteFinding(report);
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, writeReportJson(report)));
    if (options.json != "-") {
        const std::string what = report.program.ownPlan ? "our own plan"
                                 : options.plan.empty() ? options.graph
                                                        : options.plan;
        const std::string given = english(givenSentence(report));
        const std::string first = options.allowIncomplete ? incompleteFirst(report) : std::string();
        const std::string text = first + findingsText(report, std::numeric_limits<std::size_t>::max()) +
                                 notesText(report) + assumptionsText(report) + english(termsSentence(report)) + "\n" +
                                 (given.empty() ? given : given + "\n") + what + ": " + english(legalityText(report)) +
                                 "\n";
        PLIMSOLL_TRY(printText(text, {report.program.graph.get()}));
    }
    return statusOf(report);
}

} // namespace

Command checkCommand()
{
    auto options = std::make_shared<CheckOptions>();
    return {.name = "check",
            .meaning = "Judge a plan: exit 1 when it breaks a rule",
            .arguments = joined(
                {graphArguments(*options),
                 {planArgument(*options),
                  {"--allow-incomplete", &options->allowIncomplete,
                   "Accept a plan of which sizes are missing: judge what has a size"},
                  {"--json", &options->json, "Write the report (plimsoll.report/1) there; '-' is standard output"}}}),
            .run = [options] { return check(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
