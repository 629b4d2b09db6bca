#pragma once

#include "core/formats/bad_input.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace plimsoll {

/// Whether a text is of a size that parseJson() takes: what is parsed needs many times its bytes.
[[nodiscard]] Status checkJsonSize(std::string_view text);

/// Parses text of a file: syntax errors say line and column. Refused are brackets nested more than 200 deep, and an
/// object that has a key twice: which of the two is meant is not known.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text);

/// A JSON value with its place in the file, "nodes[3].inputs"; reads fields with errors that say where.
class JsonPlace
{
public:
    JsonPlace(const nlohmann::json& value, std::string path) : m_value(&value), m_path(std::move(path)) {}

    [[nodiscard]] const nlohmann::json& value() const { return *m_value; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] Error error(Message message) const;

    [[nodiscard]] Status expectObject() const;
    [[nodiscard]] bool has(const char* key) const;     ///< Present and not null.
    [[nodiscard]] JsonPlace at(const char* key) const; ///< The field must be there.
    [[nodiscard]] JsonPlace at(std::size_t index) const;

    [[nodiscard]] Result<std::string> text() const;
    [[nodiscard]] Result<std::int64_t> integer() const;
    [[nodiscard]] Result<bool> boolean() const;
    [[nodiscard]] Result<double> number() const; ///< "nan", "inf" and "-inf" too.

    [[nodiscard]] Result<JsonPlace> required(const char* key) const;
    [[nodiscard]] Result<std::string> requiredText(const char* key) const;
    [[nodiscard]] Result<std::int64_t> requiredInteger(const char* key) const;
    [[nodiscard]] Result<std::string> textOr(const char* key, std::string fallback) const;
    [[nodiscard]] Result<std::int64_t> integerOr(const char* key, std::int64_t fallback) const;
    [[nodiscard]] Result<bool> booleanOr(const char* key, bool fallback) const;

    /// Calls \p onElement, which returns a Status, with each element of the array \p key; an absent one is empty.
    template <typename OnElement>
    [[nodiscard]] Status forEach(const char* key, OnElement&& onElement) const
    {
        if (!has(key)) return {};
        const JsonPlace list = at(key);
        if (!list.value().is_array()) return list.error(say("pt2.list-expected"));
        for (std::size_t i = 0; i < list.value().size(); ++i)
            PLIMSOLL_TRY(onElement(list.at(i)));
        return {};
    }

    /// Calls \p onField, which returns a Status, with the key and place of each field of the object \p key; an absent
    /// one is empty.
    template <typename OnField>
    [[nodiscard]] Status forEachField(const char* key, OnField&& onField) const
    {
        if (!has(key)) return {};
        const JsonPlace object = at(key);
        PLIMSOLL_TRY(object.expectObject());
        for (const auto& [name, field] : object.value().items())
            PLIMSOLL_TRY(onField(name, JsonPlace(field, object.path() + "." + name)));
        return {};
    }

    /// Appends what \p read makes of each element of the array \p key to \p list.
    template <typename Element, typename Read>
    [[nodiscard]] Status readList(const char* key, std::vector<Element>& list, Read&& read) const
    {
        return forEach(key, [&](const JsonPlace& element) -> Status {
            PLIMSOLL_SET(list.emplace_back(), std::invoke(read, element));
            return {};
        });
    }

    /// The fields that are not among \p known, as a JSON object; empty when there are none.
    [[nodiscard]] std::string unknownFields(std::initializer_list<std::string_view> known) const;
    /// Adds their places to \p places: "arenas[0].algnment".
    void listUnknown(std::initializer_list<std::string_view> known, std::vector<std::string>& places) const;

private:
    const nlohmann::json* m_value;
    std::string m_path;
};

} // namespace plimsoll
