#include "core/formats/torch/captured_training.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll {
namespace {

class Taker
{
public:
    Taker(const JsonPlace& facts, Graph& graph) : m_facts(facts), m_graph(graph)
    {
        for (std::size_t i = 0; i < graph.values.size(); ++i)
            m_values.emplace(graph.values[i].name, ValueId(i));
    }

    Status run()
    {
        PLIMSOLL_TRY(values("saved", m_graph.boundary.saved));
        PLIMSOLL_TRY(values("donated", m_graph.boundary.donated));
        PLIMSOLL_TRY(checkDonated());
        PLIMSOLL_TRY(takeGradients());
        return takeBackward();
    }

private:
    Result<ValueId> value(const JsonPlace& place) const
    {
        PLIMSOLL_ASSIGN(name, place.text());
        const auto found = m_values.find(name);
        if (found == m_values.end()) return place.error("There is no value '" + name + "' in the graph.");
        return found->second;
    }

    Status values(const char* key, std::vector<ValueId>& list) const
    {
        return m_facts.forEach(key, [&](const JsonPlace& place) -> Status {
            if (place.value().is_null()) return {}; // a size
            PLIMSOLL_ASSIGN(id, value(place));
            list.push_back(id);
            return {};
        });
    }

    [[nodiscard]] Status checkDonated() const
    {
        std::size_t at = 0;
        return m_facts.forEach("donated", [&](const JsonPlace& place) -> Status {
            const ValueId id = m_graph.boundary.donated[at++];
            const std::vector<ValueId>& saved = m_graph.boundary.saved;
            if (std::find(saved.begin(), saved.end(), id) != saved.end()) return {};
            return place.error("'" + m_graph[id].name + "' is donated to the backward graph, but not kept for it.");
        });
    }

    Status takeGradients()
    {
        std::vector<ValueId> primals;
        PLIMSOLL_TRY(values("primals", primals));
        if (!m_facts.has("primals")) primals = m_graph.top().inputs;
        std::vector<ValueId> gradients;
        std::size_t primal = 0;
        PLIMSOLL_TRY(m_facts.forEach("gradients", [&](const JsonPlace& place) -> Status {
            const std::size_t at = primal++;
            if (place.value().is_null()) return {};
            PLIMSOLL_ASSIGN(gradient, value(place));
            gradients.push_back(gradient);
            m_graph.boundary.variables.push_back(at < primals.size() ? primals[at] : gradient);
            return {};
        }));
        const std::vector<ValueId>& outputs = m_graph.top().outputs;
        const bool last =
            gradients.size() <= outputs.size() && std::equal(gradients.rbegin(), gradients.rend(), outputs.rbegin());
        if (!last) return m_facts.at("gradients").error("The outputs of the graph do not end with these gradients.");
        m_graph.boundary.gradients = gradients.size();
        return {};
    }

    Status takeBackward()
    {
        PLIMSOLL_ASSIGN(name, m_facts.textOr("backward", {}));
        for (const NodeId id : m_graph.top().nodes) {
            if (name.empty() ? isMarked(m_graph[id]) : m_graph[id].name == name) {
                m_graph.boundary.firstBackward = id;
                return {};
            }
        }
        if (!name.empty()) return m_facts.at("backward").error("There is no node '" + name + "' in the graph.");
        return m_facts.error("Tensors are kept for a backward graph, but no node says \"phase\": \"backward\".");
    }

    static bool isMarked(const Node& node)
    {
        if (node.extra.find("\"backward\"") == std::string::npos) return false;
        const nlohmann::json extra = nlohmann::json::parse(node.extra, nullptr, false);
        return extra.is_object() && extra.value("phase", std::string()) == "backward";
    }

    const JsonPlace& m_facts;
    Graph& m_graph;
    std::unordered_map<std::string, ValueId> m_values;
};

/// The number of its storage; -1 where nothing is said.
std::int64_t storageOf(const Value& value)
{
    if (value.extra.find("\"storage\"") == std::string::npos) return -1;
    const nlohmann::json extra = nlohmann::json::parse(value.extra, nullptr, false);
    const auto facts = extra.is_object() ? extra.find("pytorch") : extra.end();
    if (!extra.is_object() || facts == extra.end() || !facts->is_object()) return -1;
    const auto number = facts->find("storage");
    return number != facts->end() && number->is_number_integer() ? number->get<std::int64_t>() : -1;
}

} // namespace

Status takeCapturedTraining(const JsonPlace& facts, Graph& graph)
{
    if (!facts.value().is_object() || !facts.has("saved")) return {};
    return Taker(facts, graph).run();
}

Status checkCapturedStorages(const Graph& graph)
{
    std::vector<std::int64_t> storages;
    for (const Value& value : graph.values)
        storages.push_back(storageOf(value));
    for (const NodeId id : graph.top().nodes) {
        const Node& node = graph[id];
        if (!node.declaredTraits) continue;
        for (const AliasTrait& trait : *node.declaredTraits) {
            if (trait.kind != AliasKind::View && trait.kind != AliasKind::Mutates) continue;
            const ValueId base = node.inputs[static_cast<std::size_t>(trait.input)];
            const ValueId part = node.outputs[static_cast<std::size_t>(trait.output)];
            if (!base.valid() || !part.valid()) continue;
            const std::int64_t here = storages[part.index()];
            const std::int64_t there = storages[base.index()];
            if (here < 0 || there < 0 || here == there) continue;
            return Error {ErrorCode::BadInput,
                          "'" + graph[part].name + "' is said to be the bytes of '" + graph[base].name +
                              "', but lies in storage " + std::to_string(here) + ", and '" + graph[base].name +
                              "' in storage " + std::to_string(there) + ".",
                          "node '" + node.name + "'",
                          {}};
        }
    }
    return {};
}

} // namespace plimsoll
