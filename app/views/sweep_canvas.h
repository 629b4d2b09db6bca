#pragma once

#include "app/views/canvas.h"

namespace plimsoll::app {

/// What plans take over a sweep: bytes upwards, the values of the first axis to the right, a line for each combination
/// of the others. Under each peak stands its lower bound.
///
///     bytes |            o batch=8, inplace=off
///           |      o____/  o inplace=on
///           | o___/  o____/
///           |   ^ lower bound
///           +-------------------
///             1      2      4     batch
class SweepCanvas : public Canvas
{
    Q_OBJECT

public:
    explicit SweepCanvas(QWidget* parent = nullptr);

    void setPoint(int point); ///< Of the report's sweep; -1: none.
    [[nodiscard]] int point() const { return m_point; }

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;
    void fit() override {}
    void frameSelection() override {}

Q_SIGNALS:
    void pointPicked(int point); ///< By the user.
    void pointTaken(int point);  ///< Double-clicked, or Return: the plan is to be made so.

protected:
    void reportChanged() override;
    bool takeKey(const QKeyEvent& event) override;
    void paintPointer(QPainter& painter) override;
    void hoverAt(QPointF at) override;
    void pointerLeft() override { m_pointer.reset(); }
    void clickAt(QPointF at) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] int pointNear(QPointF at) const;
    [[nodiscard]] QStringList tipOf(std::size_t point) const;

    int m_point = -1;
    std::optional<QPointF> m_pointer;
};

} // namespace plimsoll::app
