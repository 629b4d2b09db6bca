#include "core/ops/mxnet/mxnet_attributes.h"
#include "core/ops/op_schema.h"
#include "kernels/common/numbers.h"
#include "kernels/reference/dialects/mxnet_call.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/tensor_view.h"

#include <algorithm>

namespace plimsoll::kernels {
namespace {

/// What the row of the operator says that it is, in the standard's terms.
Status asCounterpart(KernelCall& call)
{
    PLIMSOLL_ASSIGN(data, inputTensor(call, 0));
    const auto made = counterpartOf(call.node(), data.shape);
    if (!made.ok()) return refuse(call, made.error().message);
    const Counterpart& counterpart = made.value();
    OnnxRun run {std::string(counterpart.op), counterpart.attributes, {}};
    run.domain = counterpart.domain;
    for (const CounterpartInput& input : counterpart.inputs) {
        if (input.integers) {
            PLIMSOLL_ASSIGN(list, listValue(*input.integers));
            run.inputs.push_back(std::move(list));
        } else if (input.number) {
            run.inputs.push_back(tensorValue(scalarTensor(data.dtype, *input.number)));
        } else {
            PLIMSOLL_ASSIGN(given, mxnetInput(call, input.input));
            run.inputs.push_back(std::move(given));
        }
    }
    if (counterpart.op == "Split") run.outputs = call.node().outputs.size();
    PLIMSOLL_ASSIGN(results, runOnnx(call, std::move(run)));
    for (std::size_t i = 0; i < results.size(); ++i)
        PLIMSOLL_TRY(give(call, i, results[i].tensor));
    return {};
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
    if (kind != "prelu" || x.tensor.shape.size() < 2) return refuse(call, say("kernel.no-act-type", kind));
    PLIMSOLL_ASSIGN(gamma, inputTensor(call, 1));
    Shape shape(x.tensor.shape.size() - 1, 1);
    shape.front() = gamma.elements();
    PLIMSOLL_ASSIGN(slopes, mxnetInput(call, 1, shape));
    return translate(call, {"PRelu", {}, {std::move(x), std::move(slopes)}});
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

Status full(KernelCall& call)
{
    return fill(call, 0, mxnet::realOf(call.node().attributes, "value", 0));
}

constexpr std::string_view Mxnet = "mxnet";
template <int Number>
Status filled(KernelCall& call)
{
    return fill(call, 0, Number);
}

constexpr KernelEntry OwnRows[] = {
    {Mxnet, "Dropout", dropout},     {Mxnet, "LeakyReLU", leaky},      {Mxnet, "_full", full},
    {Mxnet, "_full_like", full},     {Mxnet, "_ones", filled<1>},      {Mxnet, "_zeros", filled<0>},
    {Mxnet, "ones_like", filled<1>}, {Mxnet, "zeros_like", filled<0>},
};

const std::vector<KernelEntry> Rows = [] {
    std::vector<KernelEntry> rows(std::begin(OwnRows), std::end(OwnRows));
    for (const OpFamily& family : opFamilies()) {
        for (const OpSchema& row : family.rows) {
            if (family.domain != Mxnet || row.counterpart.op.empty() || row.counterpart.typesOnly) continue;
            rows.push_back({Mxnet, row.op, row.counterpart.reshapes ? reshaped : asCounterpart});
        }
    }
    return rows;
}();

} // namespace

const KernelTable mxnetElementwiseKernels = Rows;

} // namespace plimsoll::kernels
