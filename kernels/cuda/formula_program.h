#pragma once

#include "core/ops/derivatives/formula.h"
#include "kernels/cuda/cuda_walk.h"
#include "kernels/cuda/number.h"

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {

/// What one instruction of a program does; elementwise functions of formulas (core/ops/derivatives/formula.cpp), and
/// reading.
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

/// The elementwise part of a formula, carried out by every thread for its elements: results stay in registers or the
/// first cache, and only the last is written.
///
///     -g * self / (other * other)        read g, negate 0, read self, multiply 1 2, read other, multiply 4 4, divide 3
///     5
struct Program
{
    static constexpr int MaxInstructions = 32;
    static constexpr int MaxOperands = 6;

    struct Instruction
    {
        Operation operation;
        std::uint8_t a; ///< Earlier instructions; of Read the operand.
        std::uint8_t b;
        std::uint8_t c;
        float constant;
    };
    struct Operand
    {
        const void* data;
        DType dtype; ///< float32, int64, int32 or bool.
    };
    int instructions = 0;
    int operands = 0;
    Instruction code[MaxInstructions];
    Operand from[MaxOperands];
    Walk<MaxOperands> walk;

    PLIMSOLL_DEVICE float run(std::int64_t i) const
    {
        const Offsets<MaxOperands> at = walk.at(i);
        float made[MaxInstructions];
        for (int k = 0; k < instructions; ++k) {
            const Instruction& step = code[k];
            made[k] = step.operation == Operation::Read       ? readOperand(from[step.a], at[step.a])
                      : step.operation == Operation::Constant ? step.constant
                                                              : applied(step, made);
        }
        return made[instructions - 1];
    }

private:
    PLIMSOLL_DEVICE static float readOperand(const Operand& operand, std::int64_t i)
    {
        switch (operand.dtype) {
        case DType::Int64:
            return static_cast<float>(static_cast<const std::int64_t*>(operand.data)[i]);
        case DType::Int32:
            return static_cast<float>(static_cast<const std::int32_t*>(operand.data)[i]);
        case DType::Bool:
            return static_cast<const std::uint8_t*>(operand.data)[i] != 0 ? 1 : 0;
        default:
            return static_cast<const float*>(operand.data)[i];
        }
    }
    PLIMSOLL_DEVICE static float applied(const Instruction& step, const float* made)
    {
        const float a = made[step.a];
        const float b = made[step.b];
        switch (step.operation) {
        case Operation::Add:
            return a + b;
        case Operation::Subtract:
            return a - b;
        case Operation::Multiply:
            return a * b;
        case Operation::Divide:
            return a / b;
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
            return powf(a, b);
        case Operation::Where:
            return a != 0 ? b : made[step.c];
        default:
            return ofOne(step.operation, a);
        }
    }
    PLIMSOLL_DEVICE static float ofOne(Operation operation, float a)
    {
        switch (operation) {
        case Operation::Negate:
            return -a;
        case Operation::Abs:
            return fabsf(a);
        case Operation::Cos:
            return cosf(a);
        case Operation::Cosh:
            return coshf(a);
        case Operation::Erf:
            return erff(a);
        case Operation::Exp:
            return expf(a);
        case Operation::Log:
            return logf(a);
        case Operation::Sigmoid:
            return 1 / (1 + expf(-a));
        case Operation::Sign:
            return static_cast<float>((a > 0) - (a < 0));
        case Operation::Sin:
            return sinf(a);
        case Operation::Sinh:
            return sinhf(a);
        case Operation::Softplus:
            return (a > 0 ? a : 0) + log1pf(expf(-fabsf(a)));
        case Operation::Sqrt:
            return sqrtf(a);
        case Operation::Tan:
            return tanf(a);
        case Operation::Tanh:
            return tanhf(a);
        default: // Trunc
            return truncf(a);
        }
    }
};

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
