#include "core/formats/torch/aten_call.h"

#include <algorithm>
#include <array>

namespace plimsoll::fx {
namespace {

/// The shape of elements that are repeated where the other has more of them; empty where the two do not fit.
std::optional<std::vector<Dim>> broadcast(const std::vector<Dim>& a, const std::vector<Dim>& b)
{
    std::vector<Dim> dims(std::max(a.size(), b.size()));
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

bool unary(Call& call)
{
    const Operand* self = call.dense("self");
    const bool writes = call.integerOr("inplace", 0) != 0;
    if (writes || !isUnaryMatch(call, self) || !isFloatingPoint(self->type.type.dtype)) return false;
    call.add(call.node({call.read("self")}));
    return true;
}

/// Of any type: abs, neg, sign.
bool unaryAny(Call& call)
{
    if (!isUnaryMatch(call, call.dense("self"))) return false;
    call.add(call.node({call.read("self")}));
    return true;
}

bool logicalNot(Call& call)
{
    const Operand* self = call.dense("self");
    if (!isUnaryMatch(call, self)) return false;
    NamedNode node = call.node({call.read("self")});
    if (self->type.type.dtype != DType::Bool && call.rule().op != "bitwise_not") return false;
    if (self->type.type.dtype != DType::Bool) node.node.op = "BitwiseNot";
    call.add(std::move(node));
    return true;
}

bool gelu(Call& call)
{
    if (!isUnaryMatch(call, call.dense("self"))) return false;
    NamedNode node = call.node({call.read("self")});
    const Expression* how = call.argument("approximate");
    if (how) node.node.attributes.emplace("approximate", how->text);
    call.add(std::move(node));
    return true;
}

bool leakyRelu(Call& call)
{
    if (!isUnaryMatch(call, call.dense("self"))) return false;
    NamedNode node = call.node({call.read("self")});
    const double slope = call.real("negative_slope").value_or(0.01);
    node.node.attributes.emplace("alpha", slope);
    call.add(std::move(node));
    return true;
}

/// Two operands of one type, either of which may be a number.
struct Pair
{
    DType dtype = DType::Unknown;
    std::vector<Dim> dims;
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

std::string readOrScalar(Call& call, std::string_view parameter, DType dtype)
{
    if (call.operand(parameter)) return call.read(parameter);
    return call.scalar(std::string(parameter), dtype, *call.argument(parameter)).value_or(std::string());
}

bool addPair(Call& call, std::string_view left, std::string_view right, DType dtype, NamedNode node)
{
    for (const std::string_view parameter : {left, right}) {
        std::string value = readOrScalar(call, parameter, dtype);
        if (value.empty()) return false;
        node.inputs.push_back(std::move(value));
    }
    call.add(std::move(node));
    return true;
}

bool binary(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    if (!pair || !fits(call, *pair, pair->dtype) || !call.isDefault("alpha", 1) || call.given("rounding_mode"))
        return false;
    if (pair->dtype == DType::Bool) return false;
    return addPair(call, "self", "other", pair->dtype, call.node({}));
}

/// other - self
bool reversed(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    if (!pair || !fits(call, *pair, pair->dtype) || !call.isDefault("alpha", 1)) return false;
    return addPair(call, "other", "self", pair->dtype, call.node({}));
}

bool power(Call& call)
{
    const auto pair = pairOf(call, "self", "exponent");
    if (!pair || !fits(call, *pair, pair->dtype) || !isFloatingPoint(pair->dtype)) return false;
    return addPair(call, "self", "exponent", pair->dtype, call.node({}));
}

/// Remainders: like C's of floats, and like Python's of integers only.
bool modulo(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    const bool likeC = call.rule().op == "fmod";
    if (!pair || !fits(call, *pair, pair->dtype) || isInteger(pair->dtype) == likeC) return false;
    NamedNode node = call.node({});
    if (likeC) node.node.attributes.emplace("fmod", std::int64_t {1});
    return addPair(call, "self", "other", pair->dtype, std::move(node));
}

bool comparison(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    if (!pair || !fits(call, *pair, DType::Bool)) return false;
    return addPair(call, "self", "other", pair->dtype, call.node({}));
}

/// Of bools And, of integers BitwiseAnd.
bool bitwise(Call& call)
{
    const auto pair = pairOf(call, "self", "other");
    if (!pair || !fits(call, *pair, pair->dtype) || (pair->dtype != DType::Bool && !isInteger(pair->dtype)))
        return false;
    NamedNode node = call.node({});
    const bool isLogical = call.rule().op.starts_with("logical");
    if (isLogical && pair->dtype != DType::Bool) return false;
    if (pair->dtype != DType::Bool) node.node.op = "Bitwise" + node.node.op;
    return addPair(call, "self", "other", pair->dtype, std::move(node));
}

bool where(Call& call)
{
    const Operand* condition = readable(call, "condition");
    const auto pair = pairOf(call, "self", "other");
    if (!condition || condition->type.type.dtype != DType::Bool || !pair) return false;
    const auto all = broadcast(*condition->type.type.dims, pair->dims);
    if (!all || !fits(call, {pair->dtype, *all}, pair->dtype)) return false;
    return addPair(call, "self", "other", pair->dtype, call.node({call.read("condition")}));
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
    call.add(std::move(node));
    return true;
}

/// To another element type; of the same one a copy.
bool cast(Call& call)
{
    const Operand* self = call.dense("self");
    if (!self || !self->type.isTensor || self->type.device != call.type(0).device) return false;
    const DType to = call.type(0).type.dtype;
    if (to == DType::Unknown || self->type.type.dtype == DType::Unknown) return false;
    NamedNode node = call.node({call.read("self")});
    if (to == self->type.type.dtype)
        node.node.op = "Identity";
    else
        node.node.attributes.emplace("to", std::string(dtypeName(to)));
    call.add(std::move(node));
    return true;
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
    {"fmod", "self other", "Mod", modulo},
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
    {"remainder", "self other", "Mod", modulo},
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
constexpr std::array<std::string_view, 26> Pointwise = {
    "_to_copy",
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
    "where",
};

} // namespace

std::span<const AtenRule> atenElementwiseRules()
{
    return Rules;
}

bool isPointwise(std::string_view op)
{
    const auto same = [&](const AtenRule& rule) { return rule.op == op; };
    return std::any_of(std::begin(Rules), std::end(Rules), same) ||
           std::find(Pointwise.begin(), Pointwise.end(), op) != Pointwise.end();
}

} // namespace plimsoll::fx
