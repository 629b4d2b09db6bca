#include "core/formats/torch/aten_call.h"

#include "core/ops/literal_elements.h"

#include <algorithm>

namespace plimsoll::fx {
namespace {

/// A tensor of one number. What it is like is asked for its shape, which the type says.
bool full(Call& call)
{
    const auto has = [&](std::string_view word) { return call.rule().op.find(word) != std::string_view::npos; };
    const Expression zero = makeInteger(0);
    const Expression one = makeInteger(1);
    const Expression* given = has("zeros") ? &zero : has("ones") ? &one : call.argument("fill_value");
    const auto shape = call.type(0).type.shape();
    const DType dtype = call.type(0).type.dtype;
    if (!shape || !given || !numberIn(*given) || dtypeBits(dtype) < 8) return false;
    const bool isReal = given->is(Expression::Kind::Real);
    if (isReal && !isFloatingPoint(dtype)) return false;
    const auto element = asType(dtype, isReal ? Scalar::ofReal(given->real) : Scalar::ofInteger(given->integer));
    if (!element) return false;
    const PartialTensor filling {dtype, {1}, {element}, true};
    return call.add(
        call.node({call.constant("shape", *shape)}, {{"value", TensorLiteral {dtype, {1}, writeElements(filling)}}}));
}

bool range(Call& call)
{
    const DType dtype = call.type(0).type.dtype;
    const Expression zero = makeInteger(0);
    const Expression one = makeInteger(1);
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
    return call.add(call.node({*a, *b, *c}));
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

const std::span<const AtenRule> AtenCreationRules = Rules;

} // namespace plimsoll::fx
