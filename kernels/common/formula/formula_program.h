#pragma once

#include "core/ops/derivatives/formula.h"
#include "kernels/common/anywhere.h"
#include "kernels/common/formula/formula_value.h"

#include <cmath>

namespace plimsoll::kernels {

// clang-format off
/// The elementwise functions of formulas (core/ops/derivatives/formula.cpp): operation, name, and the value at one
/// element of the operands a, b and c, of type T.
#define PLIMSOLL_FORMULA_OPERATIONS(operation) \
    operation(Add, "+", a + b) \
    operation(Subtract, "-", a - b) \
    operation(Multiply, "*", a * b) \
    operation(Divide, "/", a / b) \
    operation(Negate, "neg", -a) \
    operation(Abs, "abs", std::fabs(a)) \
    operation(Cos, "cos", std::cos(a)) \
    operation(Cosh, "cosh", std::cosh(a)) \
    operation(Erf, "erf", std::erf(a)) \
    operation(Exp, "exp", std::exp(a)) \
    operation(Log, "log", std::log(a)) \
    operation(Sigmoid, "sigmoid", a >= 0 ? 1 / (1 + std::exp(-a)) : std::exp(a) / (1 + std::exp(a))) \
    operation(Sign, "sign", static_cast<T>((a > 0) - (a < 0))) \
    operation(Sin, "sin", std::sin(a)) \
    operation(Sinh, "sinh", std::sinh(a)) \
    operation(Softplus, "softplus", (a > 0 ? a : 0) + std::log1p(std::exp(-std::fabs(a)))) \
    operation(Sqrt, "sqrt", std::sqrt(a)) \
    operation(Tan, "tan", std::tan(a)) \
    operation(Tanh, "tanh", std::tanh(a)) \
    operation(Trunc, "trunc", std::trunc(a)) \
    operation(Both, "both", a != 0 && b != 0 ? 1 : 0) \
    operation(Equal, "eq", a == b ? 1 : 0) \
    operation(GreaterOrEqual, "ge", a >= b ? 1 : 0) \
    operation(Greater, "gt", a > b ? 1 : 0) \
    operation(LessOrEqual, "le", a <= b ? 1 : 0) \
    operation(Less, "lt", a < b ? 1 : 0) \
    operation(Power, "pow", std::pow(a, b)) \
    operation(Where, "where", a != 0 ? b : c)
// clang-format on

/// What one instruction of a program does: an operation, or reading.
enum class Operation : std::uint8_t {
    Read,
    Constant,
#define PLIMSOLL_OPERATION(operation, name, value) operation,
    PLIMSOLL_FORMULA_OPERATIONS(PLIMSOLL_OPERATION)
#undef PLIMSOLL_OPERATION
};
[[nodiscard]] std::optional<Operation> operationNamed(std::string_view name);

/// The value of an operation at one element; operands that it has not are not read. Host and devices compute with it,
/// in the type that they compute in.
template <typename T>
PLIMSOLL_ANYWHERE T applied(Operation operation, T a, T b, T c)
{
    switch (operation) {
#define PLIMSOLL_APPLY(operation, name, value)                                                                         \
    case Operation::operation:                                                                                         \
        return value;
        PLIMSOLL_FORMULA_OPERATIONS(PLIMSOLL_APPLY)
#undef PLIMSOLL_APPLY
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
