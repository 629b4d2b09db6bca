// What the plan is compared with, in the plan.
#include "app/models/window_text.h"
#include "app/views/plan/plan_canvas.h"
#include "app/views/plan/plan_marks.h"
#include "core/facts/reserved.h"

#include <algorithm>

namespace plimsoll::app {

void PlanCanvas::setCompared(Compared compared)
{
    m_compared = std::move(compared);
    refreshGhost();
}

void PlanCanvas::keepGhost(bool keep)
{
    m_keeps.ghost = keep;
    refreshGhost();
}

void PlanCanvas::refreshGhost()
{
    constexpr std::size_t MostBars = 100'000; // of more the outlines would be one area
    m_ghost.clear();
    const bool beside = !m_scene.caption.isEmpty(); // that plan is in sight
    if (m_keeps.ghost && !beside && m_compared.other && m_scene.report && !due() &&
        m_scene.picture.bars.size() <= MostBars)
        m_ghost = makeGhost(m_scene, *m_compared.other, m_compared.matches.get());
    makeRoom();
    update();
}

/// Of a higher or a longer plan all is seen. Behind quiet steps that are narrower nothing is known to be quiet.
void PlanCanvas::makeRoom()
{
    if (!m_scene.report) return;
    double steps = std::max(1.0, world().width());
    double height = std::max({1.0, world().height(), m_keeps.room.height()});
    if (!m_view.places) steps = std::max(steps, m_keeps.room.width());
    for (const GhostBar& bar : m_ghost) {
        height = std::max(height, bar.was.bottom());
        if (!m_view.places) steps = std::max(steps, bar.was.right());
    }
    if (steps == m_view.worldSteps && height == m_view.worldBytes) return;
    const bool allSteps = m_view.steps.span >= m_view.worldPlaces();
    const bool allBytes = m_view.bytes.span >= m_view.worldBytes;
    m_view.setWorld(steps, height, m_view.places);
    PlanViewport whole = m_view;
    whole.fit();
    if (allSteps) m_view.steps = whole.steps;
    if (allBytes) m_view.bytes = whole.bytes;
    viewChanged();
}

void PlanCanvas::setCaption(const QString& caption)
{
    if (std::exchange(m_scene.caption, caption) == caption) return;
    m_view.setArea(regions().bars); // the legend may need another row
    refreshGhost();
    viewChanged();
}

QSizeF PlanCanvas::world() const
{
    return m_scene.report ? QSizeF(double(m_scene.picture.steps), double(m_scene.picture.heightBytes)) : QSizeF();
}

void PlanCanvas::setRoom(QSizeF room)
{
    m_keeps.room = room;
    makeRoom();
}

void PlanCanvas::showView(const PlanViewport& view)
{
    if (!m_scene.report) return;
    const QRectF area = m_view.area;
    const AxisWindow bytes = m_view.bytes;
    const bool sameSteps = m_view.steps == view.steps && m_view.places == view.places;
    m_view = view;
    m_view.area = area;
    if (sameSteps && bytes == view.bytes) return;
    viewChanged();
}

void PlanCanvas::showGhost()
{
    if (!m_scene.report || !m_compared.other) {
        Q_EMIT hovered(tr("There is no plan before: no policy was changed yet."));
        return;
    }
    if (inRows(m_scene.picture.axis)) {
        Q_EMIT hovered(tr("Rows show no addresses: bars that lie elsewhere are seen by address."));
        return;
    }
    m_ghost = makeGhost(m_scene, *m_compared.other, m_compared.matches.get());
    makeRoom();
    const QString moved = countedText(std::ssize(m_ghost), tr("1 bar lay elsewhere"), tr("%1 bars lay elsewhere"));
    Q_EMIT hovered(tr("What it is compared with: peak %1, %2").arg(sizeText(mostTakenBytes(*m_compared.other)), moved));
    update();
}

void PlanCanvas::hideGhost()
{
    if (m_ghost.empty()) return;
    refreshGhost();
    Q_EMIT hovered(QString());
}

} // namespace plimsoll::app
