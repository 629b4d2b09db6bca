#pragma once

#include <cstddef>
#include <set>
#include <string_view>

namespace plimsoll {

/// Where the text in quotes ends that begins at \p begin, behind the quote: at the closing one, or behind all.
[[nodiscard]] inline std::size_t endOfQuoted(std::string_view text, std::size_t begin)
{
    std::size_t i = begin;
    while (i < text.size() && text[i] != '"')
        i += text[i] == '\\' ? 2 : 1;
    return i;
}

/// Words in quotes at depth 1 of a JSON object, values among them; of a head of one, those that end within it.
[[nodiscard]] inline std::set<std::string_view> topWords(std::string_view text)
{
    std::set<std::string_view> words;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '{' || c == '[') ++depth;
        if (c == '}' || c == ']') --depth;
        if (c != '"') continue;
        const std::size_t begin = i + 1;
        i = endOfQuoted(text, begin);
        if (depth == 1 && i < text.size()) words.insert(text.substr(begin, i - begin));
    }
    return words;
}

} // namespace plimsoll
