#include "core/facts/file_nodes.h"

#include <algorithm>

namespace plimsoll {

std::size_t fileNodes(const Report& report)
{
    const std::vector<Node>& nodes = report.program.graph->nodes;
    const std::size_t captured =
        report.captured.firstAddedNode.valid() ? report.captured.firstAddedNode.index() : nodes.size();
    const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(captured, nodes.size()));
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), end, [](const Node& node) { return node.from->origin.dialect != "plimsoll"; }));
}

Message nodesText(const Report& report)
{
    const std::size_t own = fileNodes(report);
    const std::size_t added = report.program.graph->nodes.size() - own;
    return added == 0 ? say("nodes", own) : say("nodes.added", own, added);
}

} // namespace plimsoll
