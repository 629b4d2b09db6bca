#include "kernels/common/mxnet_counterparts.h"

#include "core/ops/mxnet/mxnet_attributes.h"

#include <algorithm>
#include <iterator>

namespace plimsoll::kernels {
namespace {

using enum Counterpart::Kind;

constexpr Counterpart Table[] = {
    {Activation, "relu", "Relu"},
    {Activation, "sigmoid", "Sigmoid"},
    {Activation, "softrelu", "Softplus"},
    {Activation, "softsign", "Softsign"},
    {Activation, "tanh", "Tanh"},
    {Operands, "BlockGrad", "Identity"},
    {Operands, "MakeLoss", "Identity"},
    {Operands, "_copy", "Identity"},
    {Operands, "_equal", "Equal"},
    {Operands, "_grad_add", "Add"},
    {Operands, "_greater", "Greater"},
    {Operands, "_greater_equal", "GreaterOrEqual"},
    {Operands, "_lesser", "Less"},
    {Operands, "_lesser_equal", "LessOrEqual"},
    {Operands, "_maximum", "Max"},
    {Operands, "_minimum", "Min"},
    {Operands, "_power", "Pow"},
    {Operands, "abs", "Abs"},
    {Operands, "add_n", "Sum"},
    {Operands, "arccos", "Acos"},
    {Operands, "arcsin", "Asin"},
    {Operands, "arctan", "Atan"},
    {Operands, "broadcast_add", "Add"},
    {Operands, "broadcast_div", "Div"},
    {Operands, "broadcast_equal", "Equal"},
    {Operands, "broadcast_greater", "Greater"},
    {Operands, "broadcast_greater_equal", "GreaterOrEqual"},
    {Operands, "broadcast_lesser", "Less"},
    {Operands, "broadcast_lesser_equal", "LessOrEqual"},
    {Operands, "broadcast_maximum", "Max"},
    {Operands, "broadcast_minimum", "Min"},
    {Operands, "broadcast_mul", "Mul"},
    {Operands, "broadcast_power", "Pow"},
    {Operands, "broadcast_sub", "Sub"},
    {Operands, "ceil", "Ceil"},
    {Operands, "cos", "Cos"},
    {Operands, "elemwise_add", "Add"},
    {Operands, "elemwise_div", "Div"},
    {Operands, "elemwise_mul", "Mul"},
    {Operands, "elemwise_sub", "Sub"},
    {Operands, "erf", "Erf"},
    {Operands, "exp", "Exp"},
    {Operands, "floor", "Floor"},
    {Operands, "log", "Log"},
    {Operands, "make_loss", "Identity"},
    {Operands, "negative", "Neg"},
    {Operands, "reciprocal", "Reciprocal"},
    {Operands, "relu", "Relu"},
    {Operands, "sigmoid", "Sigmoid"},
    {Operands, "sign", "Sign"},
    {Operands, "sin", "Sin"},
    {Operands, "softsign", "Softsign"},
    {Operands, "sqrt", "Sqrt"},
    {Operands, "tan", "Tan"},
    {Operands, "tanh", "Tanh"},
    {Reshaped, "Cast", "Identity"},
    {Reshaped, "Flatten", "Identity"},
    {Reshaped, "Reshape", "Identity"},
    {Reshaped, "_identity_with_attr_like_rhs", "Identity"},
    {Reshaped, "amp_cast", "Identity"},
    {Reshaped, "expand_dims", "Identity"},
    {Reshaped, "reshape_like", "Identity"},
    {Reshaped, "squeeze", "Identity"},
    {Scalar, "_div_scalar", "Div"},
    {Scalar, "_equal_scalar", "Equal"},
    {Scalar, "_greater_equal_scalar", "GreaterOrEqual"},
    {Scalar, "_greater_scalar", "Greater"},
    {Scalar, "_lesser_equal_scalar", "LessOrEqual"},
    {Scalar, "_lesser_scalar", "Less"},
    {Scalar, "_maximum_scalar", "Max"},
    {Scalar, "_minimum_scalar", "Min"},
    {Scalar, "_minus_scalar", "Sub"},
    {Scalar, "_mul_scalar", "Mul"},
    {Scalar, "_plus_scalar", "Add"},
    {Scalar, "_power_scalar", "Pow"},
    {ScalarFirst, "_rdiv_scalar", "Div"},
    {ScalarFirst, "_rminus_scalar", "Sub"},
    {ScalarFirst, "_rpower_scalar", "Pow"},
};

} // namespace

std::span<const Counterpart> mxnetCounterparts()
{
    return Table;
}

const Counterpart* findCounterpart(const Node& node)
{
    if (node.domain != "mxnet") return nullptr;
    const bool byKind = node.op == "Activation";
    const std::string name = byKind ? mxnet::textOf(node.attributes, "act_type", "") : node.op;
    const auto* found = std::find_if(std::begin(Table), std::end(Table), [&](const Counterpart& row) {
        return row.op == name && (row.kind == Activation) == byKind;
    });
    return found == std::end(Table) ? nullptr : found;
}

std::string_view plainCounterpart(const Node& node)
{
    const Counterpart* found = findCounterpart(node);
    return found && found->kind != Scalar && found->kind != ScalarFirst ? found->onnx : std::string_view();
}

} // namespace plimsoll::kernels
