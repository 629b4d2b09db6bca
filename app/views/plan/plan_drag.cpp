#include "app/views/plan/plan_drag.h"

#include "app/models/window_text.h"

#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {
namespace {

/// So near to a neighbour it snaps to it, in pixels.
constexpr double Snap = 8;
/// Of what it would meet so many are named.
constexpr std::size_t MostNamed = 3;

NodeId scratchOf(const PlanScene& scene, const PlanBar& bar)
{
    return scene.report->program.storages[bar.storage.index()].scratchOf;
}

bool goesAlong(const BarDrag& drag, const PlanBar& bar)
{
    if (drag.what.storage.valid()) return bar.storage == drag.what.storage;
    return bar.value.valid() && std::ranges::find(drag.moved.values, bar.value) != drag.moved.values.end();
}

bool isAmong(const std::vector<Neighbour>& met, const PlanScene& scene, const PlanBar& bar)
{
    return std::ranges::any_of(met, [&](const Neighbour& one) {
        return one.value.valid() ? one.value == bar.value : one.scratchOf == scratchOf(scene, bar);
    });
}

} // namespace

QString metText(const Graph& graph, const std::vector<Neighbour>& met)
{
    if (met.empty()) return QObject::tr("meets nothing that is alive then");
    QStringList names;
    for (std::size_t i = 0; i < std::min(met.size(), MostNamed); ++i)
        names << (met[i].value.valid() ? toQString(graph[met[i].value].name)
                                       : QObject::tr("scratchpad of %1").arg(toQString(graph[met[i].scratchOf].name)));
    const QString named = names.join(QStringLiteral(", "));
    if (met.size() <= MostNamed) return QObject::tr("meets %1").arg(named);
    return QObject::tr("meets %1 and %2 more").arg(named, countText(std::ssize(met) - std::ssize(names)));
}

std::optional<BarDrag> holdOfBar(const PlanScene& scene, const PlanViewport& view, const Focus& picked, QPointF at)
{
    if (scene.picture.axis != PlanAxis::Address) return std::nullopt;
    const double byte = view.byteAt(at.y());
    const auto index = barAt(scene.picture, static_cast<std::int64_t>(std::floor(view.stepAt(at.x()))),
                             static_cast<std::int64_t>(std::floor(byte)));
    if (!index) return std::nullopt;
    const PlanBar& bar = scene.picture.bars[*index];
    BarDrag drag {.bar = *index, .what = picked.storage == bar.storage ? Focus::on(bar.storage) : focusOn(bar)};
    drag.moved = movableOf(scene.report->program, drag.what);
    if (!drag.moved.arena.valid()) return std::nullopt;
    drag.neighbours = neighboursOf(scene.report->program, drag.moved);
    drag.snug = snugOffsets(drag.moved, drag.neighbours);
    drag.offset = drag.moved.bytes.begin;
    drag.grip = byte - double(scene.picture.lanes[bar.lane].base + drag.offset);
    drag.at = at;
    return drag;
}

void dragBarTo(BarDrag& drag, const PlanScene& scene, const PlanViewport& view, QPointF at)
{
    drag.at = at;
    const PlanLane& lane = scene.picture.lanes[scene.picture.bars[drag.bar].lane];
    const auto grid = double(drag.moved.grid);
    const double most = double(std::max(lane.bytes, drag.snug.back())) + grid; // behind all others
    const double wanted = std::clamp(view.byteAt(at.y()) - double(lane.base) - drag.grip, 0.0, most);
    const auto away = [&](std::int64_t offset) { return std::abs(double(offset) - wanted); };
    const std::int64_t nearest = *std::ranges::min_element(drag.snug, {}, away);
    drag.offset = away(nearest) * view.pixelsPerByte() <= Snap
                      ? nearest
                      : static_cast<std::int64_t>(std::floor(wanted / grid + 0.5)) * drag.moved.grid;
}

void paintBarDrag(QPainter& painter, const QRectF& bounds, const PlanScene& scene, const PlanViewport& view,
                  const BarDrag& drag, const Style& style)
{
    const std::vector<Neighbour> met = metAt(drag.moved, drag.offset, drag.neighbours);
    const QColor colour = toColor(met.empty() ? style.palette->accent : style.palette->violation);
    const double by = double(drag.offset - drag.moved.bytes.begin);
    painter.save();
    painter.setClipRect(bounds);
    painter.setBrush(Qt::NoBrush);
    for (const PlanBar& bar : scene.picture.bars) {
        const bool moves = goesAlong(drag, bar);
        if (!moves && !isAmong(met, scene, bar)) continue;
        const Interval bytes = stackedBytes(scene.picture, bar);
        const double lift = moves ? by : 0;
        const QRectF rect = view.rectOf(double(bar.steps.begin), double(bar.steps.end), double(bytes.begin) + lift,
                                        double(bytes.end) + lift);
        const QRectF seen = rect.intersected(bounds.adjusted(-4, -4, 4, 4));
        if (moves && style.washes()) painter.fillRect(seen, toColor(style.palette->accent, 0.28));
        painter.setPen(QPen(colour, 2, moves ? Qt::SolidLine : Qt::DashLine));
        if (!seen.isEmpty()) painter.drawRect(seen);
    }
    painter.restore();
    paintTip(painter, drag.at, bounds,
             {toQString(barLabel(*scene.report, scene.picture.bars[drag.bar])),
              QStringLiteral("%1 → %2").arg(addressText(drag.moved.bytes.begin), addressText(drag.offset)),
              metText(*scene.report->program.graph, met)},
             style);
}

} // namespace plimsoll::app
