#include "app/views/graph/graph_painter.h"

#include <algorithm>

namespace plimsoll::app {
namespace {

void raiseTo(char level, std::int32_t box, GraphEmphasis& emphasis)
{
    if (box < 0) return;
    char& now = emphasis.boxes[static_cast<std::size_t>(box)];
    now = std::max(now, level);
}

/// Boxes that \p values come from, closed groups too, and, unless a node is picked, all tenants of their storages.
void emphasiseBoxes(const GraphDrawing& drawing, const std::vector<char>& wanted, bool node, GraphEmphasis& emphasis)
{
    const Report& report = *drawing.made.report;
    std::vector<char> storages(report.program.storages.size(), 0);
    const auto storageOf = [&](std::size_t value) { return report.program.values[value].storage; };
    for (std::size_t i = 0; i < wanted.size() && !node; ++i) { // the operands of a node light no further tenants
        if (wanted[i] && storageOf(i).valid()) storages[storageOf(i).index()] = 1;
    }
    const auto levelOf = [&](std::size_t value) -> char {
        if (wanted[value] && !node) return 2;
        return storageOf(value).valid() && storages[storageOf(value).index()] ? 1 : 0;
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (const char level = levelOf(i)) raiseTo(level, drawing.picture.boxOfValue[i], emphasis);
    }
    for (std::size_t i = 0; i < drawing.picture.boxes.size(); ++i) {
        const GraphBox& box = drawing.picture.boxes[i];
        if (box.kind != BoxKind::Output || !box.value.valid()) continue;
        if (const char level = levelOf(box.value.index())) raiseTo(level, static_cast<std::int32_t>(i), emphasis);
    }
}

} // namespace

GraphEmphasis emphasise(const GraphDrawing& drawing, const Focus& focus, const std::vector<ValueId>& values)
{
    GraphEmphasis emphasis;
    emphasis.boxes.assign(drawing.picture.boxes.size(), 0);
    emphasis.arrows.assign(drawing.picture.arrows.size(), 0);
    std::vector<char> wanted(drawing.made.report->program.values.size(), 0);
    for (ValueId value : values)
        wanted[value.index()] = 1;
    const Schedule& schedule = drawing.made.report->program.schedule;
    if (focus.step >= 0 && focus.step < schedule.length() && !focus.node.valid()) {
        const NodeId runs = schedule.steps[static_cast<std::size_t>(focus.step)].node;
        if (runs.valid()) emphasis.stepBox = drawing.picture.boxOfNode[runs.index()];
    }
    emphasis.any = !values.empty() || focus.node.valid();
    if (!emphasis.any) return emphasis;
    const bool node = focus.node.valid();
    const std::int32_t own = node && focus.node.index() < drawing.picture.boxOfNode.size()
                                 ? drawing.picture.boxOfNode[focus.node.index()]
                                 : -1;
    emphasiseBoxes(drawing, wanted, node, emphasis);
    for (std::size_t i = 0; i < drawing.picture.arrows.size(); ++i) {
        const GraphArrow& arrow = drawing.picture.arrows[i];
        const bool touches = own >= 0 && (arrow.from == own || arrow.to == own);
        if (!touches && (node || !arrow.value.valid() || !wanted[arrow.value.index()])) continue;
        emphasis.arrows[i] = 2;
        raiseTo(1, arrow.from, emphasis);
        raiseTo(1, arrow.to, emphasis);
    }
    raiseTo(2, own, emphasis);
    return emphasis;
}

} // namespace plimsoll::app
