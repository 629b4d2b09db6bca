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
///     ProtoMessage node = ProtoMessage().text(1, "x").text(2, "y").text(4, "Relu");
class ProtoMessage
{
public:
    ProtoMessage& integer(int field, std::int64_t number); ///< A varint.
    ProtoMessage& real(int field, float number);           ///< A 32-bit float.
    ProtoMessage& text(int field, std::string_view bytes); ///< Anything with a length: text, bytes, packed numbers.
    ProtoMessage& message(int field, const ProtoMessage& inner) { return text(field, inner.m_bytes); }

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }
    [[nodiscard]] std::span<const std::byte> span() const { return std::as_bytes(std::span(m_bytes)); }

private:
    void varint(std::uint64_t number);

    std::string m_bytes;
};

/// Messages of onnx.proto as tests need them.
namespace onnx {
[[nodiscard]] ProtoMessage valueInfo(std::string_view name, std::int64_t elementType,
                                     std::initializer_list<std::int64_t> dims);
[[nodiscard]] ProtoMessage tensor(std::string_view name, std::int64_t elementType,
                                  std::initializer_list<std::int64_t> dims);
[[nodiscard]] ProtoMessage node(std::string_view op, std::initializer_list<std::string_view> inputs,
                                std::initializer_list<std::string_view> outputs);
[[nodiscard]] ProtoMessage graphAttribute(std::string_view name, const ProtoMessage& graph);
/// IR 8, operator set 17.
[[nodiscard]] ProtoMessage model(const ProtoMessage& graph);
/// Input x float32[2], one node, output y.
[[nodiscard]] ProtoMessage graphOf(std::initializer_list<ProtoMessage> nodes);

inline constexpr int Float = 1;
inline constexpr int Int64 = 7;
} // namespace onnx

} // namespace plimsoll::test
