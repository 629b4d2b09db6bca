#include "app/views/sweep_canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "core/base/narrow.h"
#include "core/facts/english/english.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr double HalfBound = 4;
constexpr double LabelPixels = 34;
/// Room above the highest figure.
constexpr double Air = 1.08;
/// Of the width, what the names of lines take at most.
constexpr double NamesShare = 0.3;
/// Lines that have a name of their own.
constexpr std::size_t MostNamed = 12;

/// Where a sweep is drawn. Points come with the values of the last axis first: point = column · lines + line.
struct SweepPlot
{
    const Sweep& sweep;
    QRectF area; ///< Pixels, without axes and names.
    double highBytes = 1;
    std::size_t lines = 1;

    [[nodiscard]] std::size_t columns() const { return sweep.axes.front().values.size(); }
    [[nodiscard]] double xOf(std::size_t column) const
    {
        return area.left() + (double(column) + 0.5) / double(columns()) * area.width();
    }
    [[nodiscard]] double yOf(double bytes) const { return area.bottom() - bytes / highBytes * area.height(); }
    [[nodiscard]] QPointF at(std::size_t point) const
    {
        return {xOf(point / lines), yOf(double(sweep.points[point].cost.peakBytes))};
    }
};

bool isPlanned(const SweepPoint& point)
{
    return point.refused.empty();
}

bool isKnown(const Report* report)
{
    return report && report->sweep && !report->sweep->axes.empty() && !report->sweep->points.empty();
}

std::size_t linesOf(const Sweep& sweep)
{
    std::size_t lines = 1;
    for (std::size_t axis = 1; axis < sweep.axes.size(); ++axis)
        lines *= sweep.axes[axis].values.size();
    return lines;
}

/// What tells the line apart: the values of all axes but the first; their names stand above them.
QString nameOfLine(const Sweep& sweep, std::size_t line)
{
    QStringList values;
    for (std::size_t axis = 1; axis < sweep.axes.size(); ++axis)
        values << toQString(sweep.points[line].values[axis]);
    return values.join(QStringLiteral(", "));
}

QString namesOfLines(const Sweep& sweep)
{
    QStringList names;
    for (std::size_t axis = 1; axis < sweep.axes.size(); ++axis)
        names << toQString(sweep.axes[axis].name);
    return names.join(QStringLiteral(", "));
}

SweepPlot plotOf(const Sweep& sweep, const Report& report, const QRectF& area, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    SweepPlot plot {sweep, {}, double(report.memory.peakBytes), linesOf(sweep)};
    for (const SweepPoint& point : sweep.points)
        if (isPlanned(point)) plot.highBytes = std::max(plot.highBytes, double(point.cost.peakBytes));
    plot.highBytes *= Air;
    double names = std::max(16.0, metrics.horizontalAdvance(namesOfLines(sweep)) + 8);
    for (std::size_t line = 0; sweep.axes.size() > 1 && line < std::min(plot.lines, sweep.points.size()); ++line)
        names = std::max(names, metrics.horizontalAdvance(nameOfLine(sweep, line)) + 20);
    const double labels = metrics.horizontalAdvance(QStringLiteral("999.99 MiB")) + 12;
    plot.area = area.adjusted(labels, metrics.height() + 6, -std::min(names, area.width() * NamesShare),
                              -2 * metrics.height() - 8);
    plot.area.setSize({std::max(plot.area.width(), 1.0), std::max(plot.area.height(), 1.0)});
    return plot;
}

void paintBytes(QPainter& painter, const SweepPlot& plot, const QString& caption, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    const double tick = byteTick(plot.highBytes / plot.area.height(), LabelPixels);
    for (double bytes = 0; bytes <= plot.highBytes; bytes += tick) {
        const double y = std::round(plot.yOf(bytes)) + 0.5;
        painter.setPen(toColor(style.palette->grid));
        painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
        painter.setPen(toColor(style.palette->mutedText));
        painter.drawText(QRectF(0, y - metrics.height() / 2, plot.area.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, sizeText(std::llround(bytes)));
    }
    painter.drawText(
        QRectF(plot.area.left(), plot.area.top() - metrics.height() - 4, plot.area.width(), metrics.height()),
        Qt::AlignLeft, caption);
}

/// The values of the first axis, as many as have room.
void paintColumns(QPainter& painter, const SweepPlot& plot, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    const SweepAxis& axis = plot.sweep.axes.front();
    painter.setPen(toColor(style.palette->mutedText));
    double free = -1;
    for (std::size_t column = 0; column < plot.columns(); ++column) {
        const QString text = toQString(axis.values[column]);
        const double width = metrics.horizontalAdvance(text) + 8;
        const double left = plot.xOf(column) - width / 2;
        if (left < free) continue;
        free = left + width;
        painter.drawText(QRectF(left, plot.area.bottom() + 3, width, metrics.height()), Qt::AlignCenter, text);
    }
    painter.drawText(
        QRectF(plot.area.left(), plot.area.bottom() + metrics.height() + 4, plot.area.width(), metrics.height()),
        Qt::AlignRight, toQString(axis.name));
}

/// A line across all columns, with what it is at its right end.
void paintLevel(QPainter& painter, const SweepPlot& plot, std::int64_t bytes, const QString& text, const QColor& colour,
                const Style& style)
{
    if (double(bytes) > plot.highBytes) return;
    const QFontMetricsF metrics(style.smallFont);
    const double y = std::round(plot.yOf(double(bytes))) + 0.5;
    painter.setPen(QPen(colour, 1, Qt::DashLine));
    painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
    const double width = metrics.horizontalAdvance(text) + 8;
    const QRectF box(plot.area.right() - width - 4, y - metrics.height() - 1, width, metrics.height());
    painter.fillRect(box, toColor(style.palette->background, 0.85));
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignCenter, text);
}

Rgb colourOf(std::size_t line, const Style& style)
{
    return style.fill(static_cast<ColourIndex>(line % StorageColourCount));
}

/// One combination of the other axes: dots on a line, broken where nothing could be planned, each over its bound.
void paintLine(QPainter& painter, const SweepPlot& plot, std::size_t line, const Style& style)
{
    const QColor colour = toColor(colourOf(line, style));
    QPolygonF stretch;
    const auto drawStretch = [&] {
        painter.setPen(QPen(colour, 2));
        painter.drawPolyline(stretch);
        stretch.clear();
    };
    for (std::size_t point = line; point < plot.sweep.points.size(); point += plot.lines) {
        const SweepPoint& one = plot.sweep.points[point];
        if (!isPlanned(one)) {
            drawStretch();
            continue;
        }
        const QPointF at = plot.at(point);
        const double bound = plot.yOf(double(one.lowerBoundBytes));
        painter.setPen(QPen(toColor(style.palette->bound), 1));
        painter.drawLine(QPointF(at.x(), at.y()), QPointF(at.x(), bound));
        painter.drawLine(QPointF(at.x() - HalfBound, bound), QPointF(at.x() + HalfBound, bound));
        stretch << at;
    }
    drawStretch();
}

/// At the right end of its line; one below the other where they would meet.
void paintNames(QPainter& painter, const SweepPlot& plot, const QRectF& area, const Style& style)
{
    struct Name
    {
        double y = 0;
        std::size_t line = 0;
    };
    std::vector<Name> names;
    for (std::size_t line = 0; plot.sweep.axes.size() > 1 && line < plot.lines; ++line) {
        for (std::size_t column = plot.columns(); column-- > 0;) {
            const std::size_t point = column * plot.lines + line;
            if (point >= plot.sweep.points.size() || !isPlanned(plot.sweep.points[point])) continue;
            names.push_back({plot.at(point).y(), line});
            break;
        }
    }
    if (names.empty()) return;
    std::ranges::sort(names, {}, &Name::y);
    const QFontMetricsF metrics(style.smallFont);
    const auto write = [&](double top, const QString& text, double indent) {
        const QRectF box(plot.area.right() + 6 + indent, top, area.right() - plot.area.right() - 8 - indent,
                         metrics.height());
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, shortened(text, metrics, box.width()));
    };
    painter.setPen(toColor(style.palette->mutedText));
    write(plot.area.top() - metrics.height() - 4, namesOfLines(plot.sweep), 0);
    const auto room = static_cast<std::size_t>(std::max(1.0, plot.area.height() / metrics.height()));
    const std::size_t most = std::min(MostNamed, room);
    if (names.size() > most) {
        const QString more = QObject::tr("%1 more").arg(countText(narrow<qint64>(names.size() - most + 1)));
        names.resize(most - 1);
        write(plot.area.bottom() - metrics.height(), more, 0);
    }
    double free = plot.area.top();
    for (const Name& name : names) {
        const double top = std::max(free, name.y - metrics.height() / 2);
        free = top + metrics.height();
        painter.fillRect(QRectF(plot.area.right() + 6, top + metrics.height() / 2 - 4, 8, 8),
                         toColor(colourOf(name.line, style)));
        painter.setPen(toColor(style.palette->text));
        write(top, nameOfLine(plot.sweep, name.line), 12);
    }
}

} // namespace

SweepCanvas::SweepCanvas(QWidget* parent) : PointCanvas(parent)
{
    setObjectName(QStringLiteral("sweepCanvas"));
    setAccessibleName(tr("Sweep"));
    setAccessibleDescription(SweepCanvas::whatItIs());
}

QString SweepCanvas::whatItIs() const
{
    return tr("Peak and lower bound for many sizes or policies. Arrow keys go from point to point; Return plans so.");
}

std::vector<std::optional<QPointF>> SweepCanvas::places() const
{
    if (!isKnown(report().get())) return {};
    const Sweep& sweep = *report()->sweep;
    const SweepPlot plot = plotOf(sweep, *report(), rect(), looks());
    std::vector<std::optional<QPointF>> places(sweep.points.size());
    for (std::size_t point = 0; point < places.size(); ++point)
        if (isPlanned(sweep.points[point])) places[point] = plot.at(point);
    return places;
}

int SweepCanvas::stepOf(int key) const
{
    const int lines = narrow<int>(linesOf(*report()->sweep));
    switch (key) {
    case Qt::Key_Left:
        return -lines;
    case Qt::Key_Right:
        return lines;
    case Qt::Key_Up:
        return -1;
    case Qt::Key_Down:
        return 1;
    default:
        return 0;
    }
}

QStringList SweepCanvas::tipOf(std::size_t point) const
{
    return sweepTip(*report()->sweep, point);
}

QStringList sweepTip(const Sweep& sweep, std::size_t point)
{
    const SweepPoint& one = sweep.points[point];
    QStringList lines = {toQString(sweepText(sweep.axes, one.values))};
    if (!isPlanned(one)) return lines << windowText(one.refused);
    lines << SweepCanvas::tr("peak %1").arg(sizeTip(one.cost.peakBytes));
    lines << SweepCanvas::tr("lower bound %1").arg(sizeTip(one.lowerBoundBytes));
    lines << SweepCanvas::tr("the caller has %1").arg(sizeTip(one.cost.externalBytes));
    if (one.cost.kernelMs > 0) lines << SweepCanvas::tr("kernels %1").arg(durationText(one.cost.kernelMs / 1e3));
    if (!one.complete) lines << SweepCanvas::tr("incomplete");
    return lines << SweepCanvas::tr("double-click or Return: plan so");
}

void SweepCanvas::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.fillRect(area, toColor(style.palette->panel));
    if (!isKnown(report().get())) return paintEmpty(painter, area, emptyText(), style);
    const SweepPlot plot = plotOf(*report()->sweep, *report(), area, style);
    painter.fillRect(plot.area, toColor(style.palette->background));
    painter.setFont(style.smallFont);
    const std::vector<bool> best = unbeaten(plot.sweep);
    const bool ranked = std::ranges::find(best, true) != best.end();
    paintBytes(painter, plot,
               ranked ? tr("peak, and its lower bound; filled: no other of these sizes is better")
                      : tr("peak, and its lower bound"),
               style);
    paintColumns(painter, plot, style);
    for (const auto& [space, capacity] : report()->program.policies.capacity)
        paintLevel(painter, plot, capacity, tr("capacity of %1").arg(toQString(space)),
                   toColor(style.palette->violation), style);
    paintLevel(painter, plot, report()->memory.peakBytes, tr("this plan"), toColor(style.palette->mutedText), style);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t line = 0; line < plot.lines; ++line)
        paintLine(painter, plot, line, style);
    for (std::size_t point = 0; point < plot.sweep.points.size(); ++point) {
        if (!isPlanned(plot.sweep.points[point])) continue;
        const bool picked = narrow<int>(point) == this->point();
        const double radius = picked ? DotRadius + 2 : DotRadius;
        const QColor colour = toColor(colourOf(point % plot.lines, style));
        const bool hollow = ranked && !best[point];
        const QColor edge = hollow ? colour : toColor(style.palette->background);
        painter.setPen(QPen(picked ? toColor(style.palette->accent) : edge, picked || hollow ? 2 : 1));
        painter.setBrush(hollow ? toColor(style.palette->background) : colour);
        painter.drawEllipse(plot.at(point), radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintNames(painter, plot, area, style);
    painter.setPen(toColor(style.palette->outline));
    painter.drawLine(plot.area.bottomLeft(), plot.area.bottomRight());
}

} // namespace plimsoll::app
