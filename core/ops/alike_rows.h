#pragma once

#include "core/ops/op_schema.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plimsoll::ops {

/// Words with blanks between them, as an argument of a template. They are not searched by std::string_view::find(),
/// which is no constant there for g++ 12 with -fsanitize=undefined.
template <std::size_t Size>
struct Words
{
    char text[Size] {};

    consteval Words(const char (&from)[Size]) { std::copy_n(from, Size, text); } // NOLINT(google-explicit-constructor)
    [[nodiscard]] constexpr std::size_t count() const { return std::ranges::count(text, ' ') + std::size_t {1}; }
    [[nodiscard]] constexpr std::string_view at(std::size_t index) const
    {
        const char* begin = text;
        for (; index > 0; --index)
            begin = std::find(begin, text + Size, ' ') + 1;
        return {begin, std::find(begin, text + Size - 1, ' ')};
    }
};

/// Rows that differ in their names only, and in those of their counterparts: alike<"sin=Sin cos=Cos log2">(unary).
template <Words Names>
consteval auto alike(const OpSchema& row)
{
    const auto named = [&row](std::string_view name) {
        OpSchema copy = row;
        copy.op = {name.begin(), std::ranges::find(name, '=')};
        if (copy.op != name) copy.counterpart.op = name.substr(copy.op.size() + 1);
        return copy;
    };
    return [&]<std::size_t... Index>(std::index_sequence<Index...>)
    {
        return std::array {named(Names.at(Index))...};
    }
    (std::make_index_sequence<Names.count()>());
}

/// All of them in one array.
template <std::size_t... Counts>
consteval auto joined(const std::array<OpSchema, Counts>&... parts)
{
    std::array<const OpSchema*, (Counts + ...)> all {};
    std::size_t next = 0;
    const auto append = [&](const auto& part) {
        for (const OpSchema& row : part)
            all[next++] = &row;
    };
    (append(parts), ...);
    return [&]<std::size_t... Index>(std::index_sequence<Index...>)
    {
        return std::array {*all[Index]...};
    }
    (std::make_index_sequence<all.size()>());
}

} // namespace plimsoll::ops
