#include "app/cli/options.h"

#include "core/facts/english/english.h"
#include "core/formats/formats.h"
#include "core/graph/shape_text.h"
#include "core/ops/derivatives/derivative_reader.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace plimsoll::cli {
namespace {

Error usage(Message message)
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

/// An option that takes "NAME=value" and may be repeated.
struct NamedOption
{
    std::string names;
    std::vector<std::string> GraphOptions::*texts;
    std::string_view form; ///< What it takes, for the error about something else.
    std::string_view meaning;
    bool (*take)(PlanRequest& request, const Pair& pair); ///< False: this is no value.
    bool severalOfOne = false;                            ///< A name may have several values.
};

bool takeSize(std::map<std::string, std::int64_t>& sizes, const Pair& pair)
{
    const auto size = sizeFromText(pair.value);
    if (size) sizes[pair.key] = *size;
    return size.has_value();
}

bool takeShape(PlanRequest& request, const Pair& pair)
{
    auto shape = shapeFromText(pair.value);
    if (shape) request.shapes.shapes[pair.key] = std::move(*shape);
    return shape.has_value();
}

template <ConstraintKind Kind>
bool takeConstraint(PlanRequest& request, const Pair& pair)
{
    return ask(request.constraints, {Kind, pair.key, pair.value});
}

const std::array<NamedOption, 8>& namedOptions()
{
    static const std::array<NamedOption, 8> options = {
        {{"--dim", &GraphOptions::dims, "symbol=size, such as batch=1",
          "Size of a symbolic dimension, as batch=1; may be repeated",
          [](PlanRequest& request, const Pair& pair) { return takeSize(request.shapes.dims, pair); }},
         {"--shape", &GraphOptions::shapes, "NAME=sizes, such as x=1x3x224x224",
          "Shape of an input, as x=1x3x224x224; may be repeated", takeShape},
         {"--max-stored", &GraphOptions::maxStored, "NAME=number, such as x=1000",
          "How many elements (csr) or rows (row_sparse) a sparse tensor keeps at most, as x=1000; may be repeated",
          [](PlanRequest& request, const Pair& pair) { return takeSize(request.shapes.maxStored, pair); }},
         {"--pin", &GraphOptions::pins, "NODE=IMPLEMENTATION",
          "NODE=IMPLEMENTATION: take this offer for the node; may be repeated", takeConstraint<ConstraintKind::Pin>},
         {"--gradient", &GraphOptions::gradients, "NAME=write, NAME=add or NAME=null",
          "NAME=write|add|null: what becomes of the gradient of an input or parameter; may be repeated",
          takeConstraint<ConstraintKind::Gradient>},
         {"--apart", &GraphOptions::apart, "NAME=OTHER, two values",
          "NAME=OTHER: these two values have no byte in common, at no time; may be repeated",
          takeConstraint<ConstraintKind::Apart>, true},
         {"--together", &GraphOptions::together, "NAME=OTHER, two values",
          "NAME=OTHER: the second value begins at the address of the first; may be repeated",
          takeConstraint<ConstraintKind::Together>, true},
         {"--place", &GraphOptions::places, "NAME=OFFSET, such as h=4096 or h=0x1000",
          "NAME=OFFSET: this value lies there in its arena; may be repeated", takeConstraint<ConstraintKind::Place>}}};
    return options;
}

Status addDerivatives(PlanRequest& request, const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file) return Error {ErrorCode::BadInput, say("cli.unreadable"), {}, path};
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
    if (!pair) return usage(say("usage.policy", word::Name {text}));
    return setPolicy(policies, pair->key, pair->value);
}

Arguments graphArguments(GraphOptions& options)
{
    return joined({{{"GRAPH", &options.graph,
                     "Graph file. " + english(readableFormats()) +
                         " can be read; FILE#NAME is one graph of a file that holds "
                         "several, '-' is standard input",
                     true}},
                   planningArguments(options)});
}

Arguments planningArguments(GraphOptions& options)
{
    Arguments arguments = {{"-p,--policy", &options.policies, "Policy as id=value; may be repeated"}};
    for (const NamedOption& option : namedOptions())
        arguments.push_back({option.names, &(options.*option.texts), std::string(option.meaning)});
    arguments.insert(
        arguments.end(),
        {{"--recompute", &options.recomputed,
          "NAME of a value that backward computes anew instead of keeping it; may be repeated"},
         {"--catalogue", &options.catalogue,
          "Plan with these offers (plimsoll.catalogue/1) instead of those of this machine; '-' is standard input"},
         {"--derivatives", &options.derivatives,
          "File with the gradients of operators, beside the known ones or in their place"},
         {"--reproducible", &options.reproducible,
          "Write no times and nothing of this machine: the same plan gives the same bytes, with one --catalogue, or "
          "with backend=reference and without --what-if, which asks the backends"},
         isolateArgument(options.isolate)});
    return arguments;
}

Argument isolateArgument(bool& isolate)
{
    return {
        "--isolate", &isolate,
        "Read the file in a process of its own first, which may open nothing else: a fault of a reader is an error"};
}

std::string policiesText()
{
    std::string text = "Policies:";
    for (const PolicyInfo& policy : policyTable()) {
        text += "\n  " + std::string(policy.id) + "  " + std::string(policy.meaning);
        for (const std::string_view value : policy.values)
            text += std::string(value == policy.values.front() ? " (" : "|") + std::string(value);
        text += policy.values.empty() ? "" : ")";
        if (policy.graphDecides) text += " [default: as the graph and its plan want it]";
        if (!policy.onlyWith.empty()) text += " [only with " + std::string(policy.onlyWith) + "]";
        std::string rules;
        for (const Rule rule : policy.enforcedBy)
            rules += (rules.empty() ? " [enforced by " : ", ") + std::string(ruleId(rule));
        text += rules.empty() ? rules : rules + "]";
    }
    return text + "\nWhat no rule enforces chooses a plan, and restricts none.";
}

Argument planArgument(GraphOptions& options)
{
    options.planOfSession = true;
    return {"--plan", &options.plan,
            "Take this plan (plimsoll.plan/1, or a plimsoll.report/1) instead of our own; '-' is standard input"};
}

Status refuseContradictions(const std::string& option, const std::vector<std::string>& texts)
{
    const bool policies = option == "-p" || option == "--a" || option == "--b";
    std::map<std::string, std::string> known;
    for (const std::string& text : texts) {
        const auto [before, isNew] = known.emplace(text.substr(0, policies ? text.find('=') : text.rfind('=')), text);
        if (isNew || before->second == text) continue;
        return usage(say("usage.contradiction", option, word::Name {before->second}, word::Name {text}));
    }
    return {};
}

Argument whatIfArgument(GraphOptions& options)
{
    return {"--what-if", &options.whatIf,
            "Plan with every other value of every policy, too, and say what saves most. Ctrl+C ends it with what is "
            "known by then"};
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
    // Only here is the environment read; what the command line says goes before it.
    const char* padding = std::getenv("PLIMSOLL_PADDING");
    if (padding && std::string_view(padding) == "0") request.policies.padding = PaddingPolicy::Off;
    PLIMSOLL_TRY(refuseContradictions("-p", options.policies));
    for (const NamedOption& option : namedOptions())
        if (!option.severalOfOne) PLIMSOLL_TRY(refuseContradictions(option.names, options.*option.texts));
    for (const auto* texts : {&options.policies, &options.overrides}) {
        for (const std::string& text : *texts)
            PLIMSOLL_TRY(takePolicy(request.policies, text));
    }
    for (const NamedOption& option : namedOptions()) {
        for (const std::string& text : options.*option.texts) {
            const auto pair = split(text, text.rfind('='));
            if (!pair || !option.take(request, *pair))
                return usage(say("usage.form", option.names, option.form, word::Name {text}));
        }
    }
    request.constraints.recomputed = options.recomputed;
    if (!options.derivatives.empty()) PLIMSOLL_TRY(addDerivatives(request, options.derivatives));
    return request;
}

} // namespace plimsoll::cli
