#include "core/formats/torch/aten_call.h"

#include <algorithm>
#include <array>

namespace plimsoll::fx {
namespace {

/// The shape of elements that are repeated where the other has more of them; empty where the two do not fit.
std::optional<DimList> broadcast(const DimList& a, const DimList& b)
{
    DimList dims(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const Dim one {1, {}};
        const Dim& x = i < a.size() ? a[a.size() - 1 - i] : one;
        const Dim& y = i < b.size() ? b[b.size() - 1 - i] : one;
        if (x != y && x != one && y != one) return std::nullopt;
        dims[dims.size() - 1 - i] = x == one ? y : x;
    }
    return dims;
}

/// A tensor as an elementwise operator of the common vocabulary reads it: what is repeated may be repeated here.
const Operand* readable(const Call& call, std::string_view parameter)
{
    const Operand* operand = call.operand(parameter);
    const bool order = operand && (!operand->strided || operand->expanded) && operand->base.empty();
    return order && operand->type.isTensor && operand->type.type.dims ? operand : nullptr;
}

bool isUnaryMatch(const Call& call, const Operand* self)
{
    return self && self->type.type.dtype == call.type(0).type.dtype && self->type.type.dtype != DType::Unknown;
}

bool addUnary(Call& call, std::string_view op, Attributes attributes = {})
{
    return isUnaryMatch(call, call.dense("self")) &&
           call.add(call.nodeOf(op, {call.read("self")}, std::move(attributes)));
}

bool unary(Call& call)
{
    const Operand* self = call.dense("self");
    const bool writes = call.integerOr("inplace", 0) != 0;
    return !writes && self && isFloatingPoint(self->type.type.dtype) && addUnary(call, call.rule().common);
}

/// Of any type: abs, neg, sign.
bool unaryAny(Call& call)
{
    return addUnary(call, call.rule().common);
}

bool logicalNot(Call& call)
{
    const Operand* self = call.dense("self");
    const bool isBool = self && self->type.type.dtype == DType::Bool;
    return (isBool || call.rule().op == "bitwise_not") && addUnary(call, isBool ? call.rule().common : "BitwiseNot");
}

bool gelu(Call& call)
{
    const Expression* how = call.argument("approximate");
    return addUnary(call, call.rule().common, how ? Attributes {{"approximate", how->text}} : Attributes());
}

bool leakyRelu(Call& call)
{
    return addUnary(call, call.rule().common, {{"alpha", call.real("negative_slope").value_or(0.01)}});
}

/// Two operands of one type, either of which may be a number.
struct Pair
{
    DType dtype = DType::Unknown;
    DimList dims;
};

std::optional<Pair> pairOf(const Call& call, std::string_view left, std::string_view right)
{
    const Operand* a = readable(call, left);
    const Operand* b = readable(call, right);
    if (a && b) {
        auto dims = broadcast(*a->type.type.dims, *b->type.type.dims);
        if (!dims || a->type.type.dtype != b->type.type.dtype) return std::nullopt;
        return Pair {a->type.type.dtype, std::move(*dims)};
    }
    const Operand* one = a ? a : b;
    const Expression* number = call.argument(a ? right : left);
    if (!one || !number || !numberIn(*number)) return std::nullopt;
    const DType dtype = one->type.type.dtype;
    const bool whole = !number->is(Expression::Kind::Real);
    if (!isFloatingPoint(dtype) && !(isInteger(dtype) && whole)) return std::nullopt;
    return Pair {dtype, *one->type.type.dims};
}

bool fits(const Call& call, const Pair& pair, DType wanted)
{
    return pair.dtype != DType::Unknown && call.type(0).type.dtype == wanted && call.type(0).type.dims == pair.dims;
}

/// Appends both operands to the inputs of \p node, and adds it.
bool addPair(Call& call, std::array<std::string_view, 2> operands, DType dtype, NamedNode node)
{
    for (const std::string_view parameter : operands) {
        const std::string name(parameter);
        std::string value = call.operand(parameter)
                                ? call.read(parameter)
                                : call.scalar(name, dtype, *call.argument(parameter)).value_or(std::string());
        if (value.empty()) return false;
        node.inputs.push_back(std::move(value));
    }
    return call.add(std::move(node));
}

/// The same where their type is one that \p takes accepts, and the result's.
bool addMatching(Call& call, std::array<std::string_view, 2> operands, bool (*takes)(DType), Attributes attributes = {})
{
    const auto pair = pairOf(call, operands[0], operands[1]);
    return pair && fits(call, *pair, pair->dtype) && takes(pair->dtype) &&
           addPair(call, operands, pair->dtype, call.node({}, std::move(attributes)));
}

bool binary(Call& call)
{
    return call.isDefault("alpha", 1) && !call.given("rounding_mode") &&
           addMatching(call, {"self", "other"}, [](DType dtype) { return dtype != DType::Bool; });
}

/// other - self
bool reversed(Call& call)
{
    return call.isDefault("alpha", 1) && addMatching(call, {"other", "self"}, [](DType) { return true; });
}

bool power(Call& call)
{
    return addMatching(call, {"self", "exponent"}, isFloatingPoint);
}

/// Like C's of floats…
bool fmod(Call& call)
{
    return addMatching(call, {"self", "other"}, [](DType dtype) { return !isInteger(dtype); },
                       {{"fmod", std::int64_t {1}}});
}

/// …and like Python's of integers only.
bool remainder(Call& call)
{
    return addMatching(call, {"self", "other"}, isInteger);
}

bool comparison(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    return pair && fits(call, *pair, DType::Bool) && addPair(call, {"self", "other"}, pair->dtype, call.node({}));
}

/// Of bools And, of integers BitwiseAnd.
bool bitwise(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    const bool isBool = pair && pair->dtype == DType::Bool;
    const bool bits = pair && isInteger(pair->dtype) && !call.rule().op.starts_with("logical");
    if (!pair || !fits(call, *pair, pair->dtype) || (!isBool && !bits)) return false;
    const std::string op = (isBool ? "" : "Bitwise") + std::string(call.rule().common);
    return addPair(call, {"self", "other"}, pair->dtype, call.nodeOf(op, {}));
}

bool where(Call& call)
{
    const Operand* condition = readable(call, "condition");
    const auto pair = pairOf(call, "self", "other");
    if (!condition || condition->type.type.dtype != DType::Bool || !pair) return false;
    const auto all = broadcast(*condition->type.type.dims, pair->dims);
    if (!all || !fits(call, {pair->dtype, *all}, pair->dtype)) return false;
    return addPair(call, {"self", "other"}, pair->dtype, call.node({call.read("condition")}));
}

bool clamp(Call& call)
{
    const Operand* self = call.dense("self");
    if (!isUnaryMatch(call, self)) return false;
    NamedNode node = call.node({call.read("self")});
    for (const char* bound : {"min", "max"}) {
        node.inputs.emplace_back();
        if (!call.given(bound)) continue;
        if (!call.real(bound)) return false;
        const auto value = call.scalar(bound, self->type.type.dtype, *call.argument(bound));
        if (!value) return false;
        node.inputs.back() = *value;
    }
    if (node.inputs.back().empty()) node.inputs.pop_back();
    return call.add(std::move(node));
}

/// To another element type; of the same one a copy.
bool cast(Call& call)
{
    const Operand* self = call.dense("self");
    if (!self || !self->type.isTensor || self->type.device != call.type(0).device) return false;
    const DType to = call.type(0).type.dtype;
    if (to == DType::Unknown || self->type.type.dtype == DType::Unknown) return false;
    if (to == self->type.type.dtype) return call.add(call.nodeOf("Identity", {call.read("self")}));
    return call.add(call.node({call.read("self")}, {{"to", std::string(dtypeName(to))}}));
}

constexpr AtenRule Rules[] = {
    {"abs", "self", "Abs", unaryAny},
    {"acos", "self", "Acos", unary},
    {"add", "self other alpha", "Add", binary},
    {"asin", "self", "Asin", unary},
    {"atan", "self", "Atan", unary},
    {"bitwise_and", "self other", "And", bitwise},
    {"bitwise_not", "self", "Not", logicalNot},
    {"bitwise_or", "self other", "Or", bitwise},
    {"bitwise_xor", "self other", "Xor", bitwise},
    {"ceil", "self", "Ceil", unary},
    {"clamp", "self min max", "Clip", clamp},
    {"clamp_max", "self max", "Clip", clamp},
    {"clamp_min", "self min", "Clip", clamp},
    {"_to_copy", "self dtype layout device pin_memory non_blocking memory_format", "Cast", cast},
    {"convert_element_type", "self dtype", "Cast", cast},
    {"cos", "self", "Cos", unary},
    {"cosh", "self", "Cosh", unary},
    {"div", "self other rounding_mode", "Div", binary},
    {"eq", "self other", "Equal", comparison},
    {"erf", "self", "Erf", unary},
    {"exp", "self", "Exp", unary},
    {"floor", "self", "Floor", unary},
    {"fmod", "self other", "Mod", fmod},
    {"ge", "self other", "GreaterOrEqual", comparison},
    {"gelu", "self approximate", "Gelu", gelu},
    {"gt", "self other", "Greater", comparison},
    {"hardswish", "self", "HardSwish", unary},
    {"le", "self other", "LessOrEqual", comparison},
    {"leaky_relu", "self negative_slope", "LeakyRelu", leakyRelu},
    {"log", "self", "Log", unary},
    {"logical_and", "self other", "And", bitwise},
    {"logical_not", "self", "Not", logicalNot},
    {"logical_or", "self other", "Or", bitwise},
    {"lt", "self other", "Less", comparison},
    {"maximum", "self other", "Max", binary},
    {"minimum", "self other", "Min", binary},
    {"mish", "self", "Mish", unary},
    {"mul", "self other", "Mul", binary},
    {"neg", "self", "Neg", unaryAny},
    {"pow", "self exponent", "Pow", power},
    {"reciprocal", "self", "Reciprocal", unary},
    {"relu", "self inplace", "Relu", unary},
    {"remainder", "self other", "Mod", remainder},
    {"round", "self", "Round", unary},
    {"rsub", "self other alpha", "Sub", reversed},
    {"sigmoid", "self", "Sigmoid", unary},
    {"sign", "self", "Sign", unaryAny},
    {"silu", "self inplace", "Swish", unary},
    {"sin", "self", "Sin", unary},
    {"sinh", "self", "Sinh", unary},
    {"sqrt", "self", "Sqrt", unary},
    {"sub", "self other alpha", "Sub", binary},
    {"tan", "self", "Tan", unary},
    {"tanh", "self", "Tanh", unary},
    {"where", "condition self other", "Where", where},
};

/// Beside those above, which the common vocabulary cannot say.
constexpr std::string_view Pointwise[] = {"_to_copy",
                                          "addcdiv",
                                          "addcmul",
                                          "elu_backward",
                                          "expm1",
                                          "fma",
                                          "gelu_backward",
                                          "hardswish_backward",
                                          "hardsigmoid",
                                          "hardtanh_backward",
                                          "leaky_relu_backward",
                                          "lerp",
                                          "log1p",
                                          "log2",
                                          "masked_fill",
                                          "native_dropout_backward",
                                          "ne",
                                          "rsqrt",
                                          "sigmoid_backward",
                                          "silu_backward",
                                          "softplus",
                                          "softplus_backward",
                                          "square",
                                          "tanh_backward",
                                          "threshold_backward",
                                          "where"};

} // namespace

const std::span<const AtenRule> AtenElementwiseRules = Rules;

bool isPointwise(std::string_view op)
{
    return std::ranges::find(Rules, op, &AtenRule::op) != std::end(Rules) ||
           std::ranges::find(Pointwise, op) != std::end(Pointwise);
}

} // namespace plimsoll::fx
