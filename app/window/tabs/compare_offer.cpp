#include "app/window/tabs/compare_offer.h"

#include "app/models/window_text.h"
#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/window/look/labels.h"
#include "app/window/main_window.h"
#include "app/window/panes/summary_strip.h"

#include <QBoxLayout>
#include <QToolButton>

namespace plimsoll::app {
namespace {

constexpr int NameLetters = 32;

QString nameOf(const MainWindow& page)
{
    return labelText(page.document().name(), NameLetters);
}

} // namespace

CompareOffer::CompareOffer(MainWindow& page, MainWindow& other)
    : QWidget(page.panes().summary), m_page(page), m_other(&other), m_said(new ElidedLabel({}, this)),
      m_compare(new QToolButton(this))
{
    setObjectName(QStringLiteral("compareOffer"));
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_compare->setObjectName(QStringLiteral("compareOffered"));
    auto* dismiss = new QToolButton(this);
    dismiss->setObjectName(QStringLiteral("dismissOffer"));
    dismiss->setText(tr("Dismiss"));
    dismiss->setToolTip(tr("Both stay open"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(12, 6, 12, 0);
    line->addWidget(m_said, 1);
    line->addWidget(m_compare);
    line->addWidget(dismiss);
    connect(m_compare, &QToolButton::clicked, this, &CompareOffer::compare);
    connect(dismiss, &QToolButton::clicked, this, &QObject::deleteLater);
    follow(page);
    follow(other);
    refresh();
    page.panes().summary->setAbove(this);
}

/// What is not open can be compared with nothing.
void CompareOffer::follow(MainWindow& one)
{
    const Session& session = one.bench().session;
    connect(&one.document(), &Document::changed, this, &CompareOffer::refresh);
    connect(&session, &Session::reportChanged, this, &CompareOffer::refresh);
    connect(&session, &Session::openFailed, this, &QObject::deleteLater);
    connect(
        &session, &Session::closed, this,
        [this, kept = QPointer(&session)] { // also when something else is opened there, at once
            if (kept && kept->file().isEmpty()) deleteLater();
        },
        Qt::QueuedConnection);
}

void CompareOffer::refresh()
{
    if (!m_other) return; // closed just now
    m_said->setText(tr("Opened together with %1.").arg(nameOf(*m_other)));
    m_compare->setText(
        tr("Compare %1 with %2").arg(nameOf(m_page), nameOf(*m_other)).replace(u'&', QStringLiteral("&&")));
    m_compare->setEnabled(m_other->bench().session.report() != nullptr);
    m_compare->setToolTip(tr("Show what the plans differ by, here: %1").arg(labelText(m_other->document().path())));
}

void CompareOffer::compare()
{
    if (m_other) {
        const QString path = m_other->document().path();
        m_page.bench().session.comparison().compareWith(path, m_other->bench().session.judged());
    }
    deleteLater();
}

void offerComparison(MainWindow& first, MainWindow& second)
{
    if (&first == &second) return;
    for (const MainWindow* page : {&first, &second})
        delete page->findChild<CompareOffer*>();
    auto* here = new CompareOffer(first, second);
    auto* there = new CompareOffer(second, first);
    QObject::connect(here, &QObject::destroyed, there, &QObject::deleteLater);
    QObject::connect(there, &QObject::destroyed, here, &QObject::deleteLater);
}

} // namespace plimsoll::app
