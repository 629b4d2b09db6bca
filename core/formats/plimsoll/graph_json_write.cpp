#include "core/formats/plimsoll/graph_json.h"

#include "core/base/output_file.h"
#include "core/base/outputs.h"
#include "core/formats/files/data_file.h"
#include "core/formats/files/json_text.h"
#include "core/formats/files/tensor_data.h"
#include "core/formats/files/utf8.h"
#include "core/formats/plimsoll/access_json.h"
#include "core/formats/plimsoll/json_tensor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <ostream>
#include <span>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

/// A digest of bytes that come in parts: xxHash's step for 8 bytes (Collet), with each part's length behind it.
class ContentDigest
{
public:
    void add(std::span<const std::byte> bytes)
    {
        std::uint64_t word = 0;
        for (std::size_t at = 0; at < bytes.size(); at += sizeof word) {
            word = 0;
            std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
            add(word);
        }
        add(std::uint64_t {bytes.size()});
    }
    [[nodiscard]] std::string hex() const
    {
        std::string text;
        for (int shift = 60; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[m_state >> shift & 15];
        return text;
    }

private:
    void add(std::uint64_t word)
    {
        m_state ^= std::rotl(word * 0xC2B2AE3D27D4EB4F, 31) * 0x9E3779B185EBCA87;
        m_state = std::rotl(m_state, 27) * 0x9E3779B185EBCA87 + 0x85EBCA77C2B2AE63;
    }

    std::uint64_t m_state = 0x27D4EB2F165667C5;
};

/// Large weights, one behind the other, for a file beside the graph. That has the digest of its content in its name, so
/// that a graph which was written before goes on naming its own weights. Without a path everything stays inside.
class WeightsFile
{
public:
    explicit WeightsFile(std::filesystem::path path) : m_path(std::move(path)) {}

    [[nodiscard]] bool takes(std::int64_t bytes) const { return !m_path.empty() && bytes > InlineBytes; }

    Status append(const std::vector<std::byte>& bytes, Json& out)
    {
        if (!m_out) PLIMSOLL_SET(m_out, OutputFile::open(path()));
        m_out->write(bytes);
        if (!m_out->stream()) return m_out->commit(); // says why
        m_digest.add(bytes);
        out["dataFile"] = Json::binary({}); // nothing that a text in JSON can hold: nameIn() finds it
        out["dataOffset"] = m_end;
        out["dataBytes"] = bytes.size();
        m_end += static_cast<std::int64_t>(bytes.size());
        return {};
    }

    /// As far as it is written.
    [[nodiscard]] std::filesystem::path path() const
    {
        std::filesystem::path named = m_path;
        return named.replace_extension(m_digest.hex() + ".weights.bin");
    }

    /// Puts the name in the places that wait for it.
    void nameIn(Json& json) const
    {
        if (json.is_binary()) json = path().filename().string();
        if (!json.is_structured()) return;
        for (Json& inner : json)
            nameIn(inner);
    }

    /// The file under its name; none where there are no such weights.
    [[nodiscard]] std::optional<OutputFile> take()
    {
        if (m_out) m_out->rename(path().filename().string());
        return std::exchange(m_out, std::nullopt);
    }

private:
    std::filesystem::path m_path;
    std::optional<OutputFile> m_out;
    ContentDigest m_digest;
    std::int64_t m_end = 0;
};

/// Adds what a reader did not know; objects that are on both sides are joined.
void mergeExtra(const nlohmann::json& extra, Json& out)
{
    for (const auto& [key, field] : extra.items()) {
        if (out.contains(key) && out[key].is_object() && field.is_object())
            mergeExtra(field, out[key]);
        else
            out[key] = field;
    }
}

void mergeExtra(const std::string& extra, Json& out)
{
    if (extra.empty()) return;
    const nlohmann::json parsed = nlohmann::json::parse(extra, nullptr, false);
    if (parsed.is_object()) mergeExtra(parsed, out);
}

/// Texts that the reader takes for numbers.
bool looksLikeNumber(const std::string& text)
{
    return text == "nan" || text == "inf" || text == "-inf";
}

Status writeData(const TensorLiteral& literal, WeightsFile& weights, Json& out)
{
    if (!literal.data.present()) return {};
    if (literal.data.strings) return out["data"] = *literal.data.strings, Status();
    PLIMSOLL_ASSIGN(bytes, loadBytes(literal));
    if (weights.takes(static_cast<std::int64_t>(bytes.size()))) return weights.append(bytes, out);
    writeDataField(literal.dtype, bytes, out);
    return {};
}

Json typed(const char* type, Json value)
{
    return {{"type", type}, {"value", std::move(value)}};
}

/// An attribute of each kind; readAttribute() reads it back.
struct AttributeToJson
{
    WeightsFile& weights;

    Result<Json> operator()(std::int64_t number) const { return Json(number); }
    Result<Json> operator()(double number) const { return numberToJson(number); }
    Result<Json> operator()(const std::vector<std::int64_t>& list) const { return Json(list); }

    Result<Json> operator()(const std::string& text) const
    {
        if (!isUtf8(text)) return typed("hex", toHex(text));
        if (looksLikeNumber(text)) return typed("string", text);
        return Json(text);
    }

    Result<Json> operator()(const std::vector<double>& list) const
    {
        Json numbers = Json::array();
        for (const double number : list)
            numbers.push_back(numberToJson(number));
        return list.empty() ? typed("floats", std::move(numbers)) : std::move(numbers);
    }

    Result<Json> operator()(const std::vector<std::string>& list) const
    {
        if (!std::ranges::all_of(list, isUtf8)) return badInput(say("graph-json.texts-not-utf8"));
        return std::ranges::all_of(list, looksLikeNumber) ? typed("strings", list) : Json(list);
    }

    Result<Json> operator()(const TensorLiteral& literal) const
    {
        Json out = Json::object();
        writeTypeFields(TensorType::dense(literal.dtype, literal.shape), out);
        PLIMSOLL_TRY(writeData(literal, weights, out));
        return out;
    }

    Result<Json> operator()(const std::vector<TensorLiteral>& list) const
    {
        Json tensors = Json::array();
        for (const TensorLiteral& literal : list)
            PLIMSOLL_SET(tensors.emplace_back(), (*this)(literal));
        return list.empty() ? typed("tensors", std::move(tensors)) : std::move(tensors);
    }
};

/// Names in the file are those within their body; the path in front is put back by the reader.
std::size_t pathLength(const Graph& graph, BodyId body)
{
    const NodeId owner = graph[body].owner;
    return owner.valid() ? graph[owner].name.size() + graph[body].name.size() + 2 : 0;
}

std::string localName(const Graph& graph, ValueId id)
{
    return id.valid() ? graph[id].name.substr(pathLength(graph, graph[id].body)) : std::string();
}

Json localNames(const Graph& graph, std::span<const ValueId> ids)
{
    Json names = Json::array();
    for (const ValueId id : ids)
        names.push_back(localName(graph, id));
    return names;
}

Json valueJson(const Graph& graph, ValueId id)
{
    const Value& value = graph[id];
    Json out = {{"name", localName(graph, id)}};
    writeTypeFields(value.type, out);
    if (!value.visible) out["visible"] = false;
    if (value.requiresGrad) out["requiresGrad"] = true;
    if (value.gradientRequest) out["gradient"] = gradientRequestName(*value.gradientRequest);
    if (!value.at->space.empty()) out["space"] = value.at->space;
    if (value.at->alignment != 1) out["alignment"] = value.at->alignment;
    if (value.at->pinnedOffset) out["offset"] = *value.at->pinnedOffset;
    mergeExtra(*value.extra, out);
    return out;
}

class GraphToJson
{
public:
    GraphToJson(const Graph& graph, WeightsFile& weights) : m_graph(graph), m_weights(weights)
    {
        m_valuesOf.resize(graph.bodies.size());
        for (std::size_t i = 0; i < graph.values.size(); ++i)
            m_valuesOf[graph.values[i].body.index()].push_back(ValueId(i));
    }

    Status body(BodyId id, Json& out)
    {
        const Body& body = m_graph[id];
        out["inputs"] = Json::array();
        for (const ValueId input : body.inputs)
            out["inputs"].push_back(valueJson(m_graph, input));
        PLIMSOLL_TRY(withData(id, ValueRole::Parameter, "parameters", out));
        PLIMSOLL_TRY(withData(id, ValueRole::Constant, "constants", out));
        Json nodes = Json::array();
        for (const NodeId inner : body.nodes)
            PLIMSOLL_SET(nodes.emplace_back(), node(m_graph[inner]));
        out["nodes"] = std::move(nodes);
        for (const ValueId value : m_valuesOf[id.index()]) {
            const Value& v = m_graph[value];
            const bool more =
                v.type != TensorType() || !v.at->space.empty() || !v.extra->empty() || v.at->alignment != 1;
            if (v.producer.valid() && (more || v.at->pinnedOffset)) out["values"].push_back(valueJson(m_graph, value));
        }
        out["outputs"] = localNames(m_graph, body.outputs);
        return {};
    }

private:
    Status withData(BodyId body, ValueRole role, const char* key, Json& out)
    {
        for (const ValueId id : m_valuesOf[body.index()]) {
            const Value& v = m_graph[id];
            if (v.role != role || v.producer.valid()) continue;
            Json entry = valueJson(m_graph, id);
            PLIMSOLL_TRY(writeData({v.type.dtype, v.type.shape().value_or(Shape()), *v.data}, m_weights, entry));
            out[key].push_back(std::move(entry));
        }
        return {};
    }

    Result<Json> node(const Node& node)
    {
        Json out = {{"name", node.name.substr(pathLength(m_graph, node.body))}, {"op", node.op}};
        if (!node.domain.empty()) out["domain"] = node.domain;
        out["inputs"] = localNames(m_graph, node.inputs);
        out["outputs"] = localNames(m_graph, node.outputs);
        for (const auto& [name, attribute] : node.attributes)
            PLIMSOLL_SET(out["attributes"][name], std::visit(AttributeToJson {m_weights}, attribute));
        for (const BodyId inner : node.bodies)
            PLIMSOLL_TRY(body(inner, out["subgraphs"][m_graph[inner].name]));
        if (!node.at->device.empty()) out["device"] = node.at->device;
        if (node.at->stream) out["stream"] = *node.at->stream;
        if (!node.from->source.empty()) out["source"] = node.from->source;
        if (!node.from->module.empty()) out["module"] = node.from->module;
        if (node.from->origin != Origin {"onnx", node.op, {}} && node.from->origin != Origin()) {
            out["origin"] = {{"dialect", node.from->origin.dialect}, {"op", node.from->origin.op}};
            if (!node.from->origin.overload.empty()) out["origin"]["overload"] = node.from->origin.overload;
        }
        if (node.declared->traits) out["alias"] = Json::object();
        for (const AliasTrait& trait : node.declared->traits.value_or(std::vector<AliasTrait>())) {
            Json& entry = out["alias"][std::to_string(trait.output)];
            entry = {{"kind", AliasNames[static_cast<std::size_t>(trait.kind)]}, {"input", trait.input}};
            if (trait.offsetBytes != 0) entry["offset"] = trait.offsetBytes;
            const bool part = trait.kind == AliasKind::View || trait.kind == AliasKind::Mutates;
            const ValueId output = valueAt(node.outputs, trait.output);
            if (part && output.valid() && !m_graph[output].at->strides.empty())
                entry["strides"] = m_graph[output].at->strides;
        }
        if (node.declared->inside) out["access"] = accessJson(*node.declared->inside, node.inputs.size());
        if (!node.declared->ignoredInputs.empty()) out["ignores"] = node.declared->ignoredInputs;
        mergeExtra(node.from->extra, out);
        return out;
    }

    const Graph& m_graph;
    WeightsFile& m_weights;
    std::vector<std::vector<ValueId>> m_valuesOf; ///< By body, in order of definition.
};

/// Where the first text stands that is not UTF-8: "/nodes/3/name".
std::string notUtf8In(const Json& json)
{
    const Json texts = json.flatten();
    for (const auto& [path, value] : texts.items()) {
        if (!isUtf8(path) || (value.is_string() && !isUtf8(value.get_ref<const std::string&>()))) return path;
    }
    return {};
}

Result<std::string> graphText(const Graph& graph, WeightsFile& weights)
{
    Json json = {{"schema", "plimsoll.graph/1"}, {"name", graph.name}};
    const bool plain = graph.opsets.size() == 1 && graph.opsets.contains("");
    json["opset"] = plain ? Json(graph.opsets.at("")) : Json(graph.opsets);
    PLIMSOLL_TRY(GraphToJson(graph, weights).body(TopBody, json));
    json["loss"] = graph.loss.valid() ? Json(localName(graph, graph.loss)) : Json(nullptr);
    mergeExtra(graph.extra, json);
    weights.nameIn(json);
    try {
        return withoutHidden(json.dump(1)) + "\n";
    } catch (const nlohmann::json::exception&) {
        return badInput(say("graph-json.cannot-write"), notUtf8In(json));
    }
}

} // namespace

Result<std::string> graphJsonText(const Graph& graph)
{
    WeightsFile none({});
    return graphText(graph, none);
}

Status writeGraphJson(const Graph& graph, const std::filesystem::path& file)
{
    WeightsFile weights(file);
    PLIMSOLL_ASSIGN(text, graphText(graph, weights));
    std::vector<OutputFile> files;
    if (auto out = weights.take()) {
        PLIMSOLL_TRY(checkOutputs({{"The file of weights", weights.path()}}, dataFilesOf(graph)));
        files.push_back(*std::move(out));
    }
    PLIMSOLL_ASSIGN(out, OutputFile::open(file));
    out.stream() << text;
    files.push_back(std::move(out));
    return commitTogether(files);
}

} // namespace plimsoll
