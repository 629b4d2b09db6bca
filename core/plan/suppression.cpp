#include "core/plan/suppression.h"

#include <algorithm>

namespace plimsoll {

FindingName nameOf(const Finding& finding, const Graph& graph)
{
    FindingName name {.rule = std::string(ruleId(finding.rule))};
    for (const ValueId value : finding.values)
        name.values.push_back(graph[value].name);
    for (const NodeId node : finding.nodes)
        name.nodes.push_back(graph[node].name);
    return name;
}

const Suppression* suppressionOf(const Finding& finding, const Graph& graph, std::span<const Suppression> suppressions)
{
    if (suppressions.empty()) return nullptr;
    const auto found = std::ranges::find(suppressions, nameOf(finding, graph), &Suppression::finding);
    return found == suppressions.end() ? nullptr : &*found;
}

std::size_t markSuppressed(std::span<Finding> findings, const Graph& graph, std::span<const Suppression> suppressions)
{
    std::size_t marked = 0;
    for (Finding& finding : findings) {
        const Suppression* suppression = suppressionOf(finding, graph, suppressions);
        if (!suppression) continue;
        finding.message = say("finding.suppressed", suppression->reason, finding.message);
        ++marked;
    }
    return marked;
}

bool isSuppressed(const Finding& finding)
{
    return finding.message.id == "finding.suppressed";
}

} // namespace plimsoll
