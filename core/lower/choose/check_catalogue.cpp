#include "core/lower/choose/check_catalogue.h"

#include "core/ops/op_schema.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace plimsoll {
namespace {

using NodesByName = std::unordered_map<std::string_view, const Node*>;

/// Inputs or outputs that an offer may speak of.
struct Operands
{
    std::string_view what;
    std::string_view counted; ///< The sentence that says how many there are.
    std::size_t room = 0;
};

class OfferCheck
{
public:
    OfferCheck(const NodesByName& nodes, const Catalogue& catalogue) : m_nodes(nodes), m_catalogue(catalogue) {}

    Status run(const Node& node, const Implementation& offer, std::string place)
    {
        m_place = std::move(place);
        m_inputs.room = node.inputs.size();
        m_outputs.room = outputsOf(node);
        for (std::size_t i = 0; i < offer.fuses.size(); ++i) {
            const auto found = m_nodes.find(offer.fuses[i]);
            if (found == m_nodes.end())
                return error("fuses[" + std::to_string(i) + "]",
                             say("choose.no-node-to-fuse", word::Name {offer.fuses[i]}));
            const Node& follower = *found->second;
            m_inputs.room += follower.inputs.empty() ? 0 : follower.inputs.size() - 1;
            m_outputs.room = std::max(m_outputs.room, outputsOf(follower));
        }
        PLIMSOLL_TRY(checkLists(offer));
        for (std::size_t i = 0; i < offer.prepared.size(); ++i)
            PLIMSOLL_TRY(check(offer.prepared[i].input, m_inputs, "prepared", i));
        for (std::size_t i = 0; i < offer.inPlace.size(); ++i) {
            PLIMSOLL_TRY(check(offer.inPlace[i].output, m_outputs, "inPlace", i));
            PLIMSOLL_TRY(check(offer.inPlace[i].input, m_inputs, "inPlace", i));
        }
        return {};
    }

private:
    /// A catalogue may have been made for a training graph, in which a node leaves more than the file names.
    [[nodiscard]] std::size_t outputsOf(const Node& node) const
    {
        const OpSchema* schema = findSchema(node.domain, node.op);
        const int outputs = schema ? schema->signature.outputs() : 0;
        return outputs == Signature::Any ? node.outputs.size()
                                         : std::max(node.outputs.size(), static_cast<std::size_t>(outputs));
    }

    [[nodiscard]] Status checkLists(const Implementation& offer) const
    {
        PLIMSOLL_TRY(check(offer.inputLayouts.size(), m_inputs, "inputLayouts"));
        PLIMSOLL_TRY(check(offer.requiredInputBytes.size(), m_inputs, "requiredInputBytes"));
        PLIMSOLL_TRY(check(offer.inputStorageTypes.size(), m_inputs, "inputStorages"));
        PLIMSOLL_TRY(check(offer.outputLayouts.size(), m_outputs, "outputLayouts"));
        PLIMSOLL_TRY(check(offer.requiredOutputBytes.size(), m_outputs, "requiredOutputBytes"));
        return check(offer.outputStorageTypes.size(), m_outputs, "outputStorages");
    }

    Status check(std::size_t given, const Operands& operands, const char* key) const
    {
        if (given <= operands.room) return {};
        return error(key, say("choose.lists-node", word::Number {given}, say(operands.counted, operands.room)));
    }

    Status check(int position, const Operands& operands, const char* key, std::size_t index) const
    {
        if (position >= 0 && static_cast<std::size_t>(position) < operands.room) return {};
        return error(std::string(key) + "[" + std::to_string(index) + "]",
                     say("choose.no-such-operand", operands.what, word::Number {position},
                         say(operands.counted, operands.room)));
    }

    [[nodiscard]] Error error(const std::string& key, Message message) const
    {
        const std::string whole = m_catalogue.file.empty() ? "catalogue." : "";
        return {ErrorCode::BadInput, std::move(message), whole + m_place + "." + key, m_catalogue.file};
    }

    const NodesByName& m_nodes;
    const Catalogue& m_catalogue;
    std::string m_place;
    Operands m_inputs {"input", "graph.inputs"};
    Operands m_outputs {"output", "graph.outputs"};
};

} // namespace

Status checkCatalogue(const Catalogue& catalogue, const Graph& graph)
{
    if (catalogue.offers.empty()) return {};
    NodesByName nodes;
    for (const Node& node : graph.nodes)
        nodes.emplace(node.name, &node);
    OfferCheck check(nodes, catalogue);
    for (const auto& [name, offers] : catalogue.offers) {
        const auto node = nodes.find(name);
        for (std::size_t i = 0; node != nodes.end() && i < offers.size(); ++i)
            PLIMSOLL_TRY(check.run(*node->second, offers[i], "offers." + name + "[" + std::to_string(i) + "]"));
    }
    return {};
}

std::vector<std::string> strangeNodes(const Catalogue& catalogue, const Graph& captured, const Graph& planned)
{
    std::unordered_set<std::string_view> known;
    for (const Graph* graph : {&captured, &planned})
        for (const Node& node : graph->nodes)
            known.insert(node.name);
    std::vector<std::string> strange;
    for (const auto& [name, offers] : catalogue.offers) {
        if (!known.contains(name)) strange.push_back(name);
    }
    return strange;
}

} // namespace plimsoll
