#pragma once

#include "app/views/canvas.h"
#include "core/picture/trade_off_axes.h"

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

/// Time against peak: what each choice of implementations takes that no other beats in both, and the plan that is
/// shown. What else is a point is a class of its own (HelpsCanvas).
class TradeOffCanvas : public Canvas
{
    Q_OBJECT

public:
    explicit TradeOffCanvas(QWidget* parent = nullptr);

    void setPoint(int point); ///< Of the report's curve; -1: none.
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

    [[nodiscard]] virtual std::vector<TradeOff> points() const;
    /// Beneath the points.
    virtual void paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const;
    [[nodiscard]] virtual QStringList tipOf(std::size_t point) const;
    [[nodiscard]] virtual QString whatItIs() const;
    [[nodiscard]] virtual int rightwards() const { return -1; } ///< Points come fastest first.

private:
    [[nodiscard]] int pointNear(QPointF at) const;
    void pick(int point);
    void pickNext(int by, int count);

    int m_point = -1;
    std::optional<QPointF> m_pointer;
};

} // namespace plimsoll::app
