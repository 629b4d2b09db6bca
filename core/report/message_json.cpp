#include "core/report/message_json.h"

#include "core/facts/english/english.h"
#include "core/plan/implementation.h"

#include <nlohmann/json.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr int MostNested = 32; ///< Messages in messages: more than a sentence has.

/// Values of an enumeration, and what they are called in the file.
template <typename Enum, std::size_t Count>
using EnumNames = std::array<std::pair<std::string_view, Enum>, Count>;

constexpr EnumNames<Remedy::Kind, 4> RemedyKinds = {{{"policy", Remedy::Kind::Policy},
                                                     {"toggle", Remedy::Kind::Toggle},
                                                     {"option", Remedy::Kind::Option},
                                                     {"command", Remedy::Kind::Command}}};
constexpr EnumNames<word::List::Joint, 4> Joints = {{{"comma", word::List::Joint::Comma},
                                                     {"semicolon", word::List::Joint::Semicolon},
                                                     {"and", word::List::Joint::And},
                                                     {"or", word::List::Joint::Or}}};
constexpr EnumNames<ErrorCode, 5> Codes = {{{"bad-input", ErrorCode::BadInput},
                                            {"bad-usage", ErrorCode::BadUsage},
                                            {"unsupported", ErrorCode::Unsupported},
                                            {"stopped", ErrorCode::Stopped},
                                            {"internal", ErrorCode::Internal}}};

template <typename Enum, std::size_t Count>
std::string_view nameOf(const EnumNames<Enum, Count>& names, Enum value)
{
    for (const auto& [name, one] : names)
        if (one == value) return name;
    return {};
}

template <typename Enum, std::size_t Count>
std::optional<Enum> named(const EnumNames<Enum, Count>& names, std::string_view text)
{
    for (const auto& [name, one] : names)
        if (name == text) return one;
    return std::nullopt;
}

Json argumentJson(const Argument& argument)
{
    struct Write
    {
        Json operator()(const std::string& text) const { return text; }
        Json operator()(std::int64_t count) const { return count; }
        Json operator()(const word::Name& name) const { return {{"name", name.text}}; }
        Json operator()(word::Number number) const { return {{"number", number.value}}; }
        Json operator()(word::Size size) const { return {{"bytes", size.bytes}}; }
        Json operator()(Interval range) const { return {{"range", {range.begin, range.end}}}; }
        Json operator()(const Remedy& remedy) const
        {
            return {{std::string(nameOf(RemedyKinds, remedy.kind)), remedy.what}, {"value", remedy.value}};
        }
        Json operator()(const word::List& list) const
        {
            Json items = Json::array();
            for (const Argument& item : list.items)
                items.push_back(argumentJson(item));
            return {{"list", std::move(items)}, {"more", list.more}, {"joint", nameOf(Joints, list.joint)}};
        }
        Json operator()(const Message& message) const { return messageJson(message); }
    };
    return std::visit(Write {}, argument.value);
}

std::optional<Message> readMessage(const Json& json, int depth);

std::optional<Argument> readArgument(const Json& json, int depth)
{
    if (json.is_string()) return Argument(json.get<std::string>());
    if (json.is_number_integer()) return Argument(json.get<std::int64_t>());
    if (!json.is_object() || depth > MostNested) return std::nullopt;
    if (json.contains("id")) {
        auto part = readMessage(json, depth + 1);
        return part ? std::optional(Argument(*std::move(part))) : std::nullopt;
    }
    if (json.contains("name")) return Argument(word::Name {json.value("name", "")});
    if (json.contains("number")) return Argument(word::Number {json.value("number", std::int64_t {0})});
    if (json.contains("bytes")) return Argument(word::Size {json.value("bytes", std::int64_t {0})});
    if (const auto range = json.find("range"); range != json.end())
        return Argument(Interval {range->at(0).get<std::int64_t>(), range->at(1).get<std::int64_t>()});
    for (const auto& [key, kind] : RemedyKinds) {
        if (const auto what = json.find(key); what != json.end())
            return Argument(Remedy {kind, what->get<std::string>(), json.value("value", "")});
    }
    const auto items = json.find("list");
    if (items == json.end()) return std::nullopt;
    const auto joint = named(Joints, json.value("joint", ""));
    if (!joint) return std::nullopt;
    word::List list {{}, json.value("more", std::size_t {0}), *joint};
    for (const Json& item : *items) {
        auto argument = readArgument(item, depth + 1);
        if (!argument) return std::nullopt;
        list.items.push_back(*std::move(argument));
    }
    return Argument(std::move(list));
}

std::optional<Message> readMessage(const Json& json, int depth)
{
    Message message;
    const std::string id = json.value("id", "");
    if (id.empty()) return message; // nothing is said
    message.id = knownId(id);
    if (message.id.empty()) return std::nullopt;
    for (const Json& one : json.value("arguments", Json::array())) {
        auto argument = readArgument(one, depth);
        if (!argument) return std::nullopt;
        message.arguments.push_back(*std::move(argument));
    }
    return message;
}

} // namespace

Json messageJson(const Message& message)
{
    Json arguments = Json::array();
    for (const Argument& argument : message.arguments)
        arguments.push_back(argumentJson(argument));
    return {{"id", message.id}, {"arguments", std::move(arguments)}};
}

Json messageJson(const std::vector<Message>& messages)
{
    Json array = Json::array();
    for (const Message& one : messages)
        array.push_back(messageJson(one));
    return array;
}

std::optional<Message> readMessage(const Json& json)
{
    try {
        return json.is_object() ? readMessage(json, 0) : std::nullopt;
    } catch (const Json::exception&) {
        return std::nullopt; // a member of another kind
    }
}

std::string messageText(const Message& message)
{
    if (message.empty()) return {};
    const auto* text = message.id == TextId ? std::get_if<std::string>(&message.arguments.front().value) : nullptr;
    if (text && !text->starts_with('{')) return *text;
    return messageJson(message).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Message readMessageText(const std::string& text)
{
    if (text.starts_with('{')) {
        if (auto message = readMessage(Json::parse(text, nullptr, false))) return *std::move(message);
    }
    return Message(text);
}

void readMessageTexts(Catalogue& catalogue)
{
    for (auto* messages : {&catalogue.environment, &catalogue.absent})
        for (auto& [name, message] : *messages)
            message = readMessageText(english(message));
}

Json errorJson(const Error& error)
{
    return {{"code", nameOf(Codes, error.code)},
            {"message", messageJson(error.message)},
            {"where", error.where},
            {"file", error.file}};
}

std::optional<Error> readError(const Json& json)
{
    try {
        const auto code = named(Codes, json.value("code", ""));
        auto message = readMessage(json.value("message", Json()));
        if (!code || !message) return std::nullopt;
        return Error {*code, *std::move(message), json.value("where", ""), json.value("file", "")};
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

} // namespace plimsoll
