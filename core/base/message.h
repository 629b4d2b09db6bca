#pragma once

#include "core/base/interval.h"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plimsoll {

struct Argument;

/// Of a message that is its own text: what libraries, files and records say.
inline constexpr std::string_view TextId = "text";

/// What is said, as data: which sentence, and what it names. A table of templates by id makes text of it
/// (core/facts/english); nothing reads that text.
struct Message
{
    std::string_view id; ///< Of a literal: "overlap". Empty: nothing is said.
    std::vector<Argument> arguments;

    Message() = default;
    /// What comes from elsewhere as text: from libraries, files, records.
    explicit Message(std::string text);

    [[nodiscard]] bool empty() const { return id.empty(); }
    [[nodiscard]] bool operator==(const Message& other) const;
};

/// What makes text of messages for a file: a front end's choice.
using Wording = std::string (*)(const Message& message);

/// Something that would help. Each front end names it in its own way: an option here, a field there.
struct Remedy
{
    enum class Kind : std::uint8_t {
        Policy,  ///< "saved=exact", as part of a sentence.
        Toggle,  ///< "-p saved=exact", to be typed or clicked.
        Option,  ///< "--max-stored a=…"
        Command, ///< "explain", "run --mode fingerprint"
    };
    Kind kind = Kind::Policy;
    std::string what;  ///< "saved", "max-stored", "explain"
    std::string value; ///< "exact", "a=…"; may be empty.

    [[nodiscard]] static Remedy policy(std::string id, std::string value)
    {
        return {Kind::Policy, std::move(id), std::move(value)};
    }
    [[nodiscard]] static Remedy toggle(std::string id, std::string value)
    {
        return {Kind::Toggle, std::move(id), std::move(value)};
    }
    [[nodiscard]] static Remedy option(std::string name, std::string value = {})
    {
        return {Kind::Option, std::move(name), std::move(value)};
    }
    [[nodiscard]] static Remedy command(std::string text) { return {Kind::Command, std::move(text), {}}; }

    friend bool operator==(const Remedy&, const Remedy&) = default;
};

/// Kinds of arguments that have no type of their own elsewhere.
namespace word {

/// Of a value, a node, a file: shown in quotes.
struct Name
{
    std::string text;
    friend bool operator==(const Name&, const Name&) = default;
};

/// That is no amount: a step, an arena, a version. Shown without separators.
struct Number
{
    std::int64_t value;
    explicit Number(std::integral auto number) : value(static_cast<std::int64_t>(number)) {}
    friend bool operator==(Number, Number) = default;
};

/// A size, rounded: "1.5 MiB". Exact ones are counts.
struct Size
{
    std::int64_t bytes = 0;
    friend bool operator==(Size, Size) = default;
};

struct List
{
    enum class Joint : std::uint8_t {
        Comma,     ///< "a, b, c"; "a, b and 4 more"
        Semicolon, ///< "a; b; c"; "a; b; and 4 more"
        And,       ///< "a, b and c"
        Or,        ///< "a, b or c"
    };
    std::vector<Argument> items;
    std::size_t more = 0; ///< That are not among \c items.
    Joint joint = Joint::Comma;
    [[nodiscard]] bool operator==(const List& other) const;
};

} // namespace word

/// What a sentence names. Plain text is what no language changes: a type, an operator, a version.
struct Argument
{
    std::variant<std::string, std::int64_t, word::Name, word::Number, word::Size, Interval, Remedy, word::List, Message>
        value;

    Argument(std::string text) : value(std::move(text)) {}
    Argument(std::string_view text) : value(std::string(text)) {}
    Argument(const char* text) : value(std::string(text)) {}
    Argument(std::integral auto count) : value(static_cast<std::int64_t>(count)) {} ///< An amount: "1,234".
    Argument(word::Name name) : value(std::move(name)) {}
    Argument(word::Number number) : value(number) {}
    Argument(word::Size size) : value(size) {}
    Argument(word::List list) : value(std::move(list)) {}
    Argument(Interval interval) : value(interval) {}
    Argument(Remedy remedy) : value(std::move(remedy)) {}
    Argument(Message part) : value(std::move(part)) {} ///< A clause; an empty one is left out.

    friend bool operator==(const Argument&, const Argument&) = default;
};

inline bool word::List::operator==(const List& other) const
{
    return more == other.more && joint == other.joint && items == other.items;
}

inline bool Message::operator==(const Message& other) const
{
    return id == other.id && arguments == other.arguments;
}

/// The sentence \p id, a literal, about \p arguments.
template <typename... T>
[[nodiscard]] Message say(std::string_view id, T&&... arguments)
{
    Message message;
    message.id = id;
    message.arguments.reserve(sizeof...(arguments));
    (message.arguments.emplace_back(std::forward<T>(arguments)), ...);
    return message;
}

/// One sentence behind another; either may be empty.
[[nodiscard]] inline Message together(Message first, Message second)
{
    if (first.empty()) return second;
    return second.empty() ? first : say("sentences", std::move(first), std::move(second));
}

inline Message::Message(std::string text)
{
    if (text.empty()) return;
    id = TextId;
    arguments.emplace_back(std::move(text));
}

/// The first \p most of them, and how many more there are.
template <typename Items, typename ToArgument>
[[nodiscard]] word::List listOf(const Items& items, ToArgument toArgument, std::size_t most = 3)
{
    word::List list;
    for (const auto& item : items) {
        if (list.items.size() < most)
            list.items.emplace_back(toArgument(item));
        else
            ++list.more;
    }
    return list;
}

/// All of them: "a, b and c".
template <typename Items, typename ToArgument>
[[nodiscard]] word::List allOf(const Items& items, ToArgument toArgument,
                               word::List::Joint joint = word::List::Joint::And)
{
    word::List list {.joint = joint};
    for (const auto& item : items)
        list.items.emplace_back(toArgument(item));
    return list;
}

[[nodiscard]] inline word::List namesOf(const std::vector<std::string>& names, std::size_t most = 3)
{
    return listOf(
        names, [](const std::string& name) { return word::Name {name}; }, most);
}

} // namespace plimsoll
