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
        if (from && from->size() < back) return facts.error(say("ops.too-few-axes", describe(facts.type(input))));
        dims.push_back(from ? (*from)[from->size() - back] : UnknownSize);
    }
    return facts.give(facts.dtype(0), dims);
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
        if (!at) return facts.error(say("ops.no-such-axis", word::Number {axis}));
        gone[*at] = true;
    }
    Dims dims;
    for (std::size_t axis = 0; axis < all->size(); ++axis) {
        if (!gone[axis]) dims.push_back((*all)[axis]);
    }
    return facts.give(facts.dtype(0), dims);
}

constexpr OpSchema AtenSchemas[] = {
    {.op = "_nnpack_spatial_convolution",
     .signature = "any any any?",
     .pure = false,
     .derivative = R"(
        (self, weight, bias?)
          joint
          self: conv_input(g, weight)
          weight: conv_weight(g, self)
          bias: channels(g))",
     .derivative2019 = R"(
        (self, weight, bias?)
          self: conv_input(g, weight)
          weight: conv_weight(g, self)
          bias: channels(g))"},
    {.op = "_trilinear", .signature = "any any any", .infer = inferTrilinear, .derivative = R"(
        (i1, i2, i3)
          joint
          i1: expand(g) * i2 * i3
          i2: expand(g) * i1 * i3
          i3: expand(g) * i1 * i2
          hint i1: i2 i3
          hint i2: i1 i3
          hint i3: i1 i2)"},
    {.op = "addbmm",
     .signature = "any any any",
     .infer =
         [](NodeFacts& facts) {
             return inferFrom(facts, {{1, 2}, {2, 1}});
         },
     .derivative = R"(
        (self, batch1, batch2)
          self: attr(beta, 1) * g
          batch1: attr(alpha, 1) * matmul(g, transpose(batch2))
          batch2: attr(alpha, 1) * matmul(transpose(batch1), g))"},
    {.op = "addcdiv", .signature = "any any any", .infer = inferBroadcast, .derivative = R"(
        (self, tensor1, tensor2)
          self: g
          tensor1: g * attr(value, 1) / tensor2
          tensor2: -g * attr(value, 1) * tensor1 / (tensor2 * tensor2))"},
    {.op = "addcmul", .signature = "any any any", .infer = inferBroadcast, .derivative = R"(
        (self, tensor1, tensor2)
          self: g
          tensor1: g * tensor2 * attr(value, 1)
          tensor2: g * tensor1 * attr(value, 1))"},
    {.op = "addmv",
     .signature = "any any any",
     .infer =
         [](NodeFacts& facts) {
             return inferFrom(facts, {{1, 2}});
         },
     .derivative = R"(
        (self, mat, vec)
          self: attr(beta, 1) * g
          mat: attr(alpha, 1) * column(g) * vec
          vec: attr(alpha, 1) * matmul(transpose(mat), g))"},
    {.op = "addr",
     .signature = "any any any",
     .infer =
         [](NodeFacts& facts) {
             return inferFrom(facts, {{1, 1}, {2, 1}});
         },
     .derivative = R"(
        (self, vec1, vec2)
          self: attr(beta, 1) * g
          vec1: attr(alpha, 1) * matmul(g, vec2)
          vec2: attr(alpha, 1) * matmul(transpose(g), vec1))"},
    {.op = "baddbmm",
     .signature = "any any any",
     .infer =
         [](NodeFacts& facts) {
             return inferFrom(facts, {{1, 3}, {1, 2}, {2, 1}});
         },
     .derivative = R"(
        (self, batch1, batch2)
          self: attr(beta, 1) * g
          batch1: attr(alpha, 1) * matmul(g, transpose(batch2))
          batch2: attr(alpha, 1) * matmul(transpose(batch1), g))"},
    {.op = "ger",
     .signature = "any any",
     .infer =
         [](NodeFacts& facts) {
             return inferFrom(facts, {{0, 1}, {1, 1}});
         },
     .derivative = "(self, vec2); self: matmul(g, vec2); vec2: matmul(transpose(g), self)"},
    {.op = "index_add",
     .signature = "any any any",
     .infer = inferLikeFirst,
     .derivative = "(self, index, source); self: g; source: with(pick(g, index), held(source))",
     .derivative2019 = "(self, index, source); self: g; source: pick(g, index)"},
    {.op = "lerp", .signature = "any any any", .infer = inferBroadcast, .derivative = R"(
        (self, end, weight)
          self: g * (1 - weight)
          end: g * weight
          weight: g * (end - self))"},
    {.op = "linalg_cross",
     .signature = "any any",
     .infer = inferBroadcast,
     .derivative = "(self, other) = aten::cross; self: cross(other, g); other: cross(g, self)"},
    {.op = "matmul",
     .signature = "any any",
     .infer = [](NodeFacts& facts) { return findSchema("", "MatMul")->infer(facts); },
     .derivative = "(self, other); joint; self: matmul_left(g, other); other: matmul_right(self, g)"},
    {.op = "sigmoid_backward", .signature = "any any", .infer = inferBroadcast, .derivative = R"(
        (grad_output, output)
          grad_output: g * output * (1 - output)
          output: g * grad_output * (1 - 2 * output))"},
};

} // namespace

constinit const OpFamily atenOperators {"aten", AtenSchemas};

} // namespace plimsoll::ops
