#include "core/base/narrow.h"
#include "core/formats/plimsoll/graph_json.h"

#include "core/formats/files/data_file.h"
#include "core/formats/named_graph.h"
#include "core/formats/plimsoll/json_attribute.h"
#include "core/formats/plimsoll/json_tensor.h"
#include "core/formats/torch/captured_training.h"
#include "core/ops/op_schema.h"
#include "core/plan/most_streams.h"

#include <algorithm>
#include <array>

namespace plimsoll {
namespace {

constexpr std::string_view Schema = "plimsoll.graph/1";
constexpr std::array<std::string_view, 5> AliasNames = {"fresh", "in-place", "identity", "view", "mutates"};

class GraphReader
{
public:
    GraphReader(std::filesystem::path file, const Context& context) : m_file(std::move(file)), m_context(context) {}

    Result<NamedGraph> graph(const JsonPlace& place)
    {
        NamedGraph named;
        named.place = place.path();
        PLIMSOLL_TRY(place.expectObject());
        PLIMSOLL_TRY(values(place, "inputs", named.inputs));
        PLIMSOLL_TRY(values(place, "parameters", named.parameters));
        PLIMSOLL_TRY(values(place, "constants", named.constants));
        PLIMSOLL_TRY(values(place, "values", named.values));
        PLIMSOLL_TRY(place.forEach("nodes", [&](const JsonPlace& entry) -> Status {
            auto parsed = node(entry);
            if (!parsed.ok()) return parsed.error();
            named.nodes.push_back(std::move(parsed).value());
            return {};
        }));
        PLIMSOLL_TRY(names(place, "outputs", named.outputs));
        return named;
    }

private:
    static Status names(const JsonPlace& place, const char* key, std::vector<std::string>& out)
    {
        return place.forEach(key, [&](const JsonPlace& entry) -> Status {
            if (entry.value().is_null()) return out.emplace_back(), Status(); // an absent optional input
            PLIMSOLL_ASSIGN(name, entry.text());
            out.push_back(std::move(name));
            return {};
        });
    }

    Status values(const JsonPlace& place, const char* key, std::vector<NamedValue>& out)
    {
        return place.forEach(key, [&](const JsonPlace& entry) -> Status {
            auto parsed = value(entry);
            if (!parsed.ok()) return parsed.error();
            out.push_back(std::move(parsed).value());
            return {};
        });
    }

    Result<NamedValue> value(const JsonPlace& place)
    {
        PLIMSOLL_TRY(place.expectObject());
        PLIMSOLL_ASSIGN(name, place.requiredText("name"));
        if (name.empty()) return place.at("name").error("A value needs a name.");
        PLIMSOLL_ASSIGN(type, readTypeFields(place));
        PLIMSOLL_ASSIGN(data, readDataFields(place, type, m_file));
        PLIMSOLL_ASSIGN(requiresGrad, place.booleanOr("requiresGrad", false));
        PLIMSOLL_ASSIGN(visible, place.booleanOr("visible", true));
        PLIMSOLL_ASSIGN(space, place.textOr("space", {}));
        NamedValue named {
            std::move(name), std::move(type), std::move(data), requiresGrad, visible, std::move(space), {}};
        named.extra = place.unknownFields({"name", "kind", "dtype", "shape", "storageType", "maxStored", "data",
                                           "dataHex", "dataFile", "dataOffset", "dataBytes", "requiresGrad", "gradient",
                                           "visible", "space", "alignment", "offset"});
        PLIMSOLL_TRY(readDemands(place, named));
        PLIMSOLL_TRY(readGradient(place, named));
        return named;
    }

    /// Who asks for a gradient requires one.
    static Status readGradient(const JsonPlace& place, NamedValue& named)
    {
        if (!place.has("gradient")) return {};
        PLIMSOLL_ASSIGN(text, place.at("gradient").text());
        named.gradientRequest = gradientRequestNamed(text);
        if (!named.gradientRequest)
            return place.at("gradient").error("The request '" + text + "' is not one of write, add, null.");
        named.requiresGrad = named.requiresGrad || *named.gradientRequest != GradientRequest::Null;
        return {};
    }

    /// What a value demands of its place.
    static Status readDemands(const JsonPlace& place, NamedValue& named)
    {
        PLIMSOLL_ASSIGN(alignment, place.integerOr("alignment", 1));
        if (alignment < 1) return place.at("alignment").error("An alignment is at least 1.");
        named.alignment = alignment;
        if (!place.has("offset")) return {};
        PLIMSOLL_ASSIGN(offset, place.at("offset").integer());
        if (offset < 0) return place.at("offset").error("An offset is not negative.");
        named.pinnedOffset = offset;
        return {};
    }

    Result<NamedNode> node(const JsonPlace& place)
    {
        if (m_context.stopped()) return Error {ErrorCode::Stopped, "Stopped while reading.", {}, {}};
        PLIMSOLL_TRY(place.expectObject());
        NamedNode named;
        named.place = place.path();
        Node& node = named.node;
        PLIMSOLL_ASSIGN(op, place.requiredText("op"));
        if (op.empty()) return place.at("op").error("A node needs an operator.");
        PLIMSOLL_ASSIGN(name, place.textOr("name", {}));
        PLIMSOLL_ASSIGN(domain, place.textOr("domain", {}));
        PLIMSOLL_ASSIGN(device, place.textOr("device", {}));
        PLIMSOLL_ASSIGN(source, place.textOr("source", {}));
        node.op = std::move(op);
        node.name = std::move(name);
        node.domain = domain == "ai.onnx" ? std::string() : std::move(domain);
        node.device = std::move(device);
        node.source = std::move(source);
        for (const char* list : {"inputs", "outputs"}) {
            if (!place.has(list)) return place.error("\"" + std::string(list) + "\" is missing.");
        }
        PLIMSOLL_TRY(names(place, "inputs", named.inputs));
        PLIMSOLL_TRY(names(place, "outputs", named.outputs));
        PLIMSOLL_TRY(optionalFields(place, named));
        PLIMSOLL_TRY(attributes(place, node));
        PLIMSOLL_TRY(subgraphs(place, named));
        return named;
    }

    static Status optionalFields(const JsonPlace& place, NamedNode& named)
    {
        Node& node = named.node;
        node.origin = {"onnx", node.op, {}};
        if (place.has("origin")) {
            const JsonPlace origin = place.at("origin");
            PLIMSOLL_TRY(origin.expectObject());
            PLIMSOLL_ASSIGN(dialect, origin.textOr("dialect", "onnx"));
            PLIMSOLL_ASSIGN(op, origin.textOr("op", node.op));
            PLIMSOLL_ASSIGN(overload, origin.textOr("overload", {}));
            node.origin = {std::move(dialect), std::move(op), std::move(overload)};
        }
        if (place.has("stream")) {
            PLIMSOLL_ASSIGN(stream, place.at("stream").integer());
            if (const std::string why = whyNoStream(stream); !why.empty()) return place.at("stream").error(why);
            node.stream = stream;
        }
        node.extra = place.unknownFields({"name", "op", "domain", "inputs", "outputs", "attributes", "subgraphs",
                                          "source", "alias", "ignores", "device", "stream", "origin"});
        PLIMSOLL_TRY(alias(place, named));
        return place.forEach("ignores", [&](const JsonPlace& entry) -> Status {
            PLIMSOLL_ASSIGN(input, position(entry, named.inputs.size(), "inputs"));
            node.ignoredInputs.push_back(input);
            return {};
        });
    }

    static Result<int> position(const JsonPlace& place, std::size_t count, const char* what)
    {
        PLIMSOLL_ASSIGN(number, place.integer());
        if (number < 0 || number >= static_cast<std::int64_t>(count))
            return place.error("The node has " + std::to_string(count) + " " + what + "; there is no number " +
                               std::to_string(number) + ".");
        return static_cast<int>(number);
    }

    static Status alias(const JsonPlace& place, NamedNode& named)
    {
        if (!place.has("alias")) return {};
        const JsonPlace table = place.at("alias");
        PLIMSOLL_TRY(table.expectObject());
        std::vector<AliasTrait> traits;
        for (const auto& [key, field] : table.value().items()) {
            auto trait = aliasTrait(JsonPlace(field, table.path() + "." + key), key, named);
            if (!trait.ok()) return trait.error();
            traits.push_back(trait.value());
        }
        named.node.declaredTraits = std::move(traits);
        return {};
    }

    static Result<AliasTrait> aliasTrait(const JsonPlace& place, const std::string& key, const NamedNode& named)
    {
        PLIMSOLL_TRY(place.expectObject());
        AliasTrait trait;
        const bool number = !key.empty() && key.size() < 6 && key.find_first_not_of("0123456789") == std::string::npos;
        trait.output = number ? std::stoi(key) : -1;
        if (trait.output < 0 || trait.output >= narrow<int>(named.outputs.size()))
            return place.error("The keys of \"alias\" are positions of outputs; the node has no output '" + key + "'.");
        PLIMSOLL_ASSIGN(kind, place.requiredText("kind"));
        const auto found = std::find(AliasNames.begin(), AliasNames.end(), kind);
        if (found == AliasNames.end())
            return place.at("kind").error("The kind '" + kind +
                                          "' is not one of in-place, identity, view, mutates, fresh.");
        trait.kind = static_cast<AliasKind>(found - AliasNames.begin());
        if (place.has("input")) {
            PLIMSOLL_ASSIGN(input, position(place.at("input"), named.inputs.size(), "inputs"));
            trait.input = input;
        } else if (trait.kind != AliasKind::Fresh) {
            return place.error("\"input\" is missing.");
        }
        PLIMSOLL_ASSIGN(offset, place.integerOr("offset", 0));
        if (offset < 0) return place.at("offset").error("Offsets are not negative.");
        trait.offsetBytes = offset;
        return trait;
    }

    Status attributes(const JsonPlace& place, Node& node) const
    {
        if (!place.has("attributes")) return {};
        const JsonPlace table = place.at("attributes");
        PLIMSOLL_TRY(table.expectObject());
        for (const auto& [key, field] : table.value().items()) {
            auto parsed = readAttribute(JsonPlace(field, table.path() + "." + key), m_file);
            if (!parsed.ok()) return parsed.error();
            node.attributes.emplace(key, std::move(parsed).value());
        }
        return {};
    }

    Status subgraphs(const JsonPlace& place, NamedNode& named)
    {
        if (!place.has("subgraphs")) return {};
        const JsonPlace table = place.at("subgraphs");
        PLIMSOLL_TRY(table.expectObject());
        nlohmann::json extras = nlohmann::json::object();
        for (const auto& [key, field] : table.value().items()) {
            const JsonPlace inner = JsonPlace(field, table.path() + "." + key);
            auto parsed = graph(inner);
            if (!parsed.ok()) return parsed.error();
            named.bodies.push_back({key, std::move(parsed).value()});
            const std::string extra =
                inner.unknownFields({"inputs", "parameters", "constants", "nodes", "values", "outputs"});
            if (!extra.empty()) extras[key] = nlohmann::json::parse(extra);
        }
        std::stable_partition(named.bodies.begin(), named.bodies.end(),
                              [](const auto& b) { return b.name == "then_branch"; });
        if (extras.empty()) return {};
        nlohmann::json all =
            named.node.extra.empty() ? nlohmann::json::object() : nlohmann::json::parse(named.node.extra);
        all["subgraphs"] = std::move(extras);
        named.node.extra = all.dump();
        return {};
    }

    std::filesystem::path m_file;
    const Context& m_context;
};

Status checkSchema(const JsonPlace& place)
{
    PLIMSOLL_TRY(place.expectObject());
    PLIMSOLL_ASSIGN(schema, place.requiredText("schema"));
    if (schema == Schema) return {};
    if (schema.starts_with("plimsoll.graph/"))
        return place.at("schema").error("The file is '" + schema +
                                        "'; this version reads plimsoll.graph/1. A newer Plimsoll may read it.");
    return place.at("schema").error("The file is '" + schema + "', not a graph (plimsoll.graph/1).");
}

Result<std::map<std::string, std::int64_t>> readOpsets(const JsonPlace& place)
{
    std::map<std::string, std::int64_t> opsets = {{"", NewestOpset}};
    if (!place.has("opset")) return opsets;
    const JsonPlace field = place.at("opset");
    const auto add = [&](const std::string& domain, const JsonPlace& version) -> Status {
        PLIMSOLL_ASSIGN(number, version.integer());
        if (number < 0) return version.error("Versions of operator sets are not negative.");
        opsets[domain == "ai.onnx" ? std::string() : domain] = number;
        return {};
    };
    if (!field.value().is_object()) {
        PLIMSOLL_TRY(add("", field));
        return opsets;
    }
    opsets.clear(); // every domain is named
    for (const auto& [domain, version] : field.value().items())
        PLIMSOLL_TRY(add(domain, JsonPlace(version, field.path() + "." + domain)));
    return opsets;
}

Result<Graph> readRoot(const JsonPlace& place, const std::filesystem::path& file, const Context& context)
{
    PLIMSOLL_TRY(checkSchema(place));
    if (!place.has("nodes") && !place.has("outputs"))
        return place.error("The file has neither \"nodes\" nor \"outputs\".");
    PLIMSOLL_ASSIGN(named, GraphReader(file, context).graph(place));
    AssembleRequest request;
    PLIMSOLL_ASSIGN(name, place.textOr("name", {}));
    PLIMSOLL_ASSIGN(loss, place.textOr("loss", {}));
    PLIMSOLL_ASSIGN(opsets, readOpsets(place));
    request.name = std::move(name);
    request.loss = std::move(loss);
    PLIMSOLL_ASSIGN(graph, assemble(std::move(named), request));
    graph.opsets = std::move(opsets);
    graph.extra = place.unknownFields(
        {"schema", "name", "opset", "inputs", "parameters", "constants", "nodes", "values", "outputs", "loss"});
    if (place.has("pytorch")) {
        PLIMSOLL_TRY(takeCapturedTraining(place.at("pytorch"), graph));
        PLIMSOLL_TRY(checkCapturedStorages(graph));
    }
    return graph;
}

} // namespace

Result<Graph> readGraphJson(const FormatInput& input, const Context& context)
{
    PLIMSOLL_ASSIGN(json, parseJson(input.text()));
    PLIMSOLL_ASSIGN(graph, readRoot({json, {}}, input.file, context));
    noteMissingFiles(graph);
    if (graph.name.empty()) graph.name = input.stem();
    return graph;
}

} // namespace plimsoll
