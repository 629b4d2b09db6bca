#include "core/report/completeness.h"

#include "core/base/bytes.h"
#include "core/base/plural.h"

namespace plimsoll {

std::string incompleteText(const Report& report)
{
    if (report.unplanned.empty()) return {};
    const auto missing = static_cast<std::int64_t>(report.unplanned.size());
    std::string reason = report.unplanned.front().reason;
    if (reason.ends_with('.')) reason.pop_back();
    return formatCount(missing) + " of " + countText(report.values.size()) + " values " +
           (missing == 1 ? "has" : "have") + " no size (" + reason + ")";
}

Lacking lackingOf(const Graph& graph, ValueId value)
{
    const Value& one = graph[value];
    const TensorType& type = one.type;
    if (type.kind != TypeKind::Tensor || type.dtype == DType::String || type.bytes()) return Lacking::Nothing;
    if (type.isSparse() && type.asDense().bytes()) return Lacking::Bound;
    const bool brought = one.body == TopBody && (one.role == ValueRole::Input || one.role == ValueRole::Parameter);
    return brought && !type.shape() ? Lacking::InputShape : Lacking::Nothing;
}

ValueId firstLacking(const Report& report)
{
    const Graph& graph = *report.graph;
    ValueId first;
    for (std::size_t i = 0; i < graph.values.size() && !report.unplanned.empty(); ++i) {
        const ValueId value(i);
        if (lackingOf(graph, value) == Lacking::Nothing) continue;
        if (graph[value].role == ValueRole::Input) return value;
        if (!first.valid()) first = value;
    }
    return first;
}

} // namespace plimsoll
