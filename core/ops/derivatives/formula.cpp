#include "core/ops/derivatives/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace plimsoll {
namespace {

using enum FunctionKind;

constexpr std::array Functions = {
    FormulaFunction {"+", 2, 2, Elementwise},
    FormulaFunction {"-", 2, 2, Elementwise},
    FormulaFunction {"*", 2, 2, Elementwise},
    FormulaFunction {"/", 2, 2, Elementwise},
    FormulaFunction {"neg", 1, 1, Elementwise},
    FormulaFunction {"abs", 1, 1, Elementwise},
    FormulaFunction {"cos", 1, 1, Elementwise},
    FormulaFunction {"cosh", 1, 1, Elementwise},
    FormulaFunction {"erf", 1, 1, Elementwise},
    FormulaFunction {"exp", 1, 1, Elementwise},
    FormulaFunction {"log", 1, 1, Elementwise},
    FormulaFunction {"sigmoid", 1, 1, Elementwise},
    FormulaFunction {"sign", 1, 1, Elementwise},
    FormulaFunction {"sin", 1, 1, Elementwise},
    FormulaFunction {"sinh", 1, 1, Elementwise},
    FormulaFunction {"softplus", 1, 1, Elementwise},
    FormulaFunction {"sqrt", 1, 1, Elementwise},
    FormulaFunction {"tan", 1, 1, Elementwise},
    FormulaFunction {"tanh", 1, 1, Elementwise},
    FormulaFunction {"trunc", 1, 1, Elementwise},
    FormulaFunction {"both", 2, 2, Elementwise}, ///< 1 where neither is 0, else 0; so do the comparisons.
    FormulaFunction {"eq", 2, 2, Elementwise},
    FormulaFunction {"ge", 2, 2, Elementwise},
    FormulaFunction {"gt", 2, 2, Elementwise},
    FormulaFunction {"le", 2, 2, Elementwise},
    FormulaFunction {"lt", 2, 2, Elementwise},
    FormulaFunction {"pow", 2, 2, Elementwise},
    FormulaFunction {"where", 3, 3, Elementwise},
    FormulaFunction {"with", 2, 2, Elementwise}, ///< The first; the second is only mentioned.
    FormulaFunction {"attr", 2, 2, Setting},
    FormulaFunction {"count", 1, 1, Metadata}, ///< Number of elements.
    FormulaFunction {"held", 1, 1, Held},
    FormulaFunction {"along", 1, 1, Tensor},     ///< Sum along the axis of the node, which stays with size 1.
    FormulaFunction {"expand", 1, 1, Tensor},    ///< Of a reduced shape: puts the reduced axes back, with size 1.
    FormulaFunction {"reduce", 1, 1, Tensor},    ///< Sum along the reduced axes, which stay with size 1.
    FormulaFunction {"reshape", 1, 1, Tensor},   ///< To the shape of the variable.
    FormulaFunction {"batch_sum", 1, 1, Tensor}, ///< Over the first axis, which goes.
    FormulaFunction {"sum_axes", 1, 1, Tensor},  ///< Over the axes of the node, which go.
    FormulaFunction {"column", 1, 1, Tensor},    ///< [n] → [n, 1]
    FormulaFunction {"matmul", 2, 2, Tensor},
    FormulaFunction {"matmul_left", 2, 2, Tensor},  ///< Of any ranks: from g and the right factor.
    FormulaFunction {"matmul_right", 2, 2, Tensor}, ///< From the left factor and g.
    FormulaFunction {"transpose", 1, 1, Tensor},    ///< Of the last two axes.
    FormulaFunction {"turned", 2, 2, Tensor},       ///< The same where the second argument is not 0.
    FormulaFunction {"cross", 2, 2, Tensor},
    FormulaFunction {"pick", 2, 2, Tensor}, ///< Slices along the node's axis at indices.
    FormulaFunction {"pick_elements", 2, 2, Tensor},
    FormulaFunction {"cumsum_back", 2, 2, Tensor},
    /// Of an operator that only moves elements: each part of the gradients of its outputs goes back where the operator
    /// takes the element from. Further arguments are the settings that this depends on.
    FormulaFunction {"moved_back", 1, 5, Tensor},
    FormulaFunction {"resized_back", 1, 4, Tensor}, ///< To the places that each was made of; settings as above.
    // Where a variable has fewer numbers than there are channels, each is of a group of neighbouring ones.
    FormulaFunction {"channels", 1, 1, Tensor},    ///< Sum over all axes but the second.
    FormulaFunction {"per_channel", 1, 1, Tensor}, ///< [C] → [C, 1, …] so that it meets the second axis.
    FormulaFunction {"conv_input", 2, 2, Tensor},
    FormulaFunction {"conv_weight", 2, 2, Tensor},
    FormulaFunction {"conv_transpose_input", 2, 2, Tensor},
    FormulaFunction {"conv_transpose_weight", 2, 2, Tensor},
    FormulaFunction {"average_pool_back", 1, 1, Tensor},
    FormulaFunction {"max_pool_back", 2, 2, Tensor},
    // (x - mean) / deviation, and the way back from the gradient at that and x.
    FormulaFunction {"normalized_rows", 1, 1, Tensor},
    FormulaFunction {"normalized_rows_back", 2, 2, Tensor},
    FormulaFunction {"normalized_batch", 1, 1, Tensor},
    FormulaFunction {"normalized_batch_back", 2, 2, Tensor},
    FormulaFunction {"normalized_instances", 1, 1, Tensor},
    FormulaFunction {"normalized_instances_back", 2, 2, Tensor},
    FormulaFunction {"normalized_groups", 1, 1, Tensor},
    FormulaFunction {"normalized_groups_back", 2, 2, Tensor},
    FormulaFunction {"scaled_rows", 1, 1, Tensor}, ///< x / root mean square.
    FormulaFunction {"scaled_rows_back", 2, 2, Tensor},
    FormulaFunction {"cross_entropy_back", 3, 4, Tensor},
    FormulaFunction {"nll_back", 2, 3, Tensor},
};

constexpr int DeepestNesting = 100;
constexpr std::size_t LongestText = 2000; ///< Characters; a chain of terms is as deep as it is long.

class Parser
{
public:
    explicit Parser(std::string_view text) : m_text(text) {}

    Result<Formula> run()
    {
        m_formula.text = std::string(m_text);
        PLIMSOLL_ASSIGN(root, sum());
        skipBlanks();
        if (m_at < m_text.size()) return expected(say("formula.end"));
        static_cast<void>(root);
        return std::move(m_formula);
    }

private:
    using Index = Result<std::size_t>;

    Index sum() { return chain("+-", &Parser::product); }
    Index product() { return chain("*/", &Parser::factor); }

    Index chain(std::string_view operators, Index (Parser::*operand)())
    {
        PLIMSOLL_ASSIGN(left, (this->*operand)());
        for (;;) {
            skipBlanks();
            if (m_at >= m_text.size() || operators.find(m_text[m_at]) == std::string_view::npos) return left;
            const std::string function(1, m_text[m_at++]);
            PLIMSOLL_ASSIGN(right, (this->*operand)());
            left = add({Formula::Kind::Call, function, 0, {left, right}});
        }
    }

    Index factor()
    {
        skipBlanks();
        if (++m_depth > DeepestNesting) return expected(say("formula.parentheses"));
        Index result = m_at < m_text.size() ? atom() : Index(expected(say("formula.operand")));
        --m_depth;
        return result;
    }

    Index atom()
    {
        const char first = m_text[m_at];
        if (first == '-') {
            ++m_at;
            PLIMSOLL_ASSIGN(of, factor());
            return add({Formula::Kind::Call, "neg", 0, {of}});
        }
        if (first == '(') {
            ++m_at;
            PLIMSOLL_ASSIGN(inside, sum());
            if (!take(')')) return expected("')'");
            return inside;
        }
        if (std::isdigit(static_cast<unsigned char>(first)) || first == '.') return number();
        if (std::isalpha(static_cast<unsigned char>(first)) || first == '_') return nameOrCall();
        return expected(say("formula.operand"));
    }

    Index number()
    {
        double value = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (code != std::errc {}) return expected(say("formula.number"));
        m_at += static_cast<std::size_t>(end - begin);
        return add({Formula::Kind::Number, std::string(begin, end), value});
    }

    Index nameOrCall()
    {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        std::string name(m_text.substr(begin, m_at - begin));
        if (!take('(')) return add({Formula::Kind::Name, std::move(name), 0});
        const FormulaFunction* function = findFormulaFunction(name);
        if (!function) return refuse(begin, say("formula.no-function", word::Name {name}));
        std::vector<std::size_t> arguments;
        do {
            PLIMSOLL_ASSIGN(argument, sum());
            arguments.push_back(argument);
        } while (take(','));
        if (!take(')')) return expected(say("formula.comma"));
        if (arguments.size() < function->least || arguments.size() > function->most)
            return refuse(begin, say("formula.arguments", word::Name {name}, word::Number {arguments.size()}));
        return add({Formula::Kind::Call, std::move(name), 0, std::move(arguments)});
    }

    std::size_t add(Formula::Term term)
    {
        m_formula.terms.push_back(std::move(term));
        return m_formula.terms.size() - 1;
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }

    bool take(char wanted)
    {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != wanted) return false;
        ++m_at;
        return true;
    }

    [[nodiscard]] Error expected(Argument what) const { return refuse(m_at, say("formula.expected", std::move(what))); }
    [[nodiscard]] Error refuse(std::size_t at, Message why) const
    {
        return {ErrorCode::BadInput,
                say("derivatives.column", word::Name {std::string(m_text)}, word::Number {at + 1}, std::move(why)),
                {},
                {}};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    Formula m_formula;
};

void collect(const Formula& formula, std::size_t index, Mention::Kind kind, std::vector<Mention>& mentions)
{
    const Formula::Term& term = formula.terms[index];
    if (term.kind == Formula::Kind::Name) mentions.push_back({term.text, kind});
    if (term.kind != Formula::Kind::Call) return;
    const FunctionKind function = findFormulaFunction(term.text)->kind;
    if (function == Setting) return;
    if (function == Metadata) kind = Mention::Kind::Metadata;
    if (function == Held && kind == Mention::Kind::Value) kind = Mention::Kind::Held;
    for (const std::size_t argument : term.arguments)
        collect(formula, argument, kind, mentions);
}

} // namespace

bool Formula::isName(std::string_view name) const
{
    return terms.size() == 1 && root().kind == Kind::Name && root().text == name;
}

std::span<const FormulaFunction> formulaFunctions()
{
    return Functions;
}

const FormulaFunction* findFormulaFunction(std::string_view name)
{
    const auto* found =
        std::ranges::find_if(Functions, [name](const FormulaFunction& function) { return function.name == name; });
    return found == Functions.end() ? nullptr : found;
}

Result<Formula> parseFormula(std::string_view text)
{
    if (text.size() > LongestText)
        return Error {ErrorCode::BadInput, say("derivatives.too-long", word::Number {LongestText}), {}, {}};
    return Parser(text).run();
}

std::vector<Mention> mentionsOf(const Formula& formula)
{
    std::vector<Mention> mentions;
    collect(formula, formula.terms.size() - 1, Mention::Kind::Value, mentions);
    return mentions;
}

std::string gradientName(std::size_t output)
{
    return output == 0 ? "g" : "g" + std::to_string(output);
}

bool isGradientName(std::string_view name)
{
    return name.starts_with('g') && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

} // namespace plimsoll
