#pragma once

#include "app/views/point_canvas.h"

namespace plimsoll::app {

/// What is told of a combination when it is pointed at.
[[nodiscard]] QStringList sweepTip(const Sweep& sweep, std::size_t point);

/// What plans take over a sweep: bytes upwards, the values of the first axis to the right, a line for each combination
/// of the others. Under each peak stands its lower bound. A dot is filled where no other of its sizes is better.
///
///     bytes |            o batch=8, inplace=off
///           |      o____/  o inplace=on
///           | o___/  o____/
///           |   ^ lower bound
///           +-------------------
///             1      2      4     batch
class SweepCanvas : public PointCanvas
{
    Q_OBJECT

public:
    explicit SweepCanvas(QWidget* parent = nullptr);

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;

protected:
    [[nodiscard]] std::vector<std::optional<QPointF>> places() const override;
    [[nodiscard]] QStringList tipOf(std::size_t point) const override;
    [[nodiscard]] QString whatItIs() const override;
    [[nodiscard]] int stepOf(int key) const override; ///< Left and right along the first axis, else from line to line.
};

} // namespace plimsoll::app
