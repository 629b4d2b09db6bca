#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/sparse_tables.h"

#include <algorithm>
#include <utility>

namespace plimsoll::mxnet {

namespace {

/// Numpy's rule, without its padding of ranks in the legacy operators; nothing follows backwards.
Status inferBroadcast(NodeFacts& facts)
{
    const auto a = facts.dims(0);
    const auto b = facts.dims(1);
    const DType dtype = facts.dtype(0) == DType::Unknown ? facts.dtype(1) : facts.dtype(0);
    std::optional<Dims> dims;
    if (a && b) {
        dims = broadcast(*a, *b);
        if (!dims)
            return facts.error(describe(facts.type(0)) + " and " + describe(facts.type(1)) +
                               " do not broadcast to one shape.");
    }
    facts.set(0, dtype, dims);
    facts.require(0, dtype, std::nullopt);
    facts.require(1, dtype, std::nullopt);
    return {};
}

Status inferCast(NodeFacts& facts)
{
    return inferSameShape(facts, dtypeOf(facts.node().attributes, "dtype", DType::Float32));
}

/// Input 0 with the shape of input 1, or (identity_with_attr) the shape that both have.
Status inferLikeSecond(NodeFacts& facts)
{
    const auto dims = facts.dims(1);
    const auto own = facts.dims(0);
    const std::int64_t have = own ? product(*own, 0, own->size()) : UnknownSize;
    const std::int64_t need = dims ? product(*dims, 0, dims->size()) : UnknownSize;
    if (have >= 0 && need >= 0 && have != need)
        return facts.error(describe(facts.type(0)) + " has another number of elements than " + describe(facts.type(1)) +
                           ".");
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferLeaky(NodeFacts& facts)
{
    const auto dims = facts.dims(0) ? facts.dims(0) : dimsOf(facts.wanted(0));
    const DType dtype = facts.dtype(0);
    facts.set(0, dtype, dims);
    facts.set(1, dtype, dims);
    facts.require(0, dtype, dims);
    if (facts.has(1)) {
        const bool known = dims && !dims->empty() && !facts.dims(1);
        facts.require(1, dtype, known ? std::optional(Dims {(*dims)[dims->size() > 1 ? 1 : 0]}) : std::nullopt);
    }
    return {};
}

bool isNotLearnt(const Graph&, const Node& node)
{
    const std::string kind = textOf(node.attributes, "act_type", "leaky");
    return kind != "prelu" && kind != "rrelu";
}

bool isNotRandom(const Graph&, const Node& node)
{
    return textOf(node.attributes, "act_type", "leaky") != "rrelu";
}

/// The mask is a second, hidden output of the same type.
Status inferDropout(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferSame(facts));
    facts.setType(1, facts.output(0).type);
    return {};
}

Status inferWhere(NodeFacts& facts)
{
    const DType dtype = facts.dtype(1) == DType::Unknown ? facts.dtype(2) : facts.dtype(1);
    const auto dims = facts.dims(1) ? facts.dims(1) : facts.dims(2);
    facts.set(0, dtype, dims);
    facts.require(1, dtype, dims);
    facts.require(2, dtype, dims);
    return {};
}

/// Of data, and the numbers of the rows to keep: the others become zero.
Status inferRetain(NodeFacts& facts)
{
    return inferSameShape(facts, facts.dtype(0));
}

constexpr OpSchema unary(std::string_view op, CounterpartRule counterpart = {})
{
    return {.op = op, .signature = "any", .infer = inferSame, .inPlace = First, .counterpart = counterpart};
}

constexpr OpSchema binary(std::string_view op, CounterpartRule counterpart = {})
{
    return {.op = op, .signature = "any any", .infer = inferSame, .inPlace = FirstTwo, .counterpart = counterpart};
}

constexpr OpSchema broadcasting(std::string_view op, CounterpartRule counterpart = {})
{
    return {.op = op, .signature = "any any", .infer = inferBroadcast, .inPlace = FirstTwo, .counterpart = counterpart};
}

constexpr OpSchema identity(std::string_view op, CounterpartRule counterpart = {})
{
    OpSchema row = unary(op, counterpart);
    row.identity = true;
    return row;
}

/// The attribute scalar is the second operand, or the first.
std::string withScalar(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    counterpart.inputs.push_back({.number = realOf(node.attributes, "scalar", 0)});
    return {};
}

std::string withScalarFirst(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    withScalar(node, data, counterpart);
    std::ranges::reverse(counterpart.inputs);
    return {};
}

std::string squared(const Node&, const std::optional<Dims>&, Counterpart& counterpart)
{
    counterpart.inputs.push_back({.input = 0});
    return {};
}

std::string clipped(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    for (const char* bound : {"a_min", "a_max"})
        counterpart.inputs.push_back({.number = realOf(node.attributes, bound, 0)});
    return {};
}

std::string activated(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    constexpr std::pair<std::string_view, std::string_view> Kinds[] = {
        {"relu", "Relu"}, {"sigmoid", "Sigmoid"}, {"softrelu", "Softplus"}, {"softsign", "Softsign"}, {"tanh", "Tanh"}};
    const std::string kind = textOf(node.attributes, "act_type", "");
    const auto* found = std::ranges::find(Kinds, kind, [](const auto& entry) { return entry.first; });
    if (found == std::end(Kinds)) return "there is no activation '" + kind + "'.";
    counterpart.op = found->second;
    return {};
}

constexpr OpSchema Schemas[] = {
    {.op = "Cast",
     .signature = "any",
     .infer = inferCast,
     .inPlace = First,
     .identity = true,
     .counterpart = {.op = "Identity", .reshapes = true}},
    {.op = "amp_cast",
     .signature = "any",
     .infer = inferCast,
     .inPlace = First,
     .identity = true,
     .counterpart = {.op = "Identity", .reshapes = true}},
    {.op = "_grad_add", .signature = "any any", .infer = inferSame, .inPlace = FirstTwo, .counterpart = {"Add"}},
    {.op = "_identity_with_attr_like_rhs",
     .signature = "any any",
     .infer = inferLikeSecond,
     .inPlace = First,
     .ignored = Second,
     .identity = true,
     .counterpart = {.op = "Identity", .reshapes = true}},
    {.op = "reshape_like",
     .signature = "any any",
     .infer = inferLikeSecond,
     .inPlace = First,
     .ignored = Second,
     .identity = true,
     .counterpart = {.op = "Identity", .reshapes = true}},
    {.op = "add_n", .signature = "any+", .infer = inferSame, .inPlace = First, .counterpart = {"Sum"}},
    {.op = "clip", .signature = "any", .infer = inferSame, .counterpart = {"Clip", "", clipped}},
    {.op = "Dropout", .signature = "any -> 2", .infer = inferDropout, .inPlace = First, .pure = false},
    {.op = "LeakyReLU",
     .signature = "any any? -> 2",
     .infer = inferLeaky,
     .inPlace = First,
     .traitsHold = isNotLearnt,
     .pureWhere = isNotRandom},
    {.op = "where", .signature = "any any any", .infer = inferWhere},
    {.op = "_contrib_div_sqrt_dim", .signature = "any", .infer = inferSame},
    {.op = "_copy",
     .signature = "any",
     .infer = inferSame,
     .inPlace = First,
     .identity = true,
     .counterpart = {"Identity"},
     .storages = ops::storages::Copy},
    {.op = "_sparse_retain", .signature = "any any", .infer = inferRetain, .storages = ops::storages::Retain},
    {.op = "_mul_scalar",
     .signature = "any",
     .infer = inferSame,
     .inPlace = First,
     .counterpart = {"Mul", "", withScalar},
     .storages = ops::storages::Scaling},
    {.op = "cast_storage", .signature = "any", .infer = inferSame, .storages = ops::storages::Cast},
    {.op = "elemwise_add",
     .signature = "any any",
     .infer = inferSame,
     .inPlace = FirstTwo,
     .counterpart = {"Add"},
     .storages = ops::storages::Sum},
    {.op = "elemwise_sub",
     .signature = "any any",
     .infer = inferSame,
     .inPlace = FirstTwo,
     .counterpart = {"Sub"},
     .storages = ops::storages::Difference},
    {.op = "elemwise_mul",
     .signature = "any any",
     .infer = inferSame,
     .inPlace = FirstTwo,
     .counterpart = {"Mul"},
     .storages = ops::storages::ElementwiseProduct},
    unary("Activation", {"Relu", "", activated}),
    unary("MakeLoss", {"Identity"}),
    unary("SoftmaxActivation"),
    unary("_backward_hard_sigmoid"),
    unary("_div_scalar", {"Div", "", withScalar}),
    unary("_equal_scalar", {"Equal", "", withScalar}),
    unary("_greater_equal_scalar", {"GreaterOrEqual", "", withScalar}),
    unary("_greater_scalar", {"Greater", "", withScalar}),
    unary("_hypot_scalar"),
    unary("_lesser_equal_scalar", {"LessOrEqual", "", withScalar}),
    unary("_lesser_scalar", {"Less", "", withScalar}),
    unary("_logical_and_scalar"),
    unary("_logical_or_scalar"),
    unary("_logical_xor_scalar"),
    unary("_maximum_scalar", {"Max", "", withScalar}),
    unary("_minimum_scalar", {"Min", "", withScalar}),
    unary("_minus_scalar", {"Sub", "", withScalar}),
    unary("_mod_scalar"),
    unary("_not_equal_scalar"),
    unary("_plus_scalar", {"Add", "", withScalar}),
    unary("_power_scalar", {"Pow", "", withScalar}),
    unary("_rdiv_scalar", {"Div", "", withScalarFirst}),
    unary("_rminus_scalar", {"Sub", "", withScalarFirst}),
    unary("_rmod_scalar"),
    unary("_rpower_scalar", {"Pow", "", withScalarFirst}),
    unary("abs", {"Abs"}),
    unary("arccos", {"Acos"}),
    unary("arccosh", {"Acosh"}),
    unary("arcsin", {"Asin"}),
    unary("arcsinh", {"Asinh"}),
    unary("arctan", {"Atan"}),
    unary("arctanh", {"Atanh"}),
    unary("cbrt"),
    unary("ceil", {"Ceil"}),
    unary("cos", {"Cos"}),
    unary("cosh", {"Cosh"}),
    unary("degrees"),
    unary("erf", {"Erf"}),
    unary("erfinv"),
    unary("exp", {"Exp"}),
    unary("expm1"),
    unary("fix"),
    unary("floor", {"Floor"}),
    unary("gamma"),
    unary("gammaln"),
    unary("hard_sigmoid"),
    unary("log", {"Log"}),
    unary("log10"),
    unary("log1p"),
    unary("log2"),
    unary("log_softmax"),
    unary("logical_not"),
    unary("negative", {"Neg"}),
    unary("radians"),
    unary("rcbrt"),
    unary("reciprocal", {"Reciprocal"}),
    unary("relu", {"Relu"}),
    unary("rint"),
    unary("round"),
    unary("rsqrt"),
    unary("sigmoid", {"Sigmoid"}),
    unary("sign", {"Sign"}),
    unary("sin", {"Sin"}),
    unary("sinh", {"Sinh"}),
    unary("smooth_l1"),
    unary("softmax"),
    unary("softmin"),
    unary("softsign", {"Softsign"}),
    unary("sqrt", {"Sqrt"}),
    unary("square", {"Mul", "", squared}),
    unary("tan", {"Tan"}),
    unary("tanh", {"Tanh"}),
    unary("trunc"),
    binary("_equal", {"Equal"}),
    binary("_greater", {"Greater"}),
    binary("_greater_equal", {"GreaterOrEqual"}),
    binary("_hypot"),
    binary("_lesser", {"Less"}),
    binary("_lesser_equal", {"LessOrEqual"}),
    binary("_maximum", {"Max"}),
    binary("_minimum", {"Min"}),
    binary("_mod"),
    binary("_not_equal"),
    binary("_power", {"Pow"}),
    binary("elemwise_div", {"Div"}),
    broadcasting("broadcast_add", {"Add"}),
    broadcasting("broadcast_div", {"Div"}),
    broadcasting("broadcast_equal", {"Equal"}),
    broadcasting("broadcast_greater", {"Greater"}),
    broadcasting("broadcast_greater_equal", {"GreaterOrEqual"}),
    broadcasting("broadcast_hypot"),
    broadcasting("broadcast_lesser", {"Less"}),
    broadcasting("broadcast_lesser_equal", {"LessOrEqual"}),
    broadcasting("broadcast_logical_and"),
    broadcasting("broadcast_logical_or"),
    broadcasting("broadcast_logical_xor"),
    broadcasting("broadcast_maximum", {"Max"}),
    broadcasting("broadcast_minimum", {"Min"}),
    broadcasting("broadcast_mod"),
    broadcasting("broadcast_mul", {"Mul"}),
    broadcasting("broadcast_not_equal"),
    broadcasting("broadcast_power", {"Pow"}),
    broadcasting("broadcast_sub", {"Sub"}),
    identity("BlockGrad", {"Identity"}),
    identity("_backward_copy"),
    identity("_contrib_gradientmultiplier"),
    identity("make_loss", {"Identity"}),
};

} // namespace

std::span<const OpSchema> elementwiseSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
