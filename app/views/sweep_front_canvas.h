#pragma once

#include "app/views/trade_off_canvas.h"

namespace plimsoll::app {

/// Time against peak of the points of a sweep of which a time is known, numbered as they are, and for each choice of
/// sizes the front: the least time that a peak allows.
class SweepFrontCanvas : public TradeOffCanvas
{
    Q_OBJECT

public:
    explicit SweepFrontCanvas(QWidget* parent = nullptr);

protected:
    [[nodiscard]] std::vector<TradeOff> points() const override;
    void paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const override;
    [[nodiscard]] QStringList tipOf(std::size_t point) const override;
    [[nodiscard]] QString whatItIs() const override;
    [[nodiscard]] int rightwards() const override { return 1; }
};

} // namespace plimsoll::app
