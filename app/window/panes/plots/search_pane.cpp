#include "app/window/panes/plots/search_pane.h"

#include "app/models/window_text.h"
#include "app/session/workbench.h"
#include "app/views/search_canvas.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "core/facts/words/placement_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

struct Limit
{
    const char* text;
    double seconds; ///< 0: none.
};
constexpr Limit Limits[] = {{QT_TRANSLATE_NOOP("plimsoll::app::SearchPane", "10 s"), 10},
                            {QT_TRANSLATE_NOOP("plimsoll::app::SearchPane", "1 min"), 60},
                            {QT_TRANSLATE_NOOP("plimsoll::app::SearchPane", "10 min"), 600},
                            {QT_TRANSLATE_NOOP("plimsoll::app::SearchPane", "until stopped"), 0}};

} // namespace

SearchPane::SearchPane(Workbench& bench, QWidget* parent)
    : PlotPane(parent), m_bench(bench),
      m_start(new QPushButton(icon(QStringLiteral("search")), tr("Search longer"), this)),
      m_stop(new QPushButton(icon(QStringLiteral("cancel")), tr("Stop"), this)), m_limit(new QComboBox(this)),
      m_status(new ElidedLabel({}, this)), m_canvas(new SearchCanvas(this))
{
    m_start->setObjectName(QStringLiteral("searchStart"));
    m_start->setToolTip(tr("Look longer for a lower plan"));
    m_stop->setObjectName(QStringLiteral("searchStop"));
    m_stop->setToolTip(tr("End the search and keep the best plan so far"));
    m_limit->setAccessibleName(tr("How long"));
    m_limit->setToolTip(tr("How long to search, if no proof ends it before"));
    for (const Limit& limit : Limits)
        m_limit->addItem(tr(limit.text), limit.seconds);
    m_status->setObjectName(QStringLiteral("searchStatus"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    addAll(row, {m_start, m_limit, m_stop});
    row->addSpacing(8);
    row->addWidget(m_status, 1);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(row);
    rows->addWidget(m_canvas, 1);
    setFocusProxy(m_start);
    m_tick.setInterval(100);
    connect(m_start, &QPushButton::clicked, this, &SearchPane::start);
    connect(m_stop, &QPushButton::clicked, &bench.search, &SearchJob::stop);
    connect(&m_tick, &QTimer::timeout, this, &SearchPane::refresh);
    connect(&bench.search, &SearchJob::started, &m_tick, qOverload<>(&QTimer::start));
    connect(&bench.search, &SearchJob::ended, &m_tick, &QTimer::stop);
    for (auto signal : {&SearchJob::started, &SearchJob::progressed, &SearchJob::ended})
        connect(&bench.search, signal, this, &SearchPane::refresh);
    for (auto signal : {&Session::reportChanged, &Session::planStarted, &Session::closed})
        connect(&bench.session, signal, this, &SearchPane::refresh);
    refresh();
}

void SearchPane::start()
{
    const double seconds = m_limit->currentData().toDouble();
    m_bench.search.start(seconds > 0 ? std::optional(seconds) : std::nullopt);
}

Canvas* SearchPane::plot() const
{
    return m_canvas;
}

void SearchPane::refresh()
{
    const SearchJob& job = m_bench.search;
    std::shared_ptr<const SearchRecord> record = job.record();
    const auto report = m_bench.session.report();
    if (!record && report && report->planning.search) record = {report, &*report->planning.search};
    if (m_canvas->report() != report) m_canvas->setReport(report, nullptr);
    m_canvas->setRecord(std::move(record), job.running() ? job.elapsedSeconds() : 0);
    m_start->setEnabled(m_bench.search.canStart());
    m_stop->setVisible(job.running());
    m_limit->setEnabled(!job.running());
    m_status->setText(statusText());
}

QString SearchPane::statusText() const
{
    const auto report = m_bench.session.report();
    if (!report) return {};
    if (m_bench.search.running()) {
        const QString peak = sizeTextBeside(report->memory.peakBytes, report->memory.lowerBoundBytes);
        return tr("Searching for %1 s; the plan shown needs %2")
            .arg(toQString(formatFixed(m_bench.search.elapsedSeconds(), 1)), peak);
    }
    if (!report->planning.search)
        return report->planning.edited ? tr("An edited plan is judged and not improved.")
                                       : tr("A plan that was handed in is judged and not improved.");
    const SearchRecord& search = *report->planning.search;
    const QString ended = windowText(searchEnd(*report));
    if (search.end == SearchEnd::OnePlan)
        return tr("%1: %2. %3 searches.")
            .arg(toQString(windowWords(Remedy::policy("placement", search.algorithm))), ended,
                 toQString(windowWords(Remedy::policy("placement", "best"))));
    return tr("%1 by %2, after %3 of %4: %5")
        .arg(sizeTextBeside(report->memory.peakBytes, report->memory.lowerBoundBytes), toQString(search.member()),
             durationText(search.best() ? search.best()->seconds : 0), durationText(search.seconds), ended);
}

} // namespace plimsoll::app
