#include "core/formats/torch/aten_call.h"

#include <algorithm>

/// Operators of PyTorch that write to their first argument. Those that are not here do so under their own name.
namespace plimsoll::fx {
namespace {

const Operand* written(const Call& call)
{
    const Operand* self = call.dense("self");
    return self && self->type.isTensor && self->type.type.dtype != DType::Unknown ? self : nullptr;
}

bool addWrite(Call& call, NamedNode node)
{
    const std::string self = call.name("self");
    node.node.domain = "plimsoll";
    call.add(std::move(node));
    call.writer().makeWrite(call.output(0), self);
    return true;
}

bool writeUnary(Call& call)
{
    return written(call) && addWrite(call, call.node({call.read("self")}));
}

/// Of a tensor of the same type and shape.
bool writeBinary(Call& call)
{
    const Operand* self = written(call);
    const Operand* other = call.dense("other");
    const bool fits = self && other && other->type.type == self->type.type && call.isDefault("alpha", 1);
    if (!fits || call.given("rounding_mode")) return false;
    const std::string operand = call.read("other");
    return addWrite(call, call.node({call.read("self"), operand}));
}

constexpr AtenRule Rules[] = {
    {"add_", "self other alpha", "Add_", writeBinary},
    {"copy_", "self other non_blocking", "Copy_", writeBinary},
    {"div_", "self other rounding_mode", "Div_", writeBinary},
    {"exp_", "self", "Exp_", writeUnary},
    {"mul_", "self other", "Mul_", writeBinary},
    {"neg_", "self", "Neg_", writeUnary},
    {"relu_", "self", "Relu_", writeUnary},
    {"sigmoid_", "self", "Sigmoid_", writeUnary},
    {"sub_", "self other alpha", "Sub_", writeBinary},
    {"tanh_", "self", "Tanh_", writeUnary},
    {"zero_", "self", "Zero_", writeUnary},
};

} // namespace

const std::span<const AtenRule> AtenWriteRules = Rules;

} // namespace plimsoll::fx
