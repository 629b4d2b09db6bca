#pragma once

#include "core/formats/bad_input.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::fx {

struct Keyword;

[[nodiscard]] inline bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The part of Python that PyTorch's graph printer writes: calls, literals, lists, subscripts and operators.
struct Expression
{
    enum class Kind : std::uint8_t {
        None,
        Boolean,
        Integer,
        Real,
        Text,
        Name, ///< "relu", "torch.float32", "self.weight"
        List, ///< Tuples too.
        Dict, ///< Keys and values in turn.
        Call,
        Index,     ///< items[0][items[1]]
        Slice,     ///< items[0]:items[1]:items[2]
        Operation, ///< One operand or two.
    };
    Kind kind = Kind::None;
    std::string text; ///< Text, Name; what a Call calls (".view" of items[0] if that is no name); the Operation's sign.
    std::int64_t integer = 0; ///< Integer, Boolean.
    double real = 0;
    std::vector<Expression> items; ///< Elements, operands or positional arguments.
    std::vector<Keyword> keywords;
    std::string comment; ///< What stands behind an element of a list on its line.

    [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
};

struct Keyword
{
    std::string name;
    Expression value;
};

[[nodiscard]] Expression makeExpression(Expression::Kind kind, std::string text = {},
                                        std::same_as<Expression> auto... items)
{
    Expression made;
    made.kind = kind;
    made.text = std::move(text);
    (made.items.push_back(std::move(items)), ...);
    return made;
}
[[nodiscard]] Expression makeInteger(std::int64_t number);

/// As Python would write it, for attributes and messages.
[[nodiscard]] std::string render(const Expression& expression);

/// Reads a statement from its beginning to its end. Lines of the text are counted on from \p line for errors.
class Scanner
{
public:
    Scanner(std::string_view text, std::size_t line) : m_text(text), m_line(line) {}

    [[nodiscard]] bool atEnd();             ///< Behind white space and comments.
    [[nodiscard]] char peek();              ///< The next character, '\0' at the end.
    [[nodiscard]] std::size_t line();       ///< Of the next character.
    bool take(std::string_view sign);       ///< Skips \p sign if it stands here.
    bool takeWord(std::string_view word);   ///< The same of a whole word.
    [[nodiscard]] std::string identifier(); ///< Empty if there is none.
    /// A type as it is printed: a text in quotes, or everything up to one of \p ends outside of brackets.
    [[nodiscard]] Result<std::string> annotation(std::string_view ends);
    [[nodiscard]] Result<Expression> expression();
    /// An expression, or several with commas between, which are a List.
    [[nodiscard]] Result<Expression> expressions();
    [[nodiscard]] std::string takeComment(); ///< The last one that was skipped, without "# ".
    [[nodiscard]] Error error(Message message);

    [[nodiscard]] std::size_t position() const { return m_at; }
    void goTo(std::size_t position) { m_at = position; } ///< Back to where it was.

private:
    void skip();
    Result<Expression> operation(int strength);
    Result<Expression> operand();
    Result<Expression> primary();
    Result<Expression> number();
    Result<Expression> quoted();
    Result<Expression> list(char close);
    Result<Expression> dict();
    Result<Expression> subscript();
    Status arguments(Expression& call);

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_line;
    int m_depth = 0;
    std::string m_comment;
};

} // namespace plimsoll::fx
