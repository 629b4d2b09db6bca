#include "core/ops/arena_rules.h"

#include <algorithm>
#include <array>

namespace plimsoll {

namespace {

using namespace std::string_view_literals;

constexpr std::array NpuOperators = {"ethos-u"sv};

} // namespace

bool liesInArena(const Graph& graph, const Value& value)
{
    if (!graph.opsets.contains("tflite")) return false;
    const bool state = value.role == ValueRole::Parameter && !value.data.present();
    return value.role == ValueRole::Input || state;
}

bool arrangesItsMemory(const Node& node)
{
    return node.domain == "tflite" &&
           std::find(NpuOperators.begin(), NpuOperators.end(), node.op) != NpuOperators.end();
}

} // namespace plimsoll
