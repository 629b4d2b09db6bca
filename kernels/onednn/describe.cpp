#include "kernels/onednn/describe.h"

#include "kernels/answers.h"
#include "kernels/onednn/estimate.h"
#include "kernels/onednn/layouts.h"
#include "kernels/onednn/measure.h"

#include <algorithm>
#include <set>

namespace plimsoll::kernels::onednn {
namespace {

bool isImage(const Shape& shape)
{
    return shape.size() >= 3 && shape.size() <= 5;
}

/// Which nodes stand behind one another with nobody else in between.
class Chains
{
public:
    explicit Chains(const Graph& graph) : m_graph(graph), m_uses(findUses(graph)) {}

    /// As far as there are post-operations that mean the same.
    [[nodiscard]] std::vector<FusedNode> behind(NodeId node) const
    {
        std::vector<FusedNode> chain;
        for (ValueId made = onlyOutput(node); made.valid() && isReadOnce(made) && chain.size() < Longest;) {
            const Uses::Read& read = m_uses.reads[made.index()].front();
            chain.push_back({read.node, read.input});
            NodeView view(m_graph, node, {}, chain);
            if (takePostOps(view)) {
                made = onlyOutput(read.node);
                continue;
            }
            chain.pop_back();
            break;
        }
        return chain;
    }

    [[nodiscard]] const Uses& uses() const { return m_uses; }

    [[nodiscard]] bool isReadOnce(ValueId value) const
    {
        const bool made = m_graph[value].role == ValueRole::Intermediate;
        return made && m_uses.reads[value.index()].size() == 1 && m_uses.results[value.index()].empty();
    }

private:
    static constexpr std::size_t Longest = 4;

    [[nodiscard]] ValueId onlyOutput(NodeId node) const
    {
        const std::vector<ValueId>& outputs = m_graph[node].outputs;
        return outputs.size() == 1 ? outputs.front() : ValueId();
    }

    const Graph& m_graph;
    const Uses m_uses;
};

class Describer
{
public:
    Describer(const Graph& graph, const dnnl::engine& engine, bool measure)
        : m_graph(graph), m_engine(engine), m_measure(measure), m_chains(graph)
    {
    }

    std::vector<Implementation> describe(NodeId id)
    {
        const RecipeEntry* entry = findRecipe(NodeView(m_graph, id));
        if (!entry || m_graph.decided[id].ahead) return {};
        m_chain = entry->fuses != Fuses::Nothing ? m_chains.behind(id) : std::vector<FusedNode> {};
        const bool weightsCount = isByte(NodeView(m_graph, id).dtype());
        Question question = questionAbout({m_graph, m_chains.uses(), m_seen, weightsCount}, id, m_chain);
        if (const auto* known = m_answers.find(question)) {
            m_offers = renamed(*known);
        } else {
            askAbout(id, *entry);
            m_answers.keep(std::move(question), m_offers);
        }
        for (const Implementation& offer : m_offers)
            noteLayouts(m_graph[id], offer);
        return m_offers;
    }

private:
    void askAbout(NodeId id, const RecipeEntry& entry)
    {
        m_offers.clear();
        m_asked.clear();
        if (entry.layouts == Layouts::Chooses) askForChoices(id, entry.weights);
        if (entry.layouts == Layouts::Prepares) askToPrepare(id, entry);
        if (entry.layouts == Layouts::Follows) askToFollow(id);
        ask(id, {});
        if (!m_offers.empty()) addReference(id);
    }

    /// The same offers for the nodes that stand behind this one.
    [[nodiscard]] std::vector<Implementation> renamed(std::vector<Implementation> offers) const
    {
        for (Implementation& offer : offers) {
            for (std::size_t i = 0; i < offer.fuses.size(); ++i)
                offer.fuses[i] = m_graph[m_chain[i].node].name;
        }
        return offers;
    }

    void askForChoices(NodeId id, std::size_t weights)
    {
        const std::string any(AnyLayout);
        const std::string plain(PlainLayout);
        settle(id, choice(any, weights, any));
        for (const std::string& layout : seenAt(m_graph[id].inputs[0]))
            settle(id, choice(layout, weights, any));
        settle(id, choice(plain, weights, any));
        settle(id, choice(plain, weights, plain));
    }

    void askToPrepare(NodeId id, const RecipeEntry& entry)
    {
        const std::size_t end = entry.weights + entry.count;
        Wish wish {std::vector<std::string>(end, std::string(PlainLayout)), {std::string(PlainLayout)}};
        for (std::size_t input = entry.weights; input < end; ++input) {
            if (NodeView(m_graph, id).isWeight(input)) wish.inputs[input] = AnyLayout;
        }
        if (std::find(wish.inputs.begin(), wish.inputs.end(), AnyLayout) != wish.inputs.end()) settle(id, wish);
    }

    /// Weights as oneDNN likes them best for that source and that result; what else the node reads is plain.
    static Wish choice(const std::string& source, std::size_t weights, const std::string& result)
    {
        Wish wish {std::vector<std::string>(weights + 1, std::string(PlainLayout)), {result}};
        wish.inputs.front() = source;
        wish.inputs.back() = AnyLayout;
        return wish;
    }

    void askToFollow(NodeId id)
    {
        std::set<std::string> layouts;
        for (const ValueId input : m_graph[id].inputs) {
            const auto seen = seenAt(input);
            layouts.insert(seen.begin(), seen.end());
        }
        for (const std::string& layout : layouts)
            ask(id, following(id, layout));
    }

    /// All inputs that are images like the first come in the layout; vectors of parameters and what is spread do not.
    [[nodiscard]] Wish following(NodeId id, const std::string& layout) const
    {
        const NodeView node(m_graph, id);
        const auto first = node.output(0);
        Wish wish;
        for (std::size_t i = 0; i < node.inputCount(); ++i) {
            const auto shape = node.input(i);
            const bool follows = shape && first && shape->size() == first->size() && shape->front() == first->front() &&
                                 (i == 0 || sameImage(*shape, *node.input(0)));
            wish.inputs.push_back(follows ? layout : std::string(PlainLayout));
        }
        wish.outputs.push_back(layout);
        return wish;
    }

    static bool sameImage(const Shape& a, const Shape& b)
    {
        return a.size() == b.size() && a.size() > 2 && std::equal(a.begin() + 2, a.end(), b.begin() + 2);
    }

    [[nodiscard]] std::set<std::string> seenAt(ValueId value) const
    {
        const auto found = m_seen.find(value);
        return found == m_seen.end() ? std::set<std::string>() : found->second;
    }

    /// Asks with what oneDNN may choose, then again with what it has chosen: that is what will be executed.
    void settle(NodeId id, const Wish& open)
    {
        const auto recipe = tryRecipe(NodeView(m_graph, id, open), m_engine);
        if (!recipe) return;
        Wish wish = open;
        for (const Argument& argument : recipe->arguments) {
            auto& names = argument.isOutput ? wish.outputs : wish.inputs;
            if (argument.position >= names.size() || names[argument.position] != AnyLayout) continue;
            const auto name = argument.prepared.empty() ? nameOf(argument.layout, argument.readAs.empty())
                                                        : std::optional(argument.prepared);
            if (!name || (carriesMore(*name) && !isWeight(id, argument))) return;
            names[argument.position] = *name;
        }
        ask(id, wish);
    }

    [[nodiscard]] bool isWeight(NodeId id, const Argument& argument) const
    {
        return !argument.isOutput && NodeView(m_graph, id).isWeight(argument.position);
    }

    /// Asks for the node alone, then along with ever more of what may be fused into it.
    void ask(NodeId id, const Wish& wish)
    {
        if (!askFor(NodeView(m_graph, id, wish, {}))) return;
        for (std::size_t length = 1; length <= m_chain.size(); ++length) {
            const std::vector<FusedNode> chain(m_chain.begin(), m_chain.begin() + static_cast<std::ptrdiff_t>(length));
            const Wish fused = fusedWish(NodeView(m_graph, id, wish, chain));
            if (askFor(NodeView(m_graph, id, fused, chain))) continue;
            Wish apart = fused;
            apart.sumInto.reset();
            if (!fused.sumInto || !askFor(NodeView(m_graph, id, apart, chain))) break;
        }
    }

    /// What has the shape of the output comes in its layout; the first of those that nobody else reads is summed into.
    [[nodiscard]] Wish fusedWish(const NodeView& node) const
    {
        Wish wish = node.wish();
        wish.inputs.resize(node.inputCount(), std::string(PlainLayout));
        const std::string output = wish.outputs.empty() ? std::string(PlainLayout) : wish.outputs.front();
        for (std::size_t i = node.inputCount(); i < node.inputCount() + node.operandCount(); ++i) {
            const bool same = node.input(i) == node.output(0);
            wish.inputs.push_back(same ? output : std::string(PlainLayout));
            if (same && !wish.sumInto && m_chains.isReadOnce(node.inputValue(i)) && node.isAddend(i)) wish.sumInto = i;
        }
        return wish;
    }

    bool askFor(const NodeView& node)
    {
        const auto recipe = tryRecipe(node, m_engine);
        if (!recipe) return false;
        Implementation offer = offerOf(node, *recipe);
        offer.timeMs = estimateMs(node, offer.name);
        if (std::find(m_asked.begin(), m_asked.end(), offer) != m_asked.end()) return true;
        m_asked.push_back(offer);
        if (m_measure && isWorthIt(offer)) takeTime(*recipe, offer);
        m_offers.push_back(std::move(offer));
        return true;
    }

    /// Nobody waits for plain loops of the library to take seconds.
    [[nodiscard]] bool isWorthIt(const Implementation& offer) const
    {
        constexpr double Hopeless = 10;
        constexpr double ShortMs = 50;
        if (offer.timeMs <= ShortMs) return true;
        const auto faster = [](const Implementation& a, const Implementation& b) { return a.timeMs < b.timeMs; };
        return offer.timeMs <= Hopeless * std::min_element(m_asked.begin(), m_asked.end(), faster)->timeMs;
    }

    void takeTime(const Recipe& recipe, Implementation& offer) const
    {
        const double ms = measureMs(recipe, m_engine);
        if (ms < 0) return;
        offer.timeMs = ms;
        offer.provenance = "measured";
    }

    [[nodiscard]] Implementation offerOf(const NodeView& node, const Recipe& recipe) const
    {
        const Wish& wish = node.wish();
        Implementation offer;
        for (const FusedNode& fused : node.fused())
            offer.fuses.push_back(m_graph[fused.node].name);
        offer.backend = "onednn";
        offer.name = recipe.name;
        offer.scratchpadBytes = static_cast<std::int64_t>(scratchOffsets(recipe).back());
        if (!recipe.derived.empty()) offer.alignment = 64; // of numbers in the scratchpad
        offer.inPlaceKnown = true;
        offer.inPlace = recipe.inPlace;
        offer.provenance = "estimated";
        if (!isPlain(wish.outputs)) offer.outputLayouts = wish.outputs;
        if (!isPlain(wish.inputs)) offer.inputLayouts = wish.inputs;
        for (const Argument& argument : recipe.arguments)
            takeBytes(node, argument, offer);
        if (isPlain(offer.inputLayouts)) offer.inputLayouts.clear();
        return offer;
    }

    static bool isPlain(const std::vector<std::string>& names)
    {
        return std::all_of(names.begin(), names.end(), [](const std::string& name) { return name == PlainLayout; });
    }

    /// The library's own size counts. A weight that is read in other layouts than its own is prepared.
    static void takeBytes(const NodeView& node, const Argument& argument, Implementation& offer)
    {
        auto& names = argument.isOutput ? offer.outputLayouts : offer.inputLayouts;
        if (argument.position >= names.size() || names[argument.position] == PlainLayout) return;
        const auto bytes = static_cast<std::int64_t>(argument.layout.get_size());
        if (node.isWeight(argument.position) && !argument.isOutput) {
            const auto shape = node.input(argument.position);
            offer.prepared.push_back(
                {static_cast<int>(argument.position), names[argument.position], bytes,
                 argument.readAs == shape && argument.storedAs.empty() ? Shape {} : argument.readAs,
                 argument.storedAs});
            names[argument.position] = std::string(PlainLayout);
            return;
        }
        auto& list = argument.isOutput ? offer.requiredOutputBytes : offer.requiredInputBytes;
        list.resize(std::max(list.size(), argument.position + 1), 0);
        list[argument.position] = bytes;
    }

    void addReference(NodeId id)
    {
        Implementation reference;
        reference.timeMs = estimateReferenceMs(NodeView(m_graph, id));
        reference.provenance = "estimated";
        m_offers.push_back(std::move(reference));
    }

    void noteLayouts(const Node& node, const Implementation& offer)
    {
        for (std::size_t i = 0; i < offer.outputLayouts.size() && i < node.outputs.size(); ++i) {
            const auto shape = m_graph[node.outputs[i]].type.shape();
            if (offer.outputLayouts[i] != PlainLayout && shape && isImage(*shape))
                m_seen[node.outputs[i]].insert(offer.outputLayouts[i]);
        }
    }

    const Graph& m_graph;
    const dnnl::engine& m_engine;
    bool m_measure;
    std::vector<Implementation> m_offers;
    std::vector<Implementation> m_asked; ///< The same as they were estimated, so that none is asked for twice.
    Chains m_chains;
    std::vector<FusedNode> m_chain; ///< Behind the node that is being asked about.
    SeenLayouts m_seen;
    Answers m_answers;
};

} // namespace

Catalogue describeNodes(const Graph& graph, const dnnl::engine& engine, bool measure, const Context& context)
{
    Catalogue catalogue;
    Describer describer(graph, engine, measure);
    for (std::size_t i = 0; i < graph.nodes.size() && !context.stopped(); ++i) {
        std::vector<Implementation> offers = describer.describe(NodeId {i});
        if (!offers.empty()) catalogue.offers[graph.nodes[i].name] = std::move(offers);
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
    for (const Implementation::InPlacePair& pair : implementation.inPlace) {
        if (!implementation.fuses.empty() && static_cast<std::size_t>(pair.input) >= ownInputs)
            wish.sumInto = static_cast<std::size_t>(pair.input);
    }
    return wish;
}

} // namespace plimsoll::kernels::onednn
