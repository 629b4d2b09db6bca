#include "app/views/point_canvas.h"

#include "app/views/canvas_text.h"
#include "core/base/narrow.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// So near to a point the pointer means it.
constexpr double Reach = 24;

} // namespace

void PointCanvas::reportChanged()
{
    if (m_point >= std::ssize(places())) m_point = -1;
}

void PointCanvas::setPoint(int point)
{
    if (point == m_point) return;
    m_point = point;
    const bool known = point >= 0 && point < std::ssize(places());
    setAccessibleDescription(known ? tipOf(static_cast<std::size_t>(point)).join(u", ") : whatItIs());
    repaintPicture();
}

int PointCanvas::stepOf(int key) const
{
    const bool back = key == Qt::Key_Left || key == Qt::Key_Up;
    const bool on = key == Qt::Key_Right || key == Qt::Key_Down;
    return on ? 1 : back ? -1 : 0;
}

int PointCanvas::pointNear(QPointF at) const
{
    const auto places = this->places();
    double least = Reach;
    int near = -1;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i]) continue;
        const QPointF away = *places[i] - at;
        const double distance = std::hypot(away.x(), away.y());
        if (distance > least) continue;
        least = distance;
        near = narrow<int>(i);
    }
    return near;
}

void PointCanvas::paintPointer(QPainter& painter)
{
    const int near = m_pointer ? pointNear(*m_pointer) : -1;
    if (near < 0) return;
    const auto point = static_cast<std::size_t>(near);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(toColor(looks().palette->accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(*places()[point], DotRadius + 3, DotRadius + 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintTip(painter, *m_pointer, rect(), tipOf(point), looks());
}

void PointCanvas::hoverAt(QPointF at)
{
    m_pointer = at;
    update();
}

void PointCanvas::pick(int point)
{
    setPoint(point);
    Q_EMIT pointPicked(point);
}

void PointCanvas::clickAt(QPointF at)
{
    pick(pointNear(at));
}

void PointCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int near = event->button() == Qt::LeftButton ? pointNear(event->position()) : -1;
    if (near >= 0) Q_EMIT pointTaken(near);
}

bool PointCanvas::takeKey(const QKeyEvent& event)
{
    const int count = narrow<int>(places().size());
    if (count == 0) return false;
    if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) {
        if (m_point >= 0) Q_EMIT pointTaken(m_point);
        return m_point >= 0;
    }
    const int by = stepOf(event.key());
    if (by == 0) return false;
    pick(m_point < 0 ? (by > 0 ? 0 : count - 1) : std::clamp(m_point + by, 0, count - 1));
    return true;
}

} // namespace plimsoll::app
