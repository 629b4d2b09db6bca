// The keyboard in the plan.
#include "app/views/plan/plan_canvas.h"

#include <QKeyEvent>

#include <algorithm>
#include <limits>

namespace plimsoll::app {

bool PlanCanvas::moveByKey(const QKeyEvent& event)
{
    const auto move = keyMove(event);
    if (!move) return false;
    if (move->secondAxis)
        m_view.zoomBytes(move->zoom, m_view.area.center().y());
    else
        m_view.zoomSteps(move->zoom, m_view.area.center().x());
    m_view.pan(move->secondAxis ? QPointF(0, move->pan) : QPointF(move->pan, 0));
    viewChanged();
    return true;
}

bool PlanCanvas::takeKey(const QKeyEvent& event)
{
    if (moveByKey(event)) return true;
    switch (event.key()) {
    case Qt::Key_P:
        goToPeak();
        return true;
    case Qt::Key_H:
        showHoles(!m_scene.showHoles);
        Q_EMIT holesShown(m_scene.showHoles);
        return true;
    case Qt::Key_B:
        if (!event.isAutoRepeat()) showGhost();
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        selection().onThing() || !selection().area.valid() || m_scene.picture.axis != PlanAxis::Address
            ? pickNeighbour(event.key())
            : moveArea(event.key());
        return true;
    default:
        return false;
    }
}

bool PlanCanvas::takeAltKey(const QKeyEvent& event)
{
    const bool above = event.key() == Qt::Key_Up;
    if ((!above && event.key() != Qt::Key_Down) || !m_scene.report) return false;
    const PlannedProgram& program = m_scene.report->program;
    const Movable moved = movableOf(program, selection());
    if (!moved.arena.valid()) return false;
    if (const auto offset = nextFreeOffset(program, moved, above))
        Q_EMIT moveWanted(selection(), *offset);
    else
        Q_EMIT noticed(above ? tr("No free place above") : tr("No free place below"));
    return true;
}

void PlanCanvas::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_B && !event->isAutoRepeat()) hideGhost();
    Canvas::keyReleaseEvent(event);
}

std::optional<std::size_t> PlanCanvas::pickedBar() const
{
    const auto& bars = m_scene.picture.bars;
    const auto found = std::find_if(bars.begin(), bars.end(), [&](const PlanBar& bar) {
        if (selection().value.valid()) return bar.value == selection().value;
        return selection().storage.valid() && bar.storage == selection().storage;
    });
    if (found == bars.end()) return std::nullopt;
    return static_cast<std::size_t>(found - bars.begin());
}

/// The nearest bar that begins after (before, above, below) the picked one and meets it in the other axis.
void PlanCanvas::pickNeighbour(int key)
{
    const auto& bars = m_scene.picture.bars;
    if (bars.empty()) return;
    const auto from = pickedBar();
    const auto named = [](const PlanBar& bar) { return bar.value.valid() || bar.pattern == Pattern::Scratch; };
    if (!from) {
        const auto first = std::find_if(bars.begin(), bars.end(), named);
        if (first != bars.end()) Q_EMIT picked(focusOn(*first));
        return;
    }
    const PlanBar& here = bars[*from];
    const Interval hereBytes = stackedBytes(m_scene.picture, here);
    const bool inTime = key == Qt::Key_Left || key == Qt::Key_Right;
    const bool forward = key == Qt::Key_Right || key == Qt::Key_Up;
    std::int64_t nearest = std::numeric_limits<std::int64_t>::max();
    const PlanBar* best = nullptr;
    for (const PlanBar& bar : bars) {
        if (!named(bar) || focusOn(bar).samePick(focusOn(here))) continue;
        const Interval bytes = stackedBytes(m_scene.picture, bar);
        const bool beside = inTime ? overlaps(bytes, hereBytes) : overlaps(bar.steps, here.steps);
        const std::int64_t away = inTime ? bar.steps.begin - here.steps.begin : bytes.begin - hereBytes.begin;
        const std::int64_t distance = forward ? away : -away;
        if (!beside || distance <= 0 || distance >= nearest) continue;
        nearest = distance;
        best = &bar;
    }
    if (best) Q_EMIT picked(focusOn(*best));
}

/// Left and right a step, up and down by as many bytes as are picked.
void PlanCanvas::moveArea(int key)
{
    if (key == Qt::Key_Left || key == Qt::Key_Right) return Q_EMIT stepAsked(key == Qt::Key_Right ? 1 : -1);
    Focus focus = selection();
    const std::int64_t length = focus.area.bytes.length();
    const std::int64_t by = key == Qt::Key_Up ? length : -length;
    focus.area.bytes = {focus.area.bytes.begin + by, focus.area.bytes.end + by};
    const std::int64_t height = m_scene.picture.lanes[focus.area.arena.index()].bytes;
    if (focus.area.bytes.begin >= 0 && focus.area.bytes.end <= height) Q_EMIT picked(focus);
}

} // namespace plimsoll::app
