#include "core/ops/dialects/arena_rules.h"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

using namespace std::string_view_literals;

constexpr std::array NpuOperators = {"ethos-u"sv};

} // namespace

bool liesInArena(const Graph& graph, const Value& value)
{
    const bool all = graph.opsets.contains("tflite");
    if (!all && !graph.opsets.contains("executorch")) return false;
    const bool state = value.role == ValueRole::Parameter && !value.data->present();
    return state || (value.role == ValueRole::Input && (all || !value.visible));
}

bool isWorkspace(const Graph& graph, ValueId value)
{
    const NodeId producer = graph[value].producer;
    if (!producer.valid()) return false;
    const auto first = static_cast<std::int64_t>(graph[producer].outputs.size()) -
                       attributeOr<std::int64_t>(graph[producer], Workspaces, 0);
    const bool mayHave = graph.opsets.contains("executorch") || graph.opsets.contains("tflite") ||
                         (graph[producer].domain == "plimsoll" && graph[producer].op == "Inserted");
    return mayHave && graph[value].producerOutput >= first;
}

bool isCustomOperator(const Node& node)
{
    return node.from->origin.dialect == "tflite" && node.from->origin.overload == CustomOverload;
}

bool arrangesItsMemory(const Node& node)
{
    return node.domain == "tflite" && std::ranges::find(NpuOperators, *node.op) != NpuOperators.end();
}

} // namespace plimsoll
