#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::test {

/// Writes protobuf messages field by field, so that a test can make any ONNX file, broken ones too.
///
///     Message node = Message().text(1, "x").text(2, "y").text(4, "Relu");
class Message
{
public:
    Message& integer(int field, std::int64_t number); ///< A varint.
    Message& real(int field, float number);           ///< A 32-bit float.
    Message& text(int field, std::string_view bytes); ///< Anything with a length: text, bytes, packed numbers.
    Message& message(int field, const Message& inner) { return text(field, inner.m_bytes); }

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    [[nodiscard]] std::span<const std::byte> span() const { return std::as_bytes(std::span(m_bytes)); }

private:
    void varint(std::uint64_t number);

    std::string m_bytes;
};

/// Messages of onnx.proto as tests need them.
namespace onnx {
[[nodiscard]] Message valueInfo(std::string_view name, std::int64_t elementType,
                                std::initializer_list<std::int64_t> dims);
[[nodiscard]] Message tensor(std::string_view name, std::int64_t elementType, std::initializer_list<std::int64_t> dims);
[[nodiscard]] Message node(std::string_view op, std::initializer_list<std::string_view> inputs,
                           std::initializer_list<std::string_view> outputs);
[[nodiscard]] Message graphAttribute(std::string_view name, const Message& graph);
/// IR 8, operator set 17.
[[nodiscard]] Message model(const Message& graph);
/// Input x float32[2], one node, output y.
[[nodiscard]] Message graphOf(std::initializer_list<Message> nodes);

inline constexpr int Float = 1;
inline constexpr int Int64 = 7;
} // namespace onnx

} // namespace plimsoll::test
