#include "core/facts/words/report_tables.h"
#include "core/facts/words/strided_view.h"
#include "core/report/escape.h"
#include "core/report/writers.h"

namespace plimsoll {
namespace {

std::string number(std::int64_t bytes)
{
    return bytes >= 0 ? std::to_string(bytes) : std::string();
}

void addRow(std::string& text, const std::vector<std::string>& cells)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
        text += (i == 0 ? "" : ",") + cells[i];
    text += "\r\n";
}

std::string_view sharedAs(const PlannedValue& value)
{
    if (!value.shared) return "";
    switch (value.sharedAs) {
    case AliasKind::Fresh:
        return "";
    case AliasKind::MayBeInPlace:
        return "in-place";
    case AliasKind::Identity:
        return "identity";
    case AliasKind::View:
        return "view";
    case AliasKind::Mutates:
        return "mutates";
    }
    return "";
}

/// For other programs: no separators.
std::string plainRanges(const LiveRanges& live)
{
    std::string text;
    for (const Interval steps : live.intervals())
        text += (text.empty() ? "[" : " [") + std::to_string(steps.begin) + ", " + std::to_string(steps.end) + ")";
    return text;
}

} // namespace

std::string writeCsv(const Report& report)
{
    std::string text = "name,role,dtype,shape,producer,storage,arena,space,offset,logicalBytes,requiredBytes,firstStep,"
                       "endStep,liveSteps,visible,sharedAs,strides,spanBytes\r\n";
    const Graph& graph = *report.program.graph;
    for (std::size_t i = 0; i < graph.values.size() && i < report.program.values.size(); ++i) {
        const Value& value = graph.values[i];
        const PlannedValue& planned = report.program.values[i];
        const Storage* storage = planned.storage.valid() ? &report.program.storages[planned.storage.index()] : nullptr;
        const bool placed =
            storage && storage->arena.valid() && storage->arena.index() < report.program.map.arenas.size();
        const std::string type = describe(value.type);
        const auto bracket = type.find('[');
        const Interval steps = planned.live.hull();
        const auto view = stridedView(graph, ValueId(i));
        addRow(text,
               {escapeCsv(value.name), std::string(roleName(value.role)), std::string(dtypeName(value.type.dtype)),
                bracket == std::string::npos ? std::string() : escapeCsv(type.substr(bracket)),
                value.producer.valid() ? escapeCsv(graph[value.producer].name) : std::string(),
                storage ? std::to_string(planned.storage.number()) : std::string(),
                placed ? std::to_string(storage->arena.number()) : std::string(),
                placed ? escapeCsv(report.program.map.arenas[storage->arena.index()].space) : escapeCsv(value.space),
                placed ? std::to_string(planned.offset) : std::string(), number(planned.logicalBytes),
                number(planned.requiredBytes), std::to_string(steps.begin), std::to_string(steps.end),
                escapeCsv(plainRanges(planned.live)), planned.visible ? "yes" : "no", std::string(sharedAs(planned)),
                view ? escapeCsv(describe(view->strides)) : std::string(),
                view ? std::to_string(view->spanBytes) : std::string()});
    }
    return text;
}

} // namespace plimsoll
