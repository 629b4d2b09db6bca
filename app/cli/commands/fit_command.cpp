#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/interrupt.h"
#include "app/cli/printed.h"
#include "core/advice/fit.h"
#include "core/facts/english/english.h"
#include "core/facts/words/number_text.h"
#include "core/formats/files/json_text.h"

#include <algorithm>
#include <memory>

namespace plimsoll::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FitOptions : GraphOptions
{
    std::string json;
    std::optional<std::int64_t> plans;
};

Json changesJson(const FitPlan& plan)
{
    Json changes = Json::object();
    for (const PolicyValue& change : plan.changes)
        changes[change.policy] = change.value;
    return changes;
}

Json planJson(const FitPlan& plan)
{
    const PlanCost& cost = plan.cost;
    Json use = Json::object();
    for (const auto& [space, bytes] : plan.use)
        use[space] = bytes;
    return {{"changes", changesJson(plan)},      {"peakBytes", cost.peakBytes}, {"externalBytes", cost.externalBytes},
            {"boundaryBytes", cost.savedBytes},  {"kernelMs", cost.kernelMs},   {"measured", cost.measured},
            {"untimedNodes", cost.untimedNodes}, {"spaces", std::move(use)},    {"overBytes", plan.overBytes}};
}

Json triesJson(const FitTries& tries)
{
    return {{"tried", tries.tried}, {"all", tries.all}};
}

std::string jsonOf(const Fit& fit, const PlanRequest& request)
{
    Json capacity = Json::object();
    for (const auto& [space, bytes] : request.policies.capacity)
        capacity[space] = bytes;
    Json proof;
    if (fit.proof)
        proof = {{"space", fit.proof->space},
                 {"boundBytes", fit.proof->boundBytes},
                 {"capacityBytes", fit.proof->capacityBytes},
                 {"node", fit.proof->node}};
    return jsonText(Json {{"schema", "plimsoll.fit/1"},
                          {"fits", fit.found.has_value()},
                          {"capacity", std::move(capacity)},
                          {"asItIs", planJson(fit.asItIs)},
                          {"found", fit.found ? planJson(*fit.found) : Json()},
                          {"nearest", planJson(fit.nearest)},
                          {"proof", std::move(proof)},
                          {"incomplete", !fit.incomplete.empty()},
                          {"stopped", fit.stopped},
                          {"singles", triesJson(fit.singles)},
                          {"pairs", triesJson(fit.pairs)},
                          {"plans", fit.plans},
                          {"message", english(fitSentence(fit))}},
                    2);
}

/// What is changed, what it means, and what the plan takes then beside what it takes now.
std::string planText(const FitPlan& plan, const FitPlan& now)
{
    std::string text;
    for (const PolicyValue& change : plan.changes) {
        const PolicyInfo& policy = *findPolicy(change.policy);
        const auto at =
            static_cast<std::size_t>(std::ranges::find(policy.values, change.value) - policy.values.begin());
        text += "  " + change.policy + "=" + change.value + "  " + std::string(policy.valueMeanings[at]) + "\n";
    }
    const auto line = [&](std::string_view what, const std::string& then, const std::string& before) {
        text += "  " + std::string(what) + " " + then + (then == before ? "" : ", now " + before) + "\n";
    };
    line("peak", bytesText(plan.cost.peakBytes), bytesText(now.cost.peakBytes));
    line("the caller's", bytesText(plan.cost.externalBytes), bytesText(now.cost.externalBytes));
    if (plan.cost.kernelMs > 0)
        line("kernels", durationText(plan.cost.kernelMs / 1e3), durationText(now.cost.kernelMs / 1e3));
    return text;
}

Result<ExitStatus> fit(FitOptions& options)
{
    options.outputs = {{"--json", options.json}};
    options.whatIf = true; // the backends are asked
    const InterruptStops interrupt;
    PLIMSOLL_ASSIGN(asked, makeRequest(options));
    PLIMSOLL_ASSIGN(ready, readyGraph(options, std::move(asked)));
    const auto& [graph, request] = ready;
    const std::int64_t most = options.plans.value_or(mostFitPlans(graph));
    const Result<Fit> found = findFit(graph, request, most, {interrupt.token(), showProgress});
    clearIncumbent();
    if (!found.ok()) return found.error();
    const Fit& fit = found.value();
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, jsonOf(fit, request)));
    if (options.json != "-") {
        const std::string plan = fit.found && !fit.found->changes.empty() ? planText(*fit.found, fit.asItIs) : "";
        PLIMSOLL_TRY(printText(english(fitSentence(fit)) + "\n" + plan, {&graph}));
    }
    return fit.found ? ExitStatus::Fine : ExitStatus::Findings;
}

} // namespace

Command fitCommand()
{
    auto options = std::make_shared<FitOptions>();
    return {.name = "fit",
            .meaning = "Find the cheapest combination of policies that fits a capacity, or show that none does: exit 1",
            .arguments = joined({graphArguments(*options),
                                 {{.names = "--plans",
                                   .target = &options->plans,
                                   .meaning = "Make so many plans at most; else 100 to 4000, fewer of a large graph. "
                                              "Ctrl+C ends it with what is known by then",
                                   .range = std::pair<std::int64_t, std::int64_t> {1, 1'000'000'000}},
                                  {"--json", &options->json, "Write plimsoll.fit/1 there; '-' is standard output"}}}),
            .run = [options] { return fit(*options); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
