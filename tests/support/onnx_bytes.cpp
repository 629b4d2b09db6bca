#include "tests/support/onnx_bytes.h"

#include <cstring>

namespace plimsoll::test {

ProtoMessage& ProtoMessage::integer(int field, std::int64_t number)
{
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(static_cast<std::uint64_t>(number));
    return *this;
}

ProtoMessage& ProtoMessage::real(int field, float number)
{
    varint(static_cast<std::uint64_t>(field) << 3 | 5);
    m_bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
}

ProtoMessage& ProtoMessage::text(int field, std::string_view bytes)
{
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(bytes.size());
    m_bytes += bytes;
    return *this;
}

void ProtoMessage::varint(std::uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        m_bytes += static_cast<char>(number | 0x80);
    m_bytes += static_cast<char>(number);
}

namespace onnx {

ProtoMessage valueInfo(std::string_view name, std::int64_t elementType, std::initializer_list<std::int64_t> dims)
{
    ProtoMessage shape;
    for (const std::int64_t dim : dims)
        shape.message(1, ProtoMessage().integer(1, dim));
    const ProtoMessage tensorType = ProtoMessage().integer(1, elementType).message(2, shape);
    return ProtoMessage().text(1, name).message(2, ProtoMessage().message(1, tensorType));
}

ProtoMessage tensor(std::string_view name, std::int64_t elementType, std::initializer_list<std::int64_t> dims)
{
    ProtoMessage message;
    for (const std::int64_t dim : dims)
        message.integer(1, dim);
    return message.integer(2, elementType).text(8, name);
}

ProtoMessage node(std::string_view op, std::initializer_list<std::string_view> inputs,
                  std::initializer_list<std::string_view> outputs)
{
    ProtoMessage message;
    for (const std::string_view input : inputs)
        message.text(1, input);
    for (const std::string_view output : outputs)
        message.text(2, output);
    return message.text(4, op);
}

ProtoMessage graphAttribute(std::string_view name, const ProtoMessage& graph)
{
    return ProtoMessage().text(1, name).message(6, graph).integer(20, 5);
}

ProtoMessage model(const ProtoMessage& graph)
{
    return ProtoMessage().integer(1, 8).message(8, ProtoMessage().text(1, "").integer(2, 17)).message(7, graph);
}

ProtoMessage graphOf(std::initializer_list<ProtoMessage> nodes)
{
    ProtoMessage graph;
    for (const ProtoMessage& one : nodes)
        graph.message(1, one);
    return graph.text(2, "g").message(11, valueInfo("x", Float, {2})).message(12, valueInfo("y", Float, {2}));
}

} // namespace onnx
} // namespace plimsoll::test
