#include "app/cli/commands/all_commands.h"
#include "app/cli/files.h"
#include "app/cli/printed.h"
#include "app/cli/supervised.h"
#include "core/facts/english/english.h"
#include "core/formats/plimsoll/catalogue_json.h"
#include "core/plan/implementation.h"
#include "core/report/message_json.h"

#include <algorithm>
#include <memory>

namespace plimsoll::cli {
namespace {

struct CatalogueOptions : GraphOptions
{
    std::string json;
    bool measure = false;
    bool brief = false;
    bool messages = false;
    bool progress = false;
};

std::string catalogueText(const Graph& graph, const Catalogue& catalogue)
{
    std::string text;
    for (const auto& [key, value] : catalogue.environment)
        text += key + ": " + english(value) + "\n";
    std::size_t offered = 0;
    for (const Node& node : graph.nodes) {
        const auto offers = catalogue.offers.find(node.name);
        if (offers == catalogue.offers.end()) continue;
        const auto isOurs = [](const Implementation& offer) { return offer.backend == ReferenceBackend; };
        if (!std::ranges::all_of(offers->second, isOurs)) ++offered;
        for (const Implementation& offer : offers->second) {
            text += node.name + " (" + qualifiedOp(node) + "): " + offerText(offer) + "\n";
        }
    }
    for (const auto& [type, offers] : catalogue.reorders) {
        for (const Implementation& offer : offers)
            text += "reorder of " + type + ": " + offerText(offer) + "\n";
    }
    text += std::to_string(offered) + " of " + std::to_string(graph.nodes.size()) +
            " nodes have an offer beside the reference\n";
    for (const auto& [backend, reason] : catalogue.absent)
        text += backend + ": " + english(reason) + "\n";
    return text;
}

Result<Catalogue> askAll(const CatalogueOptions& options, const Graph& graph, const PlanRequest& request)
{
    ProgressLine shown(options.progress, options.measure ? "measuring" : "asking");
    Context context;
    context.progress = [&shown](std::string_view stage, double fraction) { shown.show(stage, fraction); };
    context.report("catalogue", 0); // a child shows the rest of it: the line is cleared here
    // What cannot be executed is described all the same, but not beside measured times, unless a policy or pin names
    // it.
    kernels::BackendQuestion question = kernels::questionFor(request.policies, request.constraints.pins);
    if (!options.measure) question.named = kernels::backendsDescribedAnywhere();
    question.measure = options.measure;
    return askBackends(graph, request, question, context);
}

Result<ExitStatus> catalogue(CatalogueOptions options)
{
    options.outputs = {{"--json", options.json}};
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(graph, loadGraph(options));
    if (!options.plan.empty()) {
        PLIMSOLL_ASSIGN(given, loadPlan(options));
        request.givenPlan = sharedPlan(std::move(given));
    }
    const bool ours =
        request.policies.backend != BackendPolicy::Reference && request.policies.backend != BackendPolicy::Captured;
    const bool wanted = ours || !request.constraints.pins.empty();
    const bool asks = options.catalogue.empty() && (wanted || options.measure);
    PLIMSOLL_ASSIGN(offers, asks ? askAll(options, graph, request) : loadCatalogue(options, graph, request));
    const auto words = options.messages ? Wording(messageText) : Wording(english);
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, catalogueJsonText(offers, words, options.brief)));
    if (options.json != "-") PLIMSOLL_TRY(printText(catalogueText(graph, offers), {&graph}));
    return ExitStatus::Fine;
}

} // namespace

Command catalogueCommand()
{
    auto options = std::make_shared<CatalogueOptions>();
    return {.name = "catalogue",
            .meaning = "What the backends on this machine offer for each node",
            .arguments = joined(
                {graphArguments(*options),
                 {planArgument(*options),
                  {"--json", &options->json, "Write it as JSON there; '-' is standard output"},
                  {"--brief", &options->brief,
                   "In the JSON, name the node that has the same offers instead of repeating them"},
                  {"--messages", &options->messages,
                   "In the JSON, sentences about the machine as data, for a program that words them itself"},
                  {"--measure", &options->measure,
                   "Execute every offer on the CPU, reorders and the reference a few times instead of estimating "
                   "times; offers of a device are left out, unless a policy or a pin names it"},
                  {"--progress", &options->progress,
                   "Lines 'progress <done> <all> <stage>' on standard error, and 'error <JSON>' where it fails"}}}),
            .run = [options] { return toListener(options->progress, catalogue(*options)); },
            .footer = policiesText()};
}

} // namespace plimsoll::cli
