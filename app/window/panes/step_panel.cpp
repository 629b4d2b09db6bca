#include "app/window/panes/step_panel.h"

#include "app/models/large_report.h"
#include "app/models/window_text.h"
#include "app/session/job_runner.h"
#include "app/session/selection.h"
#include "app/window/look/labels.h"
#include "app/window/panes/fact_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

const QString StepTag = QStringLiteral("step");

} // namespace

StepPanel::StepPanel(Selection& selection, JobRunner& worker, std::shared_ptr<const Swatches> swatches, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_worker(worker), m_title(new QLabel(this)),
      m_view(new FactView(std::move(swatches), this))
{
    setObjectName(QStringLiteral("step"));
    m_title->setFont(boldFont(font()));
    m_view->setAccessibleName(tr("Facts of the step"));
    m_view->installEventFilter(this);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 4, 8, 4);
    head->addWidget(m_title, 1);
    const auto add = [&](Qt::ArrowType arrow, const QString& name, int by) {
        auto* button = new QToolButton(this);
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setAccessibleName(name);
        button->setToolTip(name);
        connect(button, &QToolButton::clicked, this, [this, by] { m_selection.moveStep(by); });
        head->addWidget(button);
    };
    add(Qt::LeftArrow, tr("Previous step"), -1);
    add(Qt::RightArrow, tr("Next step"), 1);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(head);
    rows->addWidget(m_view, 1);
    connect(m_view, &FactView::followed, &selection, &Selection::pick);
    connect(&selection, &Selection::focusChanged, this, &StepPanel::refresh);
    setFocusProxy(m_view);
    refresh();
}

void StepPanel::setReport(std::shared_ptr<const Report> report)
{
    m_report = std::move(report);
    m_shown = -1;
    refresh();
}

/// Where nothing but the step is picked, the inspector says the same above.
void StepPanel::refresh()
{
    const Focus& focus = m_selection.focus();
    setVisible(m_report && focus.picked() && focus.step >= 0 && focus.step < m_report->program.schedule.length());
    if (isHidden()) {
        m_shown = -1;
        return m_worker.cancel(StepTag);
    }
    if (std::exchange(m_shown, focus.step) == focus.step) return;
    const auto make = [report = m_report, step = focus.step](const Context&) {
        return inspectorFacts(report.get(), Focus::atStep(step));
    };
    const auto show = [this](InspectorFacts facts) {
        const QString last = countText(m_report->program.schedule.length() - 1);
        m_title->setText(tr("Step %1 of %2").arg(facts.title, last));
        m_view->setFacts(std::move(facts));
    };
    m_worker.cancel(StepTag);
    if (!isLarge(*m_report)) return show(make({}));
    m_worker.start(StepTag, {}, make, show);
}

bool StepPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_view || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    const bool sideways = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
    if (!plain || !sideways) return false;
    m_selection.moveStep(key->key() == Qt::Key_Left ? -1 : 1);
    return true;
}

} // namespace plimsoll::app
