#include "core/formats/snapshot/plain_json.h"

#include "core/base/bytes.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <unordered_map>

namespace plimsoll {
namespace {

using Item = PlainData::Item;
using Kind = PlainData::Kind;

constexpr std::size_t MostOpen = 200; ///< Brackets in one another.

/// Told of a text piece by piece; nlohmann's names for the pieces.
class Builder
{
public:
    using Json = nlohmann::json;

    bool null() { return add(m_made.data.none()); }
    bool boolean(bool value) { return add(m_made.data.boolean(value)); }
    bool number_integer(Json::number_integer_t value) { return add(m_made.data.integer(value)); }
    bool number_unsigned(Json::number_unsigned_t value)
    {
        constexpr auto Most = static_cast<Json::number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        return add(value > Most ? m_made.data.wide() : m_made.data.integer(static_cast<std::int64_t>(value)));
    }
    bool number_float(Json::number_float_t value, const Json::string_t& /*text*/)
    {
        return add(m_made.data.real(value));
    }
    bool string(Json::string_t& value) { return add(text(value)); }
    bool binary(Json::binary_t& /*value*/) { return false; } // JSON texts have none
    bool key(Json::string_t& value) { return add(text(value)); }
    bool start_object(std::size_t /*size*/) { return open(Kind::Dict); }
    bool start_array(std::size_t /*size*/) { return open(Kind::List); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    template <typename Exception>
    bool parse_error(std::size_t position, const std::string& /*token*/, const Exception& /*reason*/)
    {
        m_error = badInput(say("json.malformed"), "byte " + std::to_string(position));
        return false;
    }

    Result<PickledData> take() &&
    {
        if (m_error) return *m_error;
        return std::move(m_made);
    }

private:
    struct Open
    {
        Item container;
        std::vector<Item> items;
    };

    Item text(const std::string& value)
    {
        const auto found = m_texts.find(value);
        if (found != m_texts.end()) return found->second;
        const std::string_view kept = m_made.data.keep(value);
        return m_texts.emplace(kept, m_made.data.text(kept)).first->second;
    }

    bool add(Item item)
    {
        if (m_open.empty()) {
            m_made.root = item;
        } else {
            m_open.back().items.push_back(item);
        }
        return true;
    }

    bool open(Kind kind)
    {
        if (m_open.size() >= MostOpen) {
            m_error = badInput(say("json.too-deep"));
            return false;
        }
        m_open.push_back({m_made.data.container(kind), {}});
        return true;
    }

    bool close()
    {
        const Open done = std::move(m_open.back());
        m_open.pop_back();
        m_made.data.append(done.container, done.items);
        return add(done.container);
    }

    PickledData m_made;
    std::vector<Open> m_open;
    std::unordered_map<std::string_view, Item> m_texts;
    std::optional<Error> m_error;
};

} // namespace

Result<PickledData> readPlainJson(std::string_view text)
{
    Builder builder;
    nlohmann::json::sax_parse(text, &builder);
    return std::move(builder).take();
}

} // namespace plimsoll
