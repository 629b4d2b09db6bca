#include "app/views/canvas_input.h"

#include <QKeyEvent>

namespace plimsoll::app {
namespace {

/// A press that moves less is a click, in pixels.
constexpr double ClickSlack = 4;

} // namespace

std::optional<KeyMove> keyMove(const QKeyEvent& event)
{
    KeyMove move;
    move.secondAxis = event.modifiers() & Qt::ShiftModifier;
    switch (event.key()) {
    case Qt::Key_W:
        move.zoom = KeyZoom;
        return move;
    case Qt::Key_S:
        move.zoom = 1 / KeyZoom;
        return move;
    case Qt::Key_A:
        move.pan = move.secondAxis ? -KeyPanPixels : KeyPanPixels;
        return move;
    case Qt::Key_D:
        move.pan = move.secondAxis ? KeyPanPixels : -KeyPanPixels;
        return move;
    default:
        return std::nullopt;
    }
}

void PressAndDrag::press(QPointF at)
{
    m_last = at;
    m_pressed = true;
    m_dragged = false;
}

std::optional<QPointF> PressAndDrag::dragTo(QPointF at)
{
    const QPointF by = at - m_last;
    if (!m_pressed || (!m_dragged && by.manhattanLength() < ClickSlack)) return std::nullopt;
    m_dragged = true;
    m_last = at;
    return by;
}

bool PressAndDrag::release()
{
    const bool click = m_pressed && !m_dragged;
    m_pressed = false;
    return click;
}

} // namespace plimsoll::app
