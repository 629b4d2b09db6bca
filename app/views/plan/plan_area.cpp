// Bytes that are pointed at.
#include "app/models/window_text.h"
#include "app/views/canvas_text.h"
#include "app/views/plan/plan_marks.h"
#include "core/facts/words/area_text.h"
#include "core/facts/words/number_text.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// A single byte is still a line, a single step a column.
constexpr double SmallestArea = 3;

QRectF rectOf(const PlanArea& area, const PlanScene& scene, const PlanViewport& view)
{
    const Interval steps = area.steps.empty() ? Interval {0, scene.picture.steps} : area.steps;
    QRectF rect = view.rectOf(steps, stackedBytes(scene.picture, area));
    const QPointF centre = rect.center();
    rect.setSize({std::max(rect.width(), SmallestArea), std::max(rect.height(), SmallestArea)});
    rect.moveCenter(centre);
    return rect;
}

void paintRect(QPainter& painter, const QRectF& rect, const PlanViewport& view, const Style& style)
{
    const QRectF frame = view.area.adjusted(-4, -4, 4, 4);
    if (!rect.intersects(frame)) return;
    const QRectF shown = rect.intersected(frame);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(toColor(style.palette->accent), 1, Qt::DashLine));
    if (rect.height() <= SmallestArea) { // less than a pixel or two of bytes
        const double y = std::floor(rect.center().y()) + 0.5;
        return painter.drawLine(QPointF(shown.left(), y), QPointF(shown.right(), y));
    }
    if (style.washes()) painter.fillRect(shown, toColor(style.palette->accent, 0.14));
    painter.drawRect(shown.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

void paintArea(QPainter& painter, const PlanScene& scene, const PlanViewport& view, const Style& style)
{
    const PlanArea& area = scene.emphasis.area;
    if (scene.picture.axis != PlanAxis::Address || !area.valid() || area.arena.index() >= scene.picture.lanes.size())
        return;
    paintRect(painter, rectOf(area, scene, view), view, style);
}

void paintDrawnArea(QPainter& painter, const QRectF& bounds, const PlanScene& scene, const PlanViewport& view,
                    const PlanPointer& pointer, const Style& style)
{
    painter.save();
    painter.setClipRect(bounds);
    paintRect(painter, rectOf(pointer.drawn, scene, view), view, style);
    painter.restore();
    const PlanArea& area = pointer.drawn;
    paintTip(painter, pointer.at, bounds,
             {toQString(areaText(*scene.report, {area.arena, area.bytes}, numberForm())), sizeText(area.bytes.length()),
              QObject::tr("steps %1").arg(stepsText(area.steps))},
             style);
}

PlanArea areaBetween(const PlanScene& scene, const PlanViewport& view, QPointF from, QPointF to)
{
    const auto start = areaAt(scene.picture, static_cast<std::int64_t>(std::floor(view.byteAt(from.y()))));
    if (!start) return {};
    const PlanLane& lane = scene.picture.lanes[start->arena.index()];
    const double unit = std::exp2(std::max(0.0, std::floor(-std::log2(view.pixelsPerByte()))));
    const auto [low, high] =
        std::minmax({view.byteAt(from.y()) - double(lane.base), view.byteAt(to.y()) - double(lane.base)});
    const Interval bytes {static_cast<std::int64_t>(std::floor(low / unit) * unit),
                          static_cast<std::int64_t>(std::ceil(high / unit) * unit)};
    const auto [first, last] = std::minmax({view.stepAt(from.x()), view.stepAt(to.x())});
    const Interval steps {static_cast<std::int64_t>(std::floor(first)),
                          static_cast<std::int64_t>(std::floor(last)) + 1};
    const Interval inside = intersection(steps, {0, scene.picture.steps});
    if (inside.empty()) return {};
    return {start->arena, intersection(bytes, {0, lane.bytes}), inside};
}

QRectF pickedWorld(const PlanScene& scene, const Focus& picked)
{
    QRectF world;
    const auto include = [&](Interval steps, Interval bytes) {
        world |= QRectF(double(steps.begin), double(bytes.begin), double(steps.length()), double(bytes.length()));
    };
    for (const FindingMark& mark : scene.picture.findings) {
        if (mark.lane < 0 || static_cast<std::int32_t>(mark.finding) != picked.finding) continue;
        include(mark.steps, stackedBytes(scene.picture, mark));
    }
    const bool addresses = scene.picture.axis == PlanAxis::Address;
    if (const auto hole = static_cast<std::size_t>(picked.hole);
        addresses && picked.hole >= 0 && scene.report && hole < scene.report->memory.holes.size()) {
        const Hole& free = scene.report->memory.holes[hole];
        include(free.steps, stackedBytes(scene.picture, free));
    }
    const PlanArea& area = picked.area;
    if (addresses && !picked.onThing() && area.valid() && area.arena.index() < scene.picture.lanes.size()) {
        const Interval steps = area.steps.empty() ? Interval {0, scene.picture.steps} : area.steps;
        include(steps, stackedBytes(scene.picture, area));
    }
    if (!world.isNull() && picked.finding < 0) return world; // of a finding both bars, beside what they quarrel over
    for (const PlanBar& bar : scene.picture.bars) {
        const bool storage = !bar.value.valid() && bar.storage == picked.storage;
        const bool marked =
            bar.value.valid() && scene.emphasis.any && scene.emphasis.values[bar.value.index()] != ValueMark::None;
        if (storage || marked) include(bar.steps, stackedBytes(scene.picture, bar));
    }
    return world;
}

} // namespace plimsoll::app
