#include "core/base/give_back.h"
#include "core/base/heap.h"
#include "core/base/narrow.h"
#include "core/formats/plimsoll/graph_json.h"

#include "core/formats/files/data_file.h"
#include "core/formats/named_builder.h"
#include "core/formats/plimsoll/access_json.h"
#include "core/formats/plimsoll/json_attribute.h"
#include "core/formats/plimsoll/json_tensor.h"
#include "core/formats/torch/captured_training.h"
#include "core/ops/op_schema.h"
#include "core/plan/streams.h"

#include <algorithm>

namespace plimsoll {
namespace {

constexpr std::string_view Schema = "plimsoll.graph/1";

/// What every part of a graph file is read with.
struct GraphSource
{
    const std::filesystem::path& file; ///< Data files lie beside it.
    const Context& context;
    ReadingRoom& room;
    NodeKinds& kinds;
};

Result<LiesAt> readLiesAt(const JsonPlace& place)
{
    LiesAt at;
    PLIMSOLL_SET(at.space, place.textOr("space", {}));
    PLIMSOLL_SET(at.alignment, place.integerOr("alignment", 1));
    if (at.alignment < 1) return place.at("alignment").error(say("graph-json.alignment"));
    if (!place.has("offset")) return at;
    PLIMSOLL_SET(at.pinnedOffset, place.at("offset").integer());
    if (*at.pinnedOffset < 0) return place.at("offset").error(say("graph-json.negative-offset"));
    return at;
}

Result<NamedValue> readValue(const JsonPlace& place, const GraphSource& source)
{
    PLIMSOLL_TRY(place.expectObject());
    NamedValue named;
    PLIMSOLL_SET(named.name, place.requiredText("name"));
    if (named.name.empty()) return place.at("name").error(say("graph-json.unnamed-value"));
    PLIMSOLL_SET(named.type, readTypeFields(place));
    source.room.take(ReadingRoom::Value + 2 * named.name.size() +
                     (named.type.dims ? named.type.dims->size() * 2 * sizeof(Dim) : 0));
    if (source.room.isFull()) return place.error(ReadingRoom::refusal());
    PLIMSOLL_SET(named.data, readDataFields(place, named.type, source.file));
    PLIMSOLL_SET(named.requiresGrad, place.booleanOr("requiresGrad", false));
    PLIMSOLL_SET(named.visible, place.booleanOr("visible", true));
    named.extra = place.unknownFields({"name", "kind", "dtype", "shape", "storageType", "maxStored", "data", "dataHex",
                                       "dataFile", "dataOffset", "dataBytes", "requiresGrad", "gradient", "visible",
                                       "space", "alignment", "offset"});
    PLIMSOLL_SET(named.at, readLiesAt(place));
    if (!place.has("gradient")) return named;
    PLIMSOLL_ASSIGN(request, place.at("gradient").text());
    named.gradientRequest = gradientRequestNamed(request);
    if (!named.gradientRequest)
        return place.at("gradient").error(say("graph-json.gradient-request", word::Name {request}));
    named.requiresGrad = named.requiresGrad || *named.gradientRequest != GradientRequest::Null;
    return named;
}

/// Empty where an optional input is absent.
Result<std::string> readName(const JsonPlace& place)
{
    return place.isNull() ? std::string() : place.text();
}

Result<int> readPosition(const JsonPlace& place, std::size_t inputs)
{
    PLIMSOLL_ASSIGN(number, place.integer());
    if (number < 0 || number >= static_cast<std::int64_t>(inputs))
        return place.error(say("graph-json.no-such-input", word::Number(inputs), word::Number(number)));
    return static_cast<int>(number);
}

Result<AliasTrait> readAliasTrait(const JsonPlace& place, const std::string& key, const NamedNode& named)
{
    PLIMSOLL_TRY(place.expectObject());
    AliasTrait trait;
    const bool number = !key.empty() && key.size() < 6 && key.find_first_not_of("0123456789") == std::string::npos;
    trait.output = number ? std::stoi(key) : -1;
    if (trait.output < 0 || trait.output >= narrow<int>(named.outputs.size()))
        return place.error(say("graph-json.alias-key", word::Name {key}));
    PLIMSOLL_ASSIGN(kind, place.requiredText("kind"));
    const auto found = std::find(AliasNames.begin(), AliasNames.end(), kind);
    if (found == AliasNames.end()) return place.at("kind").error(say("graph-json.alias-kind", word::Name {kind}));
    trait.kind = static_cast<AliasKind>(found - AliasNames.begin());
    if (place.has("input"))
        PLIMSOLL_SET(trait.input, readPosition(place.at("input"), named.inputs.size()));
    else if (trait.kind != AliasKind::Fresh)
        return place.error(say("graph-json.input-missing"));
    PLIMSOLL_SET(trait.offsetBytes, place.integerOr("offset", 0));
    if (trait.offsetBytes < 0) return place.at("offset").error(say("graph-json.negative-offsets"));
    return trait;
}

/// How the elements of a view, or of a version of one, lie.
Status readStrides(const JsonPlace& place, const AliasTrait& trait, NamedNode& named)
{
    if (!place.has("strides")) return {};
    if (trait.kind != AliasKind::View && trait.kind != AliasKind::Mutates)
        return place.at("strides").error(say("graph-json.strides-of"));
    return place.readList("strides", named.strides.edit()[trait.output],
                          [](const JsonPlace& entry) -> Result<std::int64_t> {
                              PLIMSOLL_ASSIGN(stride, entry.integer());
                              if (stride < 0) return entry.error(say("graph-json.negative-strides"));
                              return stride;
                          });
}

/// What a node has beside operator, names, attributes and subgraphs.
Status readOptionalFields(const JsonPlace& place, NamedNode& named)
{
    Node& node = named.node;
    if (place.has("stream")) {
        PLIMSOLL_SET(node.at.edit().stream, place.at("stream").integer());
        if (Message why = whyNoStream(*node.at->stream); !why.empty()) return place.at("stream").error(std::move(why));
    }
    std::string extra = place.unknownFields({"name", "op", "domain", "inputs", "outputs", "attributes", "subgraphs",
                                             "source", "alias", "access", "ignores", "device", "stream", "origin"});
    if (!extra.empty()) node.from.edit().extra = std::move(extra);
    if (place.has("alias")) node.declared.edit().traits.emplace();
    PLIMSOLL_TRY(place.forEachField("alias", [&](const std::string& key, const JsonPlace& field) -> Status {
        PLIMSOLL_ASSIGN(trait, readAliasTrait(field, key, named));
        node.declared.edit().traits->push_back(trait);
        return readStrides(field, trait, named);
    }));
    if (place.has("access"))
        PLIMSOLL_SET(node.declared.edit().inside,
                     readAccess(place.at("access"), named.inputs.size(), named.outputs.size()));
    if (!place.has("ignores")) return {};
    return place.readList("ignores", node.declared.edit().ignoredInputs,
                          [&](const JsonPlace& entry) { return readPosition(entry, named.inputs.size()); });
}

Result<NamedGraph> readGraph(const JsonPlace& place, const GraphSource& source);

/// The nested graphs of a node. What is not known of one is kept beside what is not known of the node.
Status readSubgraphs(const JsonPlace& place, NamedNode& named, const GraphSource& source)
{
    std::string extras;
    PLIMSOLL_TRY(place.forEachField("subgraphs", [&](const std::string& key, const JsonPlace& inner) -> Status {
        PLIMSOLL_ASSIGN(body, readGraph(inner, source));
        named.bodies.push_back({key, std::move(body)});
        const std::string extra =
            inner.unknownFields({"inputs", "parameters", "constants", "nodes", "values", "outputs"});
        if (!extra.empty()) extras += (extras.empty() ? "" : ",") + jsonQuoted(key) + ":" + extra;
        return {};
    }));
    std::stable_partition(named.bodies.begin(), named.bodies.end(),
                          [](const auto& b) { return b.name == "then_branch"; });
    if (extras.empty()) return {};
    std::string& extra = named.node.from.edit().extra;
    if (!extra.empty()) extra.back() = ','; // for its brace
    extra = (extra.empty() ? "{" : extra) + "\"subgraphs\":{" + extras + "}}";
    return {};
}

/// What a node has in common with many.
Result<Node> readKind(const JsonPlace& place, NodeKinds& kinds)
{
    PLIMSOLL_ASSIGN(op, place.requiredText("op"));
    if (op.empty()) return place.at("op").error(say("graph-json.no-operator"));
    PLIMSOLL_ASSIGN(domain, place.textOr("domain", {}));
    Origin origin {"onnx", op, {}};
    if (place.has("origin")) {
        const JsonPlace said = place.at("origin");
        PLIMSOLL_TRY(said.expectObject());
        PLIMSOLL_SET(origin.dialect, said.textOr("dialect", "onnx"));
        PLIMSOLL_SET(origin.op, said.textOr("op", op));
        PLIMSOLL_SET(origin.overload, said.textOr("overload", {}));
    }
    return kinds.node(domain == "ai.onnx" ? std::string() : domain, op, origin);
}

Result<NamedNode> readNode(const JsonPlace& place, const GraphSource& source)
{
    PLIMSOLL_TRY(checkStopped(source.context));
    PLIMSOLL_TRY(place.expectObject());
    NamedNode named;
    named.place = place.path();
    Node& node = named.node;
    PLIMSOLL_SET(node, readKind(place, source.kinds));
    PLIMSOLL_SET(node.name, place.textOr("name", {}));
    if (place.has("device")) PLIMSOLL_SET(node.at.edit().device, place.textOr("device", {}));
    if (place.has("source")) PLIMSOLL_SET(node.from.edit().source, place.textOr("source", {}));
    if (place.has("module")) PLIMSOLL_SET(node.from.edit().module, place.textOr("module", {}));
    PLIMSOLL_TRY(place.required("inputs"));
    PLIMSOLL_TRY(place.required("outputs"));
    PLIMSOLL_TRY(place.readList("inputs", named.inputs, readName));
    PLIMSOLL_TRY(place.readList("outputs", named.outputs, readName));
    source.room.take(ReadingRoom::Node + named.outputs.size() * ReadingRoom::Value +
                     (named.inputs.size() + named.outputs.size()) * ReadingRoom::Name + named.place.size());
    if (source.room.isFull()) return place.error(ReadingRoom::refusal());
    PLIMSOLL_TRY(readOptionalFields(place, named));
    PLIMSOLL_TRY(place.forEachField("attributes", [&](const std::string& key, const JsonPlace& field) -> Status {
        source.room.take(ReadingRoom::Attribute);
        PLIMSOLL_SET(node.attributes[key], readAttribute(field, source.file));
        return {};
    }));
    PLIMSOLL_TRY(readSubgraphs(place, named, source));
    return named;
}

/// The graph of the file, or one nested in it.
Result<NamedGraph> readGraph(const JsonPlace& place, const GraphSource& source)
{
    NamedGraph named;
    named.place = place.path();
    PLIMSOLL_TRY(place.expectObject());
    const auto value = [&](const JsonPlace& entry) { return readValue(entry, source); };
    PLIMSOLL_TRY(place.readList("inputs", named.inputs, value));
    PLIMSOLL_TRY(place.readList("parameters", named.parameters, value));
    PLIMSOLL_TRY(place.readList("constants", named.constants, value));
    PLIMSOLL_TRY(place.readList("values", named.values, value));
    PLIMSOLL_TRY(place.readList("nodes", named.nodes, [&](const JsonPlace& entry) { return readNode(entry, source); }));
    PLIMSOLL_TRY(place.readList("outputs", named.outputs, readName));
    return named;
}

Result<std::map<std::string, std::int64_t>> readOpsets(const JsonPlace& place)
{
    std::map<std::string, std::int64_t> opsets;
    const auto add = [&](const std::string& domain, const JsonPlace& version) -> Status {
        PLIMSOLL_ASSIGN(number, version.integer());
        if (number < 0) return version.error(say("graph-json.negative-opset"));
        opsets[domain == "ai.onnx" ? std::string() : domain] = number;
        return {};
    };
    if (!place.has("opset"))
        opsets[""] = NewestOpset;
    else if (place.at("opset").isObject())
        PLIMSOLL_TRY(place.forEachField("opset", add));
    else
        PLIMSOLL_TRY(add("", place.at("opset")));
    return opsets;
}

/// The document is given back as soon as it is not needed.
Result<Graph> readRoot(JsonDocument& json, const GraphSource& source)
{
    const JsonPlace place(json, {});
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(schema, place.requiredText("schema"));
    if (schema != Schema && schema.starts_with("plimsoll.graph/"))
        return place.at("schema").error(say("graph-json.newer-schema", word::Name {schema}));
    const bool plan = schema == "plimsoll.plan/1" || schema == "plimsoll.report/1";
    if (plan) return place.at("schema").error(say("graph-json.a-plan", word::Name {schema}));
    if (schema != Schema) return place.at("schema").error(say("graph-json.other-schema", word::Name {schema}));
    if (!place.has("nodes") && !place.has("outputs")) return place.error(say("graph-json.no-graph"));
    PLIMSOLL_ASSIGN(named, readGraph(place, source));
    AssembleRequest request {.room = source.room};
    PLIMSOLL_SET(request.name, place.textOr("name", {}));
    PLIMSOLL_SET(request.loss, place.textOr("loss", {}));
    PLIMSOLL_ASSIGN(opsets, readOpsets(place));
    std::string extra = place.unknownFields(
        {"schema", "name", "opset", "inputs", "parameters", "constants", "nodes", "values", "outputs", "loss"});
    const bool captured = place.has("pytorch");
    if (!captured) giveBack(json);
    giveBackPages();
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), request));
    graph.opsets = std::move(opsets);
    graph.extra = std::move(extra);
    if (captured) {
        PLIMSOLL_TRY(takeCapturedTraining(place.at("pytorch"), graph));
        PLIMSOLL_TRY(checkCapturedStorages(graph));
    }
    return graph;
}

} // namespace

Result<Graph> readGraphJson(const FormatInput& input, const Context& context)
{
    PLIMSOLL_ASSIGN(json, parseJson(input.text()));
    ReadingRoom room(input.bytes.size());
    NodeKinds kinds;
    PLIMSOLL_ASSIGN(graph, readRoot(json, {input.file, context, room, kinds}));
    noteMissingFiles(graph);
    if (graph.name.empty()) graph.name = input.stem();
    return graph;
}

} // namespace plimsoll
