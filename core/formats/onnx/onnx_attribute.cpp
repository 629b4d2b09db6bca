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

/// The kind of what a field holds; Undefined where that is not the attribute's value.
std::int64_t kindIn(int field)
{
    if ((field >= 2 && field <= 11) || field == 14 || field == 15) return field - 1;
    return field == 22 || field == 23 ? std::int64_t {field - 11} : std::int64_t {Undefined};
}

/// Moves what the kind says into the attribute.
Status settle(Fields& fields, std::int64_t offset)
{
    AttributeMessage& out = fields.out;
    const auto set = [&](auto value) { return out.value = std::move(value), Status(); };
    const auto missing = [&](Message what) -> Status {
        return wireError(say("onnx.attribute-without-value", std::move(what)), offset);
    };
    switch (fields.kind == Undefined ? fields.seen : fields.kind) {
    case Float:
        return set(static_cast<double>(fields.f));
    case Int:
        return set(fields.i);
    case String:
        return set(std::move(fields.s));
    case TensorKind:
        return fields.tensors.empty() ? missing(say("onnx.tensor")) : set(std::move(fields.tensors.front()));
    case Graph:
        if (out.graphs.empty()) return missing(say("onnx.graph"));
        [[fallthrough]];
    case Graphs:
        return out.isGraph = true, Status();
    case Floats:
        return set(std::move(fields.floats));
    case Ints:
        return set(std::move(fields.ints));
    case Strings:
        return set(std::move(fields.strings));
    case Tensors:
        return set(std::move(fields.tensors));
    case SparseTensor:
        if (fields.sparse.empty()) return missing(say("onnx.sparse-tensor"));
        out.sparse = std::move(fields.sparse.front());
        return set(out.sparse->literal);
    case SparseTensors:
        for (Tensor& tensor : fields.sparse)
            fields.tensors.push_back(std::move(tensor.literal));
        return set(std::move(fields.tensors));
    case TypeProto:
        return fields.types.empty() ? missing(say("onnx.type")) : set(std::move(fields.types.front()));
    case TypeProtos:
        return set(std::move(fields.types));
    case Undefined:
        return set(std::vector<std::int64_t>()); // an empty list of an old file
    default:
        return wireError(say("onnx.attribute-kind", word::Number(fields.kind)), offset);
    }
}

} // namespace

Result<AttributeMessage> parseAttribute(WireBytes message, const Source& source, ReadingRoom& room,
                                        const ParseGraph& graph)
{
    Fields fields;
    const auto tensor = [&](WireBytes inner) -> Status {
        room.take(sizeof(TensorLiteral));
        PLIMSOLL_ASSIGN(parsed, readTensor(inner, source));
        return fields.tensors.push_back(std::move(parsed.literal)), Status();
    };
    const auto sparse = [&](WireBytes inner) -> Status {
        PLIMSOLL_SET(fields.sparse.emplace_back(), readSparseTensor(inner, source, room));
        return {};
    };
    const auto nested = [&](WireBytes inner) -> Status {
        PLIMSOLL_SET(fields.out.graphs.emplace_back(), graph(inner));
        return {};
    };
    const auto type = [&](WireBytes inner) -> Status {
        PLIMSOLL_ASSIGN(parsed, parseType(inner));
        return fields.types.push_back(describe(parsed)), Status();
    };
    Status status = forEachField(message, [&](const WireField& field) -> Status {
        const int number = field.number;
        if (room.isFull()) return wireError(ReadingRoom::refusal(), message.offset);
        if (const std::int64_t kind = kindIn(number); kind != Undefined) fields.seen = kind;
        if (number == 1) return readText(field, fields.out.name);
        if (number == 2) return read(field, fields.f);
        if (number == 3) return read(field, fields.i);
        if (number == 4) return readBytes(field, fields.s);
        if (number == 5 || number == 10) return parseMessage(field, tensor);
        if (number == 6 || number == 11) return parseMessage(field, nested);
        if (number == 7) return append(field, fields.floats);
        if (number == 8) return append(field, fields.ints);
        if (number == 9) {
            room.take(sizeof(std::string));
            return readBytes(field, fields.strings.emplace_back());
        }
        if (number == 14 || number == 15) return parseMessage(field, type);
        if (number == 20) return read(field, fields.kind);
        if (number == 21) return readText(field, fields.out.reference);
        if (number == 22 || number == 23) return parseMessage(field, sparse);
        return {};
    });
    if (status.ok() && fields.out.reference.empty()) status = settle(fields, message.offset);
    if (!status.ok()) return inside(named("", fields.out.name), status.error());
    if (fields.out.name.empty()) return wireError(say("onnx.unnamed-attribute"), message.offset);
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
