#pragma once

#include "core/formats/bad_input.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll {

/// The values of a JSON text. Each takes 8 bytes, and 8 more if it is a text, a list, an object or a number that does
/// not fit in them; so whatever is read takes at most nine times the bytes of its text. The fields of an object are in
/// the order of their keys.
class JsonDocument
{
public:
    enum class Kind : std::uint8_t {
        Null,
        Boolean,
        Whole,    ///< Fits in 60 bits.
        Negative, ///< 64 bits, signed.
        Natural,  ///< 64 bits, unsigned.
        Real,
        Text,
        List,
        Object
    };

    /// One value of the document; a copy is as good.
    class Value
    {
    public:
        /// \p content: the number itself, 0 or 1, or where in the document the rest is. 60 bits of it are kept.
        explicit Value(Kind kind = Kind::Null, std::int64_t content = 0)
            : m_bits(static_cast<std::uint64_t>(content) << 4 | static_cast<std::uint64_t>(kind))
        {
        }
        [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_bits & 15); }
        [[nodiscard]] std::int64_t content() const { return static_cast<std::int64_t>(m_bits) >> 4; }
        [[nodiscard]] std::size_t position() const { return m_bits >> 4; }

    private:
        std::uint64_t m_bits;
    };

    [[nodiscard]] Value root() const { return m_root; }

    [[nodiscard]] std::size_t size(Value value) const; ///< Of a list its elements, of an object its fields; else 0.
    [[nodiscard]] Value element(Value list, std::size_t index) const;
    [[nodiscard]] std::string_view key(Value object, std::size_t index) const;
    [[nodiscard]] Value field(Value object, std::size_t index) const;
    [[nodiscard]] std::optional<Value> find(Value object, std::string_view key) const;

    [[nodiscard]] std::string_view text(Value text) const;
    [[nodiscard]] std::optional<std::uint64_t> natural(Value value) const; ///< Of a whole number that is not negative.
    [[nodiscard]] std::optional<std::int64_t> whole(Value value) const;    ///< Of a whole number that fits.
    [[nodiscard]] double real(Value number) const;

    [[nodiscard]] std::string json(Value value) const; ///< As JSON, without blanks.

private:
    friend class JsonBuilder;

    /// What a text, a list or an object is made of.
    struct Part
    {
        std::uint32_t first = 0; ///< In m_texts; else in m_values: of a list the last element, of an object a key.
        std::uint32_t count = 0; ///< Bytes, elements or fields.
    };

    [[nodiscard]] const Part& part(Value value) const { return m_parts[value.position()]; }

    Value m_root;
    std::deque<Value> m_values; ///< Elements of a list from its last to its first; keys, each before its value.
    std::deque<Part> m_parts;
    std::deque<std::uint64_t> m_numbers; ///< Their bits.
    std::string m_texts;
};

static_assert(sizeof(JsonDocument::Value) == 8);

/// Whether a text is of a size that parseJson() takes.
[[nodiscard]] Status checkJsonSize(std::string_view text);

/// Parses text of a file: syntax errors say line and column. Refused are brackets nested more than 200 deep, and an
/// object that has a key twice: which of the two is meant is not known.
[[nodiscard]] Result<JsonDocument> parseJson(std::string_view text);

/// "a \"b\"" with the quotes.
[[nodiscard]] std::string jsonQuoted(std::string_view text);

} // namespace plimsoll
