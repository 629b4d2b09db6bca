#include "core/formats/tflite/tflite_reader.h"
#include "core/formats/bad_input.h"

#include "core/formats/graph_choice.h"
#include "core/formats/tflite/tflite_plan.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace tflite;

/// The signatures where the file has any; else the subgraphs.
std::vector<Signature> entriesOf(const Model& model)
{
    if (!model.signatures.empty()) return model.signatures;
    std::vector<Signature> entries;
    for (std::size_t i = 0; i < model.subgraphs.size(); ++i)
        entries.push_back({model.subgraphs[i].name, i});
    return entries;
}

std::vector<std::string> namesOf(const std::vector<Signature>& entries)
{
    std::vector<std::string> names;
    std::ranges::transform(entries, std::back_inserter(names), &Signature::key);
    return names;
}

Result<std::size_t> findEntry(const Model& model, std::string_view wanted)
{
    if (wanted.empty()) return std::size_t {0}; // what an interpreter runs where no signature is named
    const std::vector<Signature> entries = entriesOf(model);
    for (const Signature& entry : entries) {
        if (entry.key == wanted) return entry.subgraph;
    }
    for (std::size_t i = 0; i < model.subgraphs.size(); ++i) {
        if (model.subgraphs[i].name == wanted) return i;
    }
    return noGraph(namesOf(entries), wanted, "tflite.no-signature");
}

/// Offsets that leave others open: as in the interpreter, these stay and the rest is placed around them.
void pin(Graph& graph, const OfflinePlan& plan, const std::vector<PlacedName>& placed)
{
    std::size_t pinned = 0;
    std::unordered_map<std::string_view, Value*> values;
    for (Value& value : graph.values)
        values.emplace(value.name, &value);
    for (const PlacedName& name : placed) {
        const auto offset = offsetOf(plan, name);
        const auto value = values.find(name.value);
        if (!offset || *offset < 0 || !name.needsPlace || value == values.end()) continue;
        value->second->at.edit().pinnedOffset = *offset;
        ++pinned;
    }
    if (pinned > 0) graph.notes.push_back(say("note.tflite-pins", pinned));
}

} // namespace

Result<FormatContent> readTflite(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    ReadingRoom room(input.bytes.size());
    PLIMSOLL_ASSIGN(model, parseModel(input.bytes, context, room));
    PLIMSOLL_ASSIGN(entry, findEntry(model, input.graph));
    context.report("reading", 0.5);
    PLIMSOLL_ASSIGN(offsets, readOfflinePlan(model));
    const bool planned = offsets && offsets->subgraph == entry;
    Emitter emitter(model, input.file, context, planned ? placedTensors(*offsets) : std::vector<bool>(), room);
    PLIMSOLL_ASSIGN(graph, emitter.run(entry, input.stem("model")));
    const auto enters = [&](const Signature& signature) {
        return signature.subgraph != model.signatures.front().subgraph;
    };
    GraphsOfFile graphs;
    if (std::ranges::any_of(model.signatures, enters)) {
        graph.notes.push_back(say("note.several-signatures", plimsoll::namesOf(namesOf(model.signatures), 8)));
        const auto chosen = std::ranges::find(model.signatures, entry, &Signature::subgraph);
        graphs = {namesOf(model.signatures), static_cast<std::size_t>(chosen - model.signatures.begin())};
    }
    if (planned) {
        PLIMSOLL_ASSIGN(plan, completePlan(*offsets, emitter.placed()));
        if (plan) return FormatContent {std::move(graph), *std::move(plan), std::move(graphs)};
        pin(graph, *offsets, emitter.placed());
    }
    return FormatContent {std::move(graph), badInput(say("tflite.no-plan")), std::move(graphs)};
}

} // namespace plimsoll
