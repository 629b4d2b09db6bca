#include "core/formats/onnx/onnx_parse.h"

#include "core/formats/onnx/onnx_attribute.h"

#include <algorithm>

namespace plimsoll::onnx {
namespace {

std::string normalisedDomain(std::string domain)
{
    return domain == "ai.onnx" ? std::string() : domain;
}

/// Reads one message into a new element of \p list, naming the element in errors.
template <typename T, typename Parse>
Status appendParsed(const WireField& field, std::vector<T>& list, const std::string& place, Parse&& parse)
{
    WireBytes message;
    PLIMSOLL_TRY(readMessage(field, message));
    auto parsed = parse(message);
    if (!parsed.ok()) return inside(place + "[" + std::to_string(list.size()) + "]", parsed.error());
    list.push_back(std::move(parsed).value());
    return {};
}

/// NodeProto: field 4 is the operator's name.
bool isNode(WireBytes message)
{
    bool named = false;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        if (field.number != 4) return {};
        std::string op;
        PLIMSOLL_TRY(readText(field, op));
        named = !op.empty() &&
                std::all_of(op.begin(), op.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
        return {};
    });
    return status.ok() && named;
}

/// Field 1 of a model is a number; that of a graph is a list of nodes.
Status notAModel(const WireField& field)
{
    if (isNode(field.payload))
        return wireError("This is a bare GraphProto, as ONNX wrote before version 1.0 (2017), without a model "
                         "around it. Convert it with a current ONNX first.",
                         0);
    return wireError("The file is laid out as a protobuf message, but it is no ONNX model.", 0);
}

Status readOpset(const WireField& field, Opsets& opsets)
{
    WireBytes message;
    PLIMSOLL_TRY(readMessage(field, message));
    std::string domain;
    std::int64_t version = 0;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& entry) -> Status {
        if (entry.number == 1) return readText(entry, domain);
        if (entry.number == 2) return read(entry, version);
        return {};
    }));
    if (version < 0) return wireError("An operator set has a negative version.", message.offset);
    opsets[normalisedDomain(domain)] = version;
    return {};
}

Result<Dim> parseDim(WireBytes message)
{
    Dim dim;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 2) return readText(field, dim.symbol);
        if (field.number != 1) return {};
        PLIMSOLL_TRY(read(field, dim.size));
        if (dim.size < 0)
            return wireError("A dimension is " + std::to_string(dim.size) + "; sizes are not negative.",
                             field.payload.offset);
        return {};
    });
    if (!status.ok()) return status.error();
    if (dim.known()) dim.symbol.clear();
    return dim;
}

Result<std::vector<Dim>> parseShape(WireBytes message)
{
    std::vector<Dim> dims;
    PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) -> Status {
        return field.number == 1 ? appendParsed(field, dims, "dim", parseDim) : Status();
    }));
    return dims;
}

Result<TensorType> parseTensorType(WireBytes message)
{
    TensorType type;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 1) {
            std::int64_t code = 0;
            PLIMSOLL_TRY(read(field, code));
            type.dtype = dtypeFromCode(code);
        } else if (field.number == 2) {
            WireBytes shape;
            PLIMSOLL_TRY(readMessage(field, shape));
            PLIMSOLL_ASSIGN(dims, parseShape(shape));
            type.dims = std::move(dims);
        }
        return {};
    });
    if (!status.ok()) return status.error();
    return type;
}

/// Sequence and Optional: the type of their elements under their own kind.
Result<TensorType> parseElementType(WireBytes message, TypeKind kind, int depth)
{
    TensorType type;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        if (field.number != 1) return {};
        WireBytes element;
        PLIMSOLL_TRY(readMessage(field, element));
        PLIMSOLL_ASSIGN(parsed, parseType(element, depth + 1));
        type = std::move(parsed);
        return {};
    });
    if (!status.ok()) return status.error();
    type.kind = kind;
    return type;
}

Result<ValueInfo> parseValueInfo(WireBytes message)
{
    ValueInfo info;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        if (field.number == 1) return readText(field, info.name);
        if (field.number != 2) return {};
        WireBytes type;
        PLIMSOLL_TRY(readMessage(field, type));
        PLIMSOLL_ASSIGN(parsed, parseType(type));
        info.type = std::move(parsed);
        return {};
    });
    if (!status.ok()) return inside(named("", info.name), status.error());
    return info;
}

class Parser
{
public:
    Parser(const Source& source, const Context& context) : m_source(source), m_context(context) {}

    Result<Model> model(WireBytes message)
    {
        Model model;
        PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) { return modelField(field, model); }));
        return model;
    }

    Result<GraphMessage> graph(WireBytes message, int depth)
    {
        if (depth > MaxDepth) return wireError("Graphs are nested more than 64 deep.", message.offset);
        GraphMessage graph;
        PLIMSOLL_TRY(forEachField(message, [&](const WireField& field) { return graphField(field, graph, depth); }));
        return graph;
    }

    Result<AttributeMessage> attribute(WireBytes message, int depth)
    {
        const auto nested = [&](WireBytes inner) { return graph(inner, depth + 1); };
        return parseAttribute(message, m_source, m_room, nested);
    }

private:
    Status modelField(const WireField& field, Model& model)
    {
        switch (field.number) {
        case 1:
            return field.type == WireType::Bytes ? notAModel(field) : read(field, model.irVersion);
        case 7:
            return modelGraph(field, model);
        case 8:
            return readOpset(field, model.opsets);
        case 25:
            return appendParsed(field, model.functions, "functions", [&](WireBytes m) { return function(m); });
        default:
            return {};
        }
    }

    Status modelGraph(const WireField& field, Model& model)
    {
        if (model.graph) return wireError("The model has two graphs. The file is damaged.", field.payload.offset);
        WireBytes message;
        PLIMSOLL_TRY(readMessage(field, message));
        auto parsed = graph(message, 0);
        if (!parsed.ok()) return inside("graph", parsed.error());
        model.graph = std::move(parsed).value();
        return {};
    }

    Status graphField(const WireField& field, GraphMessage& out, int depth)
    {
        switch (field.number) {
        case 1:
            return appendParsed(field, out.nodes, "node", [&](WireBytes m) { return node(m, depth); });
        case 2:
            return readText(field, out.name);
        case 5:
            return appendParsed(field, out.initializers, "initializer",
                                [&](WireBytes m) { return readTensor(m, m_source); });
        case 11:
            return appendParsed(field, out.inputs, "input", parseValueInfo);
        case 12:
            return appendParsed(field, out.outputs, "output", parseValueInfo);
        case 13:
            return appendParsed(field, out.valueInfos, "value_info", parseValueInfo);
        case 15:
            return sparseInitializer(field, out);
        default:
            return {};
        }
    }

    Status sparseInitializer(const WireField& field, GraphMessage& out)
    {
        const auto isSparse = [](const Tensor& tensor) { return tensor.kept.has_value(); };
        const auto number = std::count_if(out.initializers.begin(), out.initializers.end(), isSparse);
        WireBytes message;
        PLIMSOLL_TRY(readMessage(field, message));
        auto parsed = readSparseTensor(message, m_source, m_room);
        if (!parsed.ok()) return inside("sparse_initializer[" + std::to_string(number) + "]", parsed.error());
        out.initializers.push_back(std::move(parsed).value());
        return {};
    }

    Result<NodeMessage> node(WireBytes message, int depth)
    {
        if (m_context.stopped()) return Error {ErrorCode::Stopped, "Stopped while reading.", {}, {}};
        NodeMessage node;
        const Status status =
            forEachField(message, [&](const WireField& field) { return nodeField(field, node, depth); });
        if (!status.ok()) return inside(named("", node.name), status.error());
        if (node.op.empty())
            return inside(named("", node.name), wireError("The node names no operator.", message.offset));
        return node;
    }

    Status nodeField(const WireField& field, NodeMessage& out, int depth)
    {
        switch (field.number) {
        case 1:
            return readText(field, out.inputs.emplace_back());
        case 2:
            return readText(field, out.outputs.emplace_back());
        case 3:
            return readText(field, out.name);
        case 4:
            return readText(field, out.op);
        case 5:
            return appendParsed(field, out.attributes, "attribute", [&](WireBytes m) { return attribute(m, depth); });
        case 7:
            PLIMSOLL_TRY(readText(field, out.domain));
            out.domain = normalisedDomain(out.domain);
            return {};
        case 8:
            return readText(field, out.overload);
        default:
            return {};
        }
    }

    Result<FunctionMessage> function(WireBytes message)
    {
        FunctionMessage function;
        const Status status =
            forEachField(message, [&](const WireField& field) { return functionField(field, function); });
        if (!status.ok()) return inside(named("", function.name), status.error());
        function.domain = normalisedDomain(function.domain);
        return function;
    }

    Status functionField(const WireField& field, FunctionMessage& out)
    {
        switch (field.number) {
        case 1:
            return readText(field, out.name);
        case 4:
            return readText(field, out.inputs.emplace_back());
        case 5:
            return readText(field, out.outputs.emplace_back());
        case 7:
            return appendParsed(field, out.nodes, "node", [&](WireBytes m) { return node(m, 0); });
        case 9:
            return readOpset(field, out.opsets);
        case 10:
            return readText(field, out.domain);
        case 11:
            return appendParsed(field, out.defaults, "attribute_proto", [&](WireBytes m) { return attribute(m, 0); });
        case 13:
            return readText(field, out.overload);
        default:
            return {};
        }
    }

    const Source& m_source;
    const Context& m_context;
    DenseRoom m_room; ///< For all of the file.
};

} // namespace

Result<TensorType> parseType(WireBytes message, int depth)
{
    if (depth > MaxDepth) return wireError("Types are nested more than 64 deep.", message.offset);
    TensorType type;
    const Status status = forEachField(message, [&](const WireField& field) -> Status {
        WireBytes inner;
        if (field.number == 6) return {}; // denotation
        PLIMSOLL_TRY(readMessage(field, inner));
        Result<TensorType> parsed = TensorType {.kind = TypeKind::Opaque};
        if (field.number == 1) parsed = parseTensorType(inner);
        if (field.number == 4) parsed = parseElementType(inner, TypeKind::Sequence, depth);
        if (field.number == 9) parsed = parseElementType(inner, TypeKind::Optional, depth);
        if (!parsed.ok()) return inside("type", parsed.error());
        type = std::move(parsed).value();
        return {};
    });
    if (!status.ok()) return status.error();
    return type;
}

Result<Model> parseModel(WireBytes file, const Source& source, const Context& context)
{
    return Parser(source, context).model(file);
}

} // namespace plimsoll::onnx
