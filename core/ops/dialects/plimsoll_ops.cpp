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
    if (dims && dims->empty()) return facts.error("A scalar has no rows.");
    if (dims && dims->front() > rows)
        return facts.error("There are " + std::to_string(dims->front()) + " rows already, more than " +
                           std::to_string(rows) + ".");
    if (dims) dims->front() = rows;
    facts.set(0, facts.dtype(0), dims);
    return {};
}

/// What is written is as large as it was; the other input is broadcast to it.
Status inferWritten(NodeFacts& facts)
{
    const auto written = facts.type(0).shape();
    const auto other = facts.type(1).shape();
    if (written && other && broadcast(*written, *other) != written)
        return facts.error(describe(facts.type(1)) + " does not broadcast to " + describe(facts.type(0)) +
                           ", which is written in place.");
    return inferLikeFirst(facts);
}

constexpr OpSchema mutating(std::string_view op)
{
    return {.op = op, .infer = inferLikeFirst, .mutates = true, .pure = false};
}

/// Element by element: the other input may be the same bytes.
constexpr OpSchema mutatingBinary(std::string_view op)
{
    return {.op = op, .infer = inferWritten, .inPlace = 3, .mutates = true, .pure = false};
}

const OpSchema Schemas[] = {
    mutatingBinary("Add_"),
    mutating("Clamp_"),
    mutatingBinary("Copy_"),
    mutatingBinary("Div_"),
    mutating("Elu_"),
    mutating("Exp_"),
    mutating("Fill_"),
    mutating("IndexAdd_"),
    mutating("LeakyRelu_"),
    mutatingBinary("Mul_"),
    mutating("Neg_"),
    mutating("Relu_"),
    mutating("Sigmoid_"),
    mutatingBinary("Sub_"),
    mutating("Tanh_"),
    mutating("Zero_"),
    {.op = "Detach", .infer = inferLikeFirst, .view = true},
    {.op = "Reorder", .infer = inferLikeFirst},
    {.op = "CopyTo", .infer = inferLikeFirst},
    {.op = "FillRows", .infer = inferFillRows},
    {.op = "Data", .infer = inferLikeFirst, .view = true},
    {.op = "CastStorage", .infer = inferLikeFirst, .storages = storages::Cast},
    {.op = "Retain", .infer = inferLikeFirst, .storages = storages::Retain},
};

} // namespace

std::span<const OpSchema> plimsollSchemas()
{
    return Schemas;
}

} // namespace plimsoll::ops

namespace plimsoll {

bool isReorder(const Node& node)
{
    return node.origin.dialect == "plimsoll" && node.origin.op == "Reorder";
}

bool isStorageConversion(const Node& node)
{
    return node.origin.dialect == "plimsoll" && node.origin.op == "CastStorage";
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
