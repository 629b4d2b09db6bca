#include "core/ops/families.h"
#include "core/ops/reorder.h"
#include "core/ops/saving.h"
#include "core/ops/storage_tables.h"

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

constexpr OpSchema mutating(std::string_view op)
{
    return {.op = op, .infer = inferLikeFirst, .mutates = true, .pure = false};
}

const OpSchema Schemas[] = {
    mutating("Add_"),
    mutating("Clamp_"),
    mutating("Copy_"),
    mutating("Div_"),
    mutating("Exp_"),
    mutating("Fill_"),
    mutating("IndexAdd_"),
    mutating("Mul_"),
    mutating("Neg_"),
    mutating("Relu_"),
    mutating("Sigmoid_"),
    mutating("Sub_"),
    mutating("Tanh_"),
    mutating("Zero_"),
    {.op = "Detach", .infer = inferLikeFirst, .identity = true},
    {.op = "Reorder", .infer = inferLikeFirst},
    {.op = "FillRows", .infer = inferFillRows},
    {.op = "Data", .infer = inferLikeFirst, .identity = true},
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

bool sharesVersionCounter(const Graph& graph, NodeId node, const AliasTrait& trait)
{
    const Node& n = graph[node];
    const bool ours = n.domain == "plimsoll";
    if (trait.kind == AliasKind::View) return !(ours && n.op == "Data");
    return trait.kind == AliasKind::Mutates || (trait.kind == AliasKind::Identity && ours && n.op == "Detach");
}

} // namespace plimsoll
