#include "core/formats/hlo/hlo_scanner.h"
#include "core/formats/bad_input.h"

#include <algorithm>
#include <charconv>

namespace plimsoll::hlo {
namespace {

constexpr std::string_view Blanks = " \t\r\n";

bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
}

bool opens(char c)
{
    return c == '{' || c == '(' || c == '[';
}

bool closes(char c)
{
    return c == '}' || c == ')' || c == ']';
}

} // namespace

void Scanner::skipBlank()
{
    do {
        m_at = std::min(m_text.find_first_not_of(Blanks, m_at), m_text.size());
    } while (skipComment());
}

bool Scanner::skipComment()
{
    const std::string_view rest = m_text.substr(m_at);
    if (!rest.starts_with("//") && !rest.starts_with("/*")) return false;
    const bool line = rest[1] == '/';
    const std::size_t end = line ? rest.find('\n') : rest.find("*/", 2);
    m_at = end == std::string_view::npos ? m_text.size() : m_at + end + (line ? 1 : 2);
    return true;
}

bool Scanner::skipString()
{
    for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at) {
        if (m_text[m_at] == '\\') ++m_at;
    }
    const bool ended = m_at < m_text.size();
    m_at = std::min(m_at + 1, m_text.size());
    return ended;
}

bool Scanner::atEnd()
{
    skipBlank();
    return m_at == m_text.size();
}

std::int64_t Scanner::line()
{
    const std::string_view passed = m_text.substr(m_counted, m_at - m_counted);
    m_line += std::count(passed.begin(), passed.end(), '\n');
    m_counted = m_at;
    return m_line;
}

Error Scanner::error(Message message)
{
    skipBlank();
    return badInput(std::move(message), "line " + std::to_string(line()));
}

char Scanner::peek()
{
    skipBlank();
    return m_at < m_text.size() ? m_text[m_at] : '\0';
}

bool Scanner::layoutFollows() const
{
    const std::string_view rest = m_text.substr(m_at, 2);
    return rest.size() == 2 && rest[0] == '{' &&
           (rest[1] == '}' || rest[1] == ':' || (rest[1] >= '0' && rest[1] <= '9'));
}

bool Scanner::accept(char c)
{
    if (peek() != c || m_at == m_text.size()) return false;
    ++m_at;
    return true;
}

bool Scanner::accept(std::string_view wanted)
{
    skipBlank();
    const std::string_view rest = m_text.substr(m_at);
    if (!rest.starts_with(wanted) || (rest.size() > wanted.size() && isWord(rest[wanted.size()]))) return false;
    m_at += wanted.size();
    return true;
}

std::string_view Scanner::word()
{
    skipBlank();
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && isWord(m_text[m_at]))
        ++m_at;
    return m_text.substr(begin, m_at - begin);
}

Result<std::string_view> Scanner::name(std::string_view none)
{
    accept('%');
    const std::string_view found = word();
    if (found.empty()) return error(say(none));
    return found;
}

Result<std::string_view> Scanner::bracketed()
{
    skipBlank();
    const std::size_t begin = m_at;
    const std::int64_t first = line();
    for (std::size_t depth = 0; m_at < m_text.size();) {
        const char c = m_text[m_at];
        if (c == '"' ? skipString() : skipComment()) continue;
        if (m_at == m_text.size()) break;
        ++m_at;
        depth += opens(c) ? 1 : 0;
        if (closes(c) && --depth == 0) return m_text.substr(begin, m_at - begin);
    }
    return badInput(say("hlo.not-closed"), "line " + std::to_string(first));
}

Result<std::string_view> Scanner::value()
{
    skipBlank();
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && Blanks.find(m_text[m_at]) == std::string_view::npos) {
        const char c = m_text[m_at];
        if (c == ',' || closes(c)) break;
        if (opens(c)) {
            PLIMSOLL_TRY(bracketed());
        } else if (c == '"') {
            if (!skipString()) return error(say("hlo.string-not-closed"));
        } else {
            ++m_at;
        }
    }
    return m_text.substr(begin, m_at - begin);
}

std::optional<std::int64_t> Scanner::integer()
{
    skipBlank();
    std::int64_t number = 0;
    const char* begin = m_text.data() + m_at;
    const auto [end, trouble] = std::from_chars(begin, m_text.data() + m_text.size(), number);
    if (trouble != std::errc()) return std::nullopt;
    m_at += static_cast<std::size_t>(end - begin);
    return number;
}

std::string_view trimmed(std::string_view text)
{
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(Blanks), text.size()));
        if (!text.starts_with("/*")) break;
        const std::size_t end = text.find("*/", 2);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    }
    return text.substr(0, text.find_last_not_of(Blanks) + 1);
}

std::vector<std::string_view> splitList(std::string_view text)
{
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') quoted = !quoted;
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            continue;
        }
        depth += opens(c) ? 1 : 0;
        depth -= closes(c) && depth > 0 ? 1 : 0;
        if (c != ',' || depth > 0) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    const std::string_view last = trimmed(text.substr(std::min(begin, text.size())));
    if (!last.empty() || !parts.empty()) parts.push_back(last);
    return parts;
}

std::string_view inner(std::string_view text)
{
    return text.size() < 2 ? std::string_view() : text.substr(1, text.size() - 2);
}

} // namespace plimsoll::hlo
