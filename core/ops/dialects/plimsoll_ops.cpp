#include "core/ops/dims.h"
#include "core/ops/onnx/op_families.h"
#include "core/ops/reorder_node.h"
#include "core/ops/saving.h"
#include "core/ops/sparse_tables.h"

namespace plimsoll::ops {

namespace {

/// Input 0 with zeros behind its rows until there are as many as the attribute "rows" says.
Status inferFillRows(NodeFacts& facts)
{
    const std::int64_t rows = facts.attribute("rows", UnknownSize);
    std::optional<Dims> dims = facts.dims(0);
    if (dims && dims->empty()) return facts.error(say("ops.scalar-rows"));
    if (dims && dims->front() > rows)
        return facts.error(say("ops.rows-already-more", word::Number {dims->front()}, word::Number {rows}));
    if (dims) dims->front() = rows;
    return facts.give(facts.dtype(0), dims);
}

/// What is written is as large as it was; the other input is broadcast to it.
Status inferWritten(NodeFacts& facts)
{
    const auto written = facts.type(0).shape();
    const auto other = facts.type(1).shape();
    if (written && other && broadcast(*written, *other) != written)
        return facts.error(say("ops.does-broadcast-written", describe(facts.type(1)), describe(facts.type(0))));
    return inferLikeFirst(facts);
}

constexpr OpSchema mutating(OpSchema row, InferFunction infer = inferLikeFirst)
{
    row.infer = infer;
    row.mutates = true;
    row.pure = false;
    return row;
}

/// Element by element: the other input may be the same bytes.
constexpr OpSchema mutatingBinary(OpSchema row)
{
    row.inPlace = FirstTwo;
    return mutating(row, inferWritten);
}

constexpr OpSchema PlimsollSchemas[] = {
    mutatingBinary(
        {.op = "Add_", .signature = "any any", .derivative = "(self, other) = aten::add_; self: g; other: g"}),
    mutating({.op = "Clamp_", .signature = "any any? any?", .derivative = R"(
        (self, min#, max#) = aten::clamp_
          self: g * (1 - lt(self, min)) * (1 - gt(self, max)))"}),
    mutatingBinary({.op = "Copy_", .signature = "any any", .derivative = "(self, src); self: 0; src: g"}),
    mutatingBinary({.op = "Div_",
                    .signature = "any any",
                    .derivative = "(self, other) = aten::div_; self: g / other; other: -g * self / (other * other)"}),
    mutating({.op = "Elu_", .signature = "any", .derivative = R"(
        (self) -> result = aten::elu_
          self: where(gt(result, 0), g, g * (result + attr(alpha, 1))))"}),
    mutating({.op = "Exp_", .signature = "any", .derivative = "(self) -> result = aten::exp_; self: g * result"}),
    mutating({.op = "Fill_", .signature = "any any?", .derivative = "(self, value#); self: 0"}),
    mutating({.op = "IndexAdd_",
              .signature = "any any any",
              .derivative = R"(
        (self, index, source) = aten::index_add_
          self: g
          source: with(pick(g, index), held(source)))",
              .derivative2019 = "(self, index, source) = aten::index_add_; self: g; source: pick(g, index)"}),
    mutating({.op = "LeakyRelu_", .signature = "any", .derivative = R"(
        (self) -> result = aten::leaky_relu_
          self: where(gt(result, 0), g, g * attr(alpha, 0.01)))"}),
    mutatingBinary({.op = "Mul_",
                    .signature = "any any",
                    .derivative = "(self, other) = aten::mul_; self: g * other; other: g * self"}),
    mutating({.op = "Neg_", .signature = "any", .derivative = "(self) = aten::neg_; self: -g"}),
    mutating(
        {.op = "Relu_", .signature = "any", .derivative = "(self) -> result = aten::relu_; self: g * gt(result, 0)"}),
    mutating({.op = "Sigmoid_",
              .signature = "any",
              .derivative = "(self) -> result = aten::sigmoid_; self: g * result * (1 - result)"}),
    mutatingBinary(
        {.op = "Sub_", .signature = "any any", .derivative = "(self, other) = aten::sub_; self: g; other: -g"}),
    mutating({.op = "Tanh_",
              .signature = "any",
              .derivative = "(self) -> result = aten::tanh_; self: g * (1 - result * result)"}),
    mutating({.op = "Zero_", .signature = "any", .derivative = "(self); self: 0"}),
    {.op = "Detach", .signature = "any", .infer = inferLikeFirst, .view = true, .derivative = "(self)"},
    {.op = "Reorder", .signature = "any", .infer = inferLikeFirst},
    {.op = "CopyTo", .signature = "any", .infer = inferLikeFirst},
    {.op = "FillRows", .signature = "any", .infer = inferFillRows},
    {.op = "Data", .signature = "any", .infer = inferLikeFirst, .view = true, .derivative = "(self)"},
    {.op = "CastStorage", .signature = "any", .infer = inferLikeFirst, .storages = storages::Cast},
    {.op = "Retain", .signature = "any any", .infer = inferLikeFirst, .storages = storages::Retain},
};

} // namespace

constinit const OpFamily plimsollOperators {"plimsoll", PlimsollSchemas};

} // namespace plimsoll::ops

namespace plimsoll {

bool isReorder(const Node& node)
{
    return node.from->origin.dialect == "plimsoll" && node.from->origin.op == "Reorder";
}

ValueId beforePreparing(const Graph& graph, ValueId value)
{
    const NodeId producer = graph[value].producer;
    const bool prepared = producer.valid() && graph.decided[producer].ahead && isReorder(graph[producer]);
    return prepared ? graph[producer].inputs.front() : value;
}

bool isStorageConversion(const Node& node)
{
    return node.from->origin.dialect == "plimsoll" && node.from->origin.op == "CastStorage";
}

bool isSpaceCopy(const Node& node)
{
    return node.domain == "plimsoll" && node.op == "CopyTo";
}

bool sharesVersionCounter(const Graph& graph, NodeId node, const AliasTrait& trait)
{
    const Node& n = graph[node];
    if (trait.kind == AliasKind::View) return n.domain != "plimsoll" || n.op != "Data";
    return trait.kind == AliasKind::Mutates;
}

} // namespace plimsoll
