#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/graph/graph_canvas.h"
#include "core/base/narrow.h"
#include "core/facts/words/source_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// This near an edge is on it, in pixels.
constexpr double EdgeSlack = 5;

/// "4 KiB  ·  storage 7"
void addPlace(const PlannedValue& value, QStringList& lines)
{
    const QString text =
        isBounded(value) ? GraphCanvas::tr("at most %1  ·  storage %2") : GraphCanvas::tr("%1  ·  storage %2");
    if (value.storage.valid() && mostBytes(value) >= 0)
        lines << text.arg(sizeTip(mostBytes(value))).arg(value.storage.number());
}

void addSource(const QString& source, QStringList& lines)
{
    if (!source.isEmpty()) lines << source;
}

QStringList boxTip(const GraphDrawing& drawing, std::size_t index)
{
    const GraphBox& box = drawing.picture.boxes[index];
    const Report& of = *drawing.made.report;
    QStringList lines = {toQString(box.title)};
    if (box.node.valid())
        lines << toQString((*of.program.graph)[box.node].name);
    else if (!box.subtitle.empty())
        lines << toQString(box.subtitle);
    if (!box.count.empty()) lines << toQString(box.count);
    if (!box.figures.empty()) lines << toQString(box.figures);
    if (box.step >= 0) lines << GraphCanvas::tr("step %1").arg(countText(box.step));
    if (box.node.valid()) addSource(toQString(sourceText(*of.program.graph, box.node)), lines);
    if (box.group.valid())
        lines << (box.kind == BoxKind::Group ? GraphCanvas::tr("double click to open")
                                             : GraphCanvas::tr("double click to close"));
    if (!box.values.empty()) return lines << GraphCanvas::tr("click to show each of them");
    if (!box.value.valid() || box.kind == BoxKind::Group) return lines;
    const Value& value = (*of.program.graph)[box.value];
    lines << toQString(value.name + "  " + describe(value.type));
    addPlace(of.program.values[box.value.index()], lines);
    if (box.inPlace) lines << GraphCanvas::tr("written in place");
    return lines;
}

/// What flows along an arrow, and which stream waits there.
QStringList arrowTip(const GraphDrawing& drawing, std::size_t index)
{
    const GraphArrow& arrow = drawing.picture.arrows[index];
    const Report& of = *drawing.made.report;
    QStringList lines;
    if (arrow.value.valid()) {
        const Value& value = (*of.program.graph)[arrow.value];
        lines << toQString(value.name) << toQString(describe(value.type));
        addPlace(of.program.values[arrow.value.index()], lines);
        addSource(toQString(sourceText(*of.program.graph, arrow.value)), lines);
        if (arrow.values > 1) lines << GraphCanvas::tr("and %1 more").arg(countText(arrow.values - 1));
    }
    if (arrow.waits) lines << GraphCanvas::tr("an event: one stream waits here for the other");
    return lines;
}

QStringList frameTip(const GraphDrawing& drawing, const GraphViewport& view, QPointF at)
{
    const FramePart* part = frameTitledAt(drawing, view, at);
    if (!part) return {};
    const GraphFrame& frame = drawing.picture.frames[part->frame];
    const Message nodes = say("count.nodes", (*drawing.made.tree)[frame.group].nodeCount);
    return {toQString(frame.title), windowText(nodes), GraphCanvas::tr("click the minus to close")};
}

} // namespace

std::int32_t GraphCanvas::cursorBox() const
{
    if (!m_drawing) return -1;
    if (m_cursor.box >= 0) return m_cursor.box;
    const auto found = std::find(m_emphasis.boxes.begin(), m_emphasis.boxes.end(), 2);
    return found == m_emphasis.boxes.end() ? -1 : narrow<std::int32_t>(found - m_emphasis.boxes.begin());
}

void GraphCanvas::pick(const Focus& focus)
{
    const QScopedValueRollback ownPick(m_ownPick, true);
    Q_EMIT picked(focus);
}

void GraphCanvas::pickBox(std::size_t index)
{
    m_cursor.box = static_cast<std::int32_t>(index);
    update();
    const GraphBox& box = m_drawing->picture.boxes[index];
    if (m_drawing->made.report != report()) return; // ids of a report that is gone
    if (!box.values.empty()) return;                // they are many
    if (box.kind == BoxKind::Input || box.kind == BoxKind::Output)
        pick(Focus::on(box.value));
    else if (box.node.valid())
        pick({.node = box.node, .step = box.step});
    else
        pickGroup(box.group);
}

/// Each input and output for itself, or many of one closed group as one.
void GraphCanvas::showEnds(bool all)
{
    GraphLook look = m_look;
    look.allEnds = all;
    setLook(look);
}

/// Nothing else is picked then. Invalid: no group is.
void GraphCanvas::pickGroup(GroupId group)
{
    if (group == m_cursor.group) return;
    m_cursor.group = group;
    if (group.valid()) pick({});
    Q_EMIT groupPicked(group.valid() ? NodeGroup {(*m_asked.tree)[group].name, m_drawing->nodesIn(group)}
                                     : NodeGroup {});
    if (group.valid()) selectionChanged();
}

/// On the title of a frame: its group is picked, or closed by the minus.
bool GraphCanvas::clickFrame(QPointF at)
{
    const FramePart* part = frameTitledAt(*m_drawing, m_view, at);
    if (!part || m_drawing->made.report != report()) return false;
    const GroupId group = m_drawing->picture.frames[part->frame].group;
    if (handleOf(*part, m_view).minus.contains(at))
        toggleGroup(group);
    else
        pickGroup(group);
    return true;
}

void GraphCanvas::clickAt(QPointF at)
{
    if (!m_drawing || !m_view.area.contains(at)) return;
    if (const auto box = boxUnder(at)) {
        if (!m_drawing->picture.boxes[*box].values.empty()) return showEnds(true);
        pickBox(*box);
        if (pathWaits()) endPath();
        return;
    }
    if (clickFrame(at)) return;
    m_cursor.box = -1;
    pickGroup({});
    const auto arrow = arrowUnder(at);
    pick(arrow ? Focus::on(m_drawing->picture.arrows[*arrow].value) : Focus());
    viewChanged();
}

std::optional<std::size_t> GraphCanvas::boxUnder(QPointF pixel) const
{
    if (!m_drawing || !m_view.area.contains(pixel)) return std::nullopt;
    return m_drawing->boxAt(m_view.toDrawing(pixel));
}

std::optional<std::size_t> GraphCanvas::arrowUnder(QPointF pixel) const
{
    if (!m_drawing || !m_view.area.contains(pixel)) return std::nullopt;
    return m_drawing->arrowAt(m_view.toDrawing(pixel), EdgeSlack / m_view.scale);
}

void GraphCanvas::hoverAt(QPointF at)
{
    m_pointer.at = at;
    const auto box = boxUnder(at);
    const auto arrow = box ? std::nullopt : arrowUnder(at);
    const QStringList tip = box     ? boxTip(*m_drawing, *box)
                            : arrow ? arrowTip(*m_drawing, *arrow)
                                    : frameTip(*m_drawing, m_view, at);
    if (tip != m_pointer.tip) Q_EMIT hovered(tip.join(QStringLiteral(", ")));
    if (!tip.empty() || !m_pointer.tip.empty()) update();
    m_pointer.tip = tip;
}

bool GraphCanvas::grabAt(QPointF at, Qt::KeyboardModifiers modifiers)
{
    m_pointer.onMap = false;
    const auto box = modifiers & Qt::ShiftModifier ? boxUnder(at) : std::nullopt;
    if (box && pickedPlace().valid()) { // from what is picked to this one
        startPath();
        pickBox(*box);
        endPath();
        return true;
    }
    m_pointer.onMap = m_drawing && graphParts(room(rect()), *m_drawing, m_view).map.contains(at);
    dragGrabbedTo(at);
    return m_pointer.onMap;
}

void GraphCanvas::dragGrabbedTo(QPointF at)
{
    const QRectF map = m_drawing ? graphParts(room(rect()), *m_drawing, m_view).map : QRectF();
    if (map.isEmpty() || !m_pointer.onMap) return;
    const QRectF bounds = m_drawing->bounds();
    m_view.centre(
        {(at.x() - map.left()) / map.width() * bounds.width(), (at.y() - map.top()) / map.height() * bounds.height()});
    m_framing = Framing::Own;
    viewChanged();
}

void GraphCanvas::dragBy(QPointF pixels)
{
    m_pointer.tip.clear();
    m_framing = Framing::Own;
    m_view.pan(pixels);
    viewChanged();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    const auto box = boxUnder(event->position());
    const FramePart* part = box || !m_drawing ? nullptr : frameTitledAt(*m_drawing, m_view, event->position());
    if (part) toggleGroup(m_drawing->picture.frames[part->frame].group);
    if (!box) return;
    m_cursor.box = static_cast<std::int32_t>(*box);
    toggleGroup(m_drawing->picture.boxes[*box].group);
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const QPointF units = event->angleDelta();
    m_pointer.tip.clear();
    m_framing = Framing::Own;
    if (event->modifiers() & Qt::ShiftModifier)
        m_view.pan({units.y() + units.x(), 0});
    else
        m_view.zoom(std::exp(units.y() * ZoomPerUnit), event->position());
    viewChanged();
    event->accept();
}

bool GraphCanvas::moveByKey(const QKeyEvent& event)
{
    const bool shift = event.modifiers() & Qt::ShiftModifier;
    const QPointF centre = m_view.area.center();
    switch (event.key()) {
    case Qt::Key_W:
        shift ? m_view.pan({0, KeyPanPixels}) : m_view.zoom(KeyZoom, centre);
        break;
    case Qt::Key_S:
        shift ? m_view.pan({0, -KeyPanPixels}) : m_view.zoom(1 / KeyZoom, centre);
        break;
    case Qt::Key_A:
        m_view.pan({KeyPanPixels, 0});
        break;
    case Qt::Key_D:
        m_view.pan({-KeyPanPixels, 0});
        break;
    default:
        return false;
    }
    m_framing = Framing::Own;
    viewChanged();
    return true;
}

bool GraphCanvas::takeKey(const QKeyEvent& event)
{
    if (!m_drawing) return false;
    if (moveByKey(event) || lookByKey(event)) return true;
    const std::int32_t box = cursorBox();
    switch (event.key()) {
    case Qt::Key_G:
        tidy();
        return true;
    case Qt::Key_Escape:
        m_cursor.box = -1;
        pickGroup({});
        selectionChanged();
        return false;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (box >= 0 && !m_drawing->picture.boxes[box].values.empty()) showEnds(true);
        if (box < 0 || m_drawing->picture.boxes[box].kind != BoxKind::Group) return true;
        m_cursor.box = box;
        toggleGroup(m_drawing->picture.boxes[box].group);
        return true;
    case Qt::Key_Minus:
        closeAroundCursor();
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        goAlong(static_cast<Qt::Key>(event.key()));
        return true;
    default:
        return false;
    }
}

/// The group that is picked; else the one that a node with nested graphs has opened, or the innermost around the box.
void GraphCanvas::closeAroundCursor()
{
    if (m_cursor.group.valid() && m_asked.expansion[m_cursor.group.index()]) return toggleGroup(m_cursor.group);
    const std::int32_t index = cursorBox();
    if (index < 0) return;
    const GraphBox& box = m_drawing->picture.boxes[index];
    GroupId group = box.kind == BoxKind::Group ? (*m_asked.tree)[box.group].parent : box.group;
    if (!group.valid() && box.node.valid()) group = m_asked.tree->ofNode[box.node.index()];
    if (!group.valid() || group == RootGroup || !m_asked.expansion[group.index()]) return;
    m_cursor.box = index;
    toggleGroup(group);
}

void GraphCanvas::goAlong(Qt::Key way)
{
    const auto& rects = m_drawing->boxRects;
    if (rects.empty()) return;
    const std::int32_t from = cursorBox();
    if (from < 0) {
        pickBox(0);
        return;
    }
    const auto next = m_drawing->besideBox(static_cast<std::size_t>(from), way);
    if (!next) return;
    pickBox(*next);
    if (m_view.visible().contains(rects[*next])) return;
    m_view.centre(rects[*next].center());
    m_framing = Framing::Own;
    viewChanged();
}

void GraphCanvas::pointerLeft()
{
    if (!m_pointer.tip.empty()) Q_EMIT hovered(QString());
    m_pointer.tip.clear();
}

} // namespace plimsoll::app
