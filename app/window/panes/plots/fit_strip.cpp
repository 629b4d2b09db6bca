#include "app/window/panes/plots/fit_strip.h"

#include "app/models/window_text.h"
#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "core/facts/english/english.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace plimsoll::app {

FitStrip::FitStrip(Workbench& bench, QWidget* parent)
    : QWidget(parent), m_bench(bench), m_job(bench.session, bench.jobs), m_capacity(new QLineEdit(this))
{
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(12, 4, 12, 4);
    rows->setSpacing(4);
    rows->addLayout(makeFields());
    m_answer = textLabel("fitAnswer", this);
    rows->addWidget(m_answer);
    connect(&m_job, &FitJob::changed, this, &FitStrip::refresh);
    connect(&bench.jobs, &JobRunner::progressed, this, [this](const QString& tag, const QString&, double fraction) {
        if (tag != JobTag::Fit) return;
        m_progress->setRange(0, 100);
        m_progress->setValue(static_cast<int>(fraction * 100));
    });
    refresh();
}

QLayout* FitStrip::makeFields()
{
    auto* label = new QLabel(tr("Fit &into"), this);
    label->setBuddy(m_capacity);
    m_capacity->setObjectName(QStringLiteral("fitCapacity"));
    m_capacity->setAccessibleName(tr("Capacity to fit into"));
    m_capacity->setPlaceholderText(QStringLiteral("64KiB"));
    m_capacity->setToolTip(tr("Bytes that the plan may have: 64KiB, or cpu=1MiB,sram=64KiB"));
    m_capacity->setMaximumWidth(200);
    m_start = new QPushButton(icon(QStringLiteral("search")), tr("Find policies"), this);
    m_start->setObjectName(QStringLiteral("fitStart"));
    m_start->setToolTip(tr("Find the cheapest policies whose plan fits: least time, then fewest changes"));
    m_stop = new QPushButton(icon(QStringLiteral("cancel")), tr("Stop"), this);
    m_stop->setObjectName(QStringLiteral("fitStop"));
    m_take = new QPushButton(icon(QStringLiteral("plan")), tr("Apply"), this);
    m_take->setObjectName(QStringLiteral("fitTake"));
    m_take->setToolTip(tr("Plan by the policies that fit, with that capacity"));
    m_progress = new QProgressBar(this);
    m_progress->setAccessibleName(tr("Progress of fitting"));
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(120);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    addAll(row, {label, m_capacity, m_start, m_stop, m_take, m_progress, nullptr});
    connect(m_capacity, &QLineEdit::textEdited, this, [this] {
        m_complaint.clear();
        refresh();
    });
    connect(m_capacity, &QLineEdit::returnPressed, this, &FitStrip::start);
    connect(m_start, &QPushButton::clicked, this, &FitStrip::start);
    connect(m_stop, &QPushButton::clicked, &m_job, &FitJob::stop);
    connect(m_take, &QPushButton::clicked, &m_job, &FitJob::take);
    return row;
}

void FitStrip::start()
{
    m_complaint.clear();
    if (const Status started = m_job.start(m_capacity->text()); !started.ok())
        m_complaint = toQString(describe(started.error(), windowWords));
    refresh();
}

void FitStrip::refresh()
{
    const auto& fit = m_job.fit();
    m_start->setEnabled(m_job.canStart());
    m_stop->setVisible(m_job.running());
    m_progress->setVisible(m_job.running());
    if (m_job.running() && m_answer->text() != answer()) m_progress->setRange(0, 0);
    m_take->setVisible(fit && fit->found && !fit->found->changes.empty());
    m_answer->setText(answer());
    m_answer->setVisible(!m_answer->text().isEmpty());
}

QString FitStrip::answer() const
{
    if (!m_complaint.isEmpty()) return m_complaint;
    if (m_job.running()) return tr("Planning with other policies…");
    if (m_job.error()) return toQString(describe(*m_job.error(), windowWords));
    return m_job.fit() ? windowText(fitSentence(*m_job.fit())) : QString();
}

void FitStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

} // namespace plimsoll::app
