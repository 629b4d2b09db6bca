#include "app/window/views/canvas_tabs.h"

#include "app/session/job_tag.h"
#include "app/session/selection.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/live_range_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/views/plan_pair.h"

#include <QEvent>

namespace plimsoll::app {

CanvasTabs::CanvasTabs(Selection& selection, JobRunner& worker, QWidget* parent)
    : QTabWidget(parent), m_selection(selection), m_worker(worker), m_plan(new PlanCanvas(this)),
      m_pair(new PlanPair(*m_plan, worker, this)), m_graph(new GraphCanvas(this)), m_key(new ColourKeyBar(this))
{
    setObjectName(QStringLiteral("pictures"));
    setAccessibleName(tr("Pictures"));
    setDocumentMode(true);
    setMinimumSize(240, 160);
    setCornerWidget(m_key);
    connect(m_plan, &PlanCanvas::holesShown, this, &CanvasTabs::holesShown);
    connect(m_plan, &PlanCanvas::moveWanted, this, &CanvasTabs::moveWanted);
    add(m_plan, QStringLiteral("plan"), tr("Plan"), tr("Time × address: where every value lies, and when"), m_pair);
    listenTo(&m_pair->other());
    connect(m_pair, &PlanPair::picked, this, &CanvasTabs::pick);
    connect(m_pair, &PlanPair::noticed, this, &CanvasTabs::statusChanged);
    add(new LiveRangeCanvas(this), QStringLiteral("live"), tr("Live ranges"),
        tr("One row for each value, over the steps; T: for each storage"));
    add(m_graph, QStringLiteral("graph"), tr("Graph"), tr("Nodes and edges"));
    connect(m_graph, &GraphCanvas::lookChanged, this, &CanvasTabs::graphLookChanged);
    connect(m_graph, &GraphCanvas::groupPicked, this, &CanvasTabs::groupPicked);
    connect(&worker, &JobRunner::finished, this, [this](const QString& tag) {
        if (tag == JobTag::Colours && settled()) Q_EMIT statusChanged({});
    });
    connect(&selection, &Selection::focusChanged, this, [this](const Focus& focus) {
        for (Canvas* canvas : m_canvases)
            canvas->setSelection(focus);
        m_pair->setSelection(focus);
    });
}

void CanvasTabs::add(Canvas* canvas, const QString& id, const QString& title, const QString& tip, QWidget* page)
{
    canvas->setObjectName(id);
    canvas->setAccessibleName(title);
    const int tab = addTab(page ? page : canvas, title);
    setTabToolTip(tab, tip);
    m_canvases << canvas;
    listenTo(canvas);
    connect(canvas, &Canvas::picked, this, &CanvasTabs::pick);
    connect(canvas, &Canvas::stepsShown, this, [this, canvas](const AxisWindow& steps) {
        for (Canvas* other : m_canvases)
            if (other != canvas) other->showSteps(steps);
    });
}

void CanvasTabs::pick(const Focus& focus)
{
    if (focus.picked() || focus.step >= 0)
        m_selection.pick(focus);
    else if (m_selection.focus().picked()) // the step cursor goes by key only
        m_selection.clear();
}

void CanvasTabs::listenTo(Canvas* canvas)
{
    canvas->installEventFilter(this);
    connect(canvas, &Canvas::stepChanged, &m_selection, &Selection::setStep);
    connect(canvas, &Canvas::stepAsked, &m_selection, &Selection::moveStep);
    connect(canvas, &Canvas::menuRequested, this, &CanvasTabs::menuRequested);
    connect(canvas, &Canvas::hovered, this, &CanvasTabs::hovered);
    connect(canvas, &Canvas::noticed, this, &CanvasTabs::statusChanged);
    connect(canvas, &Canvas::statusChanged, this, [this, canvas](const QString& text) {
        m_status[canvas] = text;
        Q_EMIT statusChanged(text);
    });
}

bool CanvasTabs::eventFilter(QObject* watched, QEvent* event)
{
    // What is said of what lies under the pointer ends when the pointer leaves the picture, or the picture the screen.
    if (event->type() == QEvent::Leave || event->type() == QEvent::Hide) Q_EMIT hovered(QString());
    return QTabWidget::eventFilter(watched, event);
}

void CanvasTabs::colour()
{
    const bool known = m_colourBy == ColourBy::Storage && m_shown.colours;
    if (m_shown.report && !known && isLarge(*m_shown.report)) {
        const auto make = [report = m_shown.report, by = m_colourBy, run = m_shown.run](const Context&) {
            return colourBy(*report, by, run.get());
        };
        m_worker.start(JobTag::Colours, {}, make, [this](ColourScheme scheme) { take(std::move(scheme)); });
        Q_EMIT statusChanged(tr("Drawing…"));
        return;
    }
    m_worker.cancel(JobTag::Colours);
    if (m_shown.report && !known) return take(colourBy(*m_shown.report, m_colourBy, m_shown.run.get()));
    m_key->setKey(m_colourBy, {});
    show(m_shown.colours); // without a report there are none
}

void CanvasTabs::take(ColourScheme scheme)
{
    const auto colours = std::make_shared<const StorageColours>(std::move(scheme.storages));
    if (scheme.by == ColourBy::Storage) m_shown.colours = colours;
    m_key->setKey(scheme.by, std::move(scheme.key));
    show(colours);
}

void CanvasTabs::setReport(std::shared_ptr<const Report> report, std::shared_ptr<const StorageColours> colours,
                           const Compared& compared)
{
    m_shown.compared = compared;
    m_shown.report = std::move(report);
    m_shown.comes = true;
    m_shown.colours = std::move(colours);
    colour();
}

void CanvasTabs::setCompared(const std::shared_ptr<const Report>& report, const Compared& compared)
{
    m_shown.compared = compared;
    if (m_plan->report() != report) return;
    m_plan->setCompared(m_shown.compared);
    m_pair->setCompared(m_shown.compared);
}

void CanvasTabs::setColourBy(ColourBy by)
{
    m_colourBy = by;
    m_pair->setColourBy(by);
    GraphLook look = m_graph->look();
    look.colours = by;
    m_graph->setLook(look);
    if (m_shown.report) colour();
}

void CanvasTabs::paintWith(const std::shared_ptr<const StorageColours>& colours)
{
    for (Canvas* canvas : m_canvases)
        canvas->setReport(m_shown.report, colours);
    Q_EMIT coloured(colours);
}

void CanvasTabs::show(const std::shared_ptr<const StorageColours>& colours)
{
    if (!std::exchange(m_shown.comes, false)) return paintWith(colours);
    // Where all bytes of the plan are seen, all of a higher one are, too.
    const bool whole = m_plan->viewport().bytes.span >= m_plan->viewport().worldBytes;
    m_plan->setCompared({}); // which is of the report that goes
    m_pair->setCompared({});
    paintWith(colours);
    for (Canvas* canvas : m_canvases)
        canvas->setSelection(m_selection.focus());
    if (whole) m_plan->fitBytes();
    m_plan->setCompared(m_shown.compared);
    m_pair->setCompared(m_shown.compared);
}

void CanvasTabs::setStops(std::vector<StopMark> stops)
{
    m_plan->setStops(std::move(stops));
}

void CanvasTabs::setRun(std::shared_ptr<const RunResult> run)
{
    m_graph->setRun(run);
    m_plan->setRun(run);
    m_shown.run = std::move(run);
    widenSteps();
    if (m_shown.report && m_colourBy == ColourBy::Time) colour();
}

void CanvasTabs::forget()
{
    m_worker.cancel(JobTag::Colours);
    m_shown.report.reset();
    m_shown.comes = false;
    m_shown.colours.reset();
    m_pair->setCompared({});
    m_key->setKey(m_colourBy, {});
    paintWith(nullptr);
}

void CanvasTabs::setTheme(Theme theme)
{
    for (Canvas* canvas : m_canvases)
        canvas->setTheme(theme);
    m_pair->other().setTheme(theme);
    m_key->setTheme(theme);
}

void CanvasTabs::frameSelection()
{
    // Plan and live ranges share their steps: only one of them can frame.
    const QString live = QStringLiteral("live");
    if (current() == canvas(live))
        canvas(live)->frameSelection();
    else
        m_pair->frameSelection();
    canvas(QStringLiteral("graph"))->frameSelection();
}

bool CanvasTabs::showView(const QString& id)
{
    Canvas* wanted = canvas(id);
    if (wanted) setCurrentWidget(wanted == m_plan ? static_cast<QWidget*>(m_pair) : wanted);
    return wanted != nullptr;
}

Canvas* CanvasTabs::current() const
{
    return currentWidget() == m_pair ? m_plan : qobject_cast<Canvas*>(currentWidget());
}

Canvas* CanvasTabs::canvas(const QString& id) const
{
    for (Canvas* canvas : m_canvases) {
        if (canvas->objectName() == id) return canvas;
    }
    return nullptr;
}

void CanvasTabs::showHoles(bool show)
{
    m_plan->showHoles(show);
    m_pair->other().showHoles(show);
}

void CanvasTabs::showBoth(bool both)
{
    m_pair->showBoth(both);
}

Canvas* CanvasTabs::otherPlan() const
{
    return &m_pair->other();
}

void CanvasTabs::keepGhost(bool keep)
{
    m_plan->keepGhost(keep);
}

void CanvasTabs::setPlanAxis(PlanAxis axis)
{
    for (PlanCanvas* plan : {m_plan, &m_pair->other()})
        plan->setAxis(axis);
    setCurrentWidget(m_pair);
}

void CanvasTabs::compactSteps(bool compact)
{
    m_steps.compact = compact;
    widenSteps();
}

void CanvasTabs::stepsByTime(bool byTime)
{
    m_steps.byTime = byTime;
    widenSteps();
}

void CanvasTabs::widenSteps()
{
    for (Canvas* canvas : m_canvases)
        canvas->setStepAxis({m_steps.compact, m_steps.byTime ? m_shown.run : nullptr});
}

void CanvasTabs::withGraph(const std::function<void(GraphCanvas&)>& change)
{
    setCurrentWidget(m_graph);
    change(*m_graph);
}

void CanvasTabs::withRows(const std::function<void(LiveRangeCanvas&)>& change)
{
    setCurrentWidget(&rows());
    change(rows());
}

LiveRangeCanvas& CanvasTabs::rows() const
{
    return static_cast<LiveRangeCanvas&>(*canvas(QStringLiteral("live")));
}

bool CanvasTabs::settled() const
{
    if (m_worker.busy(JobTag::Colours)) return false;
    for (const QString& status : m_status) {
        if (!status.isEmpty()) return false;
    }
    return true;
}

} // namespace plimsoll::app
