#include "core/ops/onnx/op_families.h"
#include "core/ops/safe_int.h"

namespace plimsoll::ops {

namespace {

constexpr std::int64_t Unset = 0;

std::int64_t times(std::int64_t a, std::int64_t b)
{
    return a < 0 || b < 0 ? UnknownSize : (SafeInt(a) * b).get().value_or(UnknownSize);
}
std::int64_t over(std::int64_t a, std::int64_t b)
{
    return a < 0 || b <= 0 ? UnknownSize : a / b;
}
std::int64_t plus(std::int64_t a, std::int64_t b)
{
    return a < 0 || b < 0 ? UnknownSize : (SafeInt(a) + b).get().value_or(UnknownSize);
}

/// Query, key or value as [batch, heads, length, size], whichever way it is packed.
struct Heads
{
    std::int64_t batch = UnknownSize;
    std::int64_t heads = UnknownSize;
    std::int64_t length = UnknownSize;
    std::int64_t size = UnknownSize;
};

Heads headsOf(const NodeFacts& facts, std::size_t input, std::string_view attribute)
{
    const auto dims = facts.dims(input);
    if (dims && dims->size() == 4) return {(*dims)[0], (*dims)[1], (*dims)[2], (*dims)[3]};
    const std::int64_t heads = facts.attribute(attribute, Unset);
    if (!dims || dims->size() != 3 || heads <= 0) return {};
    return {(*dims)[0], heads, (*dims)[1], over((*dims)[2], heads)};
}

/// Q, K, V, mask, past key, past value → Y, present key, present value, scores.
Status inferAttention(NodeFacts& facts)
{
    const Heads q = headsOf(facts, 0, "q_num_heads");
    const Heads k = headsOf(facts, 1, "kv_num_heads");
    const Heads v = headsOf(facts, 2, "kv_num_heads");
    const auto query = facts.dims(0);
    if (query && query->size() != 3 && query->size() != 4)
        return facts.error(say("ops.query-needs-three", describe(facts.type(0))));
    const std::int64_t past = facts.has(4) ? sizeAt(facts.dims(4), 2) : 0;
    const std::int64_t total = plus(past, k.length);
    if (!query) {
        facts.set(0, facts.dtype(0), std::nullopt);
    } else if (query->size() == 4) {
        facts.set(0, facts.dtype(0), Dims {q.batch, q.heads, q.length, v.size});
    } else {
        facts.set(0, facts.dtype(0), Dims {q.batch, q.length, times(q.heads, v.size)});
    }
    facts.set(1, facts.dtype(1), Dims {k.batch, k.heads, total, k.size});
    facts.set(2, facts.dtype(2), Dims {v.batch, v.heads, total, v.size});
    facts.set(3, facts.dtype(0), Dims {q.batch, q.heads, q.length, total});
    return {};
}

/// Query, key, value [batch, length, heads × size], past state, decay, beta → output, present state.
Status inferLinearAttention(NodeFacts& facts)
{
    const Heads q = headsOf(facts, 0, "q_num_heads");
    const Heads k = headsOf(facts, 1, "kv_num_heads");
    const Heads v = headsOf(facts, 2, "kv_num_heads");
    facts.set(0, facts.dtype(0), Dims {q.batch, q.length, times(q.heads, v.size)});
    const DType state = facts.has(3) ? facts.dtype(3) : facts.dtype(0);
    facts.set(1, state, Dims {q.batch, k.heads, k.size, v.size});
    return {};
}

constexpr OpSchema AttentionSchemas[] = {
    {.op = "Attention",
     .signature = "float:T float:T float:U any? float:T? float:U? int? -> 4",
     .infer = inferAttention,
     .choices = {{"qk_matmul_output_mode", "0|1|2|3"}}},
    {.op = "LinearAttention",
     .signature = "float:T float:T float:T float? float:T? float:T? -> 2",
     .infer = inferLinearAttention},
    {.op = "RotaryEmbedding", .signature = "float:T float:T float:T int?", .infer = inferLikeFirst, .grows = AllInputs},
};

} // namespace

constinit const OpFamily attentionOperators {"", AttentionSchemas};

} // namespace plimsoll::ops
