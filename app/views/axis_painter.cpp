#include "app/views/axis_painter.h"

#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/clip.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr double StepLabelPixels = 64;
constexpr double ByteLabelPixels = 44;
/// The number of the first step stands half outside.
constexpr double RulerOverhang = 24;
/// And the last one so much.
constexpr double RulerEnd = 8;
/// A step this wide names its operator.
constexpr double OperatorPixels = 46;
/// A step this wide gets a line of its own.
constexpr double GridPixels = 16;
/// Of the places from one tick to the next, those that the number at a tick has for itself.
constexpr double TickRoom = 0.75;
/// What rounding may add to a whole step.
constexpr double WholeStep = 1e-6;

/// What is painted of a ruler: beyond it nothing is seen.
QRectF seenRuler(const QRectF& ruler)
{
    return ruler.adjusted(-RulerOverhang, 0, RulerEnd, 0);
}

/// About the same middle, as wide as the words may be there without being cut off.
QRectF wholeCell(double middle, QSizeF size, const QRectF& ruler)
{
    const double half = std::min({size.width() / 2, middle - ruler.left(), ruler.right() - middle});
    return {middle - half, ruler.top() + 3, std::max(0.0, 2 * half), size.height()};
}

template <typename Visitor>
void eachTick(double first, double last, double tick, Visitor&& visitor)
{
    for (double value = std::ceil(first / tick) * tick; value <= last; value += tick)
        visitor(value);
}

/// Ticks from one place to another. On a compact axis each moves to the next step of full width, where it is not far.
template <typename Visitor>
void eachStepTick(const PlanViewport& view, double first, double last, double tick, Visitor&& visitor)
{
    if (!view.places) return eachTick(first, last, tick, visitor);
    const std::vector<Interval>& quiet = view.places->quiet;
    double free = -1; // the place from which on there is room
    eachTick(std::floor(first / tick) * tick, last, tick, [&](double place) {
        double step = std::ceil(view.stepOf(place) - WholeStep);
        const auto next = std::ranges::upper_bound(quiet, step, {}, [](Interval each) { return double(each.end); });
        if (next != quiet.end() && double(next->begin) <= step) step = double(next->end);
        const double at = view.placeOf(step);
        if (at < free || at >= place + tick || at > last) return;
        free = at + tick * TickRoom;
        visitor(step);
    });
}

/// Visits the quiet stretches that are seen, each with where it lies in \p area.
template <typename Visitor>
void eachQuiet(const QRectF& area, const PlanViewport& view, Visitor&& visitor)
{
    if (!view.places) return;
    const std::vector<Interval>& quiet = view.places->quiet;
    const AxisWindow seen = view.seenSteps();
    auto next = std::ranges::upper_bound(quiet, seen.first, {}, [](Interval each) { return double(each.end); });
    for (; next != quiet.end() && double(next->begin) < seen.last(); ++next) {
        const double left = view.xOf(double(next->begin));
        const double right = view.xOf(double(next->end));
        if (right - left < 1) continue; // thousands of them would be a smear
        visitor(*next, QRectF(left, area.top(), right - left, area.height()).intersected(area));
    }
}

/// "1,200 steps" where the operators of others stand, "…" where there is too little room for it.
void paintQuietCounts(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const QFontMetricsF& metrics,
                      const Style& style)
{
    painter.setPen(toColor(style.palette->mutedText));
    eachQuiet(ruler, view, [&](Interval steps, QRectF cell) {
        QString text = countedText(steps.length(), QObject::tr("1 step"), QObject::tr("%1 steps"));
        if (metrics.horizontalAdvance(text) + 4 > cell.width()) text = QStringLiteral("…");
        cell.setRect(cell.left(), ruler.top() + 2 + metrics.height(), cell.width(), metrics.height());
        if (metrics.horizontalAdvance(text) <= cell.width()) painter.drawText(cell, Qt::AlignCenter, text);
    });
}

/// Visits the ticks of an axis of time that are seen, with where each stands.
template <typename Visitor>
void eachTimeTick(const PlanViewport& view, Visitor&& visitor)
{
    const double ms = view.places->msPerPlace;
    const double last = std::min(view.steps.last(), view.worldPlaces());
    eachTick(std::max(0.0, view.steps.first) * ms, last * ms, timeTick(ms / view.pixelsPerStep(), StepLabelPixels),
             [&](double time) { visitor(time, view.xOf(view.stepOf(time / ms))); });
}

bool isOfTime(const PlanViewport& view)
{
    return view.places && view.places->msPerPlace > 0;
}

/// The operators of the steps that are wide enough, from that height on.
void paintTimedOperators(QPainter& painter, const QRectF& line, const PlanViewport& view, const Report& report,
                         const QFontMetricsF& metrics)
{
    const AxisWindow seen = view.seenSteps();
    const auto end = std::min<std::int64_t>(report.program.schedule.length(), std::int64_t(std::ceil(seen.last())));
    for (auto step = std::max<std::int64_t>(0, std::int64_t(seen.first)); step < end; ++step) {
        const QRectF cell(view.xOf(double(step)), line.top(), view.xOf(double(step + 1)) - view.xOf(double(step)),
                          line.height());
        const NodeId node = report.program.schedule.steps[step].node;
        if (cell.width() < OperatorPixels || !node.valid()) continue;
        const QString name = toQString(passMark(report, node)) + toQString((*report.program.graph)[node].op);
        painter.drawText(cell, Qt::AlignCenter, shortened(name, metrics, cell.width() - 4));
    }
}

/// Milliseconds since the run began, and under them operators.
void paintTimeRuler(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const Report& report,
                    const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    const Clip clip(painter, seenRuler(ruler));
    painter.setPen(toColor(style.palette->mutedText));
    eachTimeTick(view, [&](double time, double x) {
        const QString text = QObject::tr("%1 ms").arg(realText(time, 4));
        const QRectF cell = wholeCell(x, {StepLabelPixels, metrics.height()}, seenRuler(ruler));
        if (metrics.horizontalAdvance(text) <= cell.width()) painter.drawText(cell, Qt::AlignCenter, text);
    });
    painter.setPen(toColor(style.palette->text));
    const double below = ruler.top() + 2 + metrics.height();
    paintTimedOperators(painter, QRectF(ruler.left(), below, ruler.width(), metrics.height()), view, report, metrics);
}

double rulerTick(const PlanViewport& view)
{
    return stepTick(1 / view.pixelsPerStep(),
                    view.pixelsPerStep() >= OperatorPixels ? OperatorPixels : StepLabelPixels);
}

QPainterPath triangle(double x, double top, double bottom, bool up)
{
    const double half = (bottom - top) * 0.6;
    QPainterPath path;
    path.moveTo(x, up ? top : bottom);
    path.lineTo(x - half, up ? bottom : top);
    path.lineTo(x + half, up ? bottom : top);
    path.closeSubpath();
    return path;
}

/// What is kept is said once, of all turns together, where there is room for it.
QString turnText(const PassTurn& turn, bool first, bool only, const Report& report)
{
    if (!turn.backward) return QObject::tr("forward");
    if (!first) return QObject::tr("backward");
    const QString kept = sizeText(report.training.boundaryBytes);
    return only ? QObject::tr("backward: %1 kept").arg(kept) : QObject::tr("backward: at most %1 kept").arg(kept);
}

double lineOf(const PassTurn& turn, const PlanViewport& view)
{
    return std::round(view.xOf(double(turn.step))) + 0.5;
}

} // namespace

void paintQuietSteps(QPainter& painter, const QRectF& area, const PlanViewport& view, const Style& style)
{
    const QColor ground = toColor(style.palette->panel);
    eachQuiet(area, view, [&](Interval, const QRectF& stretch) { painter.fillRect(stretch, ground); });
}

void paintStepGrid(QPainter& painter, const PlanViewport& view, const Style& style)
{
    const double tick = view.pixelsPerStep() >= GridPixels ? 1 : rulerTick(view);
    paintQuietSteps(painter, view.area, view, style);
    painter.setPen(QPen(toColor(style.palette->grid), 1));
    const auto line = [&](double at) {
        const double x = std::round(at) + 0.5;
        painter.drawLine(QPointF(x, view.area.top()), QPointF(x, view.area.bottom()));
    };
    if (isOfTime(view)) return eachTimeTick(view, [&](double, double x) { line(x); });
    const double last = std::min(view.steps.last(), view.worldPlaces());
    eachStepTick(view, view.steps.first, last, tick, [&](double step) { line(view.xOf(step)); });
}

void paintStepRuler(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const Report& report,
                    const Style& style)
{
    painter.setFont(style.smallFont);
    if (isOfTime(view)) return paintTimeRuler(painter, ruler, view, report, style);
    const QFontMetricsF metrics(style.smallFont);
    const double pixels = view.pixelsPerStep();
    const bool named = pixels >= OperatorPixels;
    const double tick = rulerTick(view);
    const double line = metrics.height();
    const Clip clip(painter, seenRuler(ruler));
    paintQuietCounts(painter, ruler, view, metrics, style);
    const double lastPlace = std::min(view.steps.last(), view.placeOf(view.worldSteps - 1));
    eachStepTick(view, std::floor(view.steps.first), lastPlace, tick, [&](double step) {
        // A number stands under the middle of its step where steps are wide, at its beginning where they are not.
        const double x = view.xOf(step + (pixels >= 12 ? 0.5 : 0));
        const QRectF cell = wholeCell(x, {tick * pixels, line}, seenRuler(ruler));
        const auto number = static_cast<std::int64_t>(step);
        const bool runs = number >= 0 && number < report.program.schedule.length();
        const Step what = runs ? report.program.schedule.steps[number] : Step();
        QString text = countText(number);
        if (report.program.streams.several() && runs) { // "7 · s1" where there is room to say on which it runs
            const QString whole = text + QStringLiteral(" · s%1").arg(report.program.streams.of(what.node));
            if (metrics.horizontalAdvance(whole) + 4 <= cell.width()) text = whole;
        }
        painter.setPen(toColor(style.palette->mutedText));
        if (metrics.horizontalAdvance(text) <= cell.width()) painter.drawText(cell, Qt::AlignCenter, text);
        if (!named || !what.node.valid()) return;
        const QString mark = what.kind == StepKind::Enter   ? QStringLiteral(" ↘")
                             : what.kind == StepKind::Leave ? QStringLiteral(" ↺")
                             : what.kind == StepKind::Exit  ? QStringLiteral(" ↗")
                                                            : QString();
        const std::string_view op = (*report.program.graph)[what.node].op;
        painter.setPen(toColor(style.palette->text));
        painter.drawText(
            cell.translated(0, line - 1), Qt::AlignCenter,
            shortened(toQString(passMark(report, what.node)) + toQString(op) + mark, metrics, cell.width() - 4));
    });
}

void paintAccesses(QPainter& painter, const QRectF& ruler, const PlanViewport& view, const Accesses& accesses,
                   const Style& style)
{
    const Clip clip(painter, ruler);
    painter.setRenderHint(QPainter::Antialiasing, true);
    const double top = ruler.top() - 1;
    const auto mark = [&](std::int64_t step, bool write) {
        const QColor colour = toColor(write ? style.palette->warning : style.palette->bound);
        painter.setPen(QPen(colour, 1.5));
        painter.setBrush(write ? QBrush(colour) : QBrush(Qt::NoBrush));
        painter.drawPath(triangle(view.xOf(double(step) + 0.5), top + 1, top + 7, !write));
    };
    for (std::int64_t step : accesses.reads)
        mark(step, false);
    for (std::int64_t step : accesses.writes)
        mark(step, true);
}

namespace {

struct AxisLabel
{
    QRectF cell;
    QString text;
    double lane = 0; ///< Height of its lane.
};

/// Those of the highest lanes first, and of the others what finds room beside them.
void paintApart(QPainter& painter, std::vector<AxisLabel> labels, const QFontMetricsF& metrics)
{
    std::ranges::stable_sort(labels, std::greater(), &AxisLabel::lane);
    std::vector<QRectF> taken;
    for (const AxisLabel& label : labels) {
        if (std::ranges::any_of(taken, [&](const QRectF& cell) { return cell.intersects(label.cell); })) continue;
        taken.push_back(label.cell);
        painter.drawText(label.cell, Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(label.text, Qt::ElideRight, label.cell.width()));
    }
}

} // namespace

void paintByteAxis(QPainter& painter, const QRectF& axis, const PlanViewport& view, const PlanPicture& picture,
                   const Style& style)
{
    painter.setFont(style.smallFont);
    const QFontMetricsF metrics(style.smallFont);
    const double tick = byteTick(1 / view.pixelsPerByte(), ByteLabelPixels);
    const Clip clip(painter, axis);
    const bool several = picture.lanes.size() > 1;
    std::vector<AxisLabel> labels;
    for (const PlanLane& lane : picture.lanes) {
        const double base = double(lane.base);
        const double above =
            &lane == &picture.lanes.back() ? axis.top() - metrics.height() : view.yOf(double((&lane + 1)->base));
        const double first = std::max(view.bytes.first - base, 0.0);
        const double last = std::min(view.bytes.last() - base, double(lane.extent));
        eachTick(first, last, tick, [&](double byte) {
            const double y = view.yOf(base + byte);
            painter.setPen(toColor(style.palette->outline));
            painter.drawLine(QPointF(axis.right() - 4, y), QPointF(axis.right(), y));
            const bool tooLow = y - metrics.height() / 2 < axis.top();
            const bool tooHigh = y + metrics.height() / 2 > axis.bottom();
            QRectF cell(axis.left(), y - metrics.height() / 2, axis.width() - 8, metrics.height());
            if (tooHigh) cell.moveBottom(axis.bottom());
            const bool underNext = y - above < metrics.height() && byte > 0; // there the next lane says its name
            if (tooLow || underNext) return;
            const auto at = static_cast<std::int64_t>(byte);
            const QString number = numberForm().exactBytes ? addressText(at) : sizeText(at);
            labels.push_back({cell, several && at == 0 ? toQString(lane.title) : number, double(lane.extent)});
        });
    }
    painter.setPen(toColor(style.palette->mutedText));
    paintApart(painter, std::move(labels), metrics);
}

void paintRowAxis(QPainter& painter, const QRectF& axis, const PlanViewport& view, const PlanPicture& picture,
                  const Report& report, const Style& style)
{
    painter.setFont(style.smallFont);
    painter.setPen(toColor(style.palette->mutedText));
    const QFontMetricsF metrics(style.smallFont);
    const auto every =
        static_cast<std::int64_t>(std::ceil(metrics.height() / std::max(view.pixelsPerByte() * PlanRowUnits, 1e-9)));
    const Clip clip(painter, axis);
    for (const PlanLane& lane : picture.lanes) {
        const double above = view.bytes.first - double(lane.base);
        std::int64_t row = std::max<std::int64_t>(0, static_cast<std::int64_t>(above / PlanRowUnits) / every * every);
        for (; row < std::ssize(lane.rows); row += every) {
            const double middle = double(lane.base) + (double(row) + 0.5) * PlanRowUnits;
            const double top = view.yOf(middle) - metrics.height() / 2;
            if (middle > view.bytes.last()) break;
            if (top < axis.top() || top + metrics.height() > axis.bottom()) continue;
            const PlanRow& what = lane.rows[static_cast<std::size_t>(row)];
            const QString name = what.value.valid() ? toQString((*report.program.graph)[what.value].name)
                                                    : QStringLiteral("s%1").arg(what.storage.number());
            const QRectF cell(axis.left() + 2, top, axis.width() - 10, metrics.height());
            painter.drawText(cell, Qt::AlignRight | Qt::AlignVCenter,
                             metrics.elidedText(labelText(name), Qt::ElideLeft, cell.width()));
        }
    }
}

std::vector<PassTurnWords> passTurnWords(const QRectF& area, const PlanViewport& view,
                                         const std::vector<PassTurn>& turns, const Report& report, const Style& style)
{
    const QFontMetricsF metrics(style.smallFont);
    std::vector<PassTurnWords> all;
    double free = area.left();
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const double x = lineOf(turns[i], view);
        if (x < area.left() || x > area.right()) continue;
        const double next = i + 1 < turns.size() ? lineOf(turns[i + 1], view) : std::numeric_limits<double>::infinity();
        QString text = turnText(turns[i], i == 0, turns.size() == 1, report);
        if (x + metrics.horizontalAdvance(text) + 16 > next) text = turnText(turns[i], false, false, report);
        QRectF words(x + 5, area.top() + 3, metrics.horizontalAdvance(text) + 8, metrics.height() + 2);
        if (words.right() > area.right()) words.moveRight(x - 5);
        if (words.left() < free || words.right() > next) continue;
        free = words.right();
        all.push_back({words, text});
    }
    return all;
}

void paintPassTurns(QPainter& painter, const QRectF& area, const PlanViewport& view, const std::vector<PassTurn>& turns,
                    const Report& report, const Style& style)
{
    const Clip clip(painter, area);
    painter.setFont(style.smallFont);
    for (const PassTurn& turn : turns) {
        const double x = lineOf(turn, view);
        if (x < area.left() || x > area.right()) continue;
        painter.setPen(QPen(toColor(style.palette->text), turn.backward ? 1.5 : 1, Qt::DashLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    painter.setPen(toColor(style.palette->text));
    for (const PassTurnWords& words : passTurnWords(area, view, turns, report, style)) {
        painter.fillRect(words.rect, toColor(style.palette->background, 0.85));
        painter.drawText(words.rect, Qt::AlignCenter, words.text);
    }
}

void paintStepCursor(QPainter& painter, const QRectF& area, const PlanViewport& view, std::int64_t step,
                     const Style& style)
{
    if (step < 0) return;
    const double left = view.xOf(double(step));
    const double right = view.xOf(double(step) + 1);
    if (right < view.area.left() || left > view.area.right()) return;
    const Clip clip(painter, area);
    if (right - left > 3 && style.washes())
        painter.fillRect(QRectF(left, area.top(), right - left, area.height()), toColor(style.palette->accent, 0.12));
    painter.setPen(QPen(toColor(style.palette->accent), 1));
    const double x = std::round(left) + 0.5;
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const double end = std::round(right) + 0.5;
    if (right - left > 3 && !style.washes()) painter.drawLine(QPointF(end, area.top()), QPointF(end, area.bottom()));
}

} // namespace plimsoll::app
