#pragma once

#include "core/formats/files/json_document.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// A JSON value with its place in the file, "nodes[3].inputs"; reads fields with errors that say where.
class JsonPlace
{
public:
    /// The document's root, as long as the document is there.
    JsonPlace(const JsonDocument& document, std::string path) : JsonPlace(document, document.root(), std::move(path)) {}

    [[nodiscard]] bool isNull() const { return m_value.kind() == Kind::Null; }
    [[nodiscard]] bool isBoolean() const { return m_value.kind() == Kind::Boolean; }
    [[nodiscard]] bool isWhole() const { return m_value.kind() >= Kind::Whole && m_value.kind() <= Kind::Natural; }
    [[nodiscard]] bool isNumber() const { return isWhole() || m_value.kind() == Kind::Real; }
    [[nodiscard]] bool isText() const { return m_value.kind() == Kind::Text; }
    [[nodiscard]] bool isList() const { return m_value.kind() == Kind::List; }
    [[nodiscard]] bool isObject() const { return m_value.kind() == Kind::Object; }

    [[nodiscard]] std::size_t size() const { return m_document->size(m_value); } ///< Elements or fields, else 0.
    [[nodiscard]] std::string_view word() const; ///< The text; empty if it is something else.
    [[nodiscard]] std::string json() const { return m_document->json(m_value); }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] Error error(Message message) const;

    [[nodiscard]] Status expectObject() const;
    [[nodiscard]] bool has(const char* key) const;     ///< Present and not null.
    [[nodiscard]] JsonPlace at(const char* key) const; ///< The field must be there.
    [[nodiscard]] JsonPlace at(std::size_t index) const;
    [[nodiscard]] std::string_view keyAt(std::size_t index) const; ///< Of an object.

    [[nodiscard]] Result<std::string> text() const;
    [[nodiscard]] Result<std::int64_t> integer() const;
    /// A whole number that is not negative, of 64 bits.
    [[nodiscard]] std::optional<std::uint64_t> natural() const { return m_document->natural(m_value); }
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
        return list.forEachElement(onElement);
    }
    /// Whether \p is holds for each element of this list; they have no places there.
    template <typename Is>
    [[nodiscard]] bool allElements(Is&& is) const
    {
        std::size_t count = 0;
        while (count < size() && std::invoke(is, JsonPlace(*m_document, m_document->element(m_value, count), {})))
            ++count;
        return count == size();
    }
    /// forEach() of this very list; an error where it is none.
    template <typename OnElement>
    [[nodiscard]] Status forEachElement(OnElement&& onElement) const
    {
        if (!isList()) return error(say("pt2.list-expected"));
        for (std::size_t i = 0; i < size(); ++i)
            PLIMSOLL_TRY(onElement(at(i)));
        return {};
    }

    /// Calls \p onField, which returns a Status, with the key and place of each field of the object \p key; an absent
    /// one is empty.
    template <typename OnField>
    [[nodiscard]] Status forEachField(const char* key, OnField&& onField) const
    {
        if (!has(key)) return {};
        return at(key).forEachField(onField);
    }
    /// forEachField() of this very object; an error where it is none.
    template <typename OnField>
    [[nodiscard]] Status forEachField(OnField&& onField) const
    {
        PLIMSOLL_TRY(expectObject());
        for (std::size_t i = 0; i < size(); ++i) {
            const std::string name(keyAt(i));
            PLIMSOLL_TRY(onField(name, field(m_document->field(m_value, i), name)));
        }
        return {};
    }

    /// Appends what \p read makes of each element of the array \p key to \p list.
    template <typename List, typename Read>
    [[nodiscard]] Status readList(const char* key, List& list, Read&& read) const
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
    using Kind = JsonDocument::Kind;

    JsonPlace(const JsonDocument& document, JsonDocument::Value value, std::string path)
        : m_document(&document), m_value(value), m_path(std::move(path))
    {
    }
    [[nodiscard]] JsonPlace field(JsonDocument::Value value, std::string_view key) const;

    const JsonDocument* m_document;
    JsonDocument::Value m_value;
    std::string m_path;
};

} // namespace plimsoll
