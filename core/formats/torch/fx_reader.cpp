#include "core/formats/torch/fx_reader.h"

#include "core/formats/graph_choice.h"
#include "core/formats/torch/fx_graph.h"
#include "core/formats/torch/fx_translate.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

namespace plimsoll {
namespace {

using namespace fx;

/// The graphs of a file that can be asked for, a forward graph with its backward graph among them.
struct Choice
{
    std::string name;
    std::size_t first = 0;
    std::optional<std::size_t> backward;
};

/// What is read where no graph is asked for by its name: the first kind of which the file has one.
constexpr std::array<std::string_view, 7> Preferred = {"training",           "aot_joint_graph", "aot_inference_graph",
                                                       "aot_forward_graph",  "inner_f",         "joint_helper",
                                                       "dynamo_output_graph"};

bool isForward(const Listing& listing)
{
    return listing.name.find("forward") != std::string::npos;
}

bool isBackward(const Listing& listing)
{
    return listing.name.find("backward") != std::string::npos;
}

std::vector<Choice> choicesOf(const std::vector<Listing>& listings, ReadingRoom room)
{
    std::vector<Choice> choices;
    std::vector<std::optional<Result<FxGraph>>> parsed(listings.size()); // what may be one half of a training graph
    const auto graphAt = [&](std::size_t i) -> const Result<FxGraph>& {
        if (!parsed[i]) parsed[i] = parseListing(listings[i], room);
        return *parsed[i];
    };
    const auto isBackwardOf = [&](std::size_t i, std::size_t forward) {
        if (!listings[i].frame.empty() && listings[i].frame != listings[forward].frame) return false;
        const Result<FxGraph>& a = graphAt(forward);
        const Result<FxGraph>& b = graphAt(i);
        if (a.ok() && b.ok()) return belongTogether(a.value(), b.value());
        return isForward(listings[forward]) && isBackward(listings[i]); // Cut: to be said, not passed over.
    };
    for (std::size_t i = 0; i < listings.size(); ++i) {
        const std::string_view name = listings[i].name;
        if (!isForward(listings[i]) && !name.starts_with("graph") && !name.starts_with("GraphModule")) continue;
        std::size_t backward = i + 1;
        while (backward < listings.size() && !isBackwardOf(backward, i))
            ++backward;
        if (backward >= listings.size()) continue;
        const std::string number = choices.empty() ? std::string() : "-" + std::to_string(choices.size() + 1);
        choices.push_back({"training" + number, i, backward});
    }
    for (std::size_t i = 0; i < listings.size(); ++i)
        choices.push_back({listings[i].name, i, std::nullopt});
    return choices;
}

/// One of the choices by name, or the first of a kind that is preferred.
Result<std::size_t> choose(const std::vector<std::string>& names, std::string_view wanted)
{
    if (!wanted.empty()) return chooseGraph(names, wanted, "graph.no-graph");
    for (const std::string_view name : Preferred) {
        const auto found = std::ranges::find(names, name);
        if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    }
    return std::size_t {0};
}

Result<FxGraph> parseChoice(const std::vector<Listing>& listings, const Choice& choice, ReadingRoom& room)
{
    PLIMSOLL_ASSIGN(first, parseListing(listings[choice.first], room));
    if (!choice.backward) {
        const auto tangent = [](const Declared& input) { return isTangent(input.name); };
        const auto tangents = std::count_if(first.inputs.begin(), first.inputs.end(), tangent);
        const std::size_t primals = first.inputs.size() - static_cast<std::size_t>(tangents);
        const bool joint = tangents > 0 && !isBackward(listings[choice.first]) && first.results.size() > primals;
        if (joint) first.gradients = primals;
        return first;
    }
    PLIMSOLL_ASSIGN(second, parseListing(listings[*choice.backward], room));
    if (!belongTogether(first, second)) {
        return badInput(say("fx.halves-apart", word::Name {second.name}, word::Name {first.name}),
                        "line " + std::to_string(listings[*choice.backward].lines.front().number));
    }
    return join(std::move(first), std::move(second));
}

/// Such a graph returns no views of its inputs to the caller, which makes these anew: those among its outputs are kept
/// for the backward graph.
void markSaved(Graph& graph)
{
    std::vector<bool> ofInput(graph.values.size(), false);
    for (const ValueId input : graph.top().inputs)
        ofInput[input.index()] = true;
    for (const NodeId id : graph.top().nodes) {
        for (const AliasTrait& trait : graph[id].declared->traits.value_or(std::vector<AliasTrait>())) {
            const ValueId from = graph[id].inputs[static_cast<std::size_t>(trait.input)];
            const ValueId to = graph[id].outputs[static_cast<std::size_t>(trait.output)];
            if (trait.kind == AliasKind::View && from.valid() && to.valid() && ofInput[from.index()])
                ofInput[to.index()] = true;
        }
    }
    std::ranges::copy_if(graph.top().outputs, std::back_inserter(graph.boundary.saved),
                         [&](ValueId output) { return ofInput[output.index()]; });
}

} // namespace

bool looksLikeFx(std::string_view text)
{
    for (std::size_t at = text.find("def forward("); at != std::string_view::npos;
         at = text.find("def forward(", at + 1)) {
        const std::size_t line = text.find_last_of('\n', at) + 1;
        const std::string_view before = text.substr(line, at - line);
        const bool indented = before.find_first_not_of(" \t") == std::string_view::npos;
        const bool logged = before.find("] ") != std::string_view::npos && before.ends_with(' ');
        if (indented || (logged && before.find('"') == std::string_view::npos)) return true;
    }
    return false;
}

Result<FormatContent> readFx(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    const std::vector<Listing> listings = findListings(input.text());
    if (listings.empty()) return badInput(say("fx.no-graph"));
    ReadingRoom room(input.bytes.size());
    const std::vector<Choice> choices = choicesOf(listings, room);
    std::vector<std::string> names;
    std::ranges::transform(choices, std::back_inserter(names), &Choice::name);
    PLIMSOLL_ASSIGN(chosen, choose(names, input.graph));
    PLIMSOLL_ASSIGN(parsed, parseChoice(listings, choices[chosen], room));
    PLIMSOLL_TRY(checkStopped(context));
    context.report("reading", 0.5);
    PLIMSOLL_ASSIGN(graph, makeGraph(parsed, input.stem(names[chosen])));
    // A forward graph of AOTAutograd that came alone: it calls its inputs primals, and has no tangents.
    const auto isPrimal = [](const Declared& one) { return one.name.starts_with("primals_"); };
    const auto tangent = [](const Declared& one) { return isTangent(one.name); };
    const bool half = std::ranges::any_of(parsed.inputs, isPrimal) && std::ranges::none_of(parsed.inputs, tangent);
    if (half && !choices[chosen].backward) markSaved(graph);
    FormatContent content {std::move(graph)};
    noteOthers(content, names, chosen, "note.several-graphs");
    return content;
}

} // namespace plimsoll
