#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/graph/graph_canvas.h"
#include "core/base/narrow.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace plimsoll::app {
namespace {

/// This near an edge is on it, in pixels.
constexpr double EdgeSlack = 5;

} // namespace

std::int32_t GraphCanvas::cursorBox() const
{
    if (!m_drawing) return -1;
    if (m_cursor >= 0) return m_cursor;
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
    m_cursor = static_cast<std::int32_t>(index);
    update();
    const GraphBox& box = m_drawing->picture.boxes[index];
    if (m_drawing->made.report != report()) return; // ids of a report that is gone
    if (box.kind == BoxKind::Input || box.kind == BoxKind::Output)
        pick(Focus::on(box.value));
    else if (box.node.valid())
        pick({.node = box.node, .step = box.step});
}

void GraphCanvas::clickAt(QPointF at)
{
    if (!m_drawing || !m_view.area.contains(at)) return;
    if (const auto box = boxUnder(at)) {
        pickBox(*box);
        return;
    }
    m_cursor = -1;
    const auto arrow = arrowUnder(at);
    pick(arrow ? Focus::on(m_drawing->picture.arrows[*arrow].value) : Focus());
    viewChanged();
}

QStringList GraphCanvas::tipFor(std::size_t index) const
{
    const GraphBox& box = m_drawing->picture.boxes[index];
    const Report& of = *m_drawing->made.report;
    QStringList lines = {QString::fromStdString(box.title)};
    if (box.node.valid())
        lines << QString::fromStdString((*of.program.graph)[box.node].name);
    else if (!box.subtitle.empty())
        lines << QString::fromStdString(box.subtitle);
    if (!box.count.empty()) lines << QString::fromStdString(box.count);
    if (box.step >= 0) lines << tr("step %1").arg(countText(box.step));
    if (box.group.valid()) {
        lines << (box.kind == BoxKind::Group ? tr("double click to open") : tr("double click to close"));
    }
    if (!box.value.valid() || box.kind == BoxKind::Group) return lines;
    const PlannedValue& value = of.program.values[box.value.index()];
    lines << QString::fromStdString((*of.program.graph)[box.value].name + "  " +
                                    describe((*of.program.graph)[box.value].type));
    if (value.storage.valid() && value.logicalBytes >= 0) {
        lines << tr("%1  ·  storage %2").arg(sizeText(value.logicalBytes)).arg(value.storage.number());
    }
    if (box.inPlace) lines << tr("written in place");
    return lines;
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

/// What flows along an arrow, and which stream waits there.
QStringList GraphCanvas::tipForArrow(std::size_t index) const
{
    const GraphArrow& arrow = m_drawing->picture.arrows[index];
    const Report& of = *m_drawing->made.report;
    QStringList lines;
    if (arrow.value.valid()) {
        const PlannedValue& value = of.program.values[arrow.value.index()];
        lines << QString::fromStdString((*of.program.graph)[arrow.value].name);
        lines << QString::fromStdString(describe((*of.program.graph)[arrow.value].type));
        if (value.storage.valid() && value.logicalBytes >= 0)
            lines << tr("%1  ·  storage %2").arg(sizeText(value.logicalBytes)).arg(value.storage.number());
        if (arrow.values > 1) lines << tr("and %1 more").arg(countText(arrow.values - 1));
    }
    if (arrow.waits) lines << tr("an event: one stream waits here for the other");
    return lines;
}

void GraphCanvas::hoverAt(QPointF at)
{
    m_pointer = at;
    const auto box = boxUnder(at);
    const auto arrow = box ? std::nullopt : arrowUnder(at);
    const QStringList tip = box ? tipFor(*box) : arrow ? tipForArrow(*arrow) : QStringList();
    if (tip != m_tip) Q_EMIT hovered(tip.join(QStringLiteral(", ")));
    if (!tip.empty() || !m_tip.empty()) update();
    m_tip = tip;
}

bool GraphCanvas::grabAt(QPointF at)
{
    if (!m_drawing || !graphParts(rect(), *m_drawing, m_view).map.contains(at)) return false;
    goToMap(at);
    return true;
}

void GraphCanvas::goToMap(QPointF at)
{
    const QRectF map = m_drawing ? graphParts(rect(), *m_drawing, m_view).map : QRectF();
    if (map.isEmpty()) return;
    const QRectF bounds = m_drawing->bounds();
    m_view.centre(
        {(at.x() - map.left()) / map.width() * bounds.width(), (at.y() - map.top()) / map.height() * bounds.height()});
    m_framing = Framing::Own;
    viewChanged();
}

void GraphCanvas::dragBy(QPointF pixels)
{
    m_tip.clear();
    m_framing = Framing::Own;
    m_view.pan(pixels);
    viewChanged();
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto box = event->button() == Qt::LeftButton ? boxUnder(event->position()) : std::nullopt;
    if (!box) return;
    m_cursor = static_cast<std::int32_t>(*box);
    toggleGroup(m_drawing->picture.boxes[*box].group);
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const QPointF units = event->angleDelta();
    m_tip.clear();
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
    if (moveByKey(event)) return true;
    const std::int32_t box = cursorBox();
    switch (event.key()) {
    case Qt::Key_G:
        tidy();
        return true;
    case Qt::Key_Escape:
        m_cursor = -1;
        return false;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (box < 0 || m_drawing->picture.boxes[static_cast<std::size_t>(box)].kind != BoxKind::Group) return true;
        m_cursor = box;
        toggleGroup(m_drawing->picture.boxes[static_cast<std::size_t>(box)].group);
        return true;
    case Qt::Key_Minus:
        closeAroundCursor();
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        goAlong(event.key());
        return true;
    default:
        return false;
    }
}

/// The group that a node with nested graphs has opened, or else the innermost group around the box.
void GraphCanvas::closeAroundCursor()
{
    const std::int32_t index = cursorBox();
    if (index < 0) return;
    const GraphBox& box = m_drawing->picture.boxes[static_cast<std::size_t>(index)];
    GroupId group = box.kind == BoxKind::Group ? (*m_tree)[box.group].parent : box.group;
    if (!group.valid() && box.node.valid()) group = m_tree->ofNode[box.node.index()];
    if (!group.valid() || group == RootGroup || !m_expansion[group.index()]) return;
    m_cursor = index;
    toggleGroup(group);
}

/// Up and down along the edges, left and right to the next box of the same height.
void GraphCanvas::goAlong(int key)
{
    const auto& rects = m_drawing->boxRects;
    if (rects.empty()) return;
    const std::int32_t from = cursorBox();
    if (from < 0) {
        pickBox(0);
        return;
    }
    const QPointF here = rects[static_cast<std::size_t>(from)].center();
    std::int32_t best = -1;
    double nearest = std::numeric_limits<double>::infinity();
    const auto consider = [&](std::int32_t box, double distance) {
        if (distance >= nearest) return;
        nearest = distance;
        best = box;
    };
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        for (const GraphArrow& arrow : m_drawing->picture.arrows) {
            if (arrow.values == 0) continue; // only an event
            const std::int32_t other = key == Qt::Key_Down ? arrow.to : arrow.from;
            if ((key == Qt::Key_Down ? arrow.from : arrow.to) != from) continue;
            const QPointF there = rects[static_cast<std::size_t>(other)].center();
            consider(other, std::abs(there.y() - here.y()) + std::abs(there.x() - here.x()));
        }
    } else {
        const double side = key == Qt::Key_Right ? 1 : -1;
        m_drawing->boxIndex.visit(rects[static_cast<std::size_t>(from)], [&](std::size_t i) {
            const double away = (rects[i].center().x() - here.x()) * side;
            if (away > 0) consider(static_cast<std::int32_t>(i), away);
        });
    }
    if (best < 0) return;
    pickBox(static_cast<std::size_t>(best));
    const QRectF rect = rects[static_cast<std::size_t>(best)];
    if (!m_view.visible().contains(rect)) {
        m_view.centre(rect.center());
        m_framing = Framing::Own;
        viewChanged();
    }
}

void GraphCanvas::pointerLeft()
{
    if (!m_tip.empty()) Q_EMIT hovered(QString());
    m_tip.clear();
}

} // namespace plimsoll::app
