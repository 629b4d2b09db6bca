#include "app/models/window_text.h"
#include "app/views/axis_painter.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"
#include "app/views/plan/plan_scene.h"
#include "core/facts/words/verdict.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <optional>

namespace plimsoll::app {
namespace {

/// Live bytes as a step line, \p shown places of \p view over \p area: at most one corner a pixel, the greatest of the
/// steps that fall together, so that no peak is lost.
QPolygonF stepLine(const std::vector<std::int64_t>& live, const QRectF& area, const PlanViewport& view,
                   const AxisWindow& shown, double top)
{
    QPolygonF line;
    const auto y = [&](std::int64_t bytes) { return area.bottom() - double(bytes) / top * area.height(); };
    const double pixels = area.width() / shown.span;
    const double pixel = pixels < 1 ? std::floor(1 / pixels) : 1 / pixels; // in places
    const auto x = [&](std::int64_t step) { return area.left() + (view.placeOf(double(step)) - shown.first) * pixels; };
    const auto count = std::ssize(live);
    auto step = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(view.stepOf(shown.first))), 0, count);
    const auto end =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(view.stepOf(shown.last()))), 0, count);
    while (step < end) {
        const double after = view.stepOf(view.placeOf(double(step)) + pixel);
        const std::int64_t next = std::min(end, std::max(step + 1, static_cast<std::int64_t>(after)));
        const std::int64_t most = *std::max_element(live.begin() + step, live.begin() + next);
        line << QPointF(x(step), y(most)) << QPointF(x(next), y(most));
        step = next;
    }
    return line;
}

/// \p line: two corners a step, see stepLine().
void paintArea(QPainter& painter, const QRectF& area, const QPolygonF& line, const Style& style)
{
    // Column by column: a polygon of thousands of corners costs Qt's scan converter more than all the bars do.
    const QColor fill = toColor(style.palette->curveFill);
    for (qsizetype i = 0; i + 1 < line.size(); i += 2)
        painter.fillRect(QRectF(line[i], QPointF(line[i + 1].x(), area.bottom())), fill);
    painter.setPen(QPen(toColor(style.palette->curve), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void paintLine(QPainter& painter, const QRectF& area, double y, const QPen& pen)
{
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), std::round(y) + 0.5), QPointF(area.right(), std::round(y) + 0.5));
}

/// Of all memories together, where each has one.
std::optional<std::int64_t> capacityOf(const PlanPicture& picture)
{
    std::int64_t sum = 0;
    for (const PlanLane& lane : picture.lanes) {
        if (!lane.capacityBytes) return std::nullopt;
        sum += *lane.capacityBytes;
    }
    return picture.lanes.empty() ? std::nullopt : std::optional(sum);
}

/// One far above would press the curve flat: it is named, and has no line.
bool capacityIsNear(const PlanPicture& picture, std::int64_t capacity)
{
    constexpr double ShownUpTo = 1.5; // of the peak
    return double(capacity) <= ShownUpTo * double(picture.peakBytes);
}

double greatest(const PlanPicture& picture)
{
    const std::int64_t capacity = capacityOf(picture).value_or(0);
    const std::int64_t near = capacityIsNear(picture, capacity) ? capacity : 0;
    // Where two that live lie in the same bytes, as in a plan that is not legal, more is live than the plan is high.
    const std::int64_t live = picture.liveBytes.empty() ? 0 : std::ranges::max(picture.liveBytes);
    return std::max(1.0, 1.08 * double(std::max({live, near, picture.peakBytes, picture.lowerBoundBytes})));
}

void paintCaption(QPainter& painter, const QRectF& area, const QString& text, const Style& style)
{
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->mutedText));
    const double width = QFontMetricsF(style.smallFont).horizontalAdvance(text);
    painter.drawText(QRectF(area.left() - width - 8, area.top(), width, area.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text);
}

/// Beside the curve, in its own signs: live bytes, and what a run has measured.
void paintCaptions(QPainter& painter, const QRectF& area, bool measured, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    std::vector<std::pair<QString, QSizeF>> lines {{QObject::tr("live bytes"), {}}};
    if (measured) lines.insert(lines.end(), {{QObject::tr("in use"), {10, 2}}, {QObject::tr("time"), {5, 9}}});
    double top = area.center().y() - double(lines.size()) * metrics.height() / 2;
    for (const auto& [text, sign] : lines) {
        const QRectF line(area.left(), top, 0, metrics.height());
        paintCaption(painter, line, text, style);
        top += metrics.height();
        if (sign.isEmpty()) continue;
        const double right = line.left() - metrics.horizontalAdvance(text) - 12;
        painter.fillRect(QRectF(QPointF(right - sign.width(), line.center().y() - sign.height() / 2), sign),
                         toColor(style.palette->text, sign.height() > 4 ? 0.35 : 1));
    }
}

/// The limit of memory: a line and its name at the right, in the colour of what is not legal where the plan is above
/// it.
void paintCapacity(QPainter& painter, const QRectF& area, const PlanPicture& picture, double top, const Style& style)
{
    const auto capacity = capacityOf(picture);
    if (!capacity) return;
    const bool over = *capacity < picture.peakBytes;
    const QColor colour = toColor(over ? style.palette->violation : style.palette->mutedText);
    const bool near = capacityIsNear(picture, *capacity);
    const double y = near ? area.bottom() - double(*capacity) / top * area.height() : area.top();
    if (near) paintLine(painter, area, y, QPen(colour, over ? 2 : 1, Qt::DashLine));
    const QString text =
        (near ? QObject::tr("capacity %1") : QObject::tr("capacity %1, above")).arg(sizeText(*capacity));
    const QFontMetricsF metrics(style.smallFont);
    const QSizeF size(metrics.horizontalAdvance(text) + 6, metrics.height());
    const double under = y + 2 + size.height() <= area.bottom() ? y + 2 : y - size.height() - 1;
    const QRectF box(QPointF(area.right() - size.width() - 2, under), size);
    painter.setFont(style.smallFont);
    painter.fillRect(box, toColor(style.palette->background, 0.85));
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignCenter, text);
}

/// Where bytes above the bound are in use: a thick stretch of the peak's line, and in words how much it is.
void paintAboveBound(QPainter& painter, const QRectF& area, const PlanScene& scene, const PlanViewport& view,
                     double peak, const Style& style)
{
    if (!scene.knowsBound() || scene.picture.aboveBound.empty()) return;
    double painted = area.left();
    for (const Interval steps : scene.picture.aboveBound.intervals()) {
        const double left = std::max(painted, view.xOf(double(steps.begin)));
        const double right = std::min(area.right(), std::max(view.xOf(double(steps.end)), left + 2));
        if (right <= painted || left >= area.right()) continue;
        painter.fillRect(QRectF(left, std::round(peak) - 1, right - left, 3), toColor(style.palette->bound));
        painted = right;
    }
    const QString text = windowText(aboveBoundText(*scene.report));
    if (text.isEmpty()) return;
    const QFontMetricsF metrics(style.smallFont);
    const QRectF box(area.left() + 4, area.bottom() - metrics.height() - 3, metrics.horizontalAdvance(text) + 8,
                     metrics.height() + 2);
    painter.setFont(style.smallFont);
    painter.fillRect(box, toColor(style.palette->background, 0.85));
    painter.setPen(toColor(style.palette->text));
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace

void paintLiveCurve(QPainter& painter, const QRectF& area, const PlanScene& scene, const PlanViewport& view,
                    const Style& style)
{
    const PlanPicture& picture = scene.picture;
    const double top = greatest(picture);
    painter.fillRect(area, toColor(style.palette->background));
    paintQuietSteps(painter, area, view, style);
    paintCaptions(painter, area, !scene.measured.ms.empty(), style);
    const Clip clip(painter, area);
    const double peak = area.bottom() - double(picture.peakBytes) / top * area.height();
    const double bound = area.bottom() - double(picture.lowerBoundBytes) / top * area.height();
    if (scene.knowsBound())
        painter.fillRect(QRectF(area.left(), peak, area.width(), bound - peak), toColor(style.palette->bound, 0.12));
    paintArea(painter, area, stepLine(picture.liveBytes, area, view, view.steps, top), style);
    if (scene.knowsBound()) paintLine(painter, area, bound, QPen(toColor(style.palette->bound), 1, Qt::DashLine));
    paintLine(painter, area, peak, QPen(toColor(style.palette->curve), 1));
    paintMeasured(painter, area, scene.measured, view, top, style);
    const double flag = view.xOf(double(picture.peakStep) + 0.5);
    if (!picture.liveBytes.empty() && area.left() <= flag && flag <= area.right()) {
        const double y = area.bottom() - double(picture.liveBytes[picture.peakStep]) / top * area.height();
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(toColor(style.palette->curve));
        painter.drawPolygon(QPolygonF({{flag, y + 1}, {flag - 5, y + 9}, {flag + 5, y + 9}}));
    }
    paintAboveBound(painter, area, scene, view, peak, style);
    paintCapacity(painter, area, picture, top, style);
}

void paintOverview(QPainter& painter, const QRectF& area, const PlanScene& scene, const PlanViewport& view,
                   const Style& style)
{
    const PlanPicture& picture = scene.picture;
    const double world = view.worldPlaces();
    const auto x = [&](double place) { return area.left() + place / world * area.width(); };
    painter.fillRect(area, toColor(style.palette->background));
    paintCaption(painter, area, QObject::tr("whole run"), style);
    const Clip clip(painter, area.adjusted(-1, -1, 1, 1));
    paintArea(painter, area, stepLine(picture.liveBytes, area, view, {0, world}, greatest(picture)), style);
    const QRectF seen(QPointF(x(std::max(view.steps.first, 0.0)), area.top()),
                      QPointF(x(std::min(view.steps.last(), world)), area.bottom()));
    const QColor veil = toColor(style.palette->panel, 0.72);
    painter.fillRect(QRectF(area.topLeft(), seen.bottomLeft()), veil);
    painter.fillRect(QRectF(seen.topRight(), area.bottomRight()), veil);
    // A tick for each finding, however small: 3 pixels wide, the worst uppermost. Advice is only a notch.
    for (const FindingMark& mark : picture.findings) { // sorted with the worst last
        const bool advice = mark.severity == Severity::Advice;
        const Rgb colour = mark.severity == Severity::Error     ? style.palette->violation
                           : mark.severity == Severity::Warning ? style.palette->warning
                                                                : style.palette->mutedText;
        const double first = view.placeOf(double(mark.steps.begin));
        const double left = x(first);
        const double width = (view.placeOf(double(mark.steps.end)) - first) / world * area.width();
        const double shown = std::max(3.0, advice ? std::min(width, 6.0) : width);
        const QRectF tick(std::min(left, area.right() - shown), area.top(), shown, advice ? 7 : 5);
        painter.fillRect(tick.adjusted(-1, 0, 1, 1), toColor(style.palette->background));
        painter.fillRect(tick, toColor(colour));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->accent), 1));
    painter.drawRect(
        QRectF(seen.left(), seen.top(), std::max(seen.width() - 1, 2.0), seen.height() - 1).translated(0.5, 0.5));
}

} // namespace plimsoll::app
