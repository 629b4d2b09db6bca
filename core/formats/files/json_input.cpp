#include "core/formats/files/json_input.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace plimsoll {
namespace {

std::string_view kindName(const JsonPlace& place)
{
    if (place.isNull()) return "null";
    if (place.isBoolean()) return "true or false";
    if (place.isNumber()) return "a number";
    if (place.isText()) return "a text";
    return place.isList() ? "a list ([…])" : "an object";
}

} // namespace

Error JsonPlace::error(Message message) const
{
    return badInput(std::move(message), m_path);
}

Status JsonPlace::expectObject() const
{
    if (isObject()) return {};
    if (m_path.empty()) return badInput(say("json.top-level", kindName(*this)), "top level");
    return error(say("json.object-expected", kindName(*this)));
}

bool JsonPlace::has(const char* key) const
{
    const auto found = m_document->find(m_value, key);
    return found && found->kind() != Kind::Null;
}

JsonPlace JsonPlace::at(const char* key) const
{
    return field(m_document->find(m_value, key).value(), key);
}

JsonPlace JsonPlace::at(std::size_t index) const
{
    return {*m_document, m_document->element(m_value, index), m_path + "[" + std::to_string(index) + "]"};
}

std::string_view JsonPlace::keyAt(std::size_t index) const
{
    return m_document->key(m_value, index);
}

JsonPlace JsonPlace::field(JsonDocument::Value value, std::string_view key) const
{
    std::string path = m_path;
    return {*m_document, value, path.append(path.empty() ? "" : ".").append(key)};
}

std::string_view JsonPlace::word() const
{
    return isText() ? m_document->text(m_value) : std::string_view();
}

Result<std::string> JsonPlace::text() const
{
    if (!isText()) return error(say("json.text-expected"));
    return std::string(word());
}

Result<std::int64_t> JsonPlace::integer() const
{
    if (!isWhole()) return error(say("snapshot.no-whole-number"));
    const auto number = m_document->whole(m_value);
    if (!number) return error(say("json.number-too-large"));
    return *number;
}

Result<bool> JsonPlace::boolean() const
{
    if (!isBoolean()) return error(say("json.bool-expected"));
    return m_value.content() != 0;
}

Result<double> JsonPlace::number() const
{
    if (isNumber()) return m_document->real(m_value);
    if (word() == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (word() == "inf") return std::numeric_limits<double>::infinity();
    if (word() == "-inf") return -std::numeric_limits<double>::infinity();
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
    std::string extra;
    for (std::size_t i = 0; i < (isObject() ? size() : 0); ++i) {
        if (std::ranges::find(known, keyAt(i)) != known.end()) continue;
        extra +=
            (extra.empty() ? "{" : ",") + jsonQuoted(keyAt(i)) + ":" + m_document->json(m_document->field(m_value, i));
    }
    return extra.empty() ? extra : extra + "}";
}

void JsonPlace::listUnknown(std::initializer_list<std::string_view> known, std::vector<std::string>& places) const
{
    for (std::size_t i = 0; i < (isObject() ? size() : 0); ++i) {
        if (std::ranges::find(known, keyAt(i)) == known.end())
            places.push_back(field(m_document->field(m_value, i), keyAt(i)).path());
    }
}

} // namespace plimsoll
