#pragma once

#include "kernels/common/formula/formula_steps.h"
#include "kernels/common/inner_call.h"

namespace plimsoll::kernels {

/// What the names of a formula mean at one node, and the backend that computes it.
class FormulaScope
{
public:
    FormulaScope(KernelCall& call, const FormulaSteps& steps, std::vector<std::string> names, std::string variable)
        : m_call(call), m_steps(steps), m_names(std::move(names)), m_variable(std::move(variable))
    {
    }
    [[nodiscard]] KernelCall& call() const { return m_call; }
    [[nodiscard]] const FormulaSteps& steps() const { return m_steps; }
    [[nodiscard]] const std::string& variable() const { return m_variable; }
    /// The position of the input of that name.
    [[nodiscard]] std::optional<std::size_t> position(std::string_view name) const;
    /// The input of that name, or nullptr.
    [[nodiscard]] const TensorView* input(std::string_view name) const;
    /// A gradient that never came is 0, another absent tensor is not a number.
    [[nodiscard]] Result<FormulaValue> value(std::string_view name) const;
    /// The shape of an argument, an output ("g" too) or the variable, as the graph says.
    [[nodiscard]] Shape sizes(std::string_view name) const;
    [[nodiscard]] Shape target() const { return sizes(m_variable); }

    /// In the type that is computed in, with every element of \p shape written out.
    [[nodiscard]] Result<FormulaValue> written(const FormulaValue& value, const Shape& shape) const;
    /// Summed over the dimensions in which \p shape has 1 or which it lacks.
    [[nodiscard]] Result<FormulaValue> summed(const FormulaValue& value, const Shape& shape) const;

private:
    KernelCall& m_call;
    const FormulaSteps& m_steps;
    std::vector<std::string> m_names; ///< By input of the node.
    std::string m_variable;           ///< Whose gradient it is.
};

/// The value of a formula, before it is brought to the shape of an output. Into \p out where that is given and the
/// value has its shape.
[[nodiscard]] Result<FormulaValue> evaluateFormula(const Formula& formula, const FormulaScope& scope,
                                                   const TensorView* out = nullptr);

/// The forward node of a backward one, as far as it tells: its inputs, with \p variable for the one whose gradient it
/// is.
[[nodiscard]] InnerCall forwardCall(const FormulaScope& scope, const RuntimeValue& variable);
/// The same with all but the variable on the host: settings, which are constants.
[[nodiscard]] Result<InnerCall> forwardSettings(const FormulaScope& scope);

} // namespace plimsoll::kernels
