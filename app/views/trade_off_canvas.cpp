#include "app/views/trade_off_canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "core/facts/offers.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr double Gap = 10;
constexpr double LabelPixels = 34;
/// Of the greatest figure; below, rounded sizes of neighbouring ticks would read alike.
constexpr double NarrowSpan = 0.02;

PlanCost costOfShown(const Report& report)
{
    PlanCost cost;
    cost.peakBytes = report.memory.peakBytes;
    cost.kernelMs = kernelTime(report.program).allMs;
    return cost;
}

QString byteLabel(const TradeOffPlot& plot, double bytes)
{
    const auto whole = static_cast<std::int64_t>(std::llround(bytes));
    return plot.highBytes - plot.lowBytes < NarrowSpan * plot.highBytes ? QObject::tr("%1 B").arg(countText(whole))
                                                                        : sizeText(whole);
}

void paintByteAxis(QPainter& painter, const TradeOffPlot& plot, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    const double wide = metrics.horizontalAdvance(byteLabel(plot, plot.highBytes)) + 20;
    const double tick = byteTick((plot.highBytes - plot.lowBytes) / plot.area.width(), wide);
    for (double bytes = std::ceil(plot.lowBytes / tick) * tick; bytes <= plot.highBytes; bytes += tick) {
        const double x = std::round(plot.area.left() + plot.byteShare(bytes) * plot.area.width()) + 0.5;
        painter.setPen(toColor(style.palette->grid));
        painter.drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()));
        painter.setPen(toColor(style.palette->mutedText));
        painter.drawText(QRectF(x - wide / 2, plot.area.bottom() + 3, wide, metrics.height()), Qt::AlignCenter,
                         byteLabel(plot, bytes));
    }
}

void paintTimeAxis(QPainter& painter, const TradeOffPlot& plot, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    const double tick = timeTick((plot.highMs - plot.lowMs) / plot.area.height(), LabelPixels);
    for (double ms = std::ceil(plot.lowMs / tick) * tick; ms <= plot.highMs; ms += tick) {
        const double y = std::round(plot.area.bottom() - plot.timeShare(ms) * plot.area.height()) + 0.5;
        painter.setPen(toColor(style.palette->grid));
        painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
        painter.setPen(toColor(style.palette->mutedText));
        painter.drawText(QRectF(0, y - metrics.height() / 2, plot.area.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, durationText(ms / 1e3));
    }
}

/// What the axes are, beside their ends inside of the plot.
void paintCaptions(QPainter& painter, const TradeOffPlot& plot, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    painter.setPen(toColor(style.palette->mutedText));
    painter.drawText(QRectF(plot.area.left(), 0, plot.area.width(), plot.area.top()), Qt::AlignLeft | Qt::AlignVCenter,
                     QObject::tr("time of the kernels"));
    painter.drawText(
        QRectF(plot.area.left(), plot.area.bottom() + metrics.height() + 3, plot.area.width(), metrics.height()),
        Qt::AlignRight | Qt::AlignVCenter, QObject::tr("peak"));
}

/// Hollow at the lower edge where its time is not known; a triangle at the upper edge where that is far beyond.
void paintPoint(QPainter& painter, const TradeOffPlot& plot, const PlanCost& cost, double radius, const QColor& colour,
                const Style& style)
{
    const QPointF at = plot.at(cost);
    const bool timed = cost.kernelMs > 0;
    painter.setPen(timed ? QPen(toColor(style.palette->background), 1) : QPen(colour, 1.5));
    painter.setBrush(timed ? colour : toColor(style.palette->background));
    if (plot.isBeyond(cost.kernelMs))
        painter.drawPolygon(
            QPolygonF({at, at + QPointF(1.3 * radius, 1.8 * radius), at + QPointF(-1.3 * radius, 1.8 * radius)}));
    else
        painter.drawEllipse(at, radius, radius);
}

void paintShown(QPainter& painter, const Report& report, const TradeOffPlot& plot, const Style& style)
{
    const PlanCost shown = costOfShown(report);
    const QString text = QObject::tr("this plan");
    const QFontMetricsF metrics(style.smallFont);
    const bool timed = shown.kernelMs > 0;
    const QPointF at = timed ? plot.at(shown) : QPointF(plot.at(shown).x(), plot.area.top() + metrics.height());
    const QColor colour = toColor(style.palette->bound);
    const double x = std::round(at.x()) + 0.5;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(colour, 1, Qt::DashLine));
    painter.drawLine(QPointF(x, plot.area.bottom()), QPointF(x, timed ? at.y() : plot.area.top()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (timed) {
        painter.setPen(QPen(toColor(style.palette->background), 1));
        painter.setBrush(colour);
        painter.drawPolygon(
            QPolygonF({at + QPointF(0, -8), at + QPointF(8, 0), at + QPointF(0, 8), at - QPointF(8, 0)}));
    }
    const double width = metrics.horizontalAdvance(text) + 8;
    QRectF box(at.x() + 10, at.y() - metrics.height() - 6, width, metrics.height() + 2);
    if (box.right() > plot.area.right()) box.moveRight(at.x() - 10);
    if (box.top() < plot.area.top()) box.moveTop(at.y() + 8);
    painter.setFont(style.smallFont);
    painter.fillRect(box, toColor(style.palette->background, 0.85));
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace

QStringList TradeOffCanvas::tipOf(std::size_t point) const
{
    const Report& report = *this->report();
    const PlanCost& cost = report.tradeOffs[point].cost;
    const double least = report.tradeOffs.front().cost.kernelMs;
    QStringList lines = {QObject::tr("%1 in %2").arg(sizeTip(cost.peakBytes), durationText(cost.kernelMs / 1e3))};
    if (point == 0)
        lines << QObject::tr("the fastest");
    else if (least > 0)
        lines << QObject::tr("%1 slower than the fastest").arg(percentText(cost.kernelMs / least - 1));
    lines << QObject::tr("peak beside this plan: %1").arg(changeText(cost.peakBytes - report.memory.peakBytes));
    lines << QObject::tr("the caller has %1").arg(sizeTip(cost.externalBytes));
    lines << (cost.measured ? QObject::tr("measured on this machine") : QObject::tr("times are estimated"));
    lines << QObject::tr("double-click or Return: plan so");
    return lines;
}

QString TradeOffCanvas::whatItIs() const
{
    return QObject::tr(
        "Time and peak of each choice of implementations that no other beats in both. Arrow keys go from "
        "point to point; Return plans so.");
}

QPointF TradeOffPlot::at(const PlanCost& cost) const
{
    return {area.left() + byteShare(double(cost.peakBytes)) * area.width(),
            area.bottom() - timeShare(cost.kernelMs) * area.height()};
}

TradeOffPlot tradeOffPlot(std::span<const TradeOff> points, const Report& report, const QRectF& area,
                          const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    TradeOffPlot plot {tradeOffAxes(points, costOfShown(report)), {}};
    const double labels = metrics.horizontalAdvance(QStringLiteral("999.9 ms"));
    plot.area = area.adjusted(labels + Gap, metrics.height() + 6, -2 * Gap, -2 * metrics.height() - 6);
    plot.area.setSize({std::max(plot.area.width(), 1.0), std::max(plot.area.height(), 1.0)});
    return plot;
}

QPolygonF stairs(const std::vector<TradeOff>& points, const TradeOffPlot& plot)
{
    QPolygonF line;
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
        const QPointF at = plot.at(point->cost);
        line << QPointF(at.x(), line.isEmpty() ? plot.area.top() : line.back().y()) << at;
    }
    line << QPointF(plot.area.right(), line.back().y());
    return line;
}

TradeOffCanvas::TradeOffCanvas(QWidget* parent) : PointCanvas(parent)
{
    setObjectName(QStringLiteral("tradeOffCanvas"));
    setAccessibleName(tr("Time against peak"));
    setAccessibleDescription(TradeOffCanvas::whatItIs());
}

std::vector<TradeOff> TradeOffCanvas::points() const
{
    return report() ? report()->tradeOffs : std::vector<TradeOff>();
}

std::vector<std::optional<QPointF>> TradeOffCanvas::places() const
{
    const std::vector<TradeOff> points = this->points();
    std::vector<std::optional<QPointF>> places(points.size());
    if (points.empty()) return places;
    const TradeOffPlot plot = tradeOffPlot(points, *report(), rect(), looks());
    for (std::size_t i = 0; i < points.size(); ++i)
        places[i] = plot.at(points[i].cost);
    return places;
}

void TradeOffCanvas::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.fillRect(area, toColor(style.palette->panel));
    const std::vector<TradeOff> points = this->points();
    if (points.empty()) return paintEmpty(painter, area, emptyText(), style);
    const TradeOffPlot plot = tradeOffPlot(points, *report(), area, style);
    painter.fillRect(plot.area, toColor(style.palette->background));
    painter.setFont(style.smallFont);
    paintByteAxis(painter, plot, style);
    paintTimeAxis(painter, plot, style);
    paintCaptions(painter, plot, style);
    paintGround(painter, plot, style);
    painter.setPen(toColor(style.palette->outline));
    painter.drawLine(plot.area.bottomLeft(), plot.area.bottomRight());
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintShown(painter, *report(), plot, style);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool picked = static_cast<int>(i) == point();
        const QColor colour = toColor(picked ? style.palette->accent : style.palette->curve);
        paintPoint(painter, plot, points[i].cost, picked ? DotRadius + 2 : DotRadius, colour, style);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TradeOffCanvas::paintGround(QPainter& painter, const TradeOffPlot& plot, const Style& style) const
{
    const QPolygonF line = stairs(report()->tradeOffs, plot);
    QPolygonF possible = line;
    possible << plot.area.topRight();
    painter.setPen(Qt::NoPen);
    painter.setBrush(toColor(style.palette->curve, 0.1));
    painter.drawPolygon(possible);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->curve), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawPolyline(line);
}

/// Left and right follow the axis of bytes.
int TradeOffCanvas::stepOf(int key) const
{
    return rightwards() * PointCanvas::stepOf(key);
}

} // namespace plimsoll::app
