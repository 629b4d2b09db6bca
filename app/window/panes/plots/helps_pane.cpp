#include "app/window/panes/plots/helps_pane.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/helps_canvas.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/panes/plots/fit_strip.h"
#include "app/window/panes/table_pane.h"
#include "core/facts/words/policy_effect.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll::app {

HelpsPane::HelpsPane(Workbench& bench, TablePane* table, QWidget* parent)
    : PlotPane(parent), m_bench(bench), m_ranking(bench.session, bench.costs, bench.jobs), m_table(table),
      m_canvas(new HelpsCanvas(this)), m_fit(new FitStrip(bench, this))
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_fit);
    rows->addWidget(beside(table, 2, m_canvas, 1), 1);
    setFocusProxy(table);
    makeButtons();
    followRows(
        *table,
        [this](int point) {
            m_point = point;
            m_canvas->setPoint(m_canvas->report() ? m_point : -1);
            m_take->setEnabled(m_point >= 0);
        },
        [this] { take(); });
    connect(m_canvas, &HelpsCanvas::pointPicked, this, &HelpsPane::pick);
    connect(m_canvas, &HelpsCanvas::pointTaken, this, &HelpsPane::take);
    connect(&m_ranking, &ChangeRanking::changed, this, &HelpsPane::refresh);
    refresh();
}

/// Beside the filter, so that the rows have the height.
void HelpsPane::makeButtons()
{
    m_take = new QPushButton(icon(QStringLiteral("plan")), tr("Plan so"), this);
    m_take->setObjectName(QStringLiteral("helpsTake"));
    m_take->setToolTip(tr("Plan by the change that is selected"));
    m_status = new ElidedLabel({}, this);
    m_status->setObjectName(QStringLiteral("helpsStatus"));
    m_table->addBesideFilter(m_take);
    m_table->addBesideFilter(m_status);
    connect(m_take, &QPushButton::clicked, this, &HelpsPane::take);
}

Canvas* HelpsPane::plot() const
{
    return m_canvas;
}

bool HelpsPane::running() const
{
    return m_ranking.running() || m_fit->running();
}

void HelpsPane::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_ranking.setSeen(true);
}

void HelpsPane::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_ranking.setSeen(false);
}

void HelpsPane::refresh()
{
    const auto report = m_ranking.report();
    const bool timed = report && std::ranges::any_of(report->policyChanges, [](const PolicyChange& change) {
                           return change.cost.kernelMs > 0;
                       });
    m_canvas->setEmptyText(report ? tr("No times are known of these plans.") : QString());
    m_canvas->setReport(timed ? report : nullptr, nullptr);
    m_table->setReport(report, m_bench.session.previousReport());
    m_take->setEnabled(m_point >= 0);
    m_status->setText(statusText());
}

void HelpsPane::pick(int point)
{
    m_table->pickPlace(point);
}

void HelpsPane::take()
{
    const auto report = m_ranking.report();
    if (!report || m_point < 0 || static_cast<std::size_t>(m_point) >= report->policyChanges.size()) return;
    m_ranking.take(valuesOf(report->policyChanges[static_cast<std::size_t>(m_point)]));
}

QString HelpsPane::statusText() const
{
    const auto report = m_ranking.report();
    if (!report) return {};
    if (m_ranking.running()) return tr("Planning with other policies…");
    const auto& changes = report->policyChanges;
    const auto lower = std::ranges::count_if(
        changes, [&](const PolicyChange& change) { return change.cost.peakBytes < report->memory.peakBytes; });
    return countedText(lower, tr("1 change lowers the peak"), tr("%1 changes lower the peak"));
}

} // namespace plimsoll::app
