#pragma once

#include "core/ops/derivatives/formula.h"
#include "kernels/kernel.h"

#include <span>

namespace plimsoll::kernels {

/// A dense tensor of numbers while a formula is being evaluated. Its shape may be one that broadcasts to the meant one.
struct Numbers
{
    Shape shape;
    std::vector<double> data;

    [[nodiscard]] static Numbers ofScalar(double number) { return {{}, {number}}; }
    [[nodiscard]] static Numbers zeros(Shape shape);
};

/// What the names of a formula mean at one node.
class FormulaScope
{
public:
    FormulaScope(KernelCall& call, std::vector<std::string> names, std::string variable);

    [[nodiscard]] KernelCall& call() const { return m_call; }
    [[nodiscard]] const std::string& variable() const { return m_variable; }
    /// The input of that name, or nullptr.
    [[nodiscard]] const TensorView* input(std::string_view name) const;
    /// Its numbers. A gradient that never came is 0, another absent tensor is not a number.
    [[nodiscard]] Numbers value(std::string_view name) const;
    /// The shape of an argument, an output ("g" too) or the variable, as the graph says.
    [[nodiscard]] Shape sizes(std::string_view name) const;
    [[nodiscard]] Shape target() const { return sizes(m_variable); }
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

private:
    KernelCall& m_call;
    std::vector<std::string> m_names; ///< By input of the node.
    std::string m_variable;           ///< Whose gradient it is.
};

/// The value of a formula, before it is brought to the shape of an output.
[[nodiscard]] Result<Numbers> evaluateFormula(const Formula& formula, const FormulaScope& scope);

/// The same brought to \p shape: repeated where it has 1, summed where \p shape has 1.
[[nodiscard]] Result<Numbers> evaluateInto(const Formula& formula, const FormulaScope& scope, const Shape& shape);

/// The numbers with every dimension written out.
[[nodiscard]] Numbers expandedTo(const Numbers& numbers, const Shape& shape);
/// Sums over the dimensions in which \p shape has 1 or which it lacks.
[[nodiscard]] Numbers summedTo(const Numbers& numbers, const Shape& shape);

/// A function of whole tensors.
using TensorFunction = Result<Numbers> (*)(const FormulaScope&, std::span<const Numbers> arguments);
struct TensorFunctionEntry
{
    std::string_view name;
    TensorFunction run = nullptr;
};
[[nodiscard]] std::span<const TensorFunctionEntry> shapeFormulaFunctions();
[[nodiscard]] std::span<const TensorFunctionEntry> layerFormulaFunctions();
[[nodiscard]] TensorFunction findTensorFunction(std::string_view name);

/// A function of elements; unused operands are 0.
using ElementFunction = double (*)(double a, double b, double c);
[[nodiscard]] ElementFunction findElementFunction(std::string_view name);

} // namespace plimsoll::kernels
