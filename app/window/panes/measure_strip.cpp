#include "app/window/panes/measure_strip.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "core/advice/what_if.h"
#include "core/base/narrow.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace plimsoll::app {
namespace {

/// The setting that the plan does not have of a policy that is on or off.
PolicySetting otherSetting(const Session& session, const char* policy)
{
    return {policy, policyValue(session.choices().policies, policy) == "on" ? "off" : "on"};
}

} // namespace

MeasureStrip::MeasureStrip(Workbench& bench, QWidget* parent) : QWidget(parent), m_bench(bench)
{
    auto* sides = new QHBoxLayout(this);
    sides->setContentsMargins(12, 8, 12, 2);
    sides->setSpacing(24);
    sides->addLayout(makeControls(), 1);
    sides->addLayout(makeTable());
    listen(bench.offers.estimated, tr("What the libraries offer, with estimated times."),
           tr("Stopped: no library was asked."));
    listen(bench.offers.measured, tr("Measured on this machine."), tr("Stopped; the times stay as they were."));
    connect(&bench.session, &Session::graphOpened, this, [this] { m_said->clear(); });
    connect(&bench.session, &Session::reportChanged, this, &MeasureStrip::refresh);
    connect(&bench.session, &Session::closed, this, &MeasureStrip::refresh);
    connect(&bench.costs, &PolicyCosts::changed, this, &MeasureStrip::refresh);
    showRunning();
}

void MeasureStrip::listen(CatalogueJob& job, const QString& arrived, const QString& cancelled)
{
    const auto end = [this](const QString& text) {
        m_said->setText(text);
        showRunning();
    };
    connect(&job, &CatalogueJob::progressed, this, [this](qint64 done, qint64 all) {
        showRunning();
        m_progress->setRange(0, static_cast<int>(all));
        m_progress->setValue(static_cast<int>(done));
    });
    connect(&job, &CatalogueJob::arrived, this, [end, arrived] { end(arrived); });
    connect(&job, &CatalogueJob::cancelled, this, [end, cancelled] { end(cancelled); });
    connect(&job, &CatalogueJob::failed, this, [end](const Error& error) { end(windowText(error.message)); });
}

QLayout* MeasureStrip::makeControls()
{
    m_start = new QPushButton(icon(QStringLiteral("run")), tr("Measure"), this);
    m_start->setObjectName(QStringLiteral("measureStart"));
    m_start->setToolTip(
        tr("Execute every offer, the reorders between them and the plain loops a few times, in a process of "
           "its own, and plan with the times of this machine"));
    m_cancel = new QPushButton(icon(QStringLiteral("cancel")), tr("Cancel"), this);
    m_cancel->setObjectName(QStringLiteral("measureCancel"));
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of measuring"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(160);
    m_said = new QLabel(this);
    m_said->setObjectName(QStringLiteral("measureSaid"));
    m_said->setWordWrap(true); // it gives way to the figures
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_start, &QPushButton::clicked, this, [this] {
        m_said->clear();
        m_bench.measureOffers();
        m_progress->setRange(0, 0);
        showRunning();
    });
    connect(m_cancel, &QPushButton::clicked, &m_bench.offers.measured, &CatalogueJob::cancel);
    connect(m_cancel, &QPushButton::clicked, &m_bench.offers.estimated, &CatalogueJob::cancel);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    addAll(buttons, {m_start, m_cancel, m_progress, nullptr});
    auto* rows = new QVBoxLayout;
    rows->addLayout(buttons);
    rows->addWidget(m_said);
    return rows;
}

QLayout* MeasureStrip::makeTable()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(2);
    const QString titles[] = {QString(), tr("Peak"), tr("Beside the plan"), tr("Kernels and reorders")};
    for (int column = 1; column < 4; ++column) {
        auto* title = new QLabel(titles[column], this);
        title->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(title, 0, column, Qt::AlignRight);
    }
    for (int index = 0; index < narrow<int>(m_rows.size()); ++index)
        addRow(grid, index);
    return grid;
}

void MeasureStrip::addRow(QGridLayout* grid, int index)
{
    Row& row = m_rows[index];
    int column = 0;
    for (QLabel** label : {&row.name, &row.peak, &row.outside, &row.time}) {
        *label = new QLabel(this);
        if (index == 0) (*label)->setFont(boldFont((*label)->font()));
        grid->addWidget(*label, index + 1, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
        ++column;
    }
    row.time->setObjectName(QStringLiteral("measureTime%1").arg(index));
}

void MeasureStrip::showRunning()
{
    const bool running = m_bench.offers.measured.running() || m_bench.offers.estimated.running();
    m_start->setEnabled(!running && m_bench.session.report() != nullptr);
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
}

QString MeasureStrip::timeText(const PlanCost& cost)
{
    if (cost.kernelMs <= 0) return tr("not known");
    const QString text = durationText(cost.kernelMs / 1e3);
    return cost.measured ? tr("%1, measured").arg(text) : tr("%1, estimated").arg(text);
}

void MeasureStrip::fill(Row& row, const QString& name, const std::optional<PlanCost>& cost)
{
    row.name->setText(name);
    row.peak->setText(cost ? sizeText(cost->peakBytes) : QStringLiteral("…"));
    row.outside->setText(cost ? sizeText(cost->externalBytes) : QStringLiteral("…"));
    row.time->setText(cost ? timeText(*cost) : QStringLiteral("…"));
}

void MeasureStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

void MeasureStrip::refresh()
{
    showRunning();
    const auto report = m_bench.session.report();
    if (!report) return;
    fill(m_rows[0], tr("This plan"), m_bench.costs.ofPlan());
    const PolicySetting padding = otherSetting(m_bench.session, "padding");
    const PolicySetting fusion = otherSetting(m_bench.session, "fusion");
    fill(m_rows[1], tr("padding %1").arg(toQString(padding.second)), m_bench.costs.costOf(padding));
    fill(m_rows[2], tr("fusion %1").arg(toQString(fusion.second)), m_bench.costs.costOf(fusion));
}

} // namespace plimsoll::app
