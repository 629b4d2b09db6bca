#include "core/ops/op_schema.h"

#include "core/ops/mxnet/mxnet_families.h"
#include "core/ops/onnx/op_families.h"

#include <unordered_map>

namespace plimsoll {

namespace {

using Rows = std::unordered_map<std::string_view, const OpSchema*>;

std::unordered_map<std::string_view, Rows> makeTable()
{
    std::unordered_map<std::string_view, Rows> table;
    for (const OpFamily& family : opFamilies())
        for (const OpSchema& row : family.rows)
            table[family.domain].emplace(row.op, &row);
    return table;
}

} // namespace

std::span<const OpFamily> opFamilies()
{
#define PLIMSOLL_OPERATORS_OF(name) ops::name##Operators,
#define PLIMSOLL_OPERATORS_OF_MXNET(name) mxnet::name##Operators,
    static const OpFamily families[] = {PLIMSOLL_OP_FAMILIES(PLIMSOLL_OPERATORS_OF)
                                            PLIMSOLL_MXNET_FAMILIES(PLIMSOLL_OPERATORS_OF_MXNET)};
#undef PLIMSOLL_OPERATORS_OF
#undef PLIMSOLL_OPERATORS_OF_MXNET
    return families;
}

const OpSchema* findSchema(std::string_view domain, std::string_view op)
{
    static const auto table = makeTable();
    const auto rows = table.find(domain == "ai.onnx" ? "" : domain);
    if (rows == table.end()) return nullptr;
    const auto row = rows->second.find(op);
    return row == rows->second.end() ? nullptr : row->second;
}

std::int64_t opsetOf(const Graph& graph, const Node& node)
{
    const std::int64_t version = opsetVersion(graph, node.domain);
    return version > 0 ? version : NewestOpset;
}

} // namespace plimsoll
