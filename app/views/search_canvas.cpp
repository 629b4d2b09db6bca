#include "app/views/search_canvas.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"
#include "core/base/narrow.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr double Gap = 10;
constexpr double ByteLabelPixels = 34;
constexpr double DotRadius = 2.5;
/// Of the greatest figure; below, rounded sizes of neighbouring ticks would read alike.
constexpr double NarrowSpan = 0.02;

QString byteLabel(const SearchPlot& plot, double bytes)
{
    const auto whole = static_cast<std::int64_t>(std::llround(bytes));
    return plot.highBytes - plot.lowBytes < NarrowSpan * plot.highBytes ? QObject::tr("%1 B").arg(countText(whole))
                                                                        : sizeText(whole);
}

/// The last corner goes on to the end of the search.
template <typename BytesOf>
QPolygonF stairs(const SearchRecord& record, const SearchPlot& plot, BytesOf bytesOf)
{
    QPolygonF line;
    for (const Incumbent& entry : record.history) {
        const double x = plot.xOf(entry.seconds);
        if (!line.isEmpty()) line << QPointF(x, line.back().y());
        line << QPointF(x, plot.yOf(double(bytesOf(entry))));
    }
    if (!line.isEmpty()) line << QPointF(plot.xOf(plot.endSeconds), line.back().y());
    return line;
}

void paintAxes(QPainter& painter, const SearchPlot& plot, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    painter.setFont(style.smallFont);
    double end = -1e9; // of the label before
    for (double decade = std::floor(std::log10(plot.firstSeconds)); decade <= std::log10(plot.lastSeconds); ++decade) {
        if (std::pow(10.0, decade) < plot.firstSeconds) continue;
        const double x = std::round(plot.xOf(std::pow(10.0, decade))) + 0.5;
        painter.setPen(toColor(style.palette->grid));
        painter.drawLine(QPointF(x, plot.area.top()), QPointF(x, plot.area.bottom()));
        const QString text = durationText(std::pow(10.0, decade));
        const double width = metrics.horizontalAdvance(text);
        const double left = std::max(plot.area.left() - 4, std::min(x - width / 2, plot.area.right() - width));
        if (left < end + 8) continue;
        end = left + width;
        painter.setPen(toColor(style.palette->mutedText));
        painter.drawText(QPointF(left, plot.area.bottom() + metrics.ascent() + 3), text);
    }
    const double tick = byteTick((plot.highBytes - plot.lowBytes) / plot.area.height(), ByteLabelPixels);
    for (double bytes = std::ceil(plot.lowBytes / tick) * tick; bytes <= plot.highBytes; bytes += tick) {
        const double y = std::round(plot.yOf(bytes)) + 0.5;
        painter.setPen(toColor(style.palette->grid));
        painter.drawLine(QPointF(plot.area.left(), y), QPointF(plot.area.right(), y));
        painter.setPen(toColor(style.palette->mutedText));
        painter.drawText(QRectF(0, y - metrics.height() / 2, plot.area.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, byteLabel(plot, bytes));
    }
    painter.setPen(toColor(style.palette->outline));
    painter.drawLine(plot.area.bottomLeft(), plot.area.bottomRight());
}

/// What the last line says at the right end: how far it is from the bound, or that it cannot be lower.
QString endText(const SearchRecord& record)
{
    const Incumbent& last = record.history.back();
    if (record.optimal()) return QObject::tr("%1, proved lowest for this sharing").arg(sizeText(last.peakBytes));
    if (last.boundBytes <= 0 || last.peakBytes == last.boundBytes) return sizeText(last.peakBytes);
    const double above = double(last.peakBytes) / double(last.boundBytes) - 1;
    return QObject::tr("%1, %2 above the bound")
        .arg(sizeTextBeside(last.peakBytes, last.boundBytes), percentText(above));
}

/// Words on ground of their own, which keep inside the plot.
void paintWords(QPainter& painter, const QRectF& area, QPointF right, const QString& text, const QColor& colour,
                const Style& style)
{
    const QFontMetricsF metrics(painter.font());
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
    box.moveBottomRight(right);
    if (box.top() < area.top()) box.moveTop(right.y() + 4);
    if (box.left() < area.left()) box.moveLeft(area.left());
    painter.fillRect(box, toColor(style.palette->background, 0.85));
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignCenter, text);
}

void paintEnd(QPainter& painter, const SearchRecord& record, const SearchPlot& plot, const Style& style)
{
    const Incumbent& last = record.history.back();
    const double y = plot.yOf(double(last.peakBytes));
    const double x = plot.xOf(plot.endSeconds);
    painter.setFont(record.optimal() ? style.boldFont : style.font);
    const double left = x - 18 - QFontMetricsF(painter.font()).horizontalAdvance(endText(record));
    double highest = y; // of the line of best plans above the words, which hide nothing of it
    for (std::size_t i = 0; i + 1 < record.history.size(); ++i) {
        if (plot.xOf(record.history[i + 1].seconds) >= left)
            highest = std::min(highest, plot.yOf(double(record.history[i].peakBytes)));
    }
    paintWords(painter, plot.area, {x - 10, std::max(highest, plot.area.top()) - 4}, endText(record),
               toColor(style.palette->text), style);
    if (record.optimal()) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(toColor(style.palette->background), 1));
        painter.setBrush(toColor(style.palette->bound));
        painter.drawPolygon(QPolygonF({{x, y - 6}, {x + 6, y}, {x, y + 6}, {x - 6, y}}));
        painter.setRenderHint(QPainter::Antialiasing, false);
        return;
    }
    const double bound = plot.yOf(double(last.boundBytes));
    if (bound - y < 2 * QFontMetricsF(style.smallFont).height()) return;
    painter.setFont(style.smallFont);
    paintWords(
        painter, plot.area, {x - 10, bound - 3},
        QObject::tr("proved: none below %1 with this sharing").arg(sizeTextBeside(last.boundBytes, last.peakBytes)),
        toColor(style.palette->bound), style);
}

/// The peaks of the plans that were found, and the bounds that were proved, over time.
void paintPlans(QPainter& painter, const SearchRecord& record, const SearchPlot& plot, const Style& style)
{
    const Clip clip(painter, plot.area.adjusted(-8, 0, 2 * Gap, 8));
    const QPolygonF best = stairs(record, plot, [](const Incumbent& entry) { return entry.peakBytes; });
    const QPolygonF bound = stairs(record, plot, [](const Incumbent& entry) { return entry.boundBytes; });
    QPolygonF between = best;
    for (auto corner = bound.crbegin(); corner != bound.crend(); ++corner)
        between << *corner;
    painter.setPen(Qt::NoPen);
    painter.setBrush(toColor(style.palette->bound, 0.12));
    painter.drawPolygon(between);
    painter.setPen(QPen(toColor(style.palette->bound), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(bound);
    painter.setPen(QPen(toColor(style.palette->curve), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawPolyline(best);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(toColor(style.palette->background), 1));
    painter.setBrush(toColor(style.palette->curve));
    QPointF last(-1e9, -1e9);
    for (const Incumbent& entry : record.history) {
        const QPointF at(plot.xOf(entry.seconds), plot.yOf(double(entry.peakBytes)));
        if ((at - last).manhattanLength() < 3 * DotRadius) continue;
        painter.drawEllipse(at, DotRadius, DotRadius);
        last = at;
    }
}

} // namespace

double SearchPlot::xOf(double seconds) const
{
    return area.left() + timeShare(seconds) * area.width();
}

double SearchPlot::yOf(double bytes) const
{
    return area.bottom() - byteShare(bytes) * area.height();
}

double SearchPlot::secondsAt(double x) const
{
    return firstSeconds * std::pow(lastSeconds / firstSeconds, (x - area.left()) / area.width());
}

SearchPlot plotOf(const SearchRecord& record, double elapsedSeconds, const QRectF& area, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    SearchPlot plot {searchAxes(record, elapsedSeconds), {}};
    const double labels = std::max(metrics.horizontalAdvance(QStringLiteral("1023.9 MiB")),
                                   metrics.horizontalAdvance(byteLabel(plot, plot.highBytes)));
    plot.area = area.adjusted(labels + Gap, Gap, -2 * Gap, -metrics.height() - 8);
    plot.area.setSize({std::max(plot.area.width(), 1.0), std::max(plot.area.height(), 1.0)});
    return plot;
}

SearchCanvas::SearchCanvas(QWidget* parent) : PointCanvas(parent)
{
    setObjectName(QStringLiteral("searchCanvas"));
    setAccessibleName(tr("Search"));
    setAccessibleDescription(SearchCanvas::whatItIs());
    setEmptyText(tr("Nothing was searched: this plan was handed in."));
}

void SearchCanvas::setRecord(std::shared_ptr<const SearchRecord> record, double elapsedSeconds)
{
    const auto first = [](const std::shared_ptr<const SearchRecord>& of) {
        return of && !of->history.empty() ? std::optional(of->history.front().seconds) : std::nullopt;
    };
    if (first(record) != first(m_record)) setPoint(-1); // another search
    m_record = std::move(record);
    m_elapsed = elapsedSeconds;
    if (point() >= std::ssize(places())) setPoint(-1);
    repaintPicture();
}

void SearchCanvas::paint(QPainter& painter, const QRectF& area, const Style& style)
{
    painter.fillRect(area, toColor(style.palette->panel));
    if (!m_record) return paintEmpty(painter, area, emptyText(), style);
    if (m_record->history.empty()) return; // the first plan is a moment away
    const SearchPlot plot = plotOf(*m_record, m_elapsed, area, style);
    painter.fillRect(plot.area, toColor(style.palette->background));
    paintAxes(painter, plot, style);
    paintPlans(painter, *m_record, plot, style);
    paintEnd(painter, *m_record, plot, style);
    if (point() < 0) return;
    const Incumbent& picked = m_record->history[static_cast<std::size_t>(point())];
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(toColor(style.palette->background), 1));
    painter.setBrush(toColor(style.palette->accent));
    painter.drawEllipse(QPointF(plot.xOf(picked.seconds), plot.yOf(double(picked.peakBytes))), DotRadius + 2,
                        DotRadius + 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

std::vector<std::optional<QPointF>> SearchCanvas::places() const
{
    std::vector<std::optional<QPointF>> places;
    if (!m_record || m_record->history.empty()) return places;
    const SearchPlot plot = plotOf(*m_record, m_elapsed, rect(), looks());
    for (const Incumbent& entry : m_record->history)
        places.emplace_back(QPointF(plot.xOf(entry.seconds), plot.yOf(double(entry.peakBytes))));
    return places;
}

/// The best plan at that time, however far below.
int SearchCanvas::pointNear(QPointF at) const
{
    const auto places = this->places();
    const auto next = std::ranges::upper_bound(places, at.x(), {}, [](const auto& place) { return place->x(); });
    return narrow<int>(next - places.begin()) - 1;
}

QString SearchCanvas::whatItIs() const
{
    return tr("The best plan and the proved bound over the time of the search. Arrow keys go from plan to plan.");
}

QStringList SearchCanvas::tipOf(std::size_t point) const
{
    const Incumbent& entry = m_record->history[point];
    return {tr("%1 after %2").arg(sizeTip(entry.peakBytes), durationText(entry.seconds)),
            tr("bound %1").arg(sizeTip(entry.boundBytes)), tr("found by %1").arg(toQString(entry.member)),
            tr("%1 units of work").arg(countText(entry.work))};
}

} // namespace plimsoll::app
