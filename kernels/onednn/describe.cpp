#include "kernels/onednn/describe.h"

#include "kernels/onednn/estimate.h"
#include "kernels/onednn/layouts.h"
#include "kernels/onednn/measure.h"

#include <algorithm>
#include <map>
#include <set>

namespace plimsoll::kernels::onednn {
namespace {

bool isImage(const Shape& shape)
{
    return shape.size() >= 3 && shape.size() <= 5;
}

class Describer
{
public:
    Describer(const Graph& graph, const dnnl::engine& engine, bool measure)
        : m_graph(graph), m_engine(engine), m_measure(measure)
    {
    }

    std::vector<Implementation> describe(NodeId id)
    {
        m_offers.clear();
        m_asked.clear();
        const Node& node = m_graph[id];
        const RecipeEntry* entry = findRecipe(node);
        if (!entry) return {};
        if (entry->layouts == Layouts::Chooses) askForChoices(id, AnyLayout);
        if (entry->layouts == Layouts::ChoosesImages) askForChoices(id, PlainLayout);
        if (entry->layouts == Layouts::Follows) askToFollow(id);
        ask(id, {});
        if (m_offers.empty()) return {};
        addReference(id);
        for (const Implementation& offer : m_offers)
            noteLayouts(node, offer);
        return m_offers;
    }

private:
    void askForChoices(NodeId id, std::string_view weightLayout)
    {
        const std::string any(AnyLayout);
        const std::string plain(PlainLayout);
        const std::string weights(weightLayout);
        settle(id, {{any, weights}, {any}});
        for (const std::string& layout : seenAt(m_graph[id].inputs[0]))
            settle(id, {{layout, weights}, {any}});
        settle(id, {{plain, weights}, {any}});
        settle(id, {{plain, weights}, {plain}});
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
            const auto name = nameOf(argument.layout, argument.readAs.empty());
            if (!name) return;
            names[argument.position] = *name;
        }
        ask(id, wish);
    }

    void ask(NodeId id, const Wish& wish)
    {
        const NodeView node(m_graph, id, wish);
        const auto recipe = tryRecipe(node, m_engine);
        if (!recipe) return;
        Implementation offer = offerOf(id, *recipe, wish);
        offer.timeMs = estimateMs(node, offer.name);
        if (std::find(m_asked.begin(), m_asked.end(), offer) != m_asked.end()) return;
        m_asked.push_back(offer);
        if (m_measure && isWorthIt(offer)) takeTime(*recipe, offer);
        m_offers.push_back(std::move(offer));
    }

    /// Nobody waits for plain loops of the library to take seconds.
    [[nodiscard]] bool isWorthIt(const Implementation& offer) const
    {
        constexpr double Hopeless = 10;
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

    [[nodiscard]] Implementation offerOf(NodeId id, const Recipe& recipe, const Wish& wish) const
    {
        Implementation offer;
        offer.backend = "onednn";
        offer.name = recipe.name;
        offer.scratchpadBytes = static_cast<std::int64_t>(recipe.scratchpad.get_size());
        offer.inPlaceKnown = true;
        offer.inPlace = recipe.inPlace;
        offer.provenance = "estimated";
        if (!isPlain(wish.outputs)) offer.outputLayouts = wish.outputs;
        if (!isPlain(wish.inputs)) offer.inputLayouts = wish.inputs;
        for (const Argument& argument : recipe.arguments)
            takeBytes(id, argument, offer);
        if (isPlain(offer.inputLayouts)) offer.inputLayouts.clear();
        return offer;
    }

    static bool isPlain(const std::vector<std::string>& names)
    {
        return std::all_of(names.begin(), names.end(), [](const std::string& name) { return name == PlainLayout; });
    }

    /// The library's own size counts. A weight that is read in other layouts than its own is prepared.
    void takeBytes(NodeId id, const Argument& argument, Implementation& offer) const
    {
        auto& names = argument.isOutput ? offer.outputLayouts : offer.inputLayouts;
        if (argument.position >= names.size() || names[argument.position] == PlainLayout) return;
        const auto bytes = static_cast<std::int64_t>(argument.layout.get_size());
        if (NodeView(m_graph, id).isWeight(argument.position) && !argument.isOutput) {
            const auto shape = NodeView(m_graph, id).input(argument.position);
            offer.prepared.push_back({static_cast<int>(argument.position), names[argument.position], bytes,
                                      argument.readAs == shape ? Shape {} : argument.readAs});
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
    std::map<ValueId, std::set<std::string>> m_seen; ///< The layouts in which some offer leaves a value.
};

} // namespace

Catalogue describeNodes(const Graph& graph, const dnnl::engine& engine, bool measure, const Context& context)
{
    Catalogue catalogue;
    Describer describer(graph, engine, measure);
    for (std::size_t i = 0; i < graph.nodes.size() && !context.stopped(); ++i) {
        std::vector<Implementation> offers = describer.describe(NodeId {i});
        if (!offers.empty()) catalogue.offers[graph.nodes[i].name] = std::move(offers);
        if (i % 64 == 0) context.report("catalogue", static_cast<double>(i) / static_cast<double>(graph.nodes.size()));
    }
    return catalogue;
}

Wish wishOf(const Node& node, const Implementation& implementation)
{
    Wish wish;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        wish.inputs.emplace_back(inputLayout(implementation, static_cast<int>(i)));
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        wish.outputs.emplace_back(outputLayout(implementation, static_cast<int>(i)));
    return wish;
}

} // namespace plimsoll::kernels::onednn
