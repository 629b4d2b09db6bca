#include "app/window/panes/inspector_pane.h"

#include "app/models/large_report.h"
#include "app/models/window_text.h"
#include "app/session/freeing_job.h"
#include "app/session/job_runner.h"
#include "app/session/selection.h"
#include "app/window/look/labels.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/step_panel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll::app {
namespace {

const QString FactsTag = QStringLiteral("facts");
constexpr int FewestLetters = 24; ///< Of the title, however narrow the pane.

} // namespace

InspectorPane::InspectorPane(Selection& selection, const FreeingJob& freeing, JobRunner& worker,
                             std::shared_ptr<const Swatches> swatches, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_freeing(freeing), m_worker(worker), m_kind(new QLabel(this)),
      m_title(new QLabel(this)), m_mends(new QWidget(this)), m_view(new FactView(swatches, this)),
      m_step(new StepPanel(selection, worker, swatches, this))
{
    m_title->setFont(boldFont(font(), 1.2));
    m_title->setObjectName(QStringLiteral("inspectorTitle"));
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_kind->setForegroundRole(QPalette::PlaceholderText);
    m_view->setAccessibleName(tr("Facts"));
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    parts->addWidget(m_view);
    parts->addWidget(m_step);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(12, 8, 12, 8);
    head->setSpacing(1);
    head->addWidget(m_kind);
    head->addWidget(m_title);
    head->addWidget(m_mends);
    auto* mends = new QHBoxLayout(m_mends);
    mends->setContentsMargins(0, 4, 0, 0);
    mends->addStretch(1);
    rows->addLayout(head);
    rows->addWidget(parts, 1);
    connect(m_view, &FactView::followed, &selection, &Selection::pick);
    for (FactView* view : {m_view, m_step->view()})
        connect(view, &FactView::menuRequested, this, &InspectorPane::menuRequested);
    connect(&selection, &Selection::focusChanged, this, &InspectorPane::refresh);
    connect(&freeing, &FreeingJob::changed, this, &InspectorPane::refresh);
    setFocusProxy(m_view);
    refresh();
}

void InspectorPane::setReport(std::shared_ptr<const Report> report)
{
    m_report = std::move(report);
    m_step->setReport(m_report);
    refresh();
}

void InspectorPane::setGroup(NodeGroup group)
{
    m_group = std::move(group);
    refresh();
}

void InspectorPane::setNote(FactSection note)
{
    if (note.facts.empty() && m_note.facts.empty()) return;
    m_note = std::move(note);
    refresh();
}

void InspectorPane::setMends(const QList<QAction*>& actions)
{
    auto* row = static_cast<QHBoxLayout*>(m_mends->layout());
    for (QAction* action : actions) {
        auto* button = new QToolButton(m_mends);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        row->insertWidget(row->count() - 1, button);
        const auto follow = [button, action] { button->setVisible(action->isEnabled()); };
        connect(action, &QAction::changed, button, follow);
        follow();
    }
}

void InspectorPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) setReport(m_report);
}

void InspectorPane::refresh()
{
    const bool grouped = m_report && !m_group.nodes.empty() && !m_selection.focus().picked();
    const auto make = [report = m_report, focus = m_selection.focus(),
                       group = grouped ? m_group : NodeGroup()](const Context&) {
        return group.nodes.empty() ? inspectorFacts(report.get(), focus) : inspectorFacts(*report, group);
    };
    m_worker.cancel(FactsTag);
    if (!m_report || !isLarge(*m_report)) return show(make({}));
    m_worker.start(FactsTag, {}, make, [this](InspectorFacts facts) { show(std::move(facts)); });
}

void InspectorPane::show(InspectorFacts facts)
{
    if (m_report && m_freeing.ways())
        facts.sections.push_back(freeingSection(*m_report, *m_freeing.ways(), windowWords));
    if (!m_note.facts.empty()) facts.sections.insert(facts.sections.begin(), m_note);
    m_mends->setVisible(m_report && m_selection.focus().finding >= 0);
    m_kind->setText(facts.kind.isEmpty() ? tr("Nothing is open") : facts.kind);
    m_title->setToolTip(labelText(facts.title, TipLetters));
    m_view->setFacts(std::move(facts));
    fitTitle();
}

/// A label breaks no word: what is longer than the pane loses its middle.
void InspectorPane::fitTitle()
{
    const int letters = m_title->width() / m_title->fontMetrics().averageCharWidth();
    m_title->setText(labelText(m_view->facts().shown().title, std::clamp(letters, FewestLetters, LabelLetters)));
}

void InspectorPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTitle();
}

QString InspectorPane::asText() const
{
    return m_view->facts().asText();
}

} // namespace plimsoll::app
