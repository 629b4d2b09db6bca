#include "app/window/pages/opening_page.h"

#include "app/models/window_text.h"
#include "app/session/job_runner.h"
#include "app/session/job_tag.h"
#include "app/session/session.h"
#include "app/window/look/labels.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace plimsoll::app {

namespace {

constexpr int PatienceMs = 300;

}

OpeningPage::OpeningPage(JobRunner& jobs, QWidget* parent)
    : QWidget(parent), m_title(textLabel("openingTitle", this)), m_file(textLabel("openingFile", this)),
      m_doing(textLabel("openingDoing", this)), m_bar(new QProgressBar(this))
{
    setObjectName(QStringLiteral("opening"));
    setAccessibleName(tr("A file is being opened"));
    m_title->setFont(boldFont(font(), 1.5));
    m_file->setForegroundRole(QPalette::PlaceholderText);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress"));
    auto* stop = new QPushButton(tr("Stop"), this);
    stop->setObjectName(QStringLiteral("stopOpening"));
    stop->setToolTip(tr("Back to the start page"));
    stop->setStatusTip(stop->toolTip());
    connect(stop, &QPushButton::clicked, this, &OpeningPage::stopRequested);
    auto* content = new QWidget(this);
    content->setMaximumWidth(560);
    auto* rows = new QVBoxLayout(content);
    rows->setSpacing(14);
    rows->addStretch(2);
    addAll(rows, {m_title, m_file, m_doing, m_bar});
    rows->addWidget(stop, 0, Qt::AlignLeft);
    rows->addStretch(3);
    auto* centred = new QHBoxLayout(this);
    centred->setContentsMargins(32, 32, 32, 32);
    centred->addStretch(1);
    centred->addWidget(content, 100);
    centred->addStretch(1);
    m_patience.setSingleShot(true);
    m_patience.setInterval(PatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &OpeningPage::wanted);
    connect(&jobs, &JobRunner::started, this, [this](const QString& tag, const QString& what) {
        if (tag == JobTag::Open || tag == JobTag::Plan) setDoing(what);
    });
    connect(&jobs, &JobRunner::progressed, this, [this](const QString& tag, const QString&, double fraction) {
        if (tag != JobTag::Open && tag != JobTag::Plan) return;
        m_bar->setRange(0, 100);
        m_bar->setValue(static_cast<int>(fraction * 100));
    });
}

void OpeningPage::begin(const QString& file)
{
    const QFileInfo info(fileOnDisk(file));
    m_title->setText(tr("Opening %1").arg(labelText(QFileInfo(file).fileName())));
    m_file->setText(info.isFile() ? tr("In %1, %2").arg(labelText(info.absolutePath()), sizeText(info.size()))
                                  : QString());
    setDoing({});
    m_patience.start();
}

void OpeningPage::setDoing(const QString& what)
{
    m_doing->setText(labelText(what));
    m_bar->setRange(0, 0);
}

} // namespace plimsoll::app
