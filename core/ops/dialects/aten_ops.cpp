#include "core/ops/onnx/op_families.h"

#include <algorithm>

namespace plimsoll::ops {

namespace {

/// Output 0 has these dimensions of inputs: pairs of input and axis, counted from the end.
Status inferFrom(NodeFacts& facts, std::initializer_list<std::pair<std::size_t, std::size_t>> places)
{
    Dims dims;
    for (const auto& [input, back] : places) {
        const auto from = facts.dims(input);
        if (from && from->size() < back) return facts.error(describe(facts.type(input)) + " has too few axes.");
        dims.push_back(from ? (*from)[from->size() - back] : UnknownSize);
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

Status inferBaddbmm(NodeFacts& facts)
{
    return inferFrom(facts, {{1, 3}, {1, 2}, {2, 1}});
}

Status inferAddbmm(NodeFacts& facts)
{
    return inferFrom(facts, {{1, 2}, {2, 1}});
}

Status inferAddmv(NodeFacts& facts)
{
    return inferFrom(facts, {{1, 2}});
}

Status inferAddr(NodeFacts& facts)
{
    return inferFrom(facts, {{1, 1}, {2, 1}});
}

Status inferGer(NodeFacts& facts)
{
    return inferFrom(facts, {{0, 1}, {1, 1}});
}

Status inferMatmul(NodeFacts& facts)
{
    return findSchema("", "MatMul")->infer(facts);
}

/// The product of all three, without the axes that are summed.
Status inferTrilinear(NodeFacts& facts)
{
    PLIMSOLL_TRY(inferBroadcast(facts));
    const auto all = dimsOf(facts.output(0).type);
    const auto* axes = facts.integersAttribute("axes");
    if (!all || !axes) return {};
    std::vector<bool> gone(all->size(), false);
    for (const std::int64_t axis : *axes) {
        const auto at = normalAxis(axis, all->size());
        if (!at) return facts.error("The axis " + std::to_string(axis) + " is outside.");
        gone[*at] = true;
    }
    Dims dims;
    for (std::size_t axis = 0; axis < all->size(); ++axis) {
        if (!gone[axis]) dims.push_back((*all)[axis]);
    }
    facts.set(0, facts.dtype(0), dims);
    return {};
}

const OpSchema Schemas[] = {
    {.op = "_trilinear", .infer = inferTrilinear},
    {.op = "addbmm", .infer = inferAddbmm},
    {.op = "addcdiv", .infer = inferBroadcast},
    {.op = "addcmul", .infer = inferBroadcast},
    {.op = "addmv", .infer = inferAddmv},
    {.op = "addr", .infer = inferAddr},
    {.op = "baddbmm", .infer = inferBaddbmm},
    {.op = "ger", .infer = inferGer},
    {.op = "index_add", .infer = inferLikeFirst},
    {.op = "lerp", .infer = inferBroadcast},
    {.op = "linalg_cross", .infer = inferBroadcast},
    {.op = "matmul", .infer = inferMatmul},
    {.op = "sigmoid_backward", .infer = inferBroadcast},
};

} // namespace

std::span<const OpSchema> atenSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops
