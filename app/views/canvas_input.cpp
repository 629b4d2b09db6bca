#include "app/views/canvas_input.h"

namespace plimsoll::app {
namespace {

/// A press that moves less is a click, in pixels.
constexpr double ClickSlack = 4;

} // namespace

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
