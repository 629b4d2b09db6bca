#include "core/formats/onnx/onnx_attribute.h"

#include "core/formats/onnx/onnx_parse.h"

namespace plimsoll::onnx {
namespace {

/// AttributeProto.AttributeType, which is also the order of the fields below.
enum Kind : std::int64_t {
    Undefined,
    Float,
    Int,
    String,
    TensorKind,
    Graph,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensor,
    SparseTensors,
    TypeProto,
    TypeProtos,
};

struct Fields
{
    AttributeMessage out;
    std::int64_t kind = Undefined;
    std::int64_t seen = Undefined; ///< Kind of the last field that was there.
    float f = 0;
    std::int64_t i = 0;
    std::string s;
    std::vector<double> floats;
    std::vector<std::int64_t> ints;
    std::vector<std::string> strings;
    std::vector<TensorLiteral> tensors; ///< One for TENSOR.
    std::vector<Tensor> sparse;         ///< One for SPARSE_TENSOR.
    std::vector<std::string> types;     ///< As text.
};

class AttributeParser
{
public:
    AttributeParser(const Source& source, DenseRoom& room, const ParseGraph& graph)
        : m_source(source), m_room(room), m_graph(graph)
    {
    }

    Status field(const WireField& field, Fields& out)
    {
        switch (field.number) {
        case 1:
            return readText(field, out.out.name);
        case 2:
            return out.seen = Float, read(field, out.f);
        case 3:
            return out.seen = Int, read(field, out.i);
        case 4:
            return out.seen = String, readBytes(field, out.s);
        case 5:
            return out.seen = TensorKind, tensor(field, out);
        case 6:
            return out.seen = Graph, graph(field, out);
        case 7:
            return out.seen = Floats, append(field, out.floats);
        case 8:
            return out.seen = Ints, append(field, out.ints);
        case 9:
            return out.seen = Strings, readBytes(field, out.strings.emplace_back());
        case 10:
            return out.seen = Tensors, tensor(field, out);
        case 11:
            return out.seen = Graphs, graph(field, out);
        case 14:
            return out.seen = TypeProto, type(field, out);
        case 15:
            return out.seen = TypeProtos, type(field, out);
        case 20:
            return read(field, out.kind);
        case 21:
            return readText(field, out.out.reference);
        case 22:
            return out.seen = SparseTensor, sparse(field, out);
        case 23:
            return out.seen = SparseTensors, sparse(field, out);
        default:
            return {};
        }
    }

private:
    Status tensor(const WireField& field, Fields& out)
    {
        WireBytes message;
        PLIMSOLL_TRY(readMessage(field, message));
        PLIMSOLL_ASSIGN(parsed, readTensor(message, m_source));
        out.tensors.push_back(std::move(parsed.literal));
        return {};
    }

    Status sparse(const WireField& field, Fields& out)
    {
        WireBytes message;
        PLIMSOLL_TRY(readMessage(field, message));
        PLIMSOLL_ASSIGN(parsed, readSparseTensor(message, m_source, m_room));
        out.sparse.push_back(std::move(parsed));
        return {};
    }

    Status graph(const WireField& field, Fields& out)
    {
        WireBytes message;
        PLIMSOLL_TRY(readMessage(field, message));
        PLIMSOLL_ASSIGN(parsed, m_graph(message));
        out.out.graphs.push_back(std::move(parsed));
        return {};
    }

    static Status type(const WireField& field, Fields& out)
    {
        WireBytes message;
        PLIMSOLL_TRY(readMessage(field, message));
        PLIMSOLL_ASSIGN(parsed, parseType(message));
        out.types.push_back(describe(parsed));
        return {};
    }

    const Source& m_source;
    DenseRoom& m_room;
    const ParseGraph& m_graph;
};

/// Moves what the kind says into the attribute.
Status settle(Fields& fields, std::int64_t offset)
{
    AttributeMessage& out = fields.out;
    const auto missing = [&](const char* what) {
        return wireError("The attribute says it is " + std::string(what) + ", but there is none.", offset);
    };
    switch (fields.kind == Undefined ? fields.seen : fields.kind) {
    case Float:
        out.value = static_cast<double>(fields.f);
        return {};
    case Int:
        out.value = fields.i;
        return {};
    case String:
        out.value = std::move(fields.s);
        return {};
    case TensorKind:
        if (fields.tensors.empty()) return missing("a tensor");
        out.value = std::move(fields.tensors.front());
        return {};
    case Graph:
        if (out.graphs.empty()) return missing("a graph");
        out.isGraph = true;
        return {};
    case Graphs:
        out.isGraph = true;
        return {};
    case Floats:
        out.value = std::move(fields.floats);
        return {};
    case Ints:
        out.value = std::move(fields.ints);
        return {};
    case Strings:
        out.value = std::move(fields.strings);
        return {};
    case Tensors:
        out.value = std::move(fields.tensors);
        return {};
    case SparseTensor:
        if (fields.sparse.empty()) return missing("a sparse tensor");
        out.value = fields.sparse.front().literal;
        out.sparse = std::move(fields.sparse.front());
        return {};
    case SparseTensors:
        for (Tensor& tensor : fields.sparse)
            fields.tensors.push_back(std::move(tensor.literal));
        out.value = std::move(fields.tensors);
        return {};
    case TypeProto:
        if (fields.types.empty()) return missing("a type");
        out.value = std::move(fields.types.front());
        return {};
    case TypeProtos:
        out.value = std::move(fields.types);
        return {};
    case Undefined:
        out.value = std::vector<std::int64_t>();
        return {}; // an empty list of an old file
    default:
        return wireError("The attribute is of the unknown kind " + std::to_string(fields.kind) + ".", offset);
    }
}

} // namespace

Result<AttributeMessage> parseAttribute(WireBytes message, const Source& source, DenseRoom& room,
                                        const ParseGraph& graph)
{
    Fields fields;
    AttributeParser parser(source, room, graph);
    Status status = forEachField(message, [&](const WireField& field) { return parser.field(field, fields); });
    if (status.ok() && fields.out.reference.empty()) status = settle(fields, message.offset);
    if (!status.ok()) return inside(named("", fields.out.name), status.error());
    if (fields.out.name.empty()) return wireError("An attribute has no name.", message.offset);
    return std::move(fields.out);
}

Error inside(const std::string& place, Error error)
{
    if (place.empty() || error.code == ErrorCode::Stopped) return error;
    const bool byteFirst =
        error.where.empty() || error.where.starts_with("byte ") || error.where.starts_with("tensor ");
    const char* const joint = error.where.empty() || error.where.front() == ' ' ? "" : byteFirst ? ", " : ".";
    error.where = place + joint + error.where;
    return error;
}

std::string named(const std::string& place, const std::string& name)
{
    return name.empty() ? place : place + " '" + name + "'";
}

} // namespace plimsoll::onnx
