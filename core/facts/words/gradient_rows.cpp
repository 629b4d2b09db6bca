#include "core/facts/words/gradient_rows.h"

namespace plimsoll {

std::vector<GradientRow> gradientRows(const Report& report)
{
    const Graph& graph = *report.program.graph;
    const std::vector<ValueId>& outputs = graph.top().outputs;
    std::vector<GradientRow> rows;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        const Value& variable = graph.values[i];
        if (!variable.gradientRequest || !graph.loss.valid()) continue;
        GradientRow row {ValueId(i), *variable.gradientRequest, {}, {}};
        const std::string name = "grad:" + variable.name;
        if (row.request == GradientRequest::Add) row.buffer = findValue(graph, name + ":before");
        for (std::size_t output = outputs.size() - report.program.graph->boundary.gradients; output < outputs.size();
             ++output) {
            const std::string& found = graph[outputs[output]].name;
            if (found != name && !found.starts_with(name + "@")) continue;
            row.gradient = outputs[output];
            rows.push_back(row);
        }
        if (!row.gradient.valid()) rows.push_back(row);
    }
    return rows;
}

} // namespace plimsoll
