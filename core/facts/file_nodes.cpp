#include "core/facts/file_nodes.h"

#include "core/base/plural.h"

#include <algorithm>

namespace plimsoll {

std::size_t fileNodes(const Report& report)
{
    const std::vector<Node>& nodes = report.program.graph->nodes;
    const std::size_t captured =
        report.captured.firstAddedNode.valid() ? report.captured.firstAddedNode.index() : nodes.size();
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(captured, nodes.size()));
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), end, [](const Node& node) { return node.origin.dialect != "plimsoll"; }));
}

std::string nodesText(const Report& report)
{
    const std::size_t own = fileNodes(report);
    const std::size_t added = report.program.graph->nodes.size() - own;
    if (added == 0) return plural(own, "node");
    return plural(own, "node") + " and " + countText(added) + " more that " + (added == 1 ? "was" : "were") + " added";
}

} // namespace plimsoll
