#include "core/ops/alike_rows.h"
#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/sparse_tables.h"

#include <algorithm>
#include <utility>

namespace plimsoll::mxnet {

namespace {

using ops::alike;
using ops::joined;

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
            return facts.error(say("ops.not-broadcast-together", describe(facts.type(0)), describe(facts.type(1))));
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
        return facts.error(say("ops.another-number-elements", describe(facts.type(0)), describe(facts.type(1))));
    return facts.give(facts.dtype(0), dims);
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

constexpr OpSchema unary(CounterpartRule counterpart = {})
{
    return {.op = {}, .signature = "any", .infer = inferSame, .inPlace = First, .counterpart = counterpart};
}

constexpr OpSchema binary()
{
    return {.op = {}, .signature = "any any", .infer = inferSame, .inPlace = FirstTwo};
}

/// Zero stays zero.
constexpr OpSchema fromZero()
{
    OpSchema row = unary();
    row.storages = ops::storages::ZeroStays;
    return row;
}

constexpr OpSchema broadcasting()
{
    return {.op = {}, .signature = "any any", .infer = inferBroadcast, .inPlace = FirstTwo};
}

constexpr OpSchema identity()
{
    OpSchema row = unary();
    row.identity = true;
    return row;
}

/// The attribute scalar is the second operand, or the first.
Message withScalar(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    counterpart.inputs.push_back({.number = realOf(node.attributes, "scalar", 0)});
    return {};
}

Message withScalarFirst(const Node& node, const std::optional<Dims>& data, Counterpart& counterpart)
{
    withScalar(node, data, counterpart);
    std::ranges::reverse(counterpart.inputs);
    return {};
}

Message squared(const Node&, const std::optional<Dims>&, Counterpart& counterpart)
{
    counterpart.inputs.push_back({.input = 0});
    return {};
}

Message clipped(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    for (const char* bound : {"a_min", "a_max"})
        counterpart.inputs.push_back({.number = realOf(node.attributes, bound, 0)});
    return {};
}

Message activated(const Node& node, const std::optional<Dims>&, Counterpart& counterpart)
{
    constexpr std::pair<std::string_view, std::string_view> Kinds[] = {
        {"relu", "Relu"}, {"sigmoid", "Sigmoid"}, {"softrelu", "Softplus"}, {"softsign", "Softsign"}, {"tanh", "Tanh"}};
    const std::string kind = textOf(node.attributes, "act_type", "");
    const auto* found = std::ranges::find(Kinds, kind, [](const auto& entry) { return entry.first; });
    if (found == std::end(Kinds)) return say("ops.unknown-activation", word::Name {kind});
    counterpart.op = found->second;
    return {};
}

constexpr OpSchema CastRow {.op = {},
                            .signature = "any",
                            .infer = inferCast,
                            .inPlace = First,
                            .identity = true,
                            .counterpart = {.reshapes = true}};
constexpr OpSchema LikeSecond {.op = {},
                               .signature = "any any",
                               .infer = inferLikeSecond,
                               .inPlace = First,
                               .ignored = Second,
                               .identity = true,
                               .counterpart = {.reshapes = true}};

constexpr OpSchema OwnRows[] = {
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
    // Of data, and the numbers of the rows to keep: the others become zero.
    {.op = "_sparse_retain",
     .signature = "any any",
     .infer = [](NodeFacts& facts) { return inferSameShape(facts, facts.dtype(0)); },
     .storages = ops::storages::Retain},
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
};

constexpr auto MxnetElementwiseSchemas = joined(
    std::to_array(OwnRows), alike<"Cast=Identity amp_cast=Identity">(CastRow),
    alike<"_identity_with_attr_like_rhs=Identity reshape_like=Identity">(LikeSecond),
    alike<"Activation=Relu">(unary({.adapt = activated})), alike<"square=Mul">(unary({.adapt = squared})),
    alike<"abs=Abs arcsin=Asin arcsinh=Asinh arctan=Atan arctanh=Atanh ceil=Ceil erf=Erf floor=Floor negative=Neg "
          "relu=Relu sign=Sign sin=Sin sinh=Sinh softsign=Softsign sqrt=Sqrt tan=Tan tanh=Tanh">(fromZero()),
    alike<"MakeLoss=Identity arccos=Acos arccosh=Acosh cos=Cos cosh=Cosh exp=Exp log=Log reciprocal=Reciprocal "
          "sigmoid=Sigmoid SoftmaxActivation _backward_hard_sigmoid _hypot_scalar "
          "_logical_and_scalar _logical_or_scalar _logical_xor_scalar _mod_scalar _not_equal_scalar "
          "_rmod_scalar cbrt degrees erfinv expm1 fix gamma gammaln hard_sigmoid log10 log1p log2 log_softmax "
          "logical_not radians rcbrt rint round rsqrt smooth_l1 softmax softmin trunc">(unary()),
    alike<"_equal=Equal _greater=Greater _greater_equal=GreaterOrEqual _lesser=Less _lesser_equal=LessOrEqual "
          "_maximum=Max _minimum=Min _power=Pow elemwise_div=Div _grad_add=Add _hypot _mod _not_equal">(binary()),
    alike<"broadcast_add=Add broadcast_div=Div broadcast_equal=Equal broadcast_greater=Greater "
          "broadcast_greater_equal=GreaterOrEqual broadcast_lesser=Less broadcast_lesser_equal=LessOrEqual "
          "broadcast_maximum=Max broadcast_minimum=Min broadcast_mul=Mul broadcast_power=Pow broadcast_sub=Sub "
          "broadcast_hypot broadcast_logical_and broadcast_logical_or broadcast_logical_xor broadcast_mod "
          "broadcast_not_equal">(broadcasting()),
    alike<"BlockGrad=Identity make_loss=Identity _backward_copy _contrib_gradientmultiplier">(identity()),
    alike<"_div_scalar=Div _equal_scalar=Equal _greater_equal_scalar=GreaterOrEqual _greater_scalar=Greater "
          "_lesser_equal_scalar=LessOrEqual _lesser_scalar=Less _maximum_scalar=Max _minimum_scalar=Min "
          "_minus_scalar=Sub _plus_scalar=Add _power_scalar=Pow">(unary({.adapt = withScalar})),
    alike<"_rdiv_scalar=Div _rminus_scalar=Sub _rpower_scalar=Pow">(unary({.adapt = withScalarFirst})));

} // namespace

constinit const OpFamily mxnetElementwiseOperators {"mxnet", MxnetElementwiseSchemas};

} // namespace plimsoll::mxnet
