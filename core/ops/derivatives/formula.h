#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

/// One gradient as an expression over the arguments and outputs of an operator, and the incoming gradient g:
///
///     g * other            -g * self / (other * other)            result * (g - along(g * result))
///
/// It says at once how a gradient is computed and what it needs: a name is a tensor that has to be kept, unless it only
/// stands in a function that reads metadata (count) or is held for its shape (held).
struct Formula
{
    enum class Kind { Number, Name, Call };
    struct Term
    {
        Kind kind = Kind::Number;
        std::string text; ///< Name, or the function: "+", "neg", "matmul".
        double number = 0;
        std::vector<std::size_t> arguments {}; ///< Indexes of earlier terms.
    };
    std::string text;        ///< As it was written.
    std::vector<Term> terms; ///< Arguments before the calls that use them; the last one is the whole.

    [[nodiscard]] const Term& root() const { return terms.back(); }
    /// The bare name \p name and nothing else.
    [[nodiscard]] bool isName(std::string_view name) const;
    [[nodiscard]] bool isZero() const { return terms.size() == 1 && root().kind == Kind::Number && root().number == 0; }
};

enum class FunctionKind {
    Elementwise, ///< Element by element, broadcasting.
    Tensor,      ///< Of whole tensors.
    Metadata,    ///< Reads sizes only: its argument is not kept.
    Held,        ///< Its argument is kept although only its shape is read.
    Setting,     ///< attr(name, default): a number of the node, no tensor.
};

/// A function of the language; kernels have one implementation for each.
struct FormulaFunction
{
    std::string_view name;
    std::size_t least = 1; ///< Arguments.
    std::size_t most = 1;
    FunctionKind kind = FunctionKind::Elementwise;
};
[[nodiscard]] std::span<const FormulaFunction> formulaFunctions();
[[nodiscard]] const FormulaFunction* findFormulaFunction(std::string_view name);

/// Errors say what was expected at which column.
[[nodiscard]] Result<Formula> parseFormula(std::string_view text);

/// One place where a formula names something.
struct Mention
{
    enum class Kind {
        Value,    ///< The numbers are read.
        Held,     ///< Kept, but only the shape is read.
        Metadata, ///< Only sizes are read: nothing is kept.
    };
    std::string name;
    Kind kind = Kind::Value;
};
[[nodiscard]] std::vector<Mention> mentionsOf(const Formula& formula);

/// What formulas call the gradient of an output: "g", "g1", "g2", …
[[nodiscard]] std::string gradientName(std::size_t output);
[[nodiscard]] bool isGradientName(std::string_view name);

} // namespace plimsoll
