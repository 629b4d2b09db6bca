#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/sparse_tables.h"

namespace plimsoll::mxnet {

namespace {

constexpr OpSchema unary(std::string_view op)
{
    return {.op = op, .signature = "any", .infer = inferSame, .inPlace = First};
}

constexpr OpSchema binary(std::string_view op)
{
    return {.op = op, .signature = "any any", .infer = inferSame, .inPlace = FirstTwo};
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
    return {.op = op, .signature = "any any", .infer = inferBroadcast, .inPlace = FirstTwo};
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
    return {.op = op, .signature = "any", .infer = inferSame, .inPlace = First, .identity = true};
}

/// Of data, and the numbers of the rows to keep: the others become zero.
Status inferRetain(NodeFacts& facts)
{
    return inferSameShape(facts, facts.dtype(0));
}

constexpr std::string_view Unary[] = {"Activation",
                                      "MakeLoss",
                                      "SoftmaxActivation",
                                      "_backward_hard_sigmoid",
                                      "_div_scalar",
                                      "_equal_scalar",
                                      "_greater_equal_scalar",
                                      "_greater_scalar",
                                      "_hypot_scalar",
                                      "_lesser_equal_scalar",
                                      "_lesser_scalar",
                                      "_logical_and_scalar",
                                      "_logical_or_scalar",
                                      "_logical_xor_scalar",
                                      "_maximum_scalar",
                                      "_minimum_scalar",
                                      "_minus_scalar",
                                      "_mod_scalar",
                                      "_not_equal_scalar",
                                      "_plus_scalar",
                                      "_power_scalar",
                                      "_rdiv_scalar",
                                      "_rminus_scalar",
                                      "_rmod_scalar",
                                      "_rpower_scalar",
                                      "abs",
                                      "arccos",
                                      "arccosh",
                                      "arcsin",
                                      "arcsinh",
                                      "arctan",
                                      "arctanh",
                                      "cbrt",
                                      "ceil",
                                      "cos",
                                      "cosh",
                                      "degrees",
                                      "erf",
                                      "erfinv",
                                      "exp",
                                      "expm1",
                                      "fix",
                                      "floor",
                                      "gamma",
                                      "gammaln",
                                      "hard_sigmoid",
                                      "log",
                                      "log10",
                                      "log1p",
                                      "log2",
                                      "log_softmax",
                                      "logical_not",
                                      "negative",
                                      "radians",
                                      "rcbrt",
                                      "reciprocal",
                                      "relu",
                                      "rint",
                                      "round",
                                      "rsqrt",
                                      "sigmoid",
                                      "sign",
                                      "sin",
                                      "sinh",
                                      "smooth_l1",
                                      "softmax",
                                      "softmin",
                                      "softsign",
                                      "sqrt",
                                      "square",
                                      "tan",
                                      "tanh",
                                      "trunc"};

constexpr std::string_view Binary[] = {"_equal",  "_greater",      "_greater_equal", "_hypot",
                                       "_lesser", "_lesser_equal", "_maximum",       "_minimum",
                                       "_mod",    "_not_equal",    "_power",         "elemwise_div"};

constexpr std::string_view Broadcasting[] = {"broadcast_add",        "broadcast_div",           "broadcast_equal",
                                             "broadcast_greater",    "broadcast_greater_equal", "broadcast_hypot",
                                             "broadcast_lesser",     "broadcast_lesser_equal",  "broadcast_logical_and",
                                             "broadcast_logical_or", "broadcast_logical_xor",   "broadcast_maximum",
                                             "broadcast_minimum",    "broadcast_mod",           "broadcast_mul",
                                             "broadcast_not_equal",  "broadcast_power",         "broadcast_sub"};

constexpr std::string_view Identities[] = {"BlockGrad", "_backward_copy", "_contrib_gradientmultiplier", "make_loss"};

const OpSchema Others[] = {
    {.op = "Cast", .signature = "any", .infer = inferCast, .inPlace = First, .identity = true},
    {.op = "amp_cast", .signature = "any", .infer = inferCast, .inPlace = First, .identity = true},
    {.op = "_grad_add", .signature = "any any", .infer = inferSame, .inPlace = FirstTwo},
    {.op = "_identity_with_attr_like_rhs",
     .signature = "any any",
     .infer = inferLikeSecond,
     .inPlace = First,
     .ignored = Second,
     .identity = true},
    {.op = "reshape_like",
     .signature = "any any",
     .infer = inferLikeSecond,
     .inPlace = First,
     .ignored = Second,
     .identity = true},
    {.op = "add_n", .signature = "any+", .infer = inferSame, .inPlace = First},
    {.op = "clip", .signature = "any", .infer = inferSame},
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
     .storages = ops::storages::Copy},
    {.op = "_sparse_retain", .signature = "any any", .infer = inferRetain, .storages = ops::storages::Retain},
    {.op = "_mul_scalar", .signature = "any", .infer = inferSame, .inPlace = First, .storages = ops::storages::Scaling},
    {.op = "cast_storage", .signature = "any", .infer = inferSame, .storages = ops::storages::Cast},
    {.op = "elemwise_add",
     .signature = "any any",
     .infer = inferSame,
     .inPlace = FirstTwo,
     .storages = ops::storages::Sum},
    {.op = "elemwise_sub",
     .signature = "any any",
     .infer = inferSame,
     .inPlace = FirstTwo,
     .storages = ops::storages::Difference},
    {.op = "elemwise_mul",
     .signature = "any any",
     .infer = inferSame,
     .inPlace = FirstTwo,
     .storages = ops::storages::ElementwiseProduct},
};

std::vector<OpSchema> makeSchemas()
{
    std::vector<OpSchema> schemas(std::begin(Others), std::end(Others));
    for (const std::string_view op : Unary)
        schemas.push_back(unary(op));
    for (const std::string_view op : Binary)
        schemas.push_back(binary(op));
    for (const std::string_view op : Broadcasting)
        schemas.push_back(broadcasting(op));
    for (const std::string_view op : Identities)
        schemas.push_back(identity(op));
    return schemas;
}

} // namespace

std::span<const OpSchema> elementwiseSchemas()
{
    static const std::vector<OpSchema> schemas = makeSchemas();
    return schemas;
}

} // namespace plimsoll::mxnet
