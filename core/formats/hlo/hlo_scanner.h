#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace plimsoll::hlo {

/// Walks over the text of a program. Blanks and comments stand between any two words.
class Scanner
{
public:
    /// \p line: the number of the first line, for errors.
    explicit Scanner(std::string_view text, std::int64_t line = 1) : m_text(text), m_line(line) {}

    [[nodiscard]] bool atEnd(); ///< Nothing but blanks and comments is left.
    [[nodiscard]] std::int64_t line();
    [[nodiscard]] Error error(Message message);

    [[nodiscard]] char peek(); ///< The next character behind blanks; 0 at the end.
    /// Whether a layout begins right here, "{1,0}", and not the body of a computation.
    [[nodiscard]] bool layoutFollows() const;
    bool accept(char c);
    bool accept(std::string_view word);    ///< Whole words only: "ROOT", not the front of "ROOTS".
    [[nodiscard]] std::string_view word(); ///< Letters, digits, '_', '.', '-'; empty where none stands here.
    /// A name with or without '%', or an Error that says \p none.
    [[nodiscard]] Result<std::string_view> name(std::string_view none);
    /// From an opening bracket to its closing one, both included.
    [[nodiscard]] Result<std::string_view> bracketed();
    /// What stands behind "key=": a string, a bracket, or a word, several of them where no blank is between.
    [[nodiscard]] Result<std::string_view> value();
    [[nodiscard]] std::optional<std::int64_t> integer(); ///< Nothing: none here, or it does not fit.

private:
    void skipBlank();
    [[nodiscard]] bool skipComment();
    [[nodiscard]] bool skipString(); ///< False: it does not end.

    std::string_view m_text;
    std::size_t m_at = 0;
    std::int64_t m_line;
    std::size_t m_counted = 0; ///< Up to here lines were counted.
};

/// The parts between commas that stand in no bracket and no string, without blanks and comments around them.
[[nodiscard]] std::vector<std::string_view> splitList(std::string_view text);
[[nodiscard]] std::string_view trimmed(std::string_view text); ///< The same for one part.
/// What is inside of brackets or quotes: "{a}" is "a".
[[nodiscard]] std::string_view inner(std::string_view text);

} // namespace plimsoll::hlo
