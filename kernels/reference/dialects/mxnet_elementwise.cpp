#include "core/ops/mxnet/mxnet_attributes.h"
#include "kernels/reference/dialects/mxnet_call.h"
#include "kernels/reference/dialects/mxnet_counterparts.h"
#include "kernels/reference/kernel_families.h"
#include "kernels/reference/numbers.h"

#include <algorithm>
#include <array>

namespace plimsoll::kernels {
namespace {

struct Counterpart
{
    std::string_view op;
    std::string_view onnx;
    bool scalarFirst = false; ///< The attribute scalar is the left operand.
};

constexpr std::array Unary = {
    Counterpart {"BlockGrad", "Identity"},
    Counterpart {"MakeLoss", "Identity"},
    Counterpart {"_copy", "Identity"},
    Counterpart {"abs", "Abs"},
    Counterpart {"arccos", "Acos"},
    Counterpart {"arcsin", "Asin"},
    Counterpart {"arctan", "Atan"},
    Counterpart {"ceil", "Ceil"},
    Counterpart {"cos", "Cos"},
    Counterpart {"erf", "Erf"},
    Counterpart {"exp", "Exp"},
    Counterpart {"floor", "Floor"},
    Counterpart {"log", "Log"},
    Counterpart {"make_loss", "Identity"},
    Counterpart {"negative", "Neg"},
    Counterpart {"reciprocal", "Reciprocal"},
    Counterpart {"relu", "Relu"},
    Counterpart {"sigmoid", "Sigmoid"},
    Counterpart {"sign", "Sign"},
    Counterpart {"sin", "Sin"},
    Counterpart {"softsign", "Softsign"},
    Counterpart {"sqrt", "Sqrt"},
    Counterpart {"tan", "Tan"},
    Counterpart {"tanh", "Tanh"},
};

constexpr std::array Binary = {
    Counterpart {"_equal", "Equal"},
    Counterpart {"_grad_add", "Add"},
    Counterpart {"_greater", "Greater"},
    Counterpart {"_greater_equal", "GreaterOrEqual"},
    Counterpart {"_lesser", "Less"},
    Counterpart {"_lesser_equal", "LessOrEqual"},
    Counterpart {"_maximum", "Max"},
    Counterpart {"_minimum", "Min"},
    Counterpart {"_power", "Pow"},
    Counterpart {"broadcast_add", "Add"},
    Counterpart {"broadcast_div", "Div"},
    Counterpart {"broadcast_equal", "Equal"},
    Counterpart {"broadcast_greater", "Greater"},
    Counterpart {"broadcast_greater_equal", "GreaterOrEqual"},
    Counterpart {"broadcast_lesser", "Less"},
    Counterpart {"broadcast_lesser_equal", "LessOrEqual"},
    Counterpart {"broadcast_maximum", "Max"},
    Counterpart {"broadcast_minimum", "Min"},
    Counterpart {"broadcast_mul", "Mul"},
    Counterpart {"broadcast_power", "Pow"},
    Counterpart {"broadcast_sub", "Sub"},
    Counterpart {"elemwise_add", "Add"},
    Counterpart {"elemwise_div", "Div"},
    Counterpart {"elemwise_mul", "Mul"},
    Counterpart {"elemwise_sub", "Sub"},
};

constexpr std::array Scalar = {
    Counterpart {"_div_scalar", "Div"},
    Counterpart {"_equal_scalar", "Equal"},
    Counterpart {"_greater_equal_scalar", "GreaterOrEqual"},
    Counterpart {"_greater_scalar", "Greater"},
    Counterpart {"_lesser_equal_scalar", "LessOrEqual"},
    Counterpart {"_lesser_scalar", "Less"},
    Counterpart {"_maximum_scalar", "Max"},
    Counterpart {"_minimum_scalar", "Min"},
    Counterpart {"_minus_scalar", "Sub"},
    Counterpart {"_mul_scalar", "Mul"},
    Counterpart {"_plus_scalar", "Add"},
    Counterpart {"_power_scalar", "Pow"},
    Counterpart {"_rdiv_scalar", "Div", true},
    Counterpart {"_rminus_scalar", "Sub", true},
    Counterpart {"_rpower_scalar", "Pow", true},
};

constexpr std::array Kinds = {
    // of Activation
    Counterpart {"relu", "Relu"},         Counterpart {"sigmoid", "Sigmoid"},   Counterpart {"tanh", "Tanh"},
    Counterpart {"softrelu", "Softplus"}, Counterpart {"softsign", "Softsign"},
};

/// The same elements in the same order, in the shape and type of the output.
constexpr std::array Reshaping = {
    Counterpart {"Cast", "Identity"},         Counterpart {"Flatten", "Identity"},
    Counterpart {"Reshape", "Identity"},      Counterpart {"_identity_with_attr_like_rhs", "Identity"},
    Counterpart {"amp_cast", "Identity"},     Counterpart {"expand_dims", "Identity"},
    Counterpart {"reshape_like", "Identity"}, Counterpart {"squeeze", "Identity"},
};

/// Empty where the table has none.
template <typename Table>
std::string_view findIn(const Table& table, std::string_view op)
{
    const auto found = std::ranges::find(table, op, &Counterpart::op);
    return found == table.end() ? std::string_view() : found->onnx;
}

template <typename Table>
const Counterpart& counterpartOf(const Table& table, const KernelCall& call)
{
    return *std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.op == call.node().op; });
}

Status unary(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    return translate(call, {std::string(counterpartOf(Unary, call).onnx), {}, {std::move(x)}});
}

Status binary(KernelCall& call)
{
    PLIMSOLL_ASSIGN(a, mxnetInput(call, 0));
    PLIMSOLL_ASSIGN(b, mxnetInput(call, 1));
    return translate(call, {std::string(counterpartOf(Binary, call).onnx), {}, {std::move(a), std::move(b)}});
}

Status withScalar(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    PLIMSOLL_ASSIGN(scalar, scalarValue(x.tensor.dtype, mxnet::realOf(call.node().attributes, "scalar", 0)));
    const Counterpart& counterpart = counterpartOf(Scalar, call);
    OnnxRun run {std::string(counterpart.onnx), {}, {std::move(x), std::move(scalar)}};
    if (counterpart.scalarFirst) std::swap(run.inputs[0], run.inputs[1]);
    return translate(call, std::move(run));
}

Status square(KernelCall& call)
{
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    return translate(call, {"Mul", {}, {x, x}});
}

Status addAll(KernelCall& call)
{
    OnnxRun run {"Sum", {}, {}};
    for (std::size_t i = 0; i < call.inputCount(); ++i) {
        PLIMSOLL_ASSIGN(x, mxnetInput(call, i));
        run.inputs.push_back(std::move(x));
    }
    return translate(call, std::move(run));
}

Status activation(KernelCall& call)
{
    const std::string kind = textAttribute(call, "act_type", "");
    PLIMSOLL_ASSIGN(x, mxnetInput(call, 0));
    const std::string_view onnx = findIn(Kinds, kind);
    if (onnx.empty()) return refuse(call, "there is no activation '" + kind + "'.");
    return translate(call, {std::string(onnx), {}, {std::move(x)}});
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
    PLIMSOLL_ASSIGN(least, scalarValue(x.tensor.dtype, mxnet::realOf(call.node().attributes, "a_min", 0)));
    PLIMSOLL_ASSIGN(most, scalarValue(x.tensor.dtype, mxnet::realOf(call.node().attributes, "a_max", 0)));
    return translate(call, {"Clip", {}, {std::move(x), std::move(least), std::move(most)}});
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

std::vector<KernelEntry> makeTable()
{
    constexpr std::string_view Mxnet = "mxnet";
    std::vector<KernelEntry> table;
    for (const Counterpart& entry : Unary)
        table.push_back({Mxnet, entry.op, unary});
    for (const Counterpart& entry : Binary)
        table.push_back({Mxnet, entry.op, binary});
    for (const Counterpart& entry : Scalar)
        table.push_back({Mxnet, entry.op, withScalar});
    for (const Counterpart& entry : Reshaping)
        table.push_back({Mxnet, entry.op, reshaped});
    for (const auto& [op, run] :
         std::initializer_list<std::pair<std::string_view, KernelFunction>> {{"Activation", activation},
                                                                             {"Dropout", dropout},
                                                                             {"LeakyReLU", leaky},
                                                                             {"_full", full},
                                                                             {"_full_like", full},
                                                                             {"_ones", ones},
                                                                             {"_zeros", zeros},
                                                                             {"add_n", addAll},
                                                                             {"clip", clip},
                                                                             {"ones_like", ones},
                                                                             {"square", square},
                                                                             {"zeros_like", zeros}})
        table.push_back({Mxnet, op, run});
    return table;
}

} // namespace

std::string_view plainCounterpart(const Node& node)
{
    if (node.domain != "mxnet") return {};
    if (node.op == "Activation") return findIn(Kinds, mxnet::textOf(node.attributes, "act_type", ""));
    if (node.op == "add_n") return "Sum";
    for (const std::string_view found : {findIn(Unary, node.op), findIn(Binary, node.op), findIn(Reshaping, node.op)}) {
        if (!found.empty()) return found;
    }
    return {};
}

KernelTable mxnetElementwiseKernels()
{
    static const std::vector<KernelEntry> table = makeTable();
    return table;
}

} // namespace plimsoll::kernels
