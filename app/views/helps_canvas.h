#pragma once

#include "app/views/trade_off_canvas.h"

namespace plimsoll::app {

/// Time against peak of what other policies make of the plan, one at a time and two by two: a point for each change of
/// the report of which a time is known. Points are numbered as these changes are.
class HelpsCanvas : public TradeOffCanvas
{
    Q_OBJECT

public:
    explicit HelpsCanvas(QWidget* parent = nullptr);

protected:
    [[nodiscard]] std::vector<TradeOff> points() const override;
    void paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const override;
    [[nodiscard]] QStringList tipOf(std::size_t point) const override;
    [[nodiscard]] QString whatItIs() const override;
    [[nodiscard]] int rightwards() const override { return 1; } ///< What needs least comes first.
};

} // namespace plimsoll::app
