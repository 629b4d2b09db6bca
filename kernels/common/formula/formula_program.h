#pragma once

#include "core/ops/derivatives/formula.h"
#include "kernels/common/anywhere.h"
#include "kernels/common/formula/formula_value.h"

#include <cmath>

namespace plimsoll::kernels {

/// What one instruction of a program does: the elementwise functions of formulas (core/ops/derivatives/formula.cpp),
/// and reading.
enum class Operation : std::uint8_t {
    Read,
    Constant,
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Abs,
    Cos,
    Cosh,
    Erf,
    Exp,
    Log,
    Sigmoid,
    Sign,
    Sin,
    Sinh,
    Softplus,
    Sqrt,
    Tan,
    Tanh,
    Trunc,
    Both,
    Equal,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
    Less,
    Power,
    Where,
};
[[nodiscard]] std::optional<Operation> operationNamed(std::string_view name);

/// The value of an operation at one element; operands that it has not are not read. Host and devices compute with it,
/// in the type that they compute in.
template <typename T>
PLIMSOLL_ANYWHERE T applied(Operation operation, T a, T b, T c)
{
    switch (operation) {
    case Operation::Add:
        return a + b;
    case Operation::Subtract:
        return a - b;
    case Operation::Multiply:
        return a * b;
    case Operation::Divide:
        return a / b;
    case Operation::Negate:
        return -a;
    case Operation::Abs:
        return std::fabs(a);
    case Operation::Cos:
        return std::cos(a);
    case Operation::Cosh:
        return std::cosh(a);
    case Operation::Erf:
        return std::erf(a);
    case Operation::Exp:
        return std::exp(a);
    case Operation::Log:
        return std::log(a);
    case Operation::Sigmoid:
        return a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a));
    case Operation::Sign:
        return static_cast<T>((a > 0) - (a < 0));
    case Operation::Sin:
        return std::sin(a);
    case Operation::Sinh:
        return std::sinh(a);
    case Operation::Softplus:
        return (a > 0 ? a : 0) + std::log1p(std::exp(-std::fabs(a)));
    case Operation::Sqrt:
        return std::sqrt(a);
    case Operation::Tan:
        return std::tan(a);
    case Operation::Tanh:
        return std::tanh(a);
    case Operation::Trunc:
        return std::trunc(a);
    case Operation::Both:
        return a != 0 && b != 0 ? 1 : 0;
    case Operation::Equal:
        return a == b ? 1 : 0;
    case Operation::GreaterOrEqual:
        return a >= b ? 1 : 0;
    case Operation::Greater:
        return a > b ? 1 : 0;
    case Operation::LessOrEqual:
        return a <= b ? 1 : 0;
    case Operation::Less:
        return a < b ? 1 : 0;
    case Operation::Power:
        return std::pow(a, b);
    case Operation::Where:
        return a != 0 ? b : c;
    default: // Read and Constant have no operands
        return a;
    }
}

/// The elementwise part of a formula: what is computed of each element, before anything is written.
///
///     -g * self / (other * other)        read g, negate 0, read self, multiply 1 2, read other, multiply 4 4, divide 3
///     5
struct FormulaProgram
{
    struct Instruction
    {
        Operation operation = Operation::Read;
        std::size_t a = 0; ///< Earlier instructions; of Read the operand.
        std::size_t b = 0;
        std::size_t c = 0;
        double constant = 0;
        friend bool operator==(const Instruction&, const Instruction&) = default;
    };
    std::vector<Instruction> code;
    std::vector<FormulaValue> operands;
    std::vector<std::string> names; ///< By operand; empty for what has none.
    Shape shape;                    ///< That the operands broadcast to.

    /// The instruction's position; what is computed already is not computed again.
    std::size_t append(const Instruction& wanted);
    /// Reads \p value, once where it has a name. Empty where its shape does not meet the others.
    [[nodiscard]] std::optional<std::size_t> read(const FormulaValue& value, const std::string& name = {});
};

} // namespace plimsoll::kernels
