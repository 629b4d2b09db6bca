// The plan before, over the one that is shown.
#include "app/models/window_text.h"
#include "app/views/plan/plan_canvas.h"
#include "app/views/plan/plan_marks.h"
#include "core/facts/reserved.h"

namespace plimsoll::app {

void PlanCanvas::setBefore(std::shared_ptr<const Report> before)
{
    m_before = std::move(before);
    refreshGhost();
}

void PlanCanvas::keepGhost(bool keep)
{
    m_keepsGhost = keep;
    refreshGhost();
}

void PlanCanvas::refreshGhost()
{
    constexpr std::size_t MostBars = 100'000; // of more the outlines would be one area
    m_ghost.clear();
    if (m_keepsGhost && m_before && m_scene.report && !due() && m_scene.picture.bars.size() <= MostBars)
        m_ghost = makeGhost(m_scene, *m_before);
    update();
}

void PlanCanvas::showGhost()
{
    if (!m_scene.report || !m_before) {
        Q_EMIT hovered(tr("There is no plan before: no policy was changed yet."));
        return;
    }
    m_ghost = makeGhost(m_scene, *m_before);
    const QString moved = countedText(std::ssize(m_ghost), tr("1 bar lay elsewhere"), tr("%1 bars lay elsewhere"));
    Q_EMIT hovered(tr("The plan before: peak %1, %2").arg(sizeText(mostTakenBytes(*m_before)), moved));
    update();
}

void PlanCanvas::hideGhost()
{
    if (m_ghost.empty()) return;
    refreshGhost();
    Q_EMIT hovered(QString());
}

} // namespace plimsoll::app
