#include "app/window/panes/plots/trade_off_pane.h"

#include "app/models/window_text.h"
#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "app/views/trade_off_canvas.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/panes/table_pane.h"
#include "core/facts/english/english.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace plimsoll::app {

TradeOffPane::TradeOffPane(Workbench& bench, TablePane* table, QWidget* parent)
    : PlotPane(parent), m_bench(bench), m_table(table), m_canvas(new TradeOffCanvas(this))
{
    auto* picture = new QWidget(this);
    auto* rows = new QVBoxLayout(picture);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(makeButtons());
    rows->addWidget(m_canvas, 1);
    auto* whole = new QHBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(beside(picture, 1, table, 1));
    setFocusProxy(m_canvas);
    followRows(
        *table,
        [this](int point) {
            m_canvas->setPoint(point);
            m_take->setEnabled(point >= 0);
        },
        [this] { take(m_canvas->point()); });
    connect(m_canvas, &TradeOffCanvas::pointPicked, this, &TradeOffPane::pick);
    connect(m_canvas, &TradeOffCanvas::pointTaken, this, &TradeOffPane::take);
    connect(&bench.tradeOffs, &TradeOffJob::changed, this, &TradeOffPane::refresh);
    connect(&bench.session, &Session::reportChanged, this, &TradeOffPane::refresh);
    connect(&bench.jobs, &JobRunner::progressed, this, [this](const QString& tag, const QString&, double fraction) {
        if (tag != JobTag::TradeOffs) return;
        m_progress->setRange(0, 100);
        m_progress->setValue(static_cast<int>(fraction * 100));
    });
    refresh();
}

QLayout* TradeOffPane::makeButtons()
{
    m_take = new QPushButton(icon(QStringLiteral("plan")), tr("Plan so"), this);
    m_take->setObjectName(QStringLiteral("tradeOffTake"));
    m_take->setToolTip(tr("Plan by the choice that is selected: the fastest within its capacity"));
    m_start = new QPushButton(icon(QStringLiteral("run")), tr("Work out"), this);
    m_start->setObjectName(QStringLiteral("tradeOffStart"));
    m_start->setToolTip(tr("Find the choices of implementations that no other beats in time and in bytes"));
    m_stop = new QPushButton(icon(QStringLiteral("cancel")), tr("Stop"), this);
    m_stop->setObjectName(QStringLiteral("tradeOffStop"));
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of time against peak"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    m_status = new ElidedLabel({}, this);
    m_status->setObjectName(QStringLiteral("tradeOffStatus"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    addAll(row, {m_take, m_start, m_stop, m_progress});
    row->addWidget(m_status, 1);
    connect(m_take, &QPushButton::clicked, this, [this] { take(m_canvas->point()); });
    connect(m_start, &QPushButton::clicked, &m_bench.tradeOffs, &TradeOffJob::start);
    connect(m_stop, &QPushButton::clicked, &m_bench.tradeOffs, &TradeOffJob::stop);
    return row;
}

Canvas* TradeOffPane::plot() const
{
    return m_canvas;
}

void TradeOffPane::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_bench.tradeOffs.setSeen(true);
}

void TradeOffPane::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_bench.tradeOffs.setSeen(false);
}

void TradeOffPane::refresh()
{
    const TradeOffJob& job = m_bench.tradeOffs;
    const auto report = job.report();
    m_canvas->setEmptyText(statusText());
    m_canvas->setReport(report, nullptr);
    m_table->setReport(report, m_bench.session.previousReport());
    m_start->setVisible(!job.running() && !job.known());
    m_start->setEnabled(job.canStart());
    m_stop->setVisible(job.running());
    m_progress->setVisible(job.running());
    if (job.running()) m_progress->setRange(0, 0);
    m_take->setVisible(job.known());
    m_take->setEnabled(m_canvas->point() >= 0);
    m_status->setText(statusText());
}

void TradeOffPane::pick(int point)
{
    m_table->pickPlace(point);
    m_take->setEnabled(m_canvas->point() >= 0);
}

void TradeOffPane::take(int point)
{
    if (point >= 0) m_bench.tradeOffs.take(static_cast<std::size_t>(point));
}

QString TradeOffPane::statusText() const
{
    const TradeOffJob& job = m_bench.tradeOffs;
    const auto report = job.report();
    if (!report) return {};
    if (m_bench.session.choices().givenPlan) return tr("A plan that was handed in is judged; nothing is chosen.");
    if (job.running()) return tr("Planning with other choices of implementations…");
    if (job.error()) return toQString(describe(*job.error(), windowWords));
    if (!job.known()) return tr("Not worked out yet.");
    if (report->tradeOffs.empty()) return tr("No backend offers implementations to choose from.");
    return countedText(std::ssize(report->tradeOffs), tr("1 choice that no other beats in time and bytes"),
                       tr("%1 choices that no other beats in time and bytes"));
}

} // namespace plimsoll::app
