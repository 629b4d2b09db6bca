#include "core/ops/mxnet/mxnet_attributes.h"
#include "kernels/common/mxnet_counterparts.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/dialects/mxnet_call.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/tensor_view.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

/// The counterpart of the same inputs, however many.
Status ofOperands(KernelCall& call)
{
    OnnxRun run {std::string(findCounterpart(call.node())->onnx), {}, {}};
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        PLIMSOLL_ASSIGN(x, mxnetInput(call, i));
        run.inputs.push_back(std::move(x));
    }
    return translate(call, std::move(run));
}

Status withScalar(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    RuntimeValue scalar = tensorValue(scalarTensor(x.tensor.dtype, mxnet::realOf(call.node().attributes, "scalar", 0)));
    const Counterpart& counterpart = *findCounterpart(call.node());
    OnnxRun run {std::string(counterpart.onnx), {}, {std::move(x), std::move(scalar)}};
    if (counterpart.kind == Counterpart::Kind::ScalarFirst) std::swap(run.inputs[0], run.inputs[1]);
    return translate(call, std::move(run));
}

Status square(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    return translate(call, {"Mul", {}, {x, x}});
}

Status activation(KernelCall& call)
{
    if (findCounterpart(call.node())) return ofOperands(call);
    return refuse(call, "there is no activation '" + textAttribute(call, "act_type", "") + "'.");
}

Status leaky(KernelCall& call)
{
    const Attributes& attributes = call.node().attributes;
    const std::string kind = mxnet::textOf(attributes, "act_type", "leaky");
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    const double slope = mxnet::realOf(attributes, "slope", 0.25);
    if (kind == "leaky" || kind == "elu")
        return translate(call, {kind == "elu" ? "Elu" : "LeakyRelu", {{"alpha", slope}}, {std::move(x)}});
    if (kind == "selu" || kind == "gelu")
        return translate(call, {kind == "selu" ? "Selu" : "Gelu", {}, {std::move(x)}});
    if (kind != "prelu" || x.tensor.shape.size() < 2) return refuse(call, "act_type " + kind + " is not computed.");
    PLIMSOLL_ASSIGN(gamma, inputTensor(call, 1));
    Shape shape(x.tensor.shape.size() - 1, 1);
    shape.front() = gamma.elements();
    PLIMSOLL_ASSIGN(slopes, mxnetInput(call, 1, shape));
    return translate(call, {"PRelu", {}, {std::move(x), std::move(slopes)}});
}

Status clip(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    const auto bound = [&](const char* name) {
        return tensorValue(scalarTensor(x.tensor.dtype, mxnet::realOf(call.node().attributes, name, 0)));
    };
    return translate(call, {"Clip", {}, {x, bound("a_min"), bound("a_max")}});
}

Status reshaped(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, inputTensor(call, 0));
    return give(call, 0, x);
}

/// At inference nothing is dropped.
Status dropout(KernelCall& call)
{
    PLIMSOLL_TRY(reshaped(call));
    return fill(call, 1, 1);
}

Status zeros(KernelCall& call)
{
    return fill(call, 0, 0);
}

Status ones(KernelCall& call)
{
    return fill(call, 0, 1);
}

Status full(KernelCall& call)
{
    return fill(call, 0, mxnet::realOf(call.node().attributes, "value", 0));
}

constexpr std::string_view Mxnet = "mxnet";
constexpr KernelEntry OwnRows[] = {
    {Mxnet, "Activation", activation}, {Mxnet, "Dropout", dropout},
    {Mxnet, "LeakyReLU", leaky},       {Mxnet, "_full", full},
    {Mxnet, "_full_like", full},       {Mxnet, "_ones", ones},
    {Mxnet, "_zeros", zeros},          {Mxnet, "clip", clip},
    {Mxnet, "ones_like", ones},        {Mxnet, "square", square},
    {Mxnet, "zeros_like", zeros},
};

const std::vector<KernelEntry> Rows = [] {
    std::vector<KernelEntry> rows(std::begin(OwnRows), std::end(OwnRows));
    for (const Counterpart& row : mxnetCounterparts()) {
        using enum Counterpart::Kind;
        if (row.kind == Activation) continue;
        const bool scalar = row.kind == Scalar || row.kind == ScalarFirst;
        rows.push_back({Mxnet, row.op, scalar ? withScalar : row.kind == Reshaped ? reshaped : ofOperands});
    }
    return rows;
}();

} // namespace

const KernelTable mxnetElementwiseKernels = Rows;

} // namespace plimsoll::kernels
