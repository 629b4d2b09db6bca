#include "app/models/pane_tables.h"
#include "app/models/window_text.h"
#include "core/facts/words/stream_text.h"

#include <QStringList>

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, NodeTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Step"), QT_TRANSLATE_NOOP("plimsoll", "Position in the schedule"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Stream"),
     QT_TRANSLATE_NOOP("plimsoll", "Where it runs, if the plan has several streams; what it waits for is in its tip"),
     true},
    {QT_TRANSLATE_NOOP("plimsoll", "Node"), QT_TRANSLATE_NOOP("plimsoll", "Name; of a nested graph by its path")},
    {QT_TRANSLATE_NOOP("plimsoll", "Operator"),
     QT_TRANSLATE_NOOP("plimsoll", "With its domain where it is not ONNX's own")},
    {QT_TRANSLATE_NOOP("plimsoll", "Backend"), QT_TRANSLATE_NOOP("plimsoll", "Whose implementation was chosen")},
    {QT_TRANSLATE_NOOP("plimsoll", "Implementation"), QT_TRANSLATE_NOOP("plimsoll", "As the library names it")},
    {QT_TRANSLATE_NOOP("plimsoll", "Scratchpad"), QT_TRANSLATE_NOOP("plimsoll", "Temporary bytes at its step"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Live bytes"),
     QT_TRANSLATE_NOOP("plimsoll", "Planned bytes that matter at its step"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Source"),
     QT_TRANSLATE_NOOP("plimsoll", "Where the model was written, if the file says")},
}};

bool isScheduled(const Report& report, std::size_t node)
{
    return node < report.program.schedule.nodes.size() && !report.program.schedule.nodes[node].empty();
}

/// Empty on one stream, and for what is computed ahead.
Cell streamCell(const Report& report, NodeId node)
{
    if (!report.program.streams.several() || report.program.schedule.nodes[node.index()].empty())
        return {QString(), qint64(-1), {}};
    QStringList names;
    for (const NodeId other : waitsFor(report, node))
        names << toQString((*report.program.graph)[other].name);
    const std::int32_t stream = report.program.streams.of(node);
    return {QString::number(stream), qint64(stream),
            names.isEmpty() ? QString() : QObject::tr("waits for %1").arg(names.join(QStringLiteral(", ")))};
}

} // namespace

std::span<const ColumnInfo> NodeTable::columns() const
{
    return Columns;
}

std::size_t NodeTable::countRows() const
{
    return report().program.graph->nodes.size();
}

Focus NodeTable::focusOf(int row) const
{
    Focus focus = Focus::on(NodeId(row));
    if (isScheduled(report(), static_cast<std::size_t>(row))) focus.step = report().program.schedule.stepOf(focus.node);
    return focus;
}

int NodeTable::rowOf(const Focus& focus) const
{
    if (!hasReport()) return -1;
    const Schedule& schedule = report().program.schedule;
    const bool picked = focus.node.valid() && focus.node.number() < rowCount();
    const Interval steps =
        picked && focus.node.index() < schedule.nodes.size() ? schedule.nodes[focus.node.index()] : Interval();
    // An owner of nested graphs spans their steps; a node computed ahead has none.
    if (picked && (steps.empty() || steps.contains(focus.step))) return focus.node.number();
    if (focus.step >= 0 && focus.step < schedule.length())
        return schedule.steps[static_cast<std::size_t>(focus.step)].node.number();
    return picked ? focus.node.number() : -1;
}

QVariant NodeTable::extra(std::size_t row, int role) const
{
    return role == PlannedRole ? QVariant(isScheduled(report(), row)) : QVariant();
}

Cell NodeTable::cell(std::size_t row, int column) const
{
    const Node& node = report().program.graph->nodes[row];
    const bool scheduled = isScheduled(report(), row);
    const std::int64_t step = scheduled ? report().program.schedule.nodes[row].begin : -1;
    const plimsoll::Implementation& chosen = report().program.implementations[row];
    switch (column) {
    case Step:
        if (!scheduled) return {QObject::tr("ahead"), qint64(-1), QObject::tr("computed once, before the run")};
        return {countText(step), qint64(step), {}};
    case Stream:
        return streamCell(report(), NodeId(row));
    case Name:
        return {toQString(node.name), {}, {}};
    case Operator:
        return {toQString(qualifiedOp(node)), {}, {}};
    case Backend:
        return {toQString(chosen.backend), {}, {}};
    case Implementation:
        if (node.fusedInto.valid())
            return {QObject::tr("in %1").arg(toQString((*report().program.graph)[node.fusedInto].name)),
                    {},
                    QObject::tr("another node computes it along with its own operator")};
        return {toQString(chosen.name), {}, {}};
    case Scratchpad: {
        const std::int64_t bytes = chosen.scratchpadBytes;
        return {bytes ? sizeText(bytes) : QString(), qint64(bytes), exactBytesText(bytes)};
    }
    case Live: {
        if (!scheduled || static_cast<std::size_t>(step) >= report().memory.liveBytes.size())
            return {QString(), qint64(-1), {}};
        const std::int64_t bytes = report().memory.liveBytes[static_cast<std::size_t>(step)];
        return {sizeText(bytes), qint64(bytes), exactBytesText(bytes)};
    }
    case Source:
        return {toQString(node.source), {}, {}};
    default:
        return {};
    }
}

} // namespace plimsoll::app
