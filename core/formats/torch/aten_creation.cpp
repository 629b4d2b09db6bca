#include "core/formats/torch/aten_call.h"

#include "core/ops/literal_elements.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

std::optional<Scalar> filling(const Call& call)
{
    if (call.rule().op.find("zeros") != std::string_view::npos) return Scalar::ofInteger(0);
    if (call.rule().op.find("ones") != std::string_view::npos) return Scalar::ofInteger(1);
    const Expression* given = call.argument("fill_value");
    if (!given || !numberIn(*given)) return std::nullopt;
    return given->is(Expression::Kind::Real) ? Scalar::ofReal(given->real) : Scalar::ofInteger(given->integer);
}

/// A tensor of one number. What it is like is asked for its shape, which the type says.
bool full(Call& call)
{
    const auto shape = call.type(0).type.shape();
    const DType dtype = call.type(0).type.dtype;
    const auto number = filling(call);
    if (!shape || !number || dtypeBits(dtype) < 8) return false;
    if (number->isFloat && !isFloatingPoint(dtype)) return false;
    const auto element = asType(dtype, *number);
    if (!element) return false;
    const PartialTensor one {dtype, {1}, {element}, true};
    NamedNode node = call.node({call.constant("shape", *shape)});
    node.node.op = "ConstantOfShape";
    node.node.attributes.emplace("value", TensorLiteral {dtype, {1}, writeElements(one)});
    call.add(std::move(node));
    return true;
}

bool range(Call& call)
{
    const DType dtype = call.type(0).type.dtype;
    Expression zero;
    zero.kind = Expression::Kind::Integer;
    Expression one = zero;
    one.integer = 1;
    const Expression* end = call.argument("end");
    const Expression* begin = call.given("start") ? call.argument("start") : &zero;
    const Expression* step = call.given("step") ? call.argument("step") : &one;
    if (!end) { // "arange(end)"
        end = call.argument("start");
        begin = &zero;
    }
    const bool ours = dtype == DType::Int64 || dtype == DType::Int32 || dtype == DType::Float32;
    if (!ours || !end || !numberIn(*end) || !numberIn(*begin) || !numberIn(*step)) return false;
    const auto a = call.scalar("start", dtype, *begin);
    const auto b = call.scalar("end", dtype, *end);
    const auto c = call.scalar("step", dtype, *step);
    if (!a || !b || !c) return false;
    call.add(call.node({*a, *b, *c}));
    return true;
}

constexpr AtenRule Rules[] = {
    {"arange", "start end step dtype", "Range", range},
    {"full", "size fill_value dtype", "ConstantOfShape", full},
    {"full_like", "self fill_value dtype", "ConstantOfShape", full},
    {"new_full", "self size fill_value dtype", "ConstantOfShape", full},
    {"new_ones", "self size dtype", "ConstantOfShape", full},
    {"new_zeros", "self size dtype", "ConstantOfShape", full},
    {"ones", "size dtype", "ConstantOfShape", full},
    {"ones_like", "self dtype", "ConstantOfShape", full},
    {"scalar_tensor", "fill_value dtype", "ConstantOfShape", full},
    {"zeros", "size dtype", "ConstantOfShape", full},
    {"zeros_like", "self dtype", "ConstantOfShape", full},
};

} // namespace

std::span<const AtenRule> atenCreationRules()
{
    return Rules;
}

} // namespace plimsoll::fx
