#include "kernels/reference/gradients/host_steps.h"

#include "core/ops/dims.h"
#include "kernels/common/call_tools.h"
#include "kernels/common/moved_elements.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/layers/product.h"
#include "kernels/reference/layers/resize.h"
#include "kernels/tensor_view.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace plimsoll::kernels {
namespace {

using Scope = FormulaScope;
using Value = FormulaValue;

constexpr std::int64_t Block = 256; // elements at a time: every partial result stays in the first cache

/// An operand of a program, and where its elements are read: in order, always the only one, or at the offsets.
struct Operand
{
    Operand(const Value& value, const Shape& shape) : numbers(value.view()), one(value.elements() == 1)
    {
        if (!one && value.shape != shape) offsets = broadcastOffsets(value.shape, shape);
    }
    [[nodiscard]] double at(std::int64_t i) const
    {
        return numbers[one ? 0 : offsets.empty() ? i : offsets[static_cast<std::size_t>(i)]];
    }
    Reader<double> numbers;
    bool one;
    std::vector<std::int64_t> offsets;
};

/// Only the outcome of a program is written out.
Result<Value> compute(const Scope&, const FormulaProgram& program, const Shape& shape, const TensorView* /*out*/)
{
    std::vector<std::unique_ptr<Operand>> operands;
    for (const Value& operand : program.operands)
        operands.push_back(std::make_unique<Operand>(operand, shape));
    Value result = hostValue(shape);
    std::vector<std::array<double, Block>> blocks(program.code.size());
    for (std::int64_t begin = 0, total = result.elements(); begin < total; begin += Block) {
        const auto count = static_cast<std::size_t>(std::min(Block, total - begin));
        for (std::size_t k = 0; k < program.code.size(); ++k) {
            const FormulaProgram::Instruction& step = program.code[k];
            if (step.operation == Operation::Constant) {
                blocks[k].fill(step.constant);
                continue;
            }
            for (std::size_t i = 0; i < count; ++i)
                blocks[k][i] = step.operation == Operation::Read
                                   ? operands[step.a]->at(begin + static_cast<std::int64_t>(i))
                                   : applied(step.operation, blocks[step.a][i], blocks[step.b][i], blocks[step.c][i]);
        }
        std::copy_n(blocks.back().begin(), count, roomOf(result) + begin);
    }
    return result;
}

Result<Value> reduced(const Scope&, const Value& x, const std::vector<bool>& gone)
{
    Shape kept = x.shape;
    for (std::size_t d = 0; d < kept.size(); ++d)
        kept[d] = gone[d] ? 1 : kept[d];
    Value sum = hostValue(kept);
    const auto* from = x.as<double>();
    double* to = roomOf(sum);
    for (RowWalk walk(x.shape, {rowMajorStrides(x.shape), broadcastStrides(kept, x.shape)}); walk.valid();
         walk.advance()) {
        for (std::int64_t i = 0; i < walk.count(); ++i)
            to[walk.offset(1) + i * walk.step(1)] += from[walk.offset(0) + i * walk.step(0)];
    }
    return sum;
}

Result<Value> permuted(const Scope&, const Value& x, const PermutedView& view)
{
    Value result = hostValue(view.permuted());
    const TensorView from = x.view();
    const TensorView to = result.view();
    copyRegion({from, 0, view.strides()}, {to, 0, rowMajorStrides(to.shape)}, to.shape);
    return result;
}

Result<Value> multiplied(const Scope& scope, const MatMulPlan& plan, const FormulaFactor& a, const FormulaFactor& b)
{
    const auto plain = [&](const FormulaFactor& factor) {
        return factor.transposed ? permuted(scope, factor.value, transposedView(factor.value.shape))
                                 : Result<Value>(factor.value);
    };
    PLIMSOLL_ASSIGN(left, plain(a));
    PLIMSOLL_ASSIGN(right, plain(b));
    PLIMSOLL_TRY(scope.call().announce(rowEffort(plan.products())));
    Value result = hostValue(plan.outShape);
    multiplyBatches(plan, left.as<double>(), right.as<double>(), roomOf(result));
    return result;
}

Result<std::int64_t> indexIn(const Scope& scope, std::int64_t index, std::int64_t size)
{
    if (index >= -size && index < size) return index < 0 ? index + size : index;
    return refuse(scope.call(), say("kernel.no-such-index", word::Number(index)));
}

Result<Value> picked(const Scope& scope, const Value& x, const Value& indices, std::int64_t axis)
{
    const AxisSplit split = splitAt(x.shape, axis);
    Shape shape = x.shape;
    shape[static_cast<std::size_t>(axis)] = indices.elements();
    Value result = hostValue(shape);
    double* to = roomOf(result);
    for (std::int64_t outer = 0; outer < split.outer; ++outer) {
        for (const std::int64_t index : integersOf(indices.view())) {
            PLIMSOLL_ASSIGN(at, indexIn(scope, index, split.size));
            to = std::copy_n(x.as<double>() + (outer * split.size + at) * split.inner, split.inner, to);
        }
    }
    return result;
}

Result<Value> pickedElements(const Scope& scope, const Value& x, const Value& indices, std::int64_t axis)
{
    const auto along = static_cast<std::size_t>(axis);
    const Shape strides = rowMajorStrides(x.shape);
    const std::vector<std::int64_t> places = integersOf(indices.view());
    Value result = hostValue(indices.shape);
    std::size_t position = 0;
    for (IndexWalk walk(indices.shape); walk.valid(); walk.advance(), ++position) {
        PLIMSOLL_ASSIGN(index, indexIn(scope, places[position], x.shape[along]));
        std::int64_t at = 0;
        for (std::size_t d = 0; d < strides.size(); ++d)
            at += strides[d] * (d == along ? index : walk[d]);
        roomOf(result)[position] = x.as<double>()[at];
    }
    return result;
}

Result<Value> runningSum(const Scope&, const Value& x, std::int64_t axis, bool exclusive, bool reverse)
{
    const AxisSplit split = splitAt(x.shape, axis);
    Value result = hostValue(x.shape);
    for (std::int64_t line = 0; line < split.outer * split.inner; ++line) {
        double sum = 0;
        for (std::int64_t k = 0; k < split.size; ++k) {
            const std::int64_t place = reverse ? split.size - 1 - k : k;
            const std::int64_t at = (line / split.inner * split.size + place) * split.inner + line % split.inner;
            const double past = sum;
            sum += x.as<double>()[at];
            roomOf(result)[at] = exclusive ? past : sum;
        }
    }
    return result;
}

Result<Value> crossed(const Scope&, const Value& x, const Value& y, std::int64_t inner)
{
    Value result = hostValue(x.shape);
    const auto* a = x.as<double>();
    const auto* b = y.as<double>();
    for (std::int64_t i = 0, n = result.elements(); i < n; ++i) {
        const std::int64_t part = i / inner % 3;
        const std::int64_t base = i - part * inner;
        const std::int64_t next = base + (part + 1) % 3 * inner;
        const std::int64_t last = base + (part + 2) % 3 * inner;
        roomOf(result)[i] = a[next] * b[last] - a[last] * b[next];
    }
    return result;
}

/// The operator is asked to move positions instead of elements: 1, 2, 3, …, so that 0 stays for what is filled in.
Result<Value> movedBack(const Scope& scope, const Value& /*g*/)
{
    HostTensor positions(DType::Int64, scope.target());
    auto* first = positions.view().as<std::int64_t>();
    std::iota(first, first + positions.view().elements(), 1);
    InnerCall inner = forwardCall(scope, tensorValue(std::move(positions)));
    PLIMSOLL_TRY(runReference(inner));
    Value result = hostValue(scope.target());
    for (std::size_t output = 0; output < inner.results().size(); ++output) {
        const std::string name = gradientName(output);
        if (!scope.input(name)) continue;
        PLIMSOLL_ASSIGN(value, scope.value(name));
        PLIMSOLL_ASSIGN(g, scope.written(value, scope.sizes(name)));
        const std::vector<std::int64_t> from = integersOf(inner.results()[output].tensor);
        for (std::int64_t i = 0; i < std::min(static_cast<std::int64_t>(from.size()), g.elements()); ++i) {
            const std::int64_t place = from[static_cast<std::size_t>(i)];
            if (place > 0) roomOf(result)[place - 1] += g.as<double>()[i];
        }
    }
    return result;
}

Result<Value> resizedBack(const Scope& scope, const Value& g)
{
    PLIMSOLL_ASSIGN(numbers,
                    resizeBack(forwardCall(scope, {}), {DType::Float64, scope.target(), nullptr}, doublesOf(g.view())));
    Value result = hostValue(scope.target());
    std::copy(numbers.begin(), numbers.end(), roomOf(result));
    return result;
}

constexpr FormulaSteps Steps {
    .dtype = DType::Float64,
    .reads = [](DType) { return true; },
    .readOnHost = [](const Scope&, std::size_t) { return Status(); },
    .compute = compute,
    .reduced = reduced,
    .permuted = permuted,
    .multiplied = multiplied,
    .convolved = convolvedOnHost,
    .averagePoolBack = averagePoolBackOnHost,
    .maxPoolBack = maxPoolBackOnHost,
    .normalized = normalizedOnHost,
    .lossBack = lossBackOnHost,
    .picked = picked,
    .pickedElements = pickedElements,
    .runningSum = runningSum,
    .crossed = crossed,
    .movedBack = movedBack,
    .resizedBack = resizedBack,
};

} // namespace

FormulaValue hostValue(const Shape& shape)
{
    const RuntimeValue made = tensorValue(HostTensor(DType::Float64, shape));
    return {.shape = shape, .dtype = DType::Float64, .data = made.tensor.data, .owner = made.owner};
}

Status runReference(InnerCall& call)
{
    const KernelFunction kernel = findReferenceKernel(call.node().domain, call.node().op);
    return kernel ? kernel(call) : refuse(call, say("kernel.no-forward-kernel"));
}

const FormulaSteps& hostSteps()
{
    return Steps;
}

} // namespace plimsoll::kernels
