#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/explanation.h"
#include "app/cli/commands/recorded_bytes.h"
#include "app/cli/commands/summary.h"
#include "app/cli/fact_text.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "core/advice/freeing.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace plimsoll::cli {
namespace {

struct ExplainOptions : GraphOptions
{
    std::string subject;
    std::string other;
    std::int64_t step = -1;
    std::string record;
};

/// With what a run left there, if its record was named.
Result<std::string> explainOne(const Report& report, const ExplainOptions& options)
{
    PLIMSOLL_ASSIGN(subject, findSubject(report, options.subject, options.step));
    const bool bytes = std::ranges::any_of(subject, [](const Focus& focus) { return focus.area.valid(); });
    if (options.step >= 0 && !bytes && options.record.empty())
        return Error {ErrorCode::BadUsage, say("explain.step-of-bytes", word::Name {options.subject}), {}, {}};
    std::string text = explanation(report, subject);
    if (options.record.empty()) return text;
    PLIMSOLL_ASSIGN(left, recordedBytes(report, options.record, subject, options.step));
    return text + left;
}

Result<ExitStatus> explain(const ExplainOptions& options)
{
    if (!options.other.empty() && (options.step >= 0 || !options.record.empty()))
        return Error {ErrorCode::BadUsage, say("explain.two-alone"), {}, {}};
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(report, analyseFile(options, request));
    PLIMSOLL_ASSIGN(text, options.other.empty() ? explainOne(report, options)
                                                : explainPair(report, options.subject, options.other));
    const auto isSubject = [&](const SavedReport& saved) {
        return (*report.program.graph)[saved.tensor.value].name == options.subject;
    };
    const bool kept = std::ranges::any_of(report.training.saved, isSubject);
    if (kept && options.other.empty() && options.graph != "-") { // standard input cannot be read a second time
        request.catalogue = report.planning.catalogue;
        request.policies = report.program.policies;
        PLIMSOLL_ASSIGN(graph, loadGraph(options.graph));
        PLIMSOLL_ASSIGN(ways, whatWouldFree(graph, request, options.subject, {}));
        text += sectionsText("", {freeingSection(report, ways)}, factText);
    }
    PLIMSOLL_TRY(printText(incompleteFirst(report) + text, {report.program.graph.get()}));
    return ExitStatus::Fine;
}

} // namespace

Command explainCommand()
{
    auto options = std::make_shared<ExplainOptions>();
    return {.name = "explain",
            .meaning = "Say where a value, node or storage is, who lies on which bytes, and why",
            .arguments =
                joined({graphArguments(*options),
                        {{"SUBJECT", &options->subject,
                          "Name of a value or a node, number of a storage, or bytes: 0x36000..0x37000", true},
                         {"OTHER", &options->other, "Name of a second value: why do the two share, or why not"},
                         {.names = "--step",
                          .target = &options->step,
                          .meaning = "Of bytes: who wrote them last by then, and who reads them next; with --record, "
                                     "the moment that is shown",
                          .range = {{0, std::numeric_limits<std::int64_t>::max()}}},
                         {"--record", &options->record,
                          "Record of a run that kept bytes (run --record --keep-bytes): what wrote there, and what the "
                          "bytes held"},
                         planArgument(*options)}}),
            .run = [options] { return explain(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
