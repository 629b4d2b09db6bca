#include "core/formats/tflite/tflite_reader.h"

#include "core/base/plural.h"
#include "core/formats/tflite/tflite_plan.h"

#include <algorithm>

namespace plimsoll {
namespace {

using namespace tflite;

constexpr std::int64_t CommonOpset = 21; ///< Of the ONNX operators that control flow is put into.

Error bad(std::string message)
{
    return {ErrorCode::BadInput, std::move(message), {}, {}};
}

/// The signatures where the file has any; else the subgraphs.
std::vector<Signature> entriesOf(const Model& model)
{
    if (!model.signatures.empty()) return model.signatures;
    std::vector<Signature> entries;
    for (std::size_t i = 0; i < model.subgraphs.size(); ++i)
        entries.push_back({model.subgraphs[i].name, i});
    return entries;
}

std::string listed(const std::vector<Signature>& entries)
{
    constexpr std::size_t Most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(Most, entries.size()); ++i)
        text += (i == 0 ? "'" : ", '") + entries[i].key + "'";
    return text + (entries.size() > Most ? ", …" : "");
}

Result<std::size_t> findEntry(const Model& model, std::string_view wanted)
{
    if (wanted.empty()) return std::size_t {0}; // what an interpreter runs where nobody names a signature
    const std::vector<Signature> entries = entriesOf(model);
    for (const Signature& entry : entries) {
        if (entry.key == wanted) return entry.subgraph;
    }
    for (std::size_t i = 0; i < model.subgraphs.size(); ++i) {
        if (model.subgraphs[i].name == wanted) return i;
    }
    return bad("The model has no signature '" + std::string(wanted) + "'. It has " + listed(entries) + ".");
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
        value->second->pinnedOffset = *offset;
        ++pinned;
    }
    if (pinned > 0)
        graph.notes.push_back("The file gives " + countText(pinned) +
                              " tensors a place in the arena (OfflineMemoryAllocation) and leaves others open: the "
                              "former are pinned.");
}

void noteEntries(Graph& graph, const Model& model)
{
    std::vector<std::size_t> subgraphs;
    for (const Signature& signature : model.signatures)
        subgraphs.push_back(signature.subgraph);
    std::sort(subgraphs.begin(), subgraphs.end());
    const bool several = std::unique(subgraphs.begin(), subgraphs.end()) - subgraphs.begin() > 1;
    if (several)
        graph.notes.push_back("The file has several signatures: " + listed(model.signatures) +
                              ". Another one is opened as FILE#NAME.");
}

} // namespace

Result<FormatContent> readTflite(const FormatInput& input, const Context& context)
{
    context.report("reading", 0);
    PLIMSOLL_ASSIGN(model, parseModel(input.bytes, context));
    PLIMSOLL_ASSIGN(entry, findEntry(model, input.graph));
    context.report("reading", 0.5);
    PLIMSOLL_ASSIGN(offsets, readOfflinePlan(model));
    const bool planned = offsets && offsets->subgraph == entry;
    Emitter emitter(model, input.file, context, planned ? placedTensors(*offsets) : std::vector<bool>());
    PLIMSOLL_ASSIGN(named, emitter.run(entry));
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), {}));
    graph.name = input.stem("model");
    graph.opsets = {{"", CommonOpset}, {Dialect, std::max<std::int64_t>(model.version, 1)}};
    const std::vector<std::string> notes = emitter.notes();
    graph.notes.insert(graph.notes.end(), notes.begin(), notes.end());
    noteEntries(graph, model);
    if (planned) {
        PLIMSOLL_ASSIGN(plan, completePlan(*offsets, emitter.placed()));
        if (plan) return FormatContent {std::move(graph), *std::move(plan)};
        pin(graph, *offsets, emitter.placed());
    }
    return FormatContent {std::move(graph),
                          bad("The model brings no memory plan, or one that leaves tensors without a place.")};
}

} // namespace plimsoll
