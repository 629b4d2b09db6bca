#include "core/formats/torch/captured_training.h"

#include <algorithm>
#include <unordered_map>

namespace plimsoll {
namespace {

using ValuesByName = std::unordered_map<std::string, ValueId>;

Result<ValueId> valueAt(const JsonPlace& place, const ValuesByName& values)
{
    PLIMSOLL_ASSIGN(name, place.text());
    const auto found = values.find(name);
    if (found == values.end()) return place.error(say("graph.no-value", word::Name {name}));
    return found->second;
}

/// The keys of a node or value that no other reader knows; nothing where \p word does not stand in them.
std::optional<JsonDocument> keysOf(const std::string& extra, std::string_view word)
{
    if (extra.find(word) == std::string::npos) return std::nullopt; // most are without, and parsing takes its time
    auto keys = parseJson(extra);
    return keys.ok() ? std::optional(std::move(keys).value()) : std::nullopt;
}

/// Appends the values that a list of names says; sizes, which are null, are left out.
Status takeValues(const JsonPlace& facts, const char* key, const ValuesByName& values, std::vector<ValueId>& list)
{
    return facts.forEach(key, [&](const JsonPlace& place) -> Status {
        if (!place.isNull()) PLIMSOLL_SET(list.emplace_back(), valueAt(place, values));
        return {};
    });
}

Status takeGradients(const JsonPlace& facts, const ValuesByName& values, Graph& graph)
{
    std::vector<ValueId> primals;
    PLIMSOLL_TRY(takeValues(facts, "primals", values, primals));
    if (!facts.has("primals")) primals = graph.top().inputs;
    std::vector<ValueId> gradients;
    std::size_t primal = 0;
    PLIMSOLL_TRY(facts.forEach("gradients", [&](const JsonPlace& place) -> Status {
        const std::size_t at = primal++;
        if (place.isNull()) return {};
        PLIMSOLL_SET(gradients.emplace_back(), valueAt(place, values));
        graph.boundary.variables.push_back(at < primals.size() ? primals[at] : gradients.back());
        return {};
    }));
    const std::vector<ValueId>& outputs = graph.top().outputs;
    const bool last =
        gradients.size() <= outputs.size() && std::equal(gradients.rbegin(), gradients.rend(), outputs.rbegin());
    if (!last) return facts.at("gradients").error(say("captured.outputs-without-gradients"));
    graph.boundary.gradients = gradients.size();
    return {};
}

/// The number of its storage; -1 where nothing is said.
std::int64_t storageOf(const Value& value)
{
    const auto keys = keysOf(*value.extra, "\"storage\"");
    if (!keys) return -1;
    const JsonPlace extra(*keys, {});
    if (!extra.has("pytorch") || !extra.at("pytorch").has("storage")) return -1;
    const auto number = extra.at("pytorch").at("storage").integer();
    return number.ok() ? number.value() : -1;
}

} // namespace

Status takeCapturedTraining(const JsonPlace& facts, Graph& graph)
{
    if (!facts.isObject() || !facts.has("saved")) return {};
    ValuesByName values;
    for (std::size_t i = 0; i < graph.values.size(); ++i)
        values.emplace(graph.values[i].name, ValueId(i));
    std::vector<ValueId>& saved = graph.boundary.saved;
    PLIMSOLL_TRY(takeValues(facts, "saved", values, saved));
    PLIMSOLL_TRY(facts.forEach("donated", [&](const JsonPlace& place) -> Status {
        if (place.isNull()) return {};
        PLIMSOLL_ASSIGN(id, valueAt(place, values));
        graph.boundary.donated.push_back(id);
        if (std::ranges::find(saved, id) != saved.end()) return {};
        return place.error(say("captured.donated-not-saved", word::Name {graph[id].name}));
    }));
    PLIMSOLL_TRY(takeGradients(facts, values, graph));
    PLIMSOLL_ASSIGN(backward, facts.textOr("backward", {}));
    for (const NodeId id : graph.top().nodes) {
        const auto keys = backward.empty() ? keysOf(graph[id].from->extra, "\"backward\"") : std::nullopt;
        const bool marked =
            keys && JsonPlace(*keys, {}).has("phase") && JsonPlace(*keys, {}).at("phase").word() == "backward";
        if (!marked && (backward.empty() || graph[id].name != backward)) continue;
        graph.boundary.firstBackward = id;
        return {};
    }
    if (!backward.empty()) return facts.at("backward").error(say("captured.no-node", word::Name {backward}));
    return facts.error(say("captured.no-backward"));
}

Status checkCapturedStorages(const Graph& graph)
{
    std::vector<std::int64_t> storages;
    for (const Value& value : graph.values)
        storages.push_back(storageOf(value));
    for (const NodeId id : graph.top().nodes) {
        const Node& node = graph[id];
        if (!node.declared->traits) continue;
        for (const AliasTrait& trait : *node.declared->traits) {
            if (trait.kind != AliasKind::View && trait.kind != AliasKind::Mutates) continue;
            const ValueId base = node.inputs[static_cast<std::size_t>(trait.input)];
            const ValueId part = node.outputs[static_cast<std::size_t>(trait.output)];
            if (!base.valid() || !part.valid()) continue;
            const std::int64_t here = storages[part.index()];
            const std::int64_t there = storages[base.index()];
            if (here < 0 || there < 0 || here == there) continue;
            return badInput(say("captured.other-storage", word::Name {graph[part].name}, word::Name {graph[base].name},
                                word::Number(here), word::Name {graph[base].name}, word::Number(there)),
                            "node '" + node.name + "'");
        }
    }
    return {};
}

} // namespace plimsoll
