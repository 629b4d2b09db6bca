#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/explanation.h"
#include "app/cli/commands/summary.h"
#include "app/cli/fact_text.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "core/advice/freeing.h"

#include <algorithm>
#include <memory>

namespace plimsoll::cli {
namespace {

struct ExplainOptions : GraphOptions
{
    std::string subject;
    std::string other;
};

bool isKept(const Report& report, const std::string& value)
{
    return std::any_of(report.training.saved.begin(), report.training.saved.end(), [&](const SavedReport& saved) {
        return (*report.program.graph)[saved.tensor.value].name == value;
    });
}

/// Nothing for a value that is not kept, or a graph that cannot be read a second time.
Result<std::string> whatFrees(const ExplainOptions& options, PlanRequest request, const Report& report)
{
    request.catalogue = report.planning.catalogue;
    request.policies = report.program.policies;
    if (options.graph == "-" || !isKept(report, options.subject)) return std::string();
    PLIMSOLL_ASSIGN(graph, loadGraph(options.graph));
    PLIMSOLL_ASSIGN(ways, whatWouldFree(graph, request, options.subject, {}));
    const FactSection section = freeingSection(report, ways);
    return sectionsText("", {section}, factText);
}

Result<ExitStatus> explain(const ExplainOptions& options)
{
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(report, analyseFile(options, request));
    PLIMSOLL_ASSIGN(text, options.other.empty() ? explanation(report, options.subject)
                                                : explainPair(report, options.subject, options.other));
    if (options.other.empty()) {
        PLIMSOLL_ASSIGN(ways, whatFrees(options, request, report));
        text += ways;
    }
    PLIMSOLL_TRY(printText(incompleteFirst(report) + text, {report.program.graph.get()}));
    return ExitStatus::Fine;
}

} // namespace

Command explainCommand()
{
    auto options = std::make_shared<ExplainOptions>();
    return {.name = "explain",
            .meaning = "Say where a value, node or storage is, and why",
            .arguments =
                joined({graphArguments(*options),
                        {{"SUBJECT", &options->subject, "Name of a value or a node, or the number of a storage", true},
                         {"OTHER", &options->other, "Name of a second value: why do the two share, or why not"},
                         planArgument(*options)}}),
            .run = [options] { return explain(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
