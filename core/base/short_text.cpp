#include "core/base/short_text.h"

#include "core/base/bytes.h"

#include <algorithm>

namespace plimsoll {
namespace {

bool isInside(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

} // namespace

std::string shortMiddle(std::string_view text, std::size_t most)
{
    if (text.size() <= most) return std::string(text);
    std::size_t begin = most / 2;
    std::size_t end = text.size() - most / 2;
    while (begin > 0 && isInside(text[begin]))
        --begin;
    while (end < text.size() && isInside(text[end]))
        ++end;
    return std::string(text.substr(0, begin)) + "…(" + formatCount(static_cast<std::int64_t>(end - begin)) +
           " bytes)…" + std::string(text.substr(end));
}

std::string shortWords(std::string_view text, std::size_t most)
{
    std::string out;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t blank = std::min(text.find_first_of(" \n", from), text.size() - 1);
        const std::string_view word = text.substr(from, blank + 1 - from);
        const bool ended = word.back() == ' ' || word.back() == '\n';
        out += word.size() > most + 1 ? shortMiddle(word.substr(0, word.size() - (ended ? 1 : 0)), most) : word;
        if (word.size() > most + 1 && ended) out += word.back();
        from = blank + 1;
    }
    return out;
}

} // namespace plimsoll
