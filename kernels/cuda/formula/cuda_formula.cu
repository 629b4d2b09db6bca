#include "kernels/cuda/formula/cuda_formula.h"

#include "core/base/narrow.h"
#include "kernels/cuda/kernels/cuda_matmul.h"
#include "kernels/cuda/kernels/cumulative.h"
#include "kernels/cuda/kernels/reduce.h"
#include "kernels/cuda/launch/indexed.h"
#include "kernels/cuda/launch/region.h"

#include <array>

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

using Scope = FormulaScope;
using Value = FormulaValue;

/// A FormulaProgram as every thread carries it out for its elements: results stay in registers or the first cache, and
/// only the last is written.
struct ProgramBody
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
    int instructions;
    Instruction code[MaxInstructions];
    Operand from[MaxOperands];
    Walk<MaxOperands> walk;
    float* y;

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const Offsets<MaxOperands> at = walk.at(i);
        float made[MaxInstructions];
        for (int k = 0; k < instructions; ++k) {
            const Instruction& step = code[k];
            made[k] = step.operation == Operation::Read ? readOperand(from[step.a], at[step.a])
                      : step.operation == Operation::Constant
                          ? step.constant
                          : applied(step.operation, made[step.a], made[step.b], made[step.c]);
        }
        return made[instructions - 1];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }

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
};

bool reads(DType dtype)
{
    return isAmong<float, std::int64_t, std::int32_t, bool>(dtype);
}

Status readOnHost(const Scope& scope, std::size_t input)
{
    return deviceCall(scope).readOnHost(input);
}

Result<Value> compute(const Scope& scope, const FormulaProgram& program, const Shape& shape, const TensorView* out)
{
    constexpr std::size_t MaxOperands = ProgramBody::MaxOperands;
    if (program.operands.size() > MaxOperands) return decline(scope.call(), say("cuda.formula-inputs"));
    if (program.code.size() > ProgramBody::MaxInstructions) return decline(scope.call(), say("cuda.long-formula"));
    ProgramBody body {};
    for (const FormulaProgram::Instruction& step : program.code)
        body.code[body.instructions++] = {step.operation, narrow<std::uint8_t>(step.a), narrow<std::uint8_t>(step.b),
                                          narrow<std::uint8_t>(step.c), static_cast<float>(step.constant)};
    std::array<Shape, MaxOperands> strides;
    strides.fill(Shape(shape.size(), 0));
    for (std::size_t i = 0; i < program.operands.size(); ++i) {
        strides[i] = broadcastStrides(program.operands[i].shape, shape);
        body.from[i] = {program.operands[i].data, program.operands[i].dtype};
    }
    const auto walk = walkOver<MaxOperands>(shape, strides);
    if (!walk) return decline(scope.call(), say("cuda.formula-repeats"));
    Value result {.shape = shape, .dtype = DType::Float32, .data = out ? out->data : nullptr};
    if (!out) {
        PLIMSOLL_ASSIGN(room, deviceValue(scope, shape));
        result = room;
    }
    body.walk = *walk;
    body.y = roomOf(result);
    forEach(deviceCall(scope).queue(), walk->count, body);
    return result;
}

Result<Value> reduced(const Scope& scope, const Value& x, const std::vector<bool>& gone)
{
    const Reduction reduction = reductionOver(x.shape, gone, true);
    PLIMSOLL_ASSIGN(sum, deviceValue(scope, reduction.outShape));
    PLIMSOLL_TRY((reduceInto<float, float, SumStep<float>>(deviceCall(scope), reduction, floatsOf(x), roomOf(sum))));
    return sum;
}

Result<Value> permuted(const Scope& scope, const Value& x, const PermutedView& view)
{
    const Shape shape = view.permuted();
    PLIMSOLL_ASSIGN(result, deviceValue(scope, shape));
    PLIMSOLL_TRY(copyRegion(deviceCall(scope), {x.view(), 0, view.strides()},
                            {result.view(), 0, rowMajorStrides(shape)}, shape));
    return result;
}

Result<Value> multiplied(const Scope& scope, const MatMulPlan& plan, const FormulaFactor& a, const FormulaFactor& b)
{
    DeviceCall& call = deviceCall(scope);
    PLIMSOLL_ASSIGN(problem, matrixProblem<float>(call, plan, a.transposed, b.transposed));
    PLIMSOLL_ASSIGN(result, deviceValue(scope, plan.outShape));
    problem.aAt = floatsOf(a.value);
    problem.bAt = floatsOf(b.value);
    problem.y = roomOf(result);
    call.noteOperations(operationsOf(plan));
    multiply(call.queue(), problem);
    return result;
}

Result<Indices> indicesOf(const Scope& scope, const Value& indices)
{
    if (!isIndex(indices.dtype)) return decline(scope.call(), say("cuda.index-type"));
    return Indices {indices.data, indices.dtype == DType::Int64, deviceCall(scope).queue().fault};
}

Result<Value> picked(const Scope& scope, const Value& x, const Value& indices, std::int64_t axis)
{
    PLIMSOLL_ASSIGN(places, indicesOf(scope, indices));
    Shape shape = x.shape;
    shape[static_cast<std::size_t>(axis)] = indices.elements();
    PLIMSOLL_ASSIGN(result, deviceValue(scope, shape));
    gatherAlong<float>(deviceCall(scope).queue(), places, indices.elements(), splitAt(x.shape, axis), floatsOf(x),
                       roomOf(result));
    return result;
}

Result<Value> pickedElements(const Scope& scope, const Value& x, const Value& indices, std::int64_t axis)
{
    PLIMSOLL_ASSIGN(places, indicesOf(scope, indices));
    PLIMSOLL_ASSIGN(result, deviceValue(scope, indices.shape));
    const bool fits = gatherElementsAlong<float>(deviceCall(scope).queue(), places, indices.shape,
                                                 static_cast<std::size_t>(axis), floatsOf(x), x.shape, roomOf(result));
    return fits ? Result<Value>(result) : decline(scope.call(), say("cuda.index-misfit"));
}

Result<Value> runningSum(const Scope& scope, const Value& x, std::int64_t axis, bool exclusive, bool reverse)
{
    PLIMSOLL_ASSIGN(result, deviceValue(scope, x.shape));
    sumAlong<float>(deviceCall(scope).queue(), splitAt(x.shape, axis), floatsOf(x), roomOf(result), exclusive, reverse);
    return result;
}

struct CrossBody
{
    const float* a;
    const float* b;
    float* y;
    std::int64_t inner; ///< Elements behind the axis of three.

    PLIMSOLL_DEVICE float read(std::int64_t i) const
    {
        const std::int64_t part = i / inner % 3;
        const std::int64_t next = i + ((part + 1) % 3 - part) * inner;
        const std::int64_t last = i + ((part + 2) % 3 - part) * inner;
        return a[next] * b[last] - a[last] * b[next];
    }
    PLIMSOLL_DEVICE void write(std::int64_t i, float value) const { y[i] = value; }
};

Result<Value> crossed(const Scope& scope, const Value& a, const Value& b, std::int64_t inner)
{
    PLIMSOLL_ASSIGN(result, deviceValue(scope, a.shape));
    forEach(deviceCall(scope).queue(), result.elements(), CrossBody {floatsOf(a), floatsOf(b), roomOf(result), inner});
    return result;
}

constexpr FormulaSteps Steps {
    .dtype = DType::Float32,
    .reads = reads,
    .readOnHost = readOnHost,
    .compute = compute,
    .reduced = reduced,
    .permuted = permuted,
    .multiplied = multiplied,
    .convolved = convolvedOnDevice,
    .averagePoolBack = averagePoolBackOnDevice,
    .maxPoolBack = maxPoolBackOnDevice,
    .normalized = normalizedOnDevice,
    .lossBack = lossBackOnDevice,
    .picked = picked,
    .pickedElements = pickedElements,
    .runningSum = runningSum,
    .crossed = crossed,
    .movedBack = movedBackOnDevice,
    .resizedBack = resizedBackOnDevice,
};

} // namespace

const FormulaSteps& deviceSteps()
{
    return Steps;
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
