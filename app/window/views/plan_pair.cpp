#include "app/window/views/plan_pair.h"

#include "app/models/large_report.h"
#include "app/models/window_text.h"
#include "app/session/job_tag.h"
#include "app/views/plan/plan_canvas.h"

#include <QFileInfo>

namespace plimsoll::app {
namespace {

constexpr int CaptionLetters = 40;

} // namespace

struct PlanPair::Made
{
    std::shared_ptr<const StorageColours> colours;
    std::shared_ptr<const PlanMatches> matches;
};

PlanPair::PlanPair(PlanCanvas& now, JobRunner& worker, QWidget* parent)
    : QWidget(parent), m_now(now), m_other(*new PlanCanvas(this)), m_worker(worker)
{
    setObjectName(QStringLiteral("planPair"));
    setFocusProxy(&now);
    now.setParent(this);
    m_other.setObjectName(QStringLiteral("otherPlan"));
    m_other.hide();
    connect(&m_now, &PlanCanvas::viewShown, this, [this] { link(false); });
    connect(&m_other, &PlanCanvas::viewShown, this, [this] { link(true); });
    connect(&m_other, &Canvas::picked, this, &PlanPair::pickFor);
    connect(&m_other, &PlanCanvas::moveWanted, this,
            [this] { Q_EMIT noticed(tr("Only the plan of now, below, can be changed.")); });
}

void PlanPair::showBoth(bool both)
{
    m_wanted = both;
    refresh();
}

void PlanPair::setCompared(Compared compared)
{
    m_compared = std::move(compared);
    refresh();
}

void PlanPair::setColourBy(ColourBy by)
{
    m_colourBy = by;
    refresh();
}

void PlanPair::refresh()
{
    const bool both = m_wanted && m_compared.other && m_now.report();
    m_worker.cancel(JobTag::Beside);
    m_other.setVisible(both);
    const QString name = labelText(QFileInfo(m_compared.file).fileName(), CaptionLetters);
    const QString unnamed = m_compared.own ? QObject::tr("Our own plan") : tr("Before");
    const QString caption = name.isEmpty() ? unnamed : name;
    m_other.setCaption(caption);
    m_other.setAccessibleName(tr("Plan to compare with: %1").arg(caption));
    m_now.setCaption(both ? tr("Now") : QString());
    if (!both) {
        m_other.setReport(nullptr, nullptr);
        m_now.setRoom({});
        m_matches.reset();
        return place();
    }
    const auto make = [before = m_compared.other, now = m_now.report(), matches = m_compared.matches,
                       by = m_colourBy](const Context&) {
        return Made {std::make_shared<const StorageColours>(colourBy(*before, by, nullptr).storages),
                     matches ? matches : std::make_shared<const PlanMatches>(matchPlans(*before, *now))};
    };
    if (!isLarge(*m_compared.other) && !isLarge(*m_now.report())) return take(make({}));
    m_worker.start(JobTag::Beside, {}, make, [this](const Made& made) { take(made); });
}

void PlanPair::take(const Made& made)
{
    m_matches = made.matches;
    m_other.setReport(m_compared.other, made.colours);
    setSelection(m_focus);
    link(false);
}

void PlanPair::setSelection(const Focus& focus)
{
    m_focus = focus;
    if (m_matches) m_other.setSelection(partnerOf(focus, true));
}

/// What is in the other plan alone is picked there.
void PlanPair::pickFor(const Focus& focus)
{
    if (!m_matches) return;
    const Focus partner = partnerOf(focus, false);
    if (partner.picked() || !focus.picked()) {
        Q_EMIT picked(partner);
        return;
    }
    Q_EMIT picked({.step = focus.step});
    m_other.setSelection(focus);
    if (focus.onThing()) Q_EMIT noticed(tr("The plan of now has nothing that is this."));
}

/// Of the same thing, at the same step; the step alone where there is none, or it is of a report that comes.
Focus PlanPair::partnerOf(const Focus& focus, bool inOther) const
{
    const PlannedProgram& from = (inOther ? m_now.report() : m_compared.other)->program;
    const Report& other = inOther ? *m_compared.other : *m_now.report();
    const std::vector<ValueId>& values = inOther ? m_matches->values.first : m_matches->values.second;
    const auto same = [&](ValueId value) {
        return value.valid() && value.index() < values.size() ? values[value.index()] : ValueId();
    };
    Focus partner {.value = same(focus.value), .step = focus.step};
    if (focus.node.valid() && focus.node.index() < from.graph->nodes.size())
        partner.node = findNode(*other.program.graph, (*from.graph)[focus.node].name);
    if (!focus.storage.valid() || focus.storage.index() >= from.storages.size()) return partner;
    for (const auto& [before, now] : m_matches->storages)
        if (focus.storage == (inOther ? now : before)) partner.storage = inOther ? before : now;
    const std::vector<ValueId>& tenants = from.storages[focus.storage.index()].values;
    const ValueId value = tenants.empty() ? ValueId() : same(tenants.front());
    if (!partner.storage.valid() && value.valid()) partner.storage = other.program.values[value.index()].storage;
    return partner;
}

void PlanPair::frameSelection()
{
    m_now.frameWith(m_other.isHidden() ? QRectF() : m_other.selectedWorld());
}

/// Both show the same steps and bytes, of a world that has room for both.
void PlanPair::link(bool fromOther)
{
    if (m_linking || m_other.isHidden()) return;
    m_linking = true;
    const bool anew = std::exchange(m_linked, m_other.scene().report) != m_other.scene().report;
    m_now.setRoom(m_other.world());
    if (fromOther && !anew) m_now.showView(m_other.viewport());
    place(); // a legend may have come
    m_other.showView(m_now.viewport());
    m_linking = false;
}

void PlanPair::resizeEvent(QResizeEvent*)
{
    const bool linking = std::exchange(m_linking, true);
    place();
    if (!m_other.isHidden()) m_other.showView(m_now.viewport());
    m_linking = linking;
}

/// The bars of both are of one height, whatever stands around them.
void PlanPair::place()
{
    if (m_other.isHidden()) return m_now.setGeometry(rect());
    const auto barsOf = [this](const PlanCanvas& canvas, int tall) {
        return planRegions(QRectF(0, 0, width(), tall), canvas.scene(), canvas.looks()).bars.height();
    };
    int low = 0;
    int high = height();
    while (high - low > 1) {
        const int upper = (low + high) / 2;
        (barsOf(m_other, upper) < barsOf(m_now, height() - upper) ? low : high) = upper;
    }
    m_other.setGeometry(0, 0, width(), high);
    m_now.setGeometry(0, high, width(), height() - high);
}

} // namespace plimsoll::app
