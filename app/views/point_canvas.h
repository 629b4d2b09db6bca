#pragma once

#include "app/views/canvas.h"

namespace plimsoll::app {

/// A plot of points, one of which may be selected, by a click or by arrow keys. A double click or Return takes it.
class PointCanvas : public Canvas
{
    Q_OBJECT

public:
    using Canvas::Canvas;

    void setPoint(int point); ///< -1: none.
    [[nodiscard]] int point() const { return m_point; }

    void fit() override {}
    bool frameSelection() override { return false; }

Q_SIGNALS:
    void pointPicked(int point); ///< By the user.
    void pointTaken(int point);  ///< The plan is to be made so.

protected:
    static constexpr double DotRadius = 4;

    /// Of each point, in the picture that is seen; nothing: it is not drawn.
    [[nodiscard]] virtual std::vector<std::optional<QPointF>> places() const = 0;
    [[nodiscard]] virtual QStringList tipOf(std::size_t point) const = 0;
    [[nodiscard]] virtual QString whatItIs() const = 0;
    /// How many points further an arrow key leads; 0: nowhere. Right and Down lead to the next one.
    [[nodiscard]] virtual int stepOf(int key) const;
    /// The one that the pointer means; -1: none.
    [[nodiscard]] virtual int pointNear(QPointF at) const;

    void reportChanged() override;
    bool takeKey(const QKeyEvent& event) override;
    void paintPointer(QPainter& painter) override;
    void hoverAt(QPointF at) override;
    void pointerLeft() override { m_pointer.reset(); }
    void clickAt(QPointF at) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void pick(int point);

    int m_point = -1;
    std::optional<QPointF> m_pointer;
};

} // namespace plimsoll::app
