// Which rows are there, and what pointer and keys do with them.
#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/live_range_canvas.h"
#include "core/base/narrow.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll::app {

std::size_t LiveRangeCanvas::stillRows(const Regions& parts) const
{
    return std::min(m_picture.pinned, static_cast<std::size_t>(parts.rows.height() / 2 / m_rowHeight));
}

double LiveRangeCanvas::topOf(std::size_t row, const Regions& parts) const
{
    return parts.rows.top() + double(row) * m_rowHeight - (row < stillRows(parts) ? 0 : m_scroll);
}

void LiveRangeCanvas::paintHeading(QPainter& painter, const QRectF& band, const LiveRow& row, const Style& style) const
{
    painter.fillRect(band, toColor(style.palette->panel));
    if (m_rowHeight < style.smallFont.pointSizeF()) return;
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->text));
    const QFontMetricsF metrics(style.smallFont);
    painter.drawText(band.adjusted(10, 0, -10, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(labelText(toQString(row.heading)), Qt::ElideMiddle, band.width() - 20));
}

QString LiveRangeCanvas::hiddenText() const
{
    if (m_picture.hidden == 0) return {};
    return countedText(narrow<std::int64_t>(m_picture.hidden), tr("1 hidden — show"), tr("%1 hidden — show"));
}

QRectF LiveRangeCanvas::hiddenLink() const
{
    const Regions parts = regionsOf(rect(), looks());
    const double wide = QFontMetricsF(looks().smallFont).horizontalAdvance(hiddenText());
    return {parts.rows.left() + 8, parts.header.top(), wide, wide > 0 ? parts.header.height() : 0};
}

std::string LiveRangeCanvas::pickedName() const
{
    const std::int32_t row = pickedRow();
    return row < 0 ? std::string() : plimsoll::rowName(*report(), m_picture.rows[static_cast<std::size_t>(row)]);
}

void LiveRangeCanvas::setChoice(RowChoice choice)
{
    if (choice == m_shown.choice) return;
    m_shown.choice = std::move(choice);
    if (!due()) {
        reportChanged();
        selectionChanged();
    }
    Q_EMIT choiceChanged(m_shown.choice);
}

void LiveRangeCanvas::pinPicked()
{
    const std::string name = pickedName();
    if (name.empty()) return Q_EMIT noticed(tr("Select a row to pin it"));
    RowChoice choice = m_shown.choice;
    if (choice.pinned.erase(name) == 0) choice.pinned.insert(name);
    setChoice(std::move(choice));
}

void LiveRangeCanvas::hidePicked()
{
    const std::string name = pickedName();
    if (name.empty()) return Q_EMIT noticed(tr("Select a row to hide it"));
    RowChoice choice = m_shown.choice;
    choice.hidden.insert(name);
    setChoice(std::move(choice));
}

void LiveRangeCanvas::showHidden()
{
    RowChoice choice = m_shown.choice;
    choice.hidden.clear();
    setChoice(std::move(choice));
}

void LiveRangeCanvas::groupByModule(bool group)
{
    RowChoice choice = m_shown.choice;
    choice.byModule = group;
    setChoice(std::move(choice));
}

std::int32_t LiveRangeCanvas::rowFrom(std::int32_t row, std::int32_t by) const
{
    for (; row >= 0 && row < std::ssize(m_picture.rows); row += by)
        if (m_picture.rows[static_cast<std::size_t>(row)].storage.valid()) return row;
    return -1;
}

void LiveRangeCanvas::hoverAt(QPointF at)
{
    if (onNamesEdge(at))
        setCursor(Qt::SplitHCursor);
    else
        unsetCursor();
    const std::int32_t row = rowAt(at.y());
    if (row == m_hovered) return;
    m_hovered = row;
    Q_EMIT hovered(row < 0 ? QString() : toQString(rowLabel(*report(), m_picture.rows[row])));
    update();
}

void LiveRangeCanvas::dragBy(QPointF pixels)
{
    m_view.pan({pixels.x(), 0});
    m_scroll -= pixels.y();
    viewChanged();
}

void LiveRangeCanvas::clickAt(QPointF at)
{
    if (m_picture.hidden > 0 && (m_picture.rows.empty() || hiddenLink().contains(at))) return showHidden();
    const Regions parts = regionsOf(rect(), looks());
    if (parts.ruler.contains(at)) {
        const auto step = static_cast<std::int64_t>(std::floor(m_view.stepAt(at.x())));
        if (step >= 0 && step < m_picture.steps) Q_EMIT stepChanged(step);
        return;
    }
    const std::int32_t row = rowAt(at.y());
    if (row >= 0)
        pickRow(row);
    else
        Q_EMIT picked(Focus());
}

void LiveRangeCanvas::wheelEvent(QWheelEvent* event)
{
    const QPointF units = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        m_view.zoomSteps(std::exp(units.y() * ZoomPerUnit), event->position().x());
    } else if (event->modifiers() & Qt::ShiftModifier) {
        const double turn = units.y() == 0 ? units.x() : units.y();
        setRowHeight(m_rowHeight * std::exp(turn * ZoomPerUnit), event->position().y());
    } else {
        m_view.pan({units.x() / 2, 0});
        m_scroll -= units.y() / 2;
    }
    viewChanged();
    event->accept();
}

bool LiveRangeCanvas::moveByKey(const QKeyEvent& event)
{
    const bool page = event.key() == Qt::Key_PageUp || event.key() == Qt::Key_PageDown;
    const auto move = keyMove(event);
    if (page) {
        m_scroll += m_view.area.height() * (event.key() == Qt::Key_PageUp ? -1 : 1);
    } else if (!move) {
        return false;
    } else if (move->secondAxis) {
        setRowHeight(m_rowHeight * move->zoom, m_view.area.center().y());
        m_scroll -= move->pan;
    } else {
        m_view.zoomSteps(move->zoom, m_view.area.center().x());
        m_view.pan({move->pan, 0});
    }
    viewChanged();
    return true;
}

bool LiveRangeCanvas::takeKey(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Insert) return showHidden(), true;
    if (m_picture.rows.empty()) return false;
    if (moveByKey(event)) return true;
    switch (event.key()) {
    case Qt::Key_T:
        setRowKind(m_shown.kind == RowKind::Value ? RowKind::Storage : RowKind::Value);
        return true;
    case Qt::Key_Y:
        pinPicked();
        return true;
    case Qt::Key_Delete:
        hidePicked();
        return true;
    case Qt::Key_Up:
        pickRow(rowFrom(std::max(0, pickedRow() - 1), -1));
        return true;
    case Qt::Key_Down:
        pickRow(rowFrom(pickedRow() + 1, 1));
        return true;
    default:
        return false;
    }
}

} // namespace plimsoll::app
