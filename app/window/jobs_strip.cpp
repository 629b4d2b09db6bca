#include "app/window/jobs_strip.h"

#include "app/session/job_runner.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

namespace plimsoll::app {

JobsStrip::JobsStrip(JobRunner& jobs, QWidget* parent)
    : QWidget(parent), m_jobs(jobs), m_text(new QLabel(this)), m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this))
{
    setObjectName(QStringLiteral("jobs"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(120);
    m_bar->setMaximumHeight(12);
    m_bar->setAccessibleName(tr("Progress"));
    m_cancel->setAutoRaise(true);
    m_cancel->setToolTip(tr("Stop this job"));
    m_cancel->setAccessibleName(tr("Stop this job"));
    m_cancel->setIcon(icon(QStringLiteral("close")));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    addAll(row, {m_text, m_bar, m_cancel});
    m_patience.setSingleShot(true);
    m_patience.setInterval(150);
    connect(&m_patience, &QTimer::timeout, this, &JobsStrip::showLast);
    connect(&jobs, &JobRunner::started, this, &JobsStrip::add);
    connect(&jobs, &JobRunner::finished, this, &JobsStrip::remove);
    connect(&jobs, &JobRunner::progressed, this, [this](const QString& tag, const QString& stage, double fraction) {
        if (m_order.isEmpty() || m_order.last() != tag) return;
        m_bar->setRange(0, 100);
        m_bar->setValue(static_cast<int>(fraction * 100));
        m_bar->setToolTip(stage);
    });
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (!m_order.isEmpty()) m_jobs.stop(m_order.last());
    });
    hide();
}

void JobsStrip::add(const QString& tag, const QString& title)
{
    m_order.removeAll(tag);
    m_order << tag;
    m_titles[tag] = title;
    if (!m_patience.isActive() && isHidden()) m_patience.start();
    if (!isHidden()) showLast();
}

void JobsStrip::remove(const QString& tag)
{
    m_order.removeAll(tag);
    m_titles.remove(tag);
    if (m_order.isEmpty()) {
        m_patience.stop();
        hide();
    } else if (!isHidden()) {
        showLast();
    }
}

void JobsStrip::showLast()
{
    if (m_order.isEmpty()) return;
    m_text->setText(m_titles.value(m_order.last()));
    m_bar->setRange(0, 0);
    show();
}

} // namespace plimsoll::app
