#include "kernels/onednn/describe.h"

#include "kernels/answers.h"
#include "kernels/onednn/measure.h"

#include <algorithm>
#include <set>

namespace plimsoll::kernels::onednn {
namespace {

/// A graph that the library is asked about, and what is known of it so far.
struct Inquiry
{
    const Graph& graph;
    const dnnl::engine& engine;
    bool measure = false;
    Uses uses;
    SeenLayouts seen {};
    Answers answers {};
    std::vector<FusedNode> chain {};       ///< Behind the node that is being asked about.
    std::vector<Implementation> offers {}; ///< For it.
    std::vector<Implementation> asked {};  ///< The same as they were estimated, so that none is asked for twice.
};

bool isReadOnce(const Inquiry& on, ValueId value)
{
    const bool made = on.graph[value].role == ValueRole::Intermediate;
    return made && on.uses.reads[value.index()].size() == 1 && on.uses.results[value.index()].empty();
}

/// Which nodes stand behind one another with nothing else in between, as far as there are post-operations that mean
/// the same.
std::vector<FusedNode> chainBehind(const Inquiry& on, NodeId node)
{
    constexpr std::size_t Longest = 4;
    std::vector<FusedNode> chain;
    for (NodeId last = node; chain.size() < Longest;) {
        const ValueIds& made = on.graph[last].outputs;
        if (made.size() != 1 || !made.front().valid() || !isReadOnce(on, made.front())) break;
        const Uses::Read& read = on.uses.reads[made.front().index()].front();
        chain.push_back({read.node, read.input});
        NodeView view(on.graph, node, {}, chain);
        if (!takePostOps(view)) {
            chain.pop_back();
            break;
        }
        last = read.node;
    }
    return chain;
}

bool isPlain(const std::vector<std::string>& names)
{
    return std::ranges::all_of(names, [](const std::string& name) { return name == PlainLayout; });
}

Implementation offerOf(const Graph& graph, const NodeView& node, const Recipe& recipe)
{
    const Wish& wish = node.wish();
    Implementation offer;
    for (const FusedNode& fused : node.fused())
        offer.fuses.push_back(graph[fused.node].name);
    offer.backend = "onednn";
    offer.name = recipe.name;
    offer.scratchpadBytes = static_cast<std::int64_t>(scratchOffsets(recipe).back());
    if (!recipe.derived.empty()) offer.alignment = 64; // of numbers in the scratchpad
    offer.inPlaceKnown = true;
    offer.inPlace = recipe.inPlace;
    offer.timeMs = estimateMs(node, offer.name);
    offer.provenance = "estimated";
    if (!isPlain(wish.outputs)) offer.outputLayouts = wish.outputs;
    if (!isPlain(wish.inputs)) offer.inputLayouts = wish.inputs;
    for (const Argument& argument : recipe.arguments) { // the library's own size counts
        const std::size_t at = argument.position;
        auto& names = argument.isOutput ? offer.outputLayouts : offer.inputLayouts;
        if (at >= names.size() || names[at] == PlainLayout) continue;
        const auto bytes = static_cast<std::int64_t>(argument.layout.get_size());
        if (node.isWeight(at) && !argument.isOutput) { // one that is read in other layouts than its own is prepared
            const bool isStored = argument.readAs == node.input(at) && argument.storedAs.empty();
            offer.prepared.push_back(
                {static_cast<int>(at), names[at], bytes, isStored ? Shape {} : argument.readAs, argument.storedAs});
            names[at] = std::string(PlainLayout);
            continue;
        }
        auto& list = argument.isOutput ? offer.requiredOutputBytes : offer.requiredInputBytes;
        list.resize(std::max(list.size(), at + 1), 0);
        list[at] = bytes;
    }
    if (isPlain(offer.inputLayouts)) offer.inputLayouts.clear();
    return offer;
}

/// Whether the library has something for the node; a new offer is added.
bool askFor(Inquiry& on, const NodeView& node)
{
    const auto recipe = tryRecipe(node, on.engine);
    if (!recipe) return false;
    Implementation offer = offerOf(on.graph, node, *recipe);
    if (std::ranges::find(on.asked, offer) != on.asked.end()) return true;
    on.asked.push_back(offer);
    // Plain loops of the library that take seconds are not executed.
    constexpr double Hopeless = 10;
    constexpr double ShortMs = 50;
    const double least = std::ranges::min_element(on.asked, {}, &Implementation::timeMs)->timeMs;
    constexpr double LongestMs = 10'000;
    const bool isWorthIt = offer.timeMs <= ShortMs || offer.timeMs <= std::min(Hopeless * least, LongestMs);
    const double ms = on.measure && isWorthIt ? measureMs(*recipe, on.engine) : -1;
    if (ms >= 0) {
        offer.timeMs = ms;
        offer.provenance = "measured";
    }
    on.offers.push_back(std::move(offer));
    return true;
}

/// What has the shape of the output comes in its layout; the first of those that is read nowhere else is summed into.
Wish fusedWish(const Inquiry& on, const NodeView& node)
{
    Wish wish = node.wish();
    wish.inputs.resize(node.inputCount(), std::string(PlainLayout));
    const std::string output = wish.outputs.empty() ? std::string(PlainLayout) : wish.outputs.front();
    for (std::size_t i = node.inputCount(); i < node.inputCount() + node.operandCount(); ++i) {
        const bool same = node.input(i) == node.output(0);
        wish.inputs.push_back(same ? output : std::string(PlainLayout));
        if (same && !wish.sumInto && isReadOnce(on, node.inputValue(i)) && node.isAddend(i)) wish.sumInto = i;
    }
    return wish;
}

/// Asks for the node alone, then along with ever more of what may be fused into it.
void ask(Inquiry& on, NodeId id, const Wish& wish)
{
    if (!askFor(on, NodeView(on.graph, id, wish, {}))) return;
    for (std::size_t length = 1; length <= on.chain.size(); ++length) {
        const std::vector<FusedNode> chain(on.chain.begin(), on.chain.begin() + static_cast<std::ptrdiff_t>(length));
        const Wish fused = fusedWish(on, NodeView(on.graph, id, wish, chain));
        if (askFor(on, NodeView(on.graph, id, fused, chain))) continue;
        Wish apart = fused;
        apart.sumInto.reset();
        if (!fused.sumInto || !askFor(on, NodeView(on.graph, id, apart, chain))) break;
    }
}

/// Asks with what oneDNN may choose, then again with what it has chosen: that is what will be executed.
void settle(Inquiry& on, NodeId id, const Wish& open)
{
    const NodeView node(on.graph, id, open);
    const auto recipe = tryRecipe(node, on.engine);
    if (!recipe) return;
    Wish wish = open;
    for (const Argument& argument : recipe->arguments) {
        auto& names = argument.isOutput ? wish.outputs : wish.inputs;
        if (argument.position >= names.size() || names[argument.position] != AnyLayout) continue;
        const auto name = argument.prepared.empty() ? nameOf(argument.layout, argument.readAs.empty())
                                                    : std::optional(argument.prepared);
        const bool isWeight = !argument.isOutput && node.isWeight(argument.position);
        if (!name || (carriesMore(*name) && !isWeight)) return;
        names[argument.position] = *name;
    }
    ask(on, id, wish);
}

std::set<std::string> seenAt(const Inquiry& on, ValueId value)
{
    const auto found = on.seen.find(value);
    return found == on.seen.end() ? std::set<std::string>() : found->second;
}

/// Weights as oneDNN likes them best for a source and a result in that layout; what else the node reads is plain.
void askForChoices(Inquiry& on, NodeId id, std::size_t weights)
{
    const std::string any(AnyLayout);
    const std::string plain(PlainLayout);
    const auto choose = [&](const std::string& source, const std::string& result) {
        Wish wish {std::vector<std::string>(weights + 1, plain), {result}};
        wish.inputs.front() = source;
        wish.inputs.back() = any;
        settle(on, id, wish);
    };
    choose(any, any);
    for (const std::string& layout : seenAt(on, on.graph[id].inputs[0]))
        choose(layout, any);
    choose(plain, any);
    choose(plain, plain);
}

/// All inputs that are images like the first come in the layout; vectors of parameters and what is spread do not.
Wish following(const NodeView& node, const std::string& layout)
{
    const auto first = node.output(0);
    Wish wish;
    for (std::size_t i = 0; i < node.inputCount(); ++i) {
        const auto shape = node.input(i);
        const bool alike = shape && first && shape->size() == first->size() && shape->front() == first->front();
        const auto image = i > 0 ? node.input(0) : std::nullopt;
        const bool follows = alike && (i == 0 || (image->size() == shape->size() && shape->size() > 2 &&
                                                  std::equal(shape->begin() + 2, shape->end(), image->begin() + 2)));
        wish.inputs.push_back(follows ? layout : std::string(PlainLayout));
    }
    wish.outputs.push_back(layout);
    return wish;
}

void askAbout(Inquiry& on, NodeId id, const RecipeEntry& entry)
{
    on.offers.clear();
    on.asked.clear();
    if (entry.layouts == Layouts::Chooses) askForChoices(on, id, entry.weights);
    if (entry.make == makeConvolution) settle(on, id, {{std::string(AnyLayout)}, {std::string(AnyLayout)}, {}, true});
    if (entry.layouts == Layouts::Prepares) {
        const std::size_t end = entry.weights + entry.count;
        Wish wish {std::vector<std::string>(end, std::string(PlainLayout)), {std::string(PlainLayout)}};
        bool open = false;
        for (std::size_t input = entry.weights; input < end; ++input) {
            if (!NodeView(on.graph, id).isWeight(input)) continue;
            wish.inputs[input] = AnyLayout;
            open = true;
        }
        if (open) settle(on, id, wish);
    }
    if (entry.layouts == Layouts::Follows) {
        std::set<std::string> layouts;
        for (const ValueId input : on.graph[id].inputs)
            layouts.merge(seenAt(on, input));
        for (const std::string& layout : layouts)
            ask(on, id, following(NodeView(on.graph, id), layout));
    }
    ask(on, id, {});
    if (on.offers.empty()) return;
    Implementation reference;
    reference.timeMs = estimateReferenceMs(NodeView(on.graph, id));
    reference.provenance = "estimated";
    on.offers.push_back(std::move(reference));
}

const std::vector<Implementation>& describeNode(Inquiry& on, NodeId id)
{
    on.offers.clear();
    const NodeView view(on.graph, id);
    const RecipeEntry* entry = findRecipe(view);
    if (!entry || on.graph.decided[id].ahead) return on.offers;
    on.chain = entry->fuses != Fuses::Nothing ? chainBehind(on, id) : std::vector<FusedNode> {};
    Question question = questionAbout({on.graph, on.uses, on.seen, isByte(view.dtype())}, id, on.chain);
    if (const auto* known = on.answers.find(question)) { // of other nodes behind it
        on.offers = *known;
        for (Implementation& offer : on.offers) {
            for (std::size_t i = 0; i < offer.fuses.size(); ++i)
                offer.fuses[i] = on.graph[on.chain[i].node].name;
        }
    } else {
        askAbout(on, id, *entry);
        on.answers.keep(std::move(question), on.offers);
    }
    const ValueIds& outputs = on.graph[id].outputs;
    for (const Implementation& offer : on.offers) {
        for (std::size_t i = 0; i < std::min(offer.outputLayouts.size(), outputs.size()); ++i) {
            const auto shape = on.graph[outputs[i]].type.shape();
            const bool image = shape && shape->size() >= 3 && shape->size() <= 5;
            if (image && offer.outputLayouts[i] != PlainLayout) on.seen[outputs[i]].insert(offer.outputLayouts[i]);
        }
    }
    return on.offers;
}

} // namespace

Catalogue describeNodes(const Graph& graph, const dnnl::engine& engine, bool measure, const Context& context)
{
    Catalogue catalogue;
    Inquiry inquiry {graph, engine, measure, findUses(graph)};
    for (std::size_t i = 0; i < graph.nodes.size() && !context.stopped(); ++i) {
        const std::vector<Implementation>& offers = describeNode(inquiry, NodeId {i});
        if (!offers.empty()) catalogue.offers[graph.nodes[i].name] = offers;
        if (measure || i % 64 == 0)
            context.report("catalogue", static_cast<double>(i) / static_cast<double>(graph.nodes.size()));
    }
    return catalogue;
}

Wish wishOf(const Node& node, std::size_t ownInputs, const Implementation& implementation)
{
    Wish wish;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        wish.inputs.emplace_back(inputLayout(implementation, static_cast<int>(i)));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        wish.outputs.emplace_back(outputLayout(implementation, static_cast<int>(i)));
    wish.winograd = implementation.name.find("wino") != std::string::npos;
    for (const Implementation::InPlacePair& pair : implementation.inPlace) {
        if (!implementation.fuses.empty() && static_cast<std::size_t>(pair.input) >= ownInputs)
            wish.sumInto = static_cast<std::size_t>(pair.input);
    }
    return wish;
}

} // namespace plimsoll::kernels::onednn
