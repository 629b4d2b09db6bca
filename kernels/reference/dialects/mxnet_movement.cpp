#include "core/ops/mxnet/mxnet_attributes.h"
#include "kernels/reference/dialects/mxnet_call.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/special/sparse_kernels.h"

#include <array>
#include <numeric>

namespace plimsoll::kernels {
namespace {

using Ints = std::vector<std::int64_t>;

Status concat(KernelCall& call)
{
    OnnxRun run {"Concat", {{"axis", intAttribute(call, "dim", 1)}}, {}};
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        PLIMSOLL_ASSIGN(input, mxnetInput(call, i));
        run.inputs.push_back(std::move(input));
    }
    return translate(call, std::move(run));
}

Status transpose(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    OnnxRun run {"Transpose", {}, {}};
    const auto axes = mxnet::tupleOf(call.node().attributes, "axes");
    if (axes && !axes->empty()) run.attributes.emplace("perm", *axes);
    run.inputs.push_back(std::move(x));
    return translate(call, std::move(run));
}

Status swapAxis(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    PLIMSOLL_ASSIGN(a, normalAxis(call, intAttribute(call, "dim1", 0), x.tensor.shape.size()));
    PLIMSOLL_ASSIGN(b, normalAxis(call, intAttribute(call, "dim2", 0), x.tensor.shape.size()));
    Ints axes(x.tensor.shape.size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    std::swap(axes[static_cast<std::size_t>(a)], axes[static_cast<std::size_t>(b)]);
    return translate(call, {"Transpose", {{"perm", axes}}, {std::move(x)}});
}

/// Equal parts; with squeeze_axis the plan's shape lacks the axis.
Status sliceChannel(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    const std::size_t count = call.node().outputs.size();
    OnnxRun run {"Split",
                 {{"axis", intAttribute(call, "axis", 1)}, {"num_outputs", static_cast<std::int64_t>(count)}},
                 {std::move(x)},
                 count};
    PLIMSOLL_ASSIGN(parts, runOnnx(call, std::move(run)));
    for (std::size_t i = 0; i < count; ++i)
        PLIMSOLL_TRY(give(call, i, parts[i].tensor));
    return {};
}

/// One cut for each listed axis; None is the end of the axis in the direction of the step.
Status cut(KernelCall& call, const Ints& axes, const mxnet::OpenTuple& begins, const mxnet::OpenTuple& ends,
           const mxnet::OpenTuple& steps)
{
    constexpr std::int64_t Far = INT64_MAX;
    Ints begin;
    Ints end;
    Ints step;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        step.push_back(i < steps.size() ? steps[i].value_or(1) : 1);
        begin.push_back(begins[i].value_or(step.back() < 0 ? Far : 0));
        end.push_back(ends[i].value_or(step.back() < 0 ? -Far : Far));
    }
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    OnnxRun run {"Slice", {}, {std::move(x)}};
    for (const Ints& numbers : {begin, end, axes, step}) {
        PLIMSOLL_ASSIGN(list, listValue(numbers));
        run.inputs.push_back(std::move(list));
    }
    return translate(call, std::move(run));
}

Status slice(KernelCall& call)
{
    const Attributes& attributes = call.node().attributes;
    const auto begins = mxnet::openTupleOf(attributes, "begin");
    const auto ends = mxnet::openTupleOf(attributes, "end");
    if (!begins || !ends || begins->size() != ends->size()) return refuse(call, "begin and end do not go together.");
    Ints axes(begins->size());
    std::iota(axes.begin(), axes.end(), std::int64_t {0});
    return cut(call, axes, *begins, *ends, mxnet::openTupleOf(attributes, "step").value_or(mxnet::OpenTuple {}));
}

Status sliceAxis(KernelCall& call)
{
    const Attributes& attributes = call.node().attributes;
    const auto one = [&](std::string_view name) {
        const auto tuple = mxnet::openTupleOf(attributes, name);
        return tuple && tuple->size() == 1 ? *tuple : mxnet::OpenTuple {std::nullopt};
    };
    return cut(call, {intAttribute(call, "axis", 0)}, one("begin"), one("end"), {});
}

constexpr std::array<std::pair<std::string_view, const char*>, 5> Reductions = {
    {{"max", "ReduceMax"}, {"mean", "ReduceMean"}, {"min", "ReduceMin"}, {"prod", "ReduceProd"}, {"sum", "ReduceSum"}}};

Status reduce(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    const Attributes& attributes = call.node().attributes;
    Ints axes = mxnet::tupleOf(attributes, "axis").value_or(Ints {});
    if (!axes.empty() && mxnet::flagOf(attributes, "exclude", false)) {
        PLIMSOLL_ASSIGN(mask, axisMask(call, axes, x.tensor.shape.size()));
        axes.clear();
        for (std::size_t axis = 0; axis < mask.size(); ++axis) {
            if (!mask[axis]) axes.push_back(static_cast<std::int64_t>(axis));
        }
        if (axes.empty()) return give(call, 0, x.tensor);
    }
    for (const auto& [op, onnx] : Reductions) {
        if (call.node().op != op) continue;
        OnnxRun run {onnx, {}, {std::move(x)}};
        if (!axes.empty()) {
            PLIMSOLL_ASSIGN(list, listValue(axes));
            run.inputs.push_back(std::move(list));
        }
        return translate(call, std::move(run));
    }
    return refuse(call, "it is no reduction.");
}

/// An operand as a matrix with the summed axis last (left) or first.
Result<RuntimeValue> matrixOf(KernelCall& call, std::size_t input, const char* transposed)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, input));
    const Shape& shape = x.shape;
    if (shape.empty()) return refuse(call, "a scalar cannot be multiplied.");
    if (mxnet::flagOf(call.node().attributes, transposed, false) && shape.size() > 1) {
        if (shape.size() != 2) return refuse(call, "only matrices are transposed.");
        PLIMSOLL_ASSIGN(plain, mxnetInput(call, input));
        PLIMSOLL_ASSIGN(result, runOnnx(call, {"Transpose", {}, {std::move(plain)}}));
        return std::move(result.front());
    }
    const std::int64_t summed = input == 0 ? shape.back() : shape.front();
    const std::int64_t others = summed > 0 ? x.elements() / summed : 0;
    return mxnetInput(call, input, input == 0 ? Shape {others, summed} : Shape {summed, others});
}

Status dot(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, matrixOf(call, 0, "transpose_a"));
    PLIMSOLL_ASSIGN(b, matrixOf(call, 1, "transpose_b"));
    return translate(call, {"MatMul", {}, {std::move(a), std::move(b)}});
}

constexpr std::string_view Mxnet = "mxnet";

constexpr std::array Table = {
    KernelEntry {Mxnet, "Concat", concat},
    KernelEntry {Mxnet, "SliceChannel", sliceChannel},
    KernelEntry {Mxnet, "SwapAxis", swapAxis},
    KernelEntry {Mxnet, "max", reduce},
    KernelEntry {Mxnet, "mean", reduce},
    KernelEntry {Mxnet, "min", reduce},
    KernelEntry {Mxnet, "prod", reduce},
    KernelEntry {Mxnet, "slice", slice},
    KernelEntry {Mxnet, "slice_axis", sliceAxis},
    KernelEntry {Mxnet, "sum", reduce},
    KernelEntry {Mxnet, "transpose", transpose},
    KernelEntry {Mxnet, "_sparse_retain", retainDense},
    KernelEntry {Mxnet, "dot", dot},
    KernelEntry {Mxnet, "cast_storage", castDense},
};

} // namespace

constinit const KernelTable mxnetMovementKernels = Table;

} // namespace plimsoll::kernels
