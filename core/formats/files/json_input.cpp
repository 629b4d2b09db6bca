#include "core/formats/files/json_input.h"

#include "core/formats/files/utf8.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace plimsoll {
namespace {

constexpr int MaxDepth = 200;

std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto lineBegin = before.rfind('\n');
    const std::size_t column = before.size() - (lineBegin == std::string_view::npos ? 0 : lineBegin + 1) + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

/// What can be said of a text before it is parsed.
struct Outline
{
    /// The byte at which brackets are nested too deep: parsing such a text takes memory out of proportion.
    std::optional<std::size_t> tooDeep;
    std::size_t keys = 0;       ///< Colons outside of texts; each key has one.
    std::size_t containers = 0; ///< Lists and objects.
    std::size_t elements = 0;   ///< Of all of them, at most.

    /// About what the parsed text takes in nlohmann::json, in bytes: an object is a tree of its keys.
    [[nodiscard]] std::size_t memory() const { return 64 * containers + 32 * elements + 112 * keys; }
};

/// So many times its size a text may take once it is parsed, and RoomForAny beside: real files take up to 15 times.
constexpr std::size_t MostMemory = 24;
constexpr std::size_t RoomForAny = std::size_t {64} << 20; // bytes

Outline outlineOf(std::string_view text)
{
    Outline outline;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
            continue;
        }
        if (c == '"') quoted = true;
        if (c == ':') ++outline.keys;
        if (c == ',') ++outline.elements;
        if (c == '[' || c == '{') {
            ++depth;
            ++outline.containers;
            ++outline.elements;
        }
        if (c == ']' || c == '}') --depth;
        if (depth <= MaxDepth) continue;
        outline.tooDeep = i + 1;
        break;
    }
    return outline;
}

/// Finds the first key that an object has twice.
class RepeatedKey final : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return element(); }
    bool boolean(bool /*value*/) override { return element(); }
    bool number_integer(std::int64_t /*value*/) override { return element(); }
    bool number_unsigned(std::uint64_t /*value*/) override { return element(); }
    bool number_float(double /*value*/, const std::string& /*text*/) override { return element(); }
    bool string(std::string& /*value*/) override { return element(); }
    bool binary(binary_t& /*value*/) override { return element(); }
    bool start_object(std::size_t /*elements*/) override { return opened(false); }
    bool start_array(std::size_t /*elements*/) override { return opened(true); }
    bool end_object() override { return closed(); }
    bool end_array() override { return closed(); }
    bool key(std::string& key) override
    {
        m_open.back().key = key;
        return m_open.back().keys.insert(key).second;
    }
    bool parse_error(std::size_t /*byte*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override
    {
        return false;
    }

    /// Where it stopped: "nodes[3].op".
    [[nodiscard]] std::string place() const
    {
        std::string text;
        for (const Open& open : m_open) {
            if (open.list)
                text += "[" + std::to_string(open.elements - 1) + "]";
            else
                text += (text.empty() ? "" : ".") + open.key;
        }
        return text;
    }

private:
    struct Open
    {
        bool list = false;
        std::size_t elements = 0; ///< That have begun.
        std::string key {};
        std::set<std::string> keys {};
    };

    bool element()
    {
        if (!m_open.empty()) ++m_open.back().elements;
        return true;
    }
    bool opened(bool list)
    {
        element();
        m_open.push_back({list});
        return true;
    }
    bool closed()
    {
        m_open.pop_back();
        return true;
    }

    std::vector<Open> m_open; ///< From the outermost bracket inwards.
};

std::size_t keysIn(const nlohmann::json& value)
{
    std::size_t keys = value.is_object() ? value.size() : 0;
    if (!value.is_structured()) return 0;
    for (const nlohmann::json& element : value)
        keys += keysIn(element);
    return keys;
}

std::string_view kindName(const nlohmann::json& value)
{
    if (value.is_null()) return "null";
    if (value.is_boolean()) return "true or false";
    if (value.is_number()) return "a number";
    if (value.is_string()) return "a text";
    return value.is_array() ? "a list ([…])" : "an object";
}

} // namespace

Status checkJsonSize(std::string_view text)
{
    if (std::in_range<std::int32_t>(text.size())) return {};
    return badInput(say("json.too-large"));
}

Result<nlohmann::json> parseJson(std::string_view text)
{
    PLIMSOLL_TRY(checkJsonSize(text));
    text = withoutByteOrderMark(text);
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return badInput(say("json.empty"));
    const Outline outline = outlineOf(text);
    if (outline.tooDeep) return badInput(say("json.too-deep"), lineAndColumn(text, *outline.tooDeep));
    if (outline.memory() > MostMemory * text.size() + RoomForAny)
        return badInput(say("json.too-fine", outline.containers, outline.elements, text.size(), MostMemory),
                        "top level");
    try {
        nlohmann::json json = nlohmann::json::parse(text);
        if (keysIn(json) == outline.keys) return json;
        RepeatedKey repeated; // the parser kept the last of its values
        static_cast<void>(nlohmann::json::sax_parse(text, &repeated));
        return badInput(say("json.key-twice"), repeated.place());
    } catch (const nlohmann::json::parse_error& failure) {
        const std::string what = failure.what();
        const auto detail = what.find("syntax error");
        return badInput(say("json.syntax", (detail == std::string::npos ? what : what.substr(detail))),
                        lineAndColumn(text, failure.byte));
    } catch (const nlohmann::json::exception& failure) { // a number that does not fit a double
        return badInput(say("json.cannot-hold", failure.what()));
    }
}

Error JsonPlace::error(Message message) const
{
    return badInput(std::move(message), m_path);
}

Status JsonPlace::expectObject() const
{
    if (m_value->is_object()) return {};
    if (m_path.empty()) return badInput(say("json.top-level", kindName(*m_value)), "top level");
    return error(say("json.object-expected", kindName(*m_value)));
}

bool JsonPlace::has(const char* key) const
{
    const auto found = m_value->find(key);
    return found != m_value->end() && !found->is_null();
}

JsonPlace JsonPlace::at(const char* key) const
{
    return {*m_value->find(key), m_path.empty() ? key : m_path + "." + key};
}

JsonPlace JsonPlace::at(std::size_t index) const
{
    return {(*m_value)[index], m_path + "[" + std::to_string(index) + "]"};
}

Result<std::string> JsonPlace::text() const
{
    if (!m_value->is_string()) return error(say("json.text-expected"));
    return m_value->get<std::string>();
}

Result<std::int64_t> JsonPlace::integer() const
{
    if (!m_value->is_number_integer()) return error(say("snapshot.no-whole-number"));
    const bool tooLarge =
        m_value->is_number_unsigned() &&
        m_value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (tooLarge) return error(say("json.number-too-large"));
    return m_value->get<std::int64_t>();
}

Result<bool> JsonPlace::boolean() const
{
    if (!m_value->is_boolean()) return error(say("json.bool-expected"));
    return m_value->get<bool>();
}

Result<double> JsonPlace::number() const
{
    if (m_value->is_number()) return m_value->get<double>();
    const std::string word = m_value->is_string() ? m_value->get<std::string>() : std::string();
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    return error(say("json.number-expected"));
}

Result<JsonPlace> JsonPlace::required(const char* key) const
{
    if (!has(key)) return error(say("json.key-missing", key));
    return at(key);
}

Result<std::string> JsonPlace::requiredText(const char* key) const
{
    PLIMSOLL_ASSIGN(field, required(key));
    return field.text();
}

Result<std::int64_t> JsonPlace::requiredInteger(const char* key) const
{
    PLIMSOLL_ASSIGN(field, required(key));
    return field.integer();
}

Result<std::string> JsonPlace::textOr(const char* key, std::string fallback) const
{
    if (!has(key)) return fallback;
    return at(key).text();
}

Result<std::int64_t> JsonPlace::integerOr(const char* key, std::int64_t fallback) const
{
    if (!has(key)) return fallback;
    return at(key).integer();
}

Result<bool> JsonPlace::booleanOr(const char* key, bool fallback) const
{
    if (!has(key)) return fallback;
    return at(key).boolean();
}

std::string JsonPlace::unknownFields(std::initializer_list<std::string_view> known) const
{
    nlohmann::json extra = nlohmann::json::object();
    for (const auto& [key, field] : m_value->items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) extra[key] = field;
    }
    return extra.empty() ? std::string() : extra.dump();
}

void JsonPlace::listUnknown(std::initializer_list<std::string_view> known, std::vector<std::string>& places) const
{
    for (const auto& [key, field] : m_value->items()) {
        if (std::find(known.begin(), known.end(), key) == known.end()) places.push_back(at(key.c_str()).path());
    }
}

} // namespace plimsoll
