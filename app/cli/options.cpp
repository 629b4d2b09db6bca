#include "app/cli/options.h"

#include "core/graph/shape_text.h"
#include "core/ops/derivatives/derivative_reader.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace plimsoll::cli {
namespace {

Error usage(std::string message)
{
    return {ErrorCode::BadUsage, std::move(message), {}, {}};
}

/// Splits at the last '=' for names that contain one, at the first for policies.
struct Pair
{
    std::string key;
    std::string value;
};
std::optional<Pair> split(const std::string& text, std::size_t equals)
{
    if (equals == std::string::npos || equals == 0) return std::nullopt;
    return Pair {text.substr(0, equals), text.substr(equals + 1)};
}

Status addDim(PlanRequest& request, const std::string& text)
{
    const auto pair = split(text, text.rfind('='));
    const auto size = pair ? sizeFromText(pair->value) : std::nullopt;
    if (!size) return usage("--dim takes symbol=size, such as batch=1, not '" + text + "'.");
    request.shapes.dims[pair->key] = *size;
    return {};
}

Status addShape(PlanRequest& request, const std::string& text)
{
    const auto pair = split(text, text.rfind('='));
    auto shape = pair ? shapeFromText(pair->value) : std::nullopt;
    if (!shape) return usage("--shape takes NAME=sizes, such as x=1x3x224x224, not '" + text + "'.");
    request.shapes.shapes[pair->key] = std::move(*shape);
    return {};
}

Status addMaxStored(PlanRequest& request, const std::string& text)
{
    const auto pair = split(text, text.rfind('='));
    const auto most = pair ? sizeFromText(pair->value) : std::nullopt;
    if (!most) return usage("--max-stored takes NAME=number, such as x=1000, not '" + text + "'.");
    request.shapes.maxStored[pair->key] = *most;
    return {};
}

Status addPin(PlanRequest& request, const std::string& text)
{
    const auto pair = split(text, text.rfind('='));
    if (!pair || pair->value.empty()) return usage("--pin takes NODE=IMPLEMENTATION, not '" + text + "'.");
    request.pins[pair->key] = pair->value;
    return {};
}

Status addGradient(PlanRequest& request, const std::string& text)
{
    const auto pair = split(text, text.rfind('='));
    const auto asked = pair ? gradientRequestNamed(pair->value) : std::nullopt;
    if (!asked) return usage("--gradient takes NAME=write, NAME=add or NAME=null, not '" + text + "'.");
    request.gradients[pair->key] = *asked;
    return {};
}

/// Only here is the environment read; what the command line says goes before it.
void takeEnvironment(PlanRequest& request)
{
    const char* padding = std::getenv("PLIMSOLL_PADDING");
    if (padding && std::string_view(padding) == "0") request.policies.padding = PaddingPolicy::Off;
}

Status refuseAnyContradiction(const GraphOptions& options)
{
    PLIMSOLL_TRY(refuseContradictions("-p", options.policies));
    PLIMSOLL_TRY(refuseContradictions("--dim", options.dims));
    PLIMSOLL_TRY(refuseContradictions("--shape", options.shapes));
    PLIMSOLL_TRY(refuseContradictions("--max-stored", options.maxStored));
    PLIMSOLL_TRY(refuseContradictions("--pin", options.pins));
    return refuseContradictions("--gradient", options.gradients);
}

Status addDerivatives(PlanRequest& request, const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file) return Error {ErrorCode::BadInput, "The file cannot be read.", {}, path};
    auto derivatives = readDerivatives(text);
    if (derivatives.ok()) {
        request.derivatives = std::move(derivatives).value();
        return {};
    }
    Error error = derivatives.error();
    error.file = path;
    return error;
}

} // namespace

Status takePolicy(Policies& policies, const std::string& text)
{
    const auto pair = split(text, text.find('='));
    if (!pair) return usage("A policy is given as id=value, not '" + text + "'.");
    return setPolicy(policies, pair->key, pair->value);
}

void addGraphOptions(CLI::App& command, GraphOptions& options)
{
    command
        .add_option("GRAPH", options.graph,
                    "Graph file: ONNX, TensorFlow Lite, ExecuTorch, program of XLA (HLO), MXNet symbol, PyTorch log "
                    "(FILE#NAME: one of its graphs), exported program (.pt2) or memory snapshot, plimsoll.graph/1, or "
                    "a table of buffers (CSV); '-' is standard input")
        ->required();
    addPlanningOptions(command, options);
}

void addPlanningOptions(CLI::App& command, GraphOptions& options)
{
    command.add_option("-p,--policy", options.policies, "Policy as id=value; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--dim", options.dims, "Size of a symbolic dimension, as batch=1; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--shape", options.shapes, "Shape of an input, as x=1x3x224x224; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command
        .add_option(
            "--max-stored", options.maxStored,
            "How many elements (csr) or rows (row_sparse) a sparse tensor keeps at most, as x=1000; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--pin", options.pins, "NODE=IMPLEMENTATION: take this offer for the node; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command
        .add_option("--recompute", options.recomputed,
                    "NAME of a value that backward computes anew instead of keeping it; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option(
        "--catalogue", options.catalogue,
        "Plan with these offers (plimsoll.catalogue/1) instead of those of this machine; '-' is standard "
        "input");
    command
        .add_option("--gradient", options.gradients,
                    "NAME=write|add|null: what becomes of the gradient of an input or parameter; may be repeated")
        ->take_all()
        ->allow_extra_args(false);
    command.add_option("--derivatives", options.derivatives,
                       "File with the gradients of operators, beside the known ones or in their place");
    command.footer([] {
        std::string text = "Policies:";
        for (const PolicyInfo& policy : policyTable()) {
            text += "\n  " + std::string(policy.id) + "  " + std::string(policy.meaning);
            for (const std::string_view value : policy.values)
                text += std::string(value == policy.values.front() ? " (" : "|") + std::string(value);
            text += policy.values.empty() ? "" : ")";
            if (policy.graphDecides) text += " [default: as the graph and its plan want it]";
            if (!policy.onlyWith.empty()) text += " [only with " + std::string(policy.onlyWith) + "]";
        }
        return text;
    });
}

void addPlanOption(CLI::App& command, GraphOptions& options)
{
    command.add_option("--plan", options.plan,
                       "Take this plan (plimsoll.plan/1, or a plimsoll.report/1) instead of our own; '-' is standard "
                       "input");
}

Status refuseContradictions(const std::string& option, const std::vector<std::string>& texts)
{
    const bool policies = option == "-p" || option == "--a" || option == "--b";
    std::map<std::string, std::string> known;
    for (const std::string& text : texts) {
        const auto [before, isNew] = known.emplace(text.substr(0, policies ? text.find('=') : text.rfind('=')), text);
        if (isNew || before->second == text) continue;
        return usage(option + " is given '" + before->second + "' and '" + text + "'; only one of them can hold.");
    }
    return {};
}

void addWhatIfOption(CLI::App& command, GraphOptions& options)
{
    command.add_flag("--what-if", options.whatIf,
                     "Plan with every other value of every policy, too, and say what saves most. Ctrl+C ends it with "
                     "what is known by then");
}

std::set<std::string, std::less<>> namedPolicies(const GraphOptions& options)
{
    std::set<std::string, std::less<>> named;
    for (const auto* texts : {&options.policies, &options.overrides}) {
        for (const std::string& text : *texts)
            named.insert(text.substr(0, text.find('=')));
    }
    if (!options.catalogue.empty()) named.insert("backend"); // offers are given to be chosen from
    return named;
}

Result<PlanRequest> makeRequest(const GraphOptions& options)
{
    PlanRequest request;
    takeEnvironment(request);
    PLIMSOLL_TRY(refuseAnyContradiction(options));
    for (const std::string& text : options.policies)
        PLIMSOLL_TRY(takePolicy(request.policies, text));
    for (const std::string& text : options.overrides)
        PLIMSOLL_TRY(takePolicy(request.policies, text));
    for (const std::string& text : options.dims)
        PLIMSOLL_TRY(addDim(request, text));
    for (const std::string& text : options.shapes)
        PLIMSOLL_TRY(addShape(request, text));
    for (const std::string& text : options.maxStored)
        PLIMSOLL_TRY(addMaxStored(request, text));
    for (const std::string& text : options.pins)
        PLIMSOLL_TRY(addPin(request, text));
    for (const std::string& text : options.gradients)
        PLIMSOLL_TRY(addGradient(request, text));
    request.recomputed = options.recomputed;
    if (!options.derivatives.empty()) PLIMSOLL_TRY(addDerivatives(request, options.derivatives));
    return request;
}

} // namespace plimsoll::cli
