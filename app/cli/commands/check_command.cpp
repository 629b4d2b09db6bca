#include "app/cli/commands/all_commands.h"
#include "app/cli/commands/summary.h"
#include "app/cli/compared_file.h"
#include "app/cli/files.h"
#include "app/cli/gates.h"
#include "app/cli/printed.h"
#include "core/facts/completeness.h"
#include "core/facts/english/english.h"
#include "core/facts/given.h"
#include "core/facts/words/terms_text.h"
#include "core/facts/words/verdict.h"
#include "core/formats/plimsoll/session_json.h"
#include "core/formats/plimsoll/suppression_json.h"
#include "core/report/report_json.h"
#include "core/report/sarif_writer.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

namespace plimsoll::cli {
namespace {

struct CheckOptions : GraphOptions
{
    std::string baseline; ///< A saved report, whose findings are known.
    std::string suppress; ///< A file of suppressions, or a session.
    std::vector<std::string> gates;
    std::string json;
    std::string sarif;
    bool allowIncomplete = false;
};

Result<std::optional<Report>> readBaseline(const CheckOptions& options)
{
    if (options.baseline.empty()) return std::optional<Report>();
    if (comparedKind(options.baseline) != ComparedKind::Report)
        return Error {ErrorCode::BadUsage, say("check.no-baseline", word::Name {options.baseline}), {}, {}};
    GraphOptions saved;
    saved.graph = options.baseline;
    saved.outputs = options.outputs;
    PLIMSOLL_ASSIGN(report, readCompared(saved, {}, false));
    return std::optional(std::move(report));
}

Result<std::vector<Gate>> readCheckGates(const CheckOptions& options)
{
    PLIMSOLL_ASSIGN(gates, readGates(options.gates));
    const auto grows = std::ranges::find_if(gates, needsOther);
    if (options.baseline.empty() && grows != gates.end())
        return Error {ErrorCode::BadUsage, say("check.gate-alone", grows->text), {}, {}};
    return gates;
}

/// Those that are named, and those of the session that is judged.
Result<std::vector<Suppression>> readSuppressed(const CheckOptions& options)
{
    std::vector<Suppression> all;
    for (const std::string& file : {options.suppress, isSessionFile(options.graph) ? options.graph : std::string()}) {
        if (file.empty()) continue;
        PLIMSOLL_ASSIGN(read, readSuppressions(file));
        all.insert(all.end(), read.begin(), read.end());
    }
    return all;
}

/// "1 finding is suppressed."; empty where none is.
std::string suppressedText(std::size_t suppressed)
{
    return suppressed == 0 ? "" : english(say("check.suppressed", static_cast<std::int64_t>(suppressed))) + "\n";
}

/// "4 findings of the baseline are known."; empty where there are none.
std::string knownText(std::size_t known)
{
    return known == 0 ? "" : english(say("check.known", static_cast<std::int64_t>(known))) + "\n";
}

Result<ExitStatus> check(CheckOptions options)
{
    options.outputs = {{"--json", options.json}, {"--sarif", options.sarif}};
    options.planOfGraph = true;
    PLIMSOLL_ASSIGN(gates, readCheckGates(options));
    PLIMSOLL_ASSIGN(baseline, readBaseline(options));
    PLIMSOLL_ASSIGN(suppressions, readSuppressed(options));
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(report, analyseFile(options, std::move(request)));
    if (!options.allowIncomplete) addIncompleteFinding(report);
    const Graph& graph = *report.program.graph;
    auto& findings = report.verdict.findings;
    const std::size_t suppressed = markSuppressed(findings, graph, suppressions);
    std::vector<TextFile> files;
    if (!options.json.empty()) files.push_back({options.json, writeReportJson(report)});
    const std::vector<Message> failures = failuresOf(gates, baseline ? *baseline : report, report);
    const std::string verdict = english(legalityText(report)); // of all findings: those of the baseline, too
    const std::size_t known = baseline ? takeOutKnown(findings, report, *baseline) : 0;
    if (!options.sarif.empty())
        files.push_back({options.sarif, writeSarif({.report = report,
                                                    .file = options.plan.empty() ? options.graph : options.plan,
                                                    .findings = findings,
                                                    .failures = failures,
                                                    .isNew = baseline.has_value(),
                                                    .suppressions = suppressions})});
    PLIMSOLL_TRY(writeTexts(files));
    if (options.json != "-" && options.sarif != "-") {
        const std::string what = report.program.ownPlan ? "our own plan"
                                 : options.plan.empty() ? options.graph
                                                        : options.plan;
        const std::string given = english(givenSentence(report));
        const std::string first = options.allowIncomplete ? incompleteFirst(report) : std::string();
        const std::string text =
            first + findingsText(report, std::numeric_limits<std::size_t>::max()) + suppressedText(suppressed) +
            knownText(known) + notesText(report) + assumptionsText(report) + english(termsSentence(report)) + "\n" +
            (given.empty() ? given : given + "\n") + what + ": " + verdict + "\n" + failuresText(failures);
        PLIMSOLL_TRY(printText(text, {&graph}));
    }
    std::erase_if(findings, [&](const Finding& one) { return suppressionOf(one, graph, suppressions); });
    return failures.empty() ? statusOf(report) : ExitStatus::Findings;
}

} // namespace

Command checkCommand()
{
    auto options = std::make_shared<CheckOptions>();
    return {
        .name = "check",
        .meaning = "Judge a plan: exit 1 when it breaks a rule",
        .arguments = joined(
            {graphArguments(*options),
             {planArgument(*options),
              {"--allow-incomplete", &options->allowIncomplete,
               "Accept a plan of which sizes are missing: judge what has a size"},
              {"--baseline", &options->baseline,
               "A saved report (plimsoll.report/1) of an earlier check: findings that stand in it are known, and are "
               "no reason to fail"},
              {"--suppress", &options->suppress,
               "Findings to live with, each with a reason (plimsoll.suppressions/1, or a session): printed, "
               "counted, and no reason to fail"},
              {"--fail-if", &options->gates, gatesMeaning("the plan", "the baseline")},
              {"--sarif", &options->sarif,
               "Write the findings, without those of the baseline, and gates that fail as SARIF 2.1.0 there; '-' is "
               "standard output"},
              {"--json", &options->json, "Write the report (plimsoll.report/1) there; '-' is standard output"}}}),
        .run = [options] { return check(*options); },
        .footer = policiesText()};
}

} // namespace plimsoll::cli
