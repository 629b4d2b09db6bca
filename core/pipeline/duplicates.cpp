#include "core/pipeline/stages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

namespace plimsoll::pipeline {
namespace {

using NodesByName = std::unordered_map<std::string_view, const Node*>;

/// "a@1@2#2" is "a", copied as "@1" and "@2#2" say; inside an owner that was copied the tags stand in its path.
struct Ancestry
{
    std::string original;
    std::string tags;
};

/// Nothing for a node of the captured graph, whatever its name, and for what no captured node explains.
std::optional<Ancestry> ancestryOf(const NodesByName& captured, const Node& node)
{
    Ancestry ancestry {node.name, {}};
    if (captured.contains(node.name)) return std::nullopt;
    while (!captured.contains(ancestry.original)) {
        const std::size_t at = ancestry.original.rfind('@');
        if (at == std::string::npos) return std::nullopt;
        const std::size_t end = std::min(ancestry.original.find_first_not_of("0123456789#", at + 1), //
                                         ancestry.original.size());
        ancestry.tags += ancestry.original.substr(at, end - at);
        ancestry.original.erase(at, end - at);
    }
    const Node& original = *captured.at(ancestry.original);
    return original.op == node.op && original.domain == node.domain ? std::optional(ancestry) : std::nullopt;
}

class CopyOffers
{
public:
    CopyOffers(const Catalogue& catalogue, const Graph& captured, const Graph& graph)
        : m_catalogue(catalogue), m_graph(graph)
    {
        for (const Node& node : captured.nodes)
            m_captured.emplace(node.name, &node);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Node& node = graph.nodes[i];
            if (graph.decided[NodeId(i)].recomputes.valid()) continue;
            if (const auto ancestry = ancestryOf(m_captured, node))
                m_copies[{node.body, ancestry->tags, ancestry->original}] = node.name;
        }
    }

    /// By the copy's name.
    [[nodiscard]] std::map<std::string, std::vector<Implementation>> made() const
    {
        std::map<std::string, std::vector<Implementation>> all;
        for (const auto& [place, name] : m_copies) {
            const auto offers = m_catalogue.offers.find(place.original);
            if (offers != m_catalogue.offers.end()) offer(place, offers->second, all[name]);
        }
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const NodeId original = m_graph.decided[NodeId(i)].recomputes;
            if (!original.valid()) continue;
            const Node& source = m_graph[original];
            const auto ancestry = ancestryOf(m_captured, source);
            const auto offers = m_catalogue.offers.find(ancestry ? ancestry->original : source.name);
            if (offers == m_catalogue.offers.end()) continue;
            const auto alone = [](const Implementation& one) { return one.fuses.empty(); }; // others follow in backward
            std::ranges::copy_if(offers->second, std::back_inserter(all[m_graph.nodes[i].name]), alone);
        }
        std::erase_if(all, [](const auto& one) { return one.second.empty(); });
        return all;
    }

private:
    /// Where the copies of one call or iteration find each other.
    struct Place
    {
        BodyId body;
        std::string tags;
        std::string original;
        friend auto operator<=>(const Place&, const Place&) = default;
    };

    /// What it computes, too, is copied alike.
    void offer(const Place& copy, const std::vector<Implementation>& offers, std::vector<Implementation>& to) const
    {
        for (Implementation one : offers) {
            bool whole = true;
            for (std::string& fused : one.fuses) {
                const auto found = m_copies.find({copy.body, copy.tags, fused});
                whole = whole && found != m_copies.end();
                if (whole) fused = found->second;
            }
            if (whole) to.push_back(std::move(one));
        }
    }

    const Catalogue& m_catalogue;
    const Graph& m_graph;
    NodesByName m_captured;
    std::map<Place, std::string> m_copies;
};

} // namespace

std::shared_ptr<const Catalogue> withOffersForDuplicates(std::shared_ptr<const Catalogue> catalogue,
                                                         const Graph& captured, const Graph& graph)
{
    if (!catalogue || catalogue->offers.empty()) return catalogue;
    auto copies = CopyOffers(*catalogue, captured, graph).made();
    if (copies.empty()) return catalogue;
    auto more = std::make_shared<Catalogue>(*catalogue);
    more->offers.merge(copies); // what a catalogue says of a copy by its own name stays
    return more;
}

} // namespace plimsoll::pipeline
