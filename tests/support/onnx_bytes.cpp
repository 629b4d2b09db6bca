#include "tests/support/onnx_bytes.h"

#include <cstring>

namespace plimsoll::test {

Message& Message::integer(int field, std::int64_t number)
{
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(static_cast<std::uint64_t>(number));
    return *this;
}

Message& Message::real(int field, float number)
{
    varint(static_cast<std::uint64_t>(field) << 3 | 5);
    m_bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
}

Message& Message::text(int field, std::string_view bytes)
{
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(bytes.size());
    m_bytes += bytes;
    return *this;
}

void Message::varint(std::uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        m_bytes += static_cast<char>(number | 0x80);
    m_bytes += static_cast<char>(number);
}

namespace onnx {

Message valueInfo(std::string_view name, std::int64_t elementType, std::initializer_list<std::int64_t> dims)
{
    Message shape;
    for (const std::int64_t dim : dims)
        shape.message(1, Message().integer(1, dim));
    const Message tensorType = Message().integer(1, elementType).message(2, shape);
    return Message().text(1, name).message(2, Message().message(1, tensorType));
}

Message tensor(std::string_view name, std::int64_t elementType, std::initializer_list<std::int64_t> dims)
{
    Message message;
    for (const std::int64_t dim : dims)
        message.integer(1, dim);
    return message.integer(2, elementType).text(8, name);
}

Message node(std::string_view op, std::initializer_list<std::string_view> inputs,
             std::initializer_list<std::string_view> outputs)
{
    Message message;
    for (const std::string_view input : inputs)
        message.text(1, input);
    for (const std::string_view output : outputs)
        message.text(2, output);
    return message.text(4, op);
}

Message graphAttribute(std::string_view name, const Message& graph)
{
    return Message().text(1, name).message(6, graph).integer(20, 5);
}

Message model(const Message& graph)
{
    return Message().integer(1, 8).message(8, Message().text(1, "").integer(2, 17)).message(7, graph);
}

Message graphOf(std::initializer_list<Message> nodes)
{
    Message graph;
    for (const Message& one : nodes)
        graph.message(1, one);
    return graph.text(2, "g").message(11, valueInfo("x", Float, {2})).message(12, valueInfo("y", Float, {2}));
}

} // namespace onnx
} // namespace plimsoll::test
