#include "core/advice/plan_sweep.h"

#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/interrupt.h"
#include "app/cli/printed.h"
#include "app/cli/text_table.h"
#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"
#include "core/formats/files/json_text.h"

#include <memory>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;
using Line = std::vector<std::string>;

struct SweepOptions : GraphOptions
{
    std::vector<std::string> over;
    std::string json;
};

Json pointJson(const SweepPoint& point)
{
    Json json = {{"values", point.values}};
    if (!point.refused.empty()) {
        json["refused"] = english(point.refused);
        return json;
    }
    json["peakBytes"] = point.cost.peakBytes;
    json["lowerBoundBytes"] = point.lowerBoundBytes;
    json["externalBytes"] = point.cost.externalBytes;
    json["boundaryBytes"] = point.cost.savedBytes;
    json["kernelMs"] = point.cost.kernelMs;
    json["measured"] = point.cost.measured;
    json["complete"] = point.complete;
    return json;
}

std::string jsonOf(const Sweep& found)
{
    Json axes = Json::array();
    for (const SweepAxis& axis : found.axes)
        axes.push_back({{axis.ofPolicy ? "policy" : "dimension", axis.name}, {"values", axis.values}});
    Json points = Json::array();
    for (const SweepPoint& point : found.points)
        points.push_back(pointJson(point));
    return jsonText(Json {{"schema", "plimsoll.sweep/1"},
                          {"axes", std::move(axes)},
                          {"points", std::move(points)},
                          {"stopped", found.stopped}},
                    2);
}

Line lineOf(const SweepPoint& point)
{
    Line line = point.values;
    if (!point.refused.empty()) {
        line.push_back(english(point.refused));
        return line;
    }
    const PlanCost& cost = point.cost;
    line.push_back(bytesText(cost.peakBytes) + (point.complete ? "" : ", incomplete"));
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
    const Result<Sweep> found = sweep(request, std::move(axes), plan, {interrupt.token(), showProgress});
    clearIncumbent();
    if (!found.ok()) return found.error();
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, jsonOf(found.value())));
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
                         {"--json", &options->json, "Write plimsoll.sweep/1 there; '-' is standard output"}}}),
            .run = [options] { return sweepOver(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
