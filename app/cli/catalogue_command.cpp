#include "app/cli/command.h"
#include "app/cli/files.h"
#include "kernels/onednn/onednn.h"
#include "kernels/runtime/catalogue.h"
#include "kernels/runtime/record.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace plimsoll::cli {
namespace {

struct CatalogueOptions : GraphOptions
{
    std::string json;
};

std::string offerJson(const Implementation& offer)
{
    std::string pairs;
    for (const Implementation::InPlacePair& pair : offer.inPlace) {
        pairs += (pairs.empty() ? "[" : ", [") + std::to_string(pair.output) + ", " + std::to_string(pair.input) + "]";
    }
    return "{\"backend\": " + kernels::jsonString(offer.backend) + ", \"name\": " + kernels::jsonString(offer.name) +
           ", \"scratchpadBytes\": " + std::to_string(offer.scratchpadBytes) + ", \"inPlace\": [" + pairs + "]}";
}

std::string catalogueJson(const Catalogue& catalogue)
{
    std::string text = "{\n  \"schema\": \"plimsoll.catalogue/1\",\n  \"environment\": {";
    std::string separator;
    for (const auto& [key, value] : catalogue.environment) {
        text += separator + kernels::jsonString(key) + ": " + kernels::jsonString(value);
        separator = ", ";
    }
    text += "},\n  \"offers\": {";
    separator = "\n    ";
    for (const auto& [node, offers] : catalogue.offers) {
        text += separator + kernels::jsonString(node) + ": [";
        for (std::size_t i = 0; i < offers.size(); ++i)
            text += (i > 0 ? ", " : "") + offerJson(offers[i]);
        text += "]";
        separator = ",\n    ";
    }
    return text + "\n  }\n}\n";
}

std::string catalogueText(const Graph& graph, const Catalogue& catalogue)
{
    std::string text;
    for (const auto& [key, value] : catalogue.environment)
        text += key + ": " + value + "\n";
    for (const Node& node : graph.nodes) {
        const auto offers = catalogue.offers.find(node.name);
        if (offers == catalogue.offers.end()) continue;
        for (const Implementation& offer : offers->second) {
            text += node.name + " (" + qualifiedOp(node) + "): " + offer.backend + " " + offer.name;
            if (offer.scratchpadBytes > 0) text += ", scratchpad " + std::to_string(offer.scratchpadBytes) + " B";
            text += "\n";
        }
    }
    text += std::to_string(catalogue.offers.size()) + " of " + std::to_string(graph.nodes.size()) +
            " nodes have an offer beside the reference";
    return text + (kernels::oneDnnAvailable() ? "\n" : "; this program was built without oneDNN\n");
}

Result<ExitStatus> catalogue(const CatalogueOptions& options)
{
    PLIMSOLL_ASSIGN(request, makeRequest(options));
    PLIMSOLL_ASSIGN(graph, loadGraph(options.graph));
    Catalogue offers;
    if (request.policies.backend != BackendPolicy::Reference) {
        PLIMSOLL_ASSIGN(described, kernels::describeBackends(graph, request.shapes, {}));
        offers = std::move(described);
    }
    if (!options.json.empty()) PLIMSOLL_TRY(writeText(options.json, catalogueJson(offers)));
    if (options.json != "-") PLIMSOLL_TRY(writeText("-", catalogueText(graph, offers)));
    return ExitStatus::Fine;
}

} // namespace

void addCatalogueCommand(CLI::App& program, Exit& exit)
{
    auto options = std::make_shared<CatalogueOptions>();
    CLI::App* command = program.add_subcommand("catalogue", "What the backends on this machine offer for each node");
    addGraphOptions(*command, *options);
    command->add_option("--json", options->json, "Write it as JSON there; '-' is standard output");
    command->callback([options, &exit] { exit.take(catalogue(*options)); });
}

} // namespace plimsoll::cli
