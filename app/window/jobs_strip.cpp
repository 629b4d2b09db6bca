#include "app/window/jobs_strip.h"

#include "app/models/window_text.h"
#include "app/session/cli_process.h"
#include "app/session/job_runner.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace plimsoll::app {

QString timeLeft(double seconds, double done)
{
    constexpr double SecondsBefore = 2;
    constexpr double DoneBefore = 0.05;
    if (seconds < SecondsBefore || done < DoneBefore || done >= 1) return {};
    return JobsStrip::tr("about %1 left").arg(durationText(std::max(1.0, std::round(seconds * (1 - done) / done))));
}

JobsStrip::JobsStrip(JobRunner& jobs, QWidget* parent)
    : QWidget(parent), m_text(new QLabel(this)), m_bar(new QProgressBar(this)), m_stop(new QToolButton(this)),
      m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("jobs"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(120);
    m_bar->setMaximumHeight(12);
    m_bar->setAccessibleName(tr("Progress"));
    m_stop->setObjectName(QStringLiteral("stopJob"));
    m_stop->setAutoRaise(true);
    m_stop->setIcon(icon(QStringLiteral("close")));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 0, 0);
    row->setSpacing(6);
    addAll(row, {m_text, m_bar, m_stop});
    m_patience.setSingleShot(true);
    m_patience.setInterval(150);
    connect(&m_patience, &QTimer::timeout, this, &JobsStrip::showLast);
    connect(&jobs, &JobRunner::started, this, [this, &jobs](const QString& tag, const QString& title) {
        add({tag, title, [&jobs, tag] { jobs.stop(tag); }});
    });
    connect(&jobs, &JobRunner::finished, this, &JobsStrip::remove);
    connect(&jobs, &JobRunner::progressed, this,
            [this](const QString& tag, const QString& stage, double fraction) { setDone(tag, fraction, stage); });
    connect(m_stop, &QToolButton::clicked, this, [this] {
        if (!m_all.isEmpty()) std::function(m_all.last().stop)(); // the job leaves the list meanwhile
    });
    connect(m_menu, &QMenu::aboutToShow, this, &JobsStrip::listAll);
    hide();
}

void JobsStrip::watch(CliProcess& child, const QString& title)
{
    connect(&child, &CliProcess::started, this, [this, &child, title] {
        add({title, title, [&child] { child.cancel(); }});
    });
    connect(&child, &CliProcess::progressed, this, [this, title](qint64 step, qint64 total, const QString& node) {
        if (step < total)
            setDone(title, static_cast<double>(step) / static_cast<double>(std::max<qint64>(1, total)), node);
    });
    connect(&child, &CliProcess::finished, this, [this, title] { remove(title); });
    connect(&child, &CliProcess::failed, this, [this, title] { remove(title); });
    connect(&child, &CliProcess::cancelled, this, [this, title] { remove(title); });
}

void JobsStrip::add(Job job)
{
    m_all.removeIf([&](const Job& other) { return other.id == job.id; });
    job.since.start();
    m_all << std::move(job);
    if (!m_patience.isActive() && isHidden()) m_patience.start();
    if (!isHidden()) showLast();
}

void JobsStrip::remove(const QString& id)
{
    m_all.removeIf([&](const Job& job) { return job.id == id; });
    if (m_all.isEmpty()) {
        m_patience.stop();
        hide();
        Q_EMIT busyChanged(false);
    } else if (!isHidden()) {
        showLast();
    }
}

void JobsStrip::setDone(const QString& id, double fraction, const QString& stage)
{
    if (m_all.isEmpty() || m_all.last().id != id) return;
    m_bar->setRange(0, 100);
    m_bar->setValue(static_cast<int>(fraction * 100));
    m_bar->setToolTip(translated(stage.toStdString()));
    showText(timeLeft(static_cast<double>(m_all.last().since.elapsed()) / 1e3, fraction));
}

void JobsStrip::showText(const QString& left)
{
    const QString title = m_all.last().title;
    const QString jobs = m_all.size() > 1 ? tr("%1, and %2 more").arg(title, countText(m_all.size() - 1)) : title;
    m_text->setText(left.isEmpty() ? jobs : jobs + QStringLiteral(", ") + left);
}

void JobsStrip::showLast()
{
    if (m_all.isEmpty()) return;
    const QString title = m_all.last().title;
    const bool several = m_all.size() > 1;
    showText();
    m_bar->setRange(0, 0);
    m_bar->setToolTip({});
    m_stop->setToolTip(tr("Stop: %1").arg(title));
    m_stop->setAccessibleName(m_stop->toolTip());
    m_stop->setMenu(several ? m_menu : nullptr);
    m_stop->setPopupMode(several ? QToolButton::MenuButtonPopup : QToolButton::DelayedPopup);
    show();
    Q_EMIT busyChanged(true);
}

void JobsStrip::listAll()
{
    m_menu->clear();
    for (const Job& job : m_all)
        m_menu->addAction(tr("Stop: %1").arg(job.title), this, job.stop);
}

} // namespace plimsoll::app
