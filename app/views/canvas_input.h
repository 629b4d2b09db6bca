#pragma once

#include <QPointF>

#include <optional>

class QKeyEvent;

namespace plimsoll::app {

/// How far keys and wheel move a picture, the same in all of them.
constexpr double KeyZoom = 1.25;
constexpr double KeyPanPixels = 80;
/// One notch of a wheel is 120 units; a unit zooms by e to this.
constexpr double ZoomPerUnit = 0.0015;

/// What W S (zoom) and A D (pan) mean in pictures whose two axes are moved apart.
struct KeyMove
{
    double zoom = 1;
    double pan = 0;          ///< Pixels, rightwards or downwards.
    bool secondAxis = false; ///< With Shift: bytes or rows, not steps.
};
[[nodiscard]] std::optional<KeyMove> keyMove(const QKeyEvent& event);

/// One press of the left button, until it is let go: a click, or, once it moves further than a hand shakes, a drag.
class PressAndDrag
{
public:
    void press(QPointF at);
    void cancel() { m_pressed = false; }
    [[nodiscard]] bool pressed() const { return m_pressed; }
    /// By how much the picture goes with the pointer since it was told last; nothing while it may yet be a click.
    [[nodiscard]] std::optional<QPointF> dragTo(QPointF at);
    /// Whether it was a click; false if nothing was pressed.
    [[nodiscard]] bool release();

private:
    QPointF m_last;
    bool m_pressed = false;
    bool m_dragged = false;
};

} // namespace plimsoll::app
