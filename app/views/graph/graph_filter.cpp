#include "app/views/graph/graph_filter.h"

#include "app/models/window_text.h"
#include "core/facts/tables.h"
#include "core/facts/tables/row_query.h"

namespace plimsoll::app {
namespace {

std::string shownText(const Cell& cell)
{
    return cellText(cell).toStdString();
}

/// Tells \p take what the rows are of that the filter leaves; none where it cannot be meant of this table.
template <typename Take>
void visitMatches(const FactTable& table, const Report& report, std::string_view text, Take take)
{
    const RowFilter filter = readRowFilter(text, table);
    if (!filter.complaint.empty()) return;
    const std::unique_ptr<OpenTable> rows = table.open({report});
    for (std::size_t row = 0; row < rows->size(); ++row)
        if (matches(filter, *rows, row, table.columns.size(), shownText)) take(rows->focus(row));
}

} // namespace

std::vector<char> matchesFilter(const GraphPicture& open, const Report& report, std::string_view filter)
{
    const Graph& graph = *report.program.graph;
    std::vector<char> nodes(graph.nodes.size(), 0);
    std::vector<char> values(graph.values.size(), 0);
    visitMatches(nodesTable(), report, filter, [&](const Focus& focus) {
        if (focus.node.valid()) nodes[focus.node.index()] = 1;
    });
    visitMatches(valuesTable(), report, filter, [&](const Focus& focus) {
        if (!focus.value.valid()) return;
        values[focus.value.index()] = 1;
        if (const NodeId producer = graph[focus.value].producer; producer.valid()) nodes[producer.index()] = 1;
    });
    std::vector<char> left;
    for (const GraphBox& box : open.boxes)
        left.push_back(box.kind == BoxKind::Node ? nodes[box.node.index()]
                                                 : box.value.valid() && values[box.value.index()]);
    return left;
}

Message filterComplaint(std::string_view filter)
{
    const Message ofNodes = readRowFilter(filter, nodesTable()).complaint;
    return readRowFilter(filter, valuesTable()).complaint.empty() ? Message() : ofNodes;
}

} // namespace plimsoll::app
