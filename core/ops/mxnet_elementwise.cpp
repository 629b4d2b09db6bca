#include "core/ops/mxnet_families.h"

namespace plimsoll::mxnet {

namespace {

constexpr std::uint32_t First = 1;
constexpr std::uint32_t FirstTwo = 3;

constexpr OpSchema unary(std::string_view op)
{
    return {.op = op, .infer = inferSame, .inPlace = First};
}

constexpr OpSchema binary(std::string_view op)
{
    return {.op = op, .infer = inferSame, .inPlace = FirstTwo};
}

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

constexpr OpSchema broadcasting(std::string_view op)
{
    return {.op = op, .infer = inferBroadcast, .inPlace = FirstTwo};
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

constexpr OpSchema identity(std::string_view op)
{
    return {.op = op, .infer = inferSame, .inPlace = First, .identity = true};
}

const OpSchema Schemas[] = {
    unary("Activation"),
    unary("MakeLoss"),
    unary("SoftmaxActivation"),
    unary("_backward_hard_sigmoid"),
    unary("_div_scalar"),
    unary("_equal_scalar"),
    unary("_greater_equal_scalar"),
    unary("_greater_scalar"),
    unary("_hypot_scalar"),
    unary("_lesser_equal_scalar"),
    unary("_lesser_scalar"),
    unary("_logical_and_scalar"),
    unary("_logical_or_scalar"),
    unary("_logical_xor_scalar"),
    unary("_maximum_scalar"),
    unary("_minimum_scalar"),
    unary("_minus_scalar"),
    unary("_mod_scalar"),
    unary("_mul_scalar"),
    unary("_not_equal_scalar"),
    unary("_plus_scalar"),
    unary("_power_scalar"),
    unary("_rdiv_scalar"),
    unary("_rminus_scalar"),
    unary("_rmod_scalar"),
    unary("_rpower_scalar"),
    unary("abs"),
    unary("arccos"),
    unary("arccosh"),
    unary("arcsin"),
    unary("arcsinh"),
    unary("arctan"),
    unary("arctanh"),
    unary("cbrt"),
    unary("ceil"),
    unary("cos"),
    unary("cosh"),
    unary("degrees"),
    unary("erf"),
    unary("erfinv"),
    unary("exp"),
    unary("expm1"),
    unary("fix"),
    unary("floor"),
    unary("gamma"),
    unary("gammaln"),
    unary("hard_sigmoid"),
    unary("log"),
    unary("log10"),
    unary("log1p"),
    unary("log2"),
    unary("log_softmax"),
    unary("logical_not"),
    unary("negative"),
    unary("radians"),
    unary("rcbrt"),
    unary("reciprocal"),
    unary("relu"),
    unary("rint"),
    unary("round"),
    unary("rsqrt"),
    unary("sigmoid"),
    unary("sign"),
    unary("sin"),
    unary("sinh"),
    unary("smooth_l1"),
    unary("softmax"),
    unary("softmin"),
    unary("softsign"),
    unary("sqrt"),
    unary("square"),
    unary("tan"),
    unary("tanh"),
    unary("trunc"),
    binary("_equal"),
    binary("_greater"),
    binary("_greater_equal"),
    binary("_hypot"),
    binary("_lesser"),
    binary("_lesser_equal"),
    binary("_maximum"),
    binary("_minimum"),
    binary("_mod"),
    binary("_not_equal"),
    binary("_power"),
    binary("elemwise_add"),
    binary("elemwise_div"),
    binary("elemwise_mul"),
    binary("elemwise_sub"),
    broadcasting("broadcast_add"),
    broadcasting("broadcast_div"),
    broadcasting("broadcast_equal"),
    broadcasting("broadcast_greater"),
    broadcasting("broadcast_greater_equal"),
    broadcasting("broadcast_hypot"),
    broadcasting("broadcast_lesser"),
    broadcasting("broadcast_lesser_equal"),
    broadcasting("broadcast_logical_and"),
    broadcasting("broadcast_logical_or"),
    broadcasting("broadcast_logical_xor"),
    broadcasting("broadcast_maximum"),
    broadcasting("broadcast_minimum"),
    broadcasting("broadcast_mod"),
    broadcasting("broadcast_mul"),
    broadcasting("broadcast_not_equal"),
    broadcasting("broadcast_power"),
    broadcasting("broadcast_sub"),
    identity("BlockGrad"),
    identity("_backward_copy"),
    identity("_contrib_gradientmultiplier"),
    identity("_copy"),
    identity("make_loss"),
    {.op = "Cast", .infer = inferCast, .inPlace = First, .identity = true},
    {.op = "amp_cast", .infer = inferCast, .inPlace = First, .identity = true},
    {.op = "_grad_add", .infer = inferSame, .inPlace = FirstTwo},
    {.op = "_identity_with_attr_like_rhs", .infer = inferLikeSecond, .inPlace = First, .identity = true, .ignored = 2},
    {.op = "reshape_like", .infer = inferLikeSecond, .inPlace = First, .identity = true, .ignored = 2},
    {.op = "add_n", .infer = inferSame, .inPlace = First},
    {.op = "clip", .infer = inferSame},
    {.op = "Dropout", .infer = inferDropout, .inPlace = First, .pure = false},
    {.op = "LeakyReLU", .infer = inferLeaky, .inPlace = First, .traitsHold = isNotLearnt, .pureWhere = isNotRandom},
    {.op = "where", .infer = inferWhere},
    {.op = "_contrib_div_sqrt_dim", .infer = inferSame},
};

} // namespace

std::span<const OpSchema> elementwiseSchemas()
{
    return Schemas;
}

} // namespace plimsoll::mxnet
