#include "core/formats/onnx/onnx_parse.h"

#include "core/formats/onnx/onnx_attribute.h"
#include "core/formats/onnx/onnx_tensor.h"
#include "core/formats/program_place.h"

#include <algorithm>

namespace plimsoll::onnx {
namespace {

std::string normalisedDomain(std::string domain)
{
    return domain == "ai.onnx" ? std::string() : domain;
}

/// Reads one message into a new element of \p list, naming the element in errors.
template <typename List, typename Parse>
Status appendParsed(const WireField& field, List& list, const std::string& place, Parse&& parse)
{
    PLIMSOLL_ASSIGN(message, messageIn(field));
    auto parsed = parse(message);
    if (!parsed.ok()) return inside(place + "[" + std::to_string(list.size()) + "]", parsed.error());
    list.push_back(std::move(parsed).value());
    return {};
}

/// NodeProto: field 4 is the operator's name.
bool isNode(WireBytes message)
{
    std::string op;
    const Status status = forEachField(
        message, [&](const WireField& field) { return field.number == 4 ? readText(field, op) : Status(); });
    return status.ok() && !op.empty() &&
           std::ranges::all_of(op, [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

Status readOpset(const WireField& field, Opsets& opsets)
{
    PLIMSOLL_ASSIGN(message, messageIn(field));
    std::string domain;
    std::int64_t version = 0;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& entry) -> Status {
        if (entry.number == 1) return readText(entry, domain);
        if (entry.number == 2) return read(entry, version);
        return {};
    }));
    if (version < 0) return wireError(say("onnx.negative-opset"), message.offset);
    opsets[normalisedDomain(domain)] = version;
    return {};
}

Result<Dim> parseDim(WireBytes message)
{
    Dim dim;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 2) return readText(field, dim.symbol.edit());
        if (field.number != 1) return {};
        PLIMSOLL_TRY(read(field, dim.size));
        if (dim.size >= Dim().size) return {}; // some exporters write -1 for a size that is not known
        return wireError(say("graph-json.negative-dimension", word::Number(dim.size)), field.payload.offset);
    }));
    if (dim.known()) dim.symbol = {};
    return dim;
}

Status readNote(const WireField& field, std::map<std::string, std::string>& notes)
{
    PLIMSOLL_ASSIGN(message, messageIn(field));
    return readStringEntry(message, notes);
}

/// "['', 'blocks.0', 'linear']": its texts but for the last, which is the node itself.
std::vector<std::string> enclosing(const std::string& list)
{
    std::vector<std::string> texts;
    for (std::size_t open = list.find('\''); open != std::string::npos;) {
        const std::size_t close = list.find('\'', open + 1);
        if (close == std::string::npos) break;
        texts.push_back(list.substr(open + 1, close - open - 1));
        open = list.find('\'', close + 1);
    }
    if (!texts.empty()) texts.pop_back();
    return texts;
}

/// As the exporter of PyTorch notes it; that of before names nodes by the path of their module, "/blocks.0/MatMul".
void setPlace(NodeMessage& node, const std::map<std::string, std::string>& notes)
{
    const auto note = [&](const char* key) {
        const auto found = notes.find(key);
        return found == notes.end() ? std::string() : found->second;
    };
    node.source =
        placeInStack(note("pkg.torch.onnx.stack_trace"), ownClass(enclosing(note("pkg.torch.onnx.class_hierarchy"))));
    const std::vector<std::string> scopes = enclosing(note("pkg.torch.onnx.name_scopes"));
    if (!scopes.empty()) node.module = scopes.back();
    if (node.module.empty() && node.name.starts_with('/'))
        node.module = node.name.substr(1, std::max<std::size_t>(node.name.rfind('/'), 1) - 1);
}

Result<DimList> parseShape(WireBytes message)
{
    DimList dims;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        return field.number == 1 ? appendParsed(field, dims, "dim", parseDim) : Status();
    }));
    return dims;
}

Result<TensorType> parseTensorType(WireBytes message)
{
    TensorType type;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        std::int64_t code = 0;
        if (field.number == 1) PLIMSOLL_TRY(read(field, code));
        if (field.number == 1) type.dtype = dtypeFromCode(code);
        if (field.number == 2) PLIMSOLL_SET(type.dims, parseMessage(field, parseShape));
        return {};
    }));
    return type;
}

/// Sequence and Optional: the type of their elements under their own kind.
Result<TensorType> parseElementType(WireBytes message, TypeKind kind, int depth)
{
    TensorType type;
    const auto parse = [&](WireBytes element) { return parseType(element, depth + 1); };
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 1) PLIMSOLL_SET(type, parseMessage(field, parse));
        return {};
    }));
    type.kind = kind;
    return type;
}

Result<ValueInfo> parseValueInfo(WireBytes message)
{
    ValueInfo info;
    const auto parse = [](WireBytes type) { return parseType(type); };
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 1) return readText(field, info.name);
        if (field.number == 2) PLIMSOLL_SET(info.type, parseMessage(field, parse));
        return {};
    });
    if (!status.ok()) return inside(named("", info.name), status.error());
    return info;
}

class Parser
{
public:
    Parser(const Source& source, const Context& context, ReadingRoom& room)
        : m_source(source), m_context(context), m_room(room)
    {
    }

    Result<Model> model(WireBytes message)
    {
        Model model;
        PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
            if (field.number == 1) {
                if (field.type != WireType::Bytes) return read(field, model.irVersion);
                if (isNode(field.payload)) // a list of nodes: a graph
                    return wireError(say("onnx.bare-graph"), 0);
                return wireError(say("onnx.no-model"), 0);
            }
            if (field.number == 7) {
                if (model.graph) return wireError(say("onnx.two-graphs"), field.payload.offset);
                PLIMSOLL_ASSIGN(inner, messageIn(field));
                auto parsed = graph(inner, 0);
                if (!parsed.ok()) return inside("graph", parsed.error());
                model.graph = std::move(parsed).value();
            }
            if (field.number == 8) return readOpset(field, model.opsets);
            if (field.number == 25)
                return appendParsed(field, model.functions, "functions", [&](WireBytes m) { return function(m); });
            return {};
        }));
        return model;
    }

    Result<GraphMessage> graph(WireBytes message, int depth)
    {
        if (depth > MaxDepth) return wireError(say("onnx.graphs-too-deep"), message.offset);
        GraphMessage graph;
        const auto parseNode = [&](WireBytes m) { return node(m, depth); };
        const auto parseTensor = [&](WireBytes m) -> Result<Tensor> {
            PLIMSOLL_TRY(take(ReadingRoom::Value + sizeof(Tensor), m));
            return readTensor(m, m_source);
        };
        const auto parseInfo = [&](WireBytes m) -> Result<ValueInfo> {
            PLIMSOLL_TRY(take(ReadingRoom::Value, m));
            return parseValueInfo(m);
        };
        PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
            const int number = field.number;
            if (number == 1) return appendParsed(field, graph.nodes, "node", parseNode);
            if (number == 2) return readText(field, graph.name);
            if (number == 5) return appendParsed(field, graph.initializers, "initializer", parseTensor);
            if (number == 11) return appendParsed(field, graph.inputs, "input", parseInfo);
            if (number == 12) return appendParsed(field, graph.outputs, "output", parseInfo);
            if (number == 13) return appendParsed(field, graph.valueInfos, "value_info", parseInfo);
            if (number != 15) return {};
            const auto sparse =
                std::ranges::count_if(graph.initializers, [](const Tensor& one) { return one.kept.has_value(); });
            PLIMSOLL_ASSIGN(inner, messageIn(field));
            auto parsed = readSparseTensor(inner, m_source, m_room);
            if (!parsed.ok()) return inside("sparse_initializer[" + std::to_string(sparse) + "]", parsed.error());
            graph.initializers.push_back(std::move(parsed).value());
            return {};
        }));
        return graph;
    }

    Result<AttributeMessage> attribute(WireBytes message, int depth)
    {
        PLIMSOLL_TRY(take(ReadingRoom::Attribute + sizeof(AttributeMessage), message));
        const auto nested = [&](WireBytes inner) { return graph(inner, depth + 1); };
        return parseAttribute(message, m_source, m_room, nested);
    }

private:
    Status take(std::size_t bytes, WireBytes message)
    {
        m_room.take(bytes);
        return m_room.isFull() ? Status(wireError(ReadingRoom::refusal(), message.offset)) : Status();
    }

    Result<NodeMessage> node(WireBytes message, int depth)
    {
        PLIMSOLL_TRY(checkStopped(m_context));
        NodeMessage node;
        std::map<std::string, std::string> notes;
        const auto parseAttribute = [&](WireBytes m) { return attribute(m, depth); };
        Status status = forEachField(message, [&](const WireField& field) -> Status {
            const int number = field.number;
            if (number == 1) return readText(field, node.inputs.emplace_back());
            if (number == 2) return readText(field, node.outputs.emplace_back());
            if (number == 3) return readText(field, node.name);
            if (number == 4) return readText(field, node.op);
            if (number == 5) return appendParsed(field, node.attributes, "attribute", parseAttribute);
            if (number == 7) return readText(field, node.domain);
            if (number == 8) return readText(field, node.overload);
            if (number == 9) return readNote(field, notes);
            return {};
        });
        if (status.ok() && node.op.empty()) status = wireError(say("onnx.no-operator"), message.offset);
        if (!status.ok()) return inside(named("", node.name), status.error());
        PLIMSOLL_TRY(take(roomOfNames(node), message));
        node.domain = normalisedDomain(node.domain);
        setPlace(node, notes);
        return node;
    }

    Result<FunctionMessage> function(WireBytes message)
    {
        FunctionMessage made;
        const auto parseNode = [&](WireBytes m) { return node(m, 0); };
        const auto parseDefault = [&](WireBytes m) { return attribute(m, 0); };
        const Status status = forEachField(message, [&](const WireField& field) -> Status {
            const int number = field.number;
            if (number == 1) return readText(field, made.name);
            if (number == 4) return readText(field, made.inputs.emplace_back());
            if (number == 5) return readText(field, made.outputs.emplace_back());
            if (number == 7) return appendParsed(field, made.nodes, "node", parseNode);
            if (number == 9) return readOpset(field, made.opsets);
            if (number == 10) return readText(field, made.domain);
            if (number == 11) return appendParsed(field, made.defaults, "attribute_proto", parseDefault);
            if (number == 13) return readText(field, made.overload);
            return {};
        });
        if (!status.ok()) return inside(named("", made.name), status.error());
        made.domain = normalisedDomain(made.domain);
        return made;
    }

    const Source& m_source;
    const Context& m_context;
    ReadingRoom& m_room;
};

} // namespace

Result<TensorType> parseType(WireBytes message, int depth)
{
    if (depth > MaxDepth) return wireError(say("onnx.types-too-deep"), message.offset);
    TensorType type;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 6) return {}; // denotation
        PLIMSOLL_ASSIGN(inner, messageIn(field));
        Result<TensorType> parsed = TensorType {.kind = TypeKind::Opaque};
        if (field.number == 1) parsed = parseTensorType(inner);
        if (field.number == 4) parsed = parseElementType(inner, TypeKind::Sequence, depth);
        if (field.number == 9) parsed = parseElementType(inner, TypeKind::Optional, depth);
        if (!parsed.ok()) return inside("type", parsed.error());
        type = std::move(parsed).value();
        return {};
    }));
    return type;
}

Result<Model> parseModel(WireBytes file, const Source& source, const Context& context, ReadingRoom& room)
{
    return Parser(source, context, room).model(file);
}

} // namespace plimsoll::onnx
