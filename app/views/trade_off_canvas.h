#pragma once

#include "app/views/point_canvas.h"
#include "core/picture/trade_off_axes.h"

#include <QPolygonF>

namespace plimsoll::app {

/// Where the plot of time against peak is, and what its axes span.
struct TradeOffPlot : TradeOffAxes
{
    QRectF area; ///< Pixels, without axes.

    [[nodiscard]] QPointF at(const PlanCost& cost) const;
};
/// Of at least one point, and the plan that is shown.
[[nodiscard]] TradeOffPlot tradeOffPlot(std::span<const TradeOff> points, const Report& report, const QRectF& area,
                                        const Style& style);
[[nodiscard]] inline TradeOffPlot tradeOffPlot(const Report& report, const QRectF& area, const Style& style)
{
    return tradeOffPlot(report.tradeOffs, report, area, style);
}

/// The least time that a peak allows: from above the lowest peak down to the fastest and on to the right. Of at least
/// one point, the fastest first.
[[nodiscard]] QPolygonF stairs(const std::vector<TradeOff>& points, const TradeOffPlot& plot);

/// Time against peak: what each choice of implementations takes that no other beats in both, and the plan that is
/// shown. What else is a point is a class of its own (HelpsCanvas).
class TradeOffCanvas : public PointCanvas
{
    Q_OBJECT

public:
    explicit TradeOffCanvas(QWidget* parent = nullptr);

    void paint(QPainter& painter, const QRectF& area, const Style& style) override;

protected:
    [[nodiscard]] std::vector<std::optional<QPointF>> places() const override;
    [[nodiscard]] int stepOf(int key) const override;

    [[nodiscard]] virtual std::vector<TradeOff> points() const;
    /// Beneath the points.
    virtual void paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const;
    [[nodiscard]] QStringList tipOf(std::size_t point) const override;
    [[nodiscard]] QString whatItIs() const override;
    [[nodiscard]] virtual int rightwards() const { return -1; } ///< Points come fastest first.
};

} // namespace plimsoll::app
