#include "core/advice/plan_sweep.h"
#include "core/advice/sweep_json.h"

#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/interrupt.h"
#include "app/cli/printed.h"
#include "app/cli/supervised.h"
#include "app/cli/text_table.h"
#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"

#include <memory>

namespace plimsoll::cli {
namespace {

using Line = std::vector<std::string>;

struct SweepOptions : GraphOptions
{
    std::vector<std::string> over;
    std::string json;
    bool progress = false;
};

Line lineOf(const SweepPoint& point)
{
    Line line = point.values;
    if (!point.refused.empty()) {
        line.push_back(english(point.refused));
        return line;
    }
    const PlanCost& cost = point.cost;
    line.push_back(bytesText(cost.peakBytes) + (point.complete ? "" : ", incomplete") +
                   (point.errors == 0 ? "" : ", not legal"));
    line.push_back(bytesText(point.lowerBoundBytes));
    line.push_back(bytesText(cost.externalBytes));
    if (cost.kernelMs > 0) line.push_back(durationText(cost.kernelMs / 1e3));
    return line;
}

/// A line for each point below its titles.
std::string tableOf(const Sweep& found)
{
    Line titles;
    for (const SweepAxis& axis : found.axes)
        titles.push_back(axis.name);
    titles.insert(titles.end(), {"Peak", "Lower bound", "The caller's", "Kernels"});
    TextTable table(std::vector<TextTable::Align>(titles.size(), TextTable::Align::Left));
    table.add(std::move(titles));
    for (const SweepPoint& point : found.points)
        table.add(lineOf(point));
    return table.text(0);
}

Result<ExitStatus> sweepOver(SweepOptions& options)
{
    options.outputs = {{"--json", options.json}};
    options.whatIf = true; // the backends are asked
    std::vector<SweepAxis> axes;
    for (const std::string& text : options.over) {
        PLIMSOLL_ASSIGN(axis, readSweepAxis(text));
        axes.push_back(std::move(axis));
    }
    const InterruptStops interrupt;
    PLIMSOLL_ASSIGN(asked, makeRequest(options));
    PLIMSOLL_ASSIGN(ready, readyGraph(options, std::move(asked)));
    const auto& [graph, request] = ready;
    if (request.givenPlan) return Error {ErrorCode::BadUsage, say("sweep.given"), {}, {}};
    const auto plan = [&](PlanRequest one) -> Result<Report> {
        PLIMSOLL_ASSIGN(catalogue, loadCatalogue(options, graph, one)); // its offers depend on the sizes
        one.catalogue = std::make_shared<const Catalogue>(std::move(catalogue));
        return analyse(graph, one, {interrupt.token(), {}});
    };
    ProgressLine lines(options.progress, "planning");
    const auto progress = [&](std::string_view stage, double fraction) {
        options.progress ? lines.show(stage, fraction) : showProgress(stage, fraction);
    };
    const Result<Sweep> found = sweep(request, std::move(axes), plan, {interrupt.token(), progress});
    clearIncumbent();
    if (!found.ok()) return found.error();
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, sweepJsonText(found.value())));
    if (options.json != "-") PLIMSOLL_TRY(printText(tableOf(found.value()), {&graph}));
    return ExitStatus::Fine;
}

} // namespace

Command sweepCommand()
{
    auto options = std::make_shared<SweepOptions>();
    return {.name = "sweep",
            .meaning = "Plan a graph for many sizes, or under many policies, and say what each plan takes",
            .arguments =
                joined({graphArguments(*options),
                        {{.names = "--over",
                          .target = &options->over,
                          .meaning = "What is varied: batch=1..64 (each twice the one before), sequence=128,512, "
                                     "outputs=shared,independent, fold=*; repeated: every combination",
                          .required = true},
                         {"--json", &options->json, "Write plimsoll.sweep/1 there; '-' is standard output"},
                         {"--progress", &options->progress,
                          "Lines 'progress <done> <all> <combination>' on standard error, and 'error <JSON>' where it "
                          "fails"}}}),
            .run = [options] { return toListener(options->progress, sweepOver(*options)); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
