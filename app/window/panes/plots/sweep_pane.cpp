#include "app/window/panes/plots/sweep_pane.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/sweep_canvas.h"
#include "app/views/sweep_front_canvas.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/panes/table_pane.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

namespace plimsoll::app {

SweepPane::SweepPane(Workbench& bench, TablePane* table, QWidget* parent)
    : PlotPane(parent), m_bench(bench), m_job(bench.session), m_table(table)
{
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addLayout(makeRow());
    whole->addWidget(beside(makeCharts(), 1, table, 1), 1);
    setFocusProxy(m_over);
    followRows(
        *table,
        [this](int point) {
            m_charts.sizes->setPoint(point);
            m_charts.times->setPoint(point);
            m_take->setEnabled(point >= 0);
        },
        [this] { take(m_charts.sizes->point()); });
    connect(&m_job, &SweepJob::changed, this, &SweepPane::refresh);
    connect(&m_job, &CliProcess::failed, this, [this](const Error& error) {
        m_complaint = toQString(describe(error, windowWords));
        refresh();
    });
    connect(&m_job, &CliProcess::progressed, this, [this](qint64 done, qint64 all, const QString& combination) {
        m_progress->setRange(0, static_cast<int>(all));
        m_progress->setValue(static_cast<int>(done));
        m_status->setText(tr("Planning with %1…").arg(labelText(combination)));
    });
    refresh();
}

Canvas* SweepPane::plot() const
{
    return qobject_cast<Canvas*>(m_charts.shown->currentWidget());
}

void SweepPane::setTheme(Theme theme) const
{
    m_charts.sizes->setTheme(theme);
    m_charts.times->setTheme(theme);
}

QWidget* SweepPane::makeCharts()
{
    m_charts = {new SweepCanvas(this), new SweepFrontCanvas(this), new QStackedWidget(this)};
    for (PointCanvas* const chart : std::initializer_list<PointCanvas*> {m_charts.sizes, m_charts.times}) {
        m_charts.shown->addWidget(chart);
        connect(chart, &PointCanvas::pointPicked, m_table, &TablePane::pickPlace);
        connect(chart, &PointCanvas::pointTaken, this, &SweepPane::take);
    }
    return m_charts.shown;
}

QLayout* SweepPane::makeRow()
{
    m_over = new QLineEdit(this);
    m_over->setObjectName(QStringLiteral("sweepOver"));
    m_over->setAccessibleName(tr("What is varied"));
    m_over->setPlaceholderText(tr("batch=1..64 inplace=*"));
    m_over->setToolTip(tr("What is varied: batch=1..64 (each twice the one before), sequence=128,512, inplace=* (all "
                          "values). Several, with blanks between them: every combination."));
    m_over->setMaximumWidth(420);
    auto* add = new QToolButton(this);
    add->setObjectName(QStringLiteral("sweepAdd"));
    add->setText(tr("Vary…"));
    add->setAccessibleName(tr("Vary one more size or policy"));
    add->setToolTip(tr("Sizes and policies that can be varied"));
    add->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(add);
    add->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const QString& example : m_job.examples())
            menu->addAction(QString(example).replace(u'&', QStringLiteral("&&")), this,
                            [this, example] { m_over->setText(QString(m_over->text() + u' ' + example).trimmed()); });
    });
    m_start = new QPushButton(icon(QStringLiteral("run")), tr("Work out"), this);
    m_start->setObjectName(QStringLiteral("sweepStart"));
    m_start->setToolTip(tr("Plan for every combination"));
    m_stop = new QPushButton(icon(QStringLiteral("cancel")), tr("Stop"), this);
    m_stop->setObjectName(QStringLiteral("sweepStop"));
    m_take = new QPushButton(icon(QStringLiteral("plan")), tr("Plan so"), this);
    m_take->setObjectName(QStringLiteral("sweepTake"));
    m_take->setToolTip(tr("Plan by the combination that is selected"));
    auto* chart = new QComboBox(this);
    chart->setObjectName(QStringLiteral("sweepChart"));
    chart->setAccessibleName(tr("What the chart shows"));
    chart->addItems({tr("Peak by size"), tr("Time by peak")});
    chart->setToolTip(tr("Peak by size: along what is varied first. Time by peak: which combinations no other beats"));
    connect(chart, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_charts.shown->setCurrentIndex(index); });
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of the sweep"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    m_status = new ElidedLabel({}, this);
    m_status->setObjectName(QStringLiteral("sweepStatus"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    row->addWidget(m_over, 1);
    row->addWidget(add);
    addAll(row, {m_start, m_stop, m_take, chart, m_progress});
    row->addWidget(m_status, 1);
    connect(m_over, &QLineEdit::returnPressed, this, &SweepPane::start);
    connect(m_start, &QPushButton::clicked, this, &SweepPane::start);
    connect(m_stop, &QPushButton::clicked, &m_job, &CliProcess::interrupt);
    connect(m_take, &QPushButton::clicked, this, [this] { take(m_charts.sizes->point()); });
    return row;
}

void SweepPane::start()
{
    if (!m_job.canStart()) return;
    m_complaint.clear();
    const Status started = m_job.start(m_over->text());
    if (!started.ok()) m_complaint = toQString(describe(started.error(), windowWords));
    refresh();
}

void SweepPane::refresh()
{
    const auto report = m_job.report();
    const bool known = m_job.sweep() != nullptr;
    const QString unknown = m_complaint.isEmpty()
                                ? tr("Say above what is to be varied: sizes of the graph, or policies.")
                                : labelText(m_complaint);
    m_charts.sizes->setEmptyText(m_job.running() ? tr("Planning…") : unknown);
    m_charts.times->setEmptyText(m_job.running() ? tr("Planning…")
                                 : known ? tr("No times are known: choose a backend, or measure implementations.")
                                         : unknown);
    m_over->setEnabled(!m_job.running());
    m_charts.sizes->setReport(known ? report : nullptr, nullptr);
    m_charts.times->setReport(known ? report : nullptr, nullptr);
    m_table->setReport(report, m_bench.session.previousReport());
    m_start->setVisible(!m_job.running());
    m_start->setEnabled(m_job.canStart());
    m_stop->setVisible(m_job.running());
    m_progress->setVisible(m_job.running());
    if (m_job.running()) m_progress->setRange(0, 0);
    m_take->setVisible(known);
    m_take->setEnabled(m_charts.sizes->point() >= 0);
    m_status->setText(statusText());
}

void SweepPane::take(int point)
{
    if (point >= 0) m_job.take(static_cast<std::size_t>(point));
}

QString SweepPane::statusText() const
{
    if (!m_complaint.isEmpty()) return labelText(m_complaint);
    if (m_bench.session.choices().givenPlan) return tr("A plan that was handed in is judged; it has one size.");
    const auto sweep = m_job.sweep();
    if (!sweep) return {};
    const QString count = countedText(std::ssize(sweep->points), tr("1 combination"), tr("%1 combinations"));
    return sweep->stopped ? tr("Stopped after %1").arg(count) : count;
}

} // namespace plimsoll::app
