#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/sparse_tables.h"

#include <algorithm>

namespace plimsoll::mxnet {

namespace {

/// The last axis of a with the first of b; the transposes turn the outermost axis to the other end.
Status inferDot(NodeFacts& facts)
{
    auto a = facts.dims(0);
    auto b = facts.dims(1);
    if (!a || !b || a->empty() || b->empty()) return facts.give(facts.dtype(0), std::nullopt);
    if (flag(facts, "transpose_a", false)) std::rotate(a->begin(), a->begin() + 1, a->end());
    if (flag(facts, "transpose_b", false)) std::rotate(b->begin(), b->end() - 1, b->end());
    if (!sameSize(a->back(), b->front()))
        return facts.error(say("ops.cannot-multiplied", describe(facts.type(0)), describe(facts.type(1))));
    a->pop_back();
    a->insert(a->end(), b->begin() + 1, b->end());
    if (a->empty() && !hasNumpyShapes(facts.graph())) a->push_back(1);
    return facts.give(facts.dtype(0), a);
}

/// Numbers in all weights and biases of a fused recurrent layer (cuDNN's packing).
std::int64_t parametersOf(std::int64_t gates, std::int64_t layers, std::int64_t directions, std::int64_t input,
                          std::int64_t hidden)
{
    if (input < 0) return UnknownSize;
    const SafeInt cell = SafeInt(gates) * hidden * directions;
    const SafeInt first = cell * (SafeInt(input) + hidden + 2);
    const SafeInt other = cell * (SafeInt(hidden) * directions + hidden + 2);
    return known(first + other * (SafeInt(layers) - 1));
}

/// Data [T,N,I], packed parameters, states [layers × directions, N, H] → [T,N,H × directions], states.
Status inferRecurrent(NodeFacts& facts)
{
    const std::string mode = facts.textAttribute("mode", "");
    const std::int64_t gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1;
    const std::int64_t hidden = facts.attribute("state_size", 0);
    const std::int64_t layers = facts.attribute("num_layers", 0);
    const std::int64_t directions = flag(facts, "bidirectional", false) ? 2 : 1;
    if (hidden < 1 || layers < 1) return facts.error(say("ops.state-size-num-layers-least"));
    const auto data = facts.dims(0);
    if (data && data->size() != 3) return facts.error(say("ops.data-steps-batch", describe(facts.type(0))));
    const Dims x = data.value_or(Dims(3, UnknownSize));
    const DType dtype = facts.dtype(0);
    const Dims state = {product(layers, directions), x[1], hidden};
    facts.set(0, dtype, Dims {x[0], x[1], product(hidden, directions)});
    facts.set(1, dtype, state);
    facts.set(2, dtype, state);
    facts.require(1, dtype, Dims {parametersOf(gates, layers, directions, x[2], hidden)});
    facts.require(2, dtype, state);
    if (mode == "lstm") facts.require(3, dtype, state);
    return {};
}

constexpr OpSchema MxnetMatrixSchemas[] = {
    {.op = "RNN",
     .signature = "any any any any? any? -> 3",
     .infer = inferRecurrent,
     .pure = false}, // draws a dropout mask while training
    {.op = "_linalg_gemm2",
     .signature = "any any",
     .infer = inferLike,
     .counterpart = {"com.microsoft::FusedMatMul", "transA=transpose_a|0 transB=transpose_b|0 alpha=alpha"}},
    {.op = "batch_dot",
     .signature = "any any",
     .infer = inferLike,
     .counterpart = {"com.microsoft::FusedMatMul", "transA=transpose_a|0 transB=transpose_b|0"}},
    {.op = "dot", .signature = "any any", .infer = inferDot, .storages = ops::storages::Matrix},
};

} // namespace

constinit const OpFamily mxnetMatrixOperators {"mxnet", MxnetMatrixSchemas};

} // namespace plimsoll::mxnet
