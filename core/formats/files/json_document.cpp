#include "core/formats/files/json_document.h"

#include "core/formats/files/utf8.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

constexpr std::size_t MaxDepth = 200;
constexpr std::int64_t MostInPlace = (std::int64_t {1} << 59) - 1; ///< Of a signed number of 60 bits.

std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto lineBegin = before.rfind('\n');
    const std::size_t column = before.size() - (lineBegin == std::string_view::npos ? 0 : lineBegin + 1) + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// The byte, counted from 1, of the first bracket that is nested too deep.
std::size_t deepBracket(std::string_view text)
{
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && quoted) ++i;
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if ((c == '[' || c == '{') && ++depth > MaxDepth) return i + 1;
        if (c == ']' || c == '}') --depth;
    }
    return text.size();
}

} // namespace

/// Makes a document of what the parser meets. What is in brackets that are still open lies on a stack, and goes to its
/// place when they close.
class JsonBuilder final : public nlohmann::json_sax<nlohmann::json>
{
public:
    using Kind = JsonDocument::Kind;
    using Value = JsonDocument::Value;

    explicit JsonBuilder(std::string_view text) : m_text(text) { m_made.m_texts.reserve(text.size()); }

    bool null() override { return put(Kind::Null, 0); }
    bool boolean(bool value) override { return put(Kind::Boolean, value ? 1 : 0); }
    bool number_integer(std::int64_t value) override
    {
        if (value >= -MostInPlace) return put(Kind::Whole, value);
        return number(Kind::Negative, static_cast<std::uint64_t>(value));
    }
    bool number_unsigned(std::uint64_t value) override
    {
        if (value <= MostInPlace) return put(Kind::Whole, static_cast<std::int64_t>(value));
        return number(Kind::Natural, value);
    }
    bool number_float(double value, const std::string& /*text*/) override
    {
        return number(Kind::Real, std::bit_cast<std::uint64_t>(value));
    }
    bool string(std::string& value) override
    {
        const std::size_t first = m_made.m_texts.size();
        m_made.m_texts += value;
        return part(Kind::Text, first, value.size());
    }
    bool key(std::string& key) override { return string(key); }
    bool binary(binary_t& /*value*/) override { return false; } // not in a text
    bool start_object(std::size_t /*elements*/) override { return open(false); }
    bool start_array(std::size_t /*elements*/) override { return open(true); }

    bool end_array() override
    {
        const std::size_t first = m_made.m_values.size();
        const std::size_t count = m_stack.size() - m_open.back().begin;
        for (std::size_t i = 0; i < count; ++i) { // the last one first: so the stack shrinks while the values grow
            m_made.m_values.push_back(m_stack.back());
            m_stack.pop_back();
        }
        m_open.pop_back();
        return part(Kind::List, first, count);
    }

    bool end_object() override
    {
        struct Field
        {
            std::string_view key;
            Value name;
            Value value;
        };
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_open.back().begin);
        std::vector<Field> fields;
        fields.reserve(static_cast<std::size_t>(m_stack.end() - begin) / 2);
        for (auto at = begin; at != m_stack.end(); at += 2)
            fields.push_back({m_made.text(at[0]), at[0], at[1]});
        std::ranges::sort(fields, {}, &Field::key);
        if (const auto twice = std::ranges::adjacent_find(fields, {}, &Field::key); twice != fields.end())
            return refuse(badInput(say("json.key-twice"), placeOf(twice->key)));
        m_stack.erase(begin, m_stack.end());
        m_open.pop_back();
        const std::size_t first = m_made.m_values.size();
        for (const Field& field : fields)
            m_made.m_values.insert(m_made.m_values.end(), {field.name, field.value});
        return part(Kind::Object, first, fields.size());
    }

    bool parse_error(std::size_t byte, const std::string& /*token*/, const nlohmann::json::exception& failure) override
    {
        const std::string what = failure.what();
        const auto detail = what.find("syntax error");
        const bool syntax = detail != std::string::npos;
        Message message = syntax ? say("json.syntax", what.substr(detail))
                                 : say("json.cannot-hold", what.substr(what.find(' ') + 1)); // a number beyond all
        return refuse(badInput(std::move(message), lineAndColumn(m_text, byte)));
    }

    [[nodiscard]] Result<JsonDocument> made()
    {
        if (m_refused) return *m_refused;
        m_made.m_root = m_stack.back();
        return std::move(m_made);
    }

private:
    struct Open
    {
        std::size_t begin = 0; ///< Its first element, or key, on the stack.
        bool list = false;
    };

    bool put(Kind kind, std::int64_t content)
    {
        m_stack.emplace_back(kind, content);
        return true;
    }
    bool number(Kind kind, std::uint64_t bits)
    {
        m_made.m_numbers.push_back(bits);
        return put(kind, static_cast<std::int64_t>(m_made.m_numbers.size()) - 1);
    }
    bool part(Kind kind, std::size_t first, std::size_t count)
    {
        m_made.m_parts.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
        return put(kind, static_cast<std::int64_t>(m_made.m_parts.size()) - 1);
    }
    bool open(bool list)
    {
        if (m_open.size() == MaxDepth)
            return refuse(badInput(say("json.too-deep"), lineAndColumn(m_text, deepBracket(m_text))));
        m_open.push_back({m_stack.size(), list});
        return true;
    }
    bool refuse(Error error)
    {
        m_refused = std::move(error);
        return false;
    }

    /// "nodes[3].op" for a key of the innermost object.
    [[nodiscard]] std::string placeOf(std::string_view key) const
    {
        std::string place;
        for (std::size_t i = 0; i < m_open.size(); ++i) {
            const std::size_t at = i + 1 < m_open.size() ? m_open[i + 1].begin : m_stack.size();
            if (m_open[i].list)
                place += "[" + std::to_string(at - m_open[i].begin) + "]";
            else
                place.append(place.empty() ? "" : ".")
                    .append(i + 1 < m_open.size() ? m_made.text(m_stack[at - 1]) : key);
        }
        return place;
    }

    std::string_view m_text;
    JsonDocument m_made;
    std::deque<Value> m_stack;
    std::vector<Open> m_open; ///< From the outermost bracket inwards.
    std::optional<Error> m_refused;
};

std::size_t JsonDocument::size(Value value) const
{
    return value.kind() == Kind::List || value.kind() == Kind::Object ? part(value).count : 0;
}

JsonDocument::Value JsonDocument::element(Value list, std::size_t index) const
{
    const Part& elements = part(list);
    return m_values[elements.first + (elements.count - 1 - index)];
}

std::string_view JsonDocument::key(Value object, std::size_t index) const
{
    return text(m_values[part(object).first + 2 * index]);
}

JsonDocument::Value JsonDocument::field(Value object, std::size_t index) const
{
    return m_values[part(object).first + 2 * index + 1];
}

std::optional<JsonDocument::Value> JsonDocument::find(Value object, std::string_view key) const
{
    if (object.kind() != Kind::Object) return std::nullopt;
    std::size_t begin = 0;
    std::size_t end = size(object);
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        const auto order = this->key(object, middle) <=> key;
        if (order == 0) return field(object, middle);
        (order < 0 ? begin : end) = order < 0 ? middle + 1 : middle;
    }
    return std::nullopt;
}

std::string_view JsonDocument::text(Value text) const
{
    const Part& bytes = part(text);
    return std::string_view(m_texts).substr(bytes.first, bytes.count);
}

std::optional<std::uint64_t> JsonDocument::natural(Value value) const
{
    if (value.kind() == Kind::Natural) return m_numbers[value.position()];
    if (value.kind() != Kind::Whole || value.content() < 0) return std::nullopt;
    return static_cast<std::uint64_t>(value.content());
}

std::optional<std::int64_t> JsonDocument::whole(Value value) const
{
    if (value.kind() == Kind::Whole) return value.content();
    if (value.kind() == Kind::Negative) return static_cast<std::int64_t>(m_numbers[value.position()]);
    const auto number = natural(value);
    if (!number || !std::in_range<std::int64_t>(*number)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

double JsonDocument::real(Value number) const
{
    if (number.kind() == Kind::Real) return std::bit_cast<double>(m_numbers[number.position()]);
    if (const auto large = natural(number)) return static_cast<double>(*large);
    return static_cast<double>(whole(number).value_or(0));
}

std::string JsonDocument::json(Value value) const
{
    const auto joined = [&](char begin, auto&& element, char end) {
        std::string text(1, begin);
        for (std::size_t i = 0; i < size(value); ++i)
            text.append(i > 0 ? "," : "").append(element(i));
        return text + end;
    };
    switch (value.kind()) {
    case Kind::Null:
        return "null";
    case Kind::Boolean:
        return value.content() != 0 ? "true" : "false";
    case Kind::Whole:
    case Kind::Negative:
        return std::to_string(whole(value).value_or(0));
    case Kind::Natural:
        return std::to_string(natural(value).value_or(0));
    case Kind::Real:
        return nlohmann::json(real(value)).dump();
    case Kind::Text:
        return jsonQuoted(text(value));
    case Kind::List:
        return joined(
            '[', [&](std::size_t i) { return json(element(value, i)); }, ']');
    case Kind::Object:
        break;
    }
    const auto field = [&](std::size_t i) { return jsonQuoted(key(value, i)) + ":" + json(this->field(value, i)); };
    return joined('{', field, '}');
}

Status checkJsonSize(std::string_view text)
{
    if (std::in_range<std::int32_t>(text.size())) return {};
    return badInput(say("json.too-large"));
}

Result<JsonDocument> parseJson(std::string_view text)
{
    PLIMSOLL_TRY(checkJsonSize(text));
    text = withoutByteOrderMark(text);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return badInput(say("json.empty"));
    JsonBuilder builder(text);
    static_cast<void>(nlohmann::json::sax_parse(text, &builder)); // a refusal is what the builder made
    return builder.made();
}

std::string jsonQuoted(std::string_view text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace plimsoll
