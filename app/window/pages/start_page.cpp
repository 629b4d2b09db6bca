#include "app/window/pages/start_page.h"

#include "app/models/window_text.h"
#include "app/session/document/document.h"
#include "app/session/session.h"
#include "app/window/help/format_texts.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"
#include "app/window/pages/card.h"
#include "app/window/pages/samples.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QIcon>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QShowEvent>

#include <algorithm>

namespace plimsoll::app {
namespace {

constexpr int MostRecentShown = 6;
constexpr int MostLeftShown = 4; ///< Recent files stay in sight below them.

/// A part of the gallery: what the judge finds on these plans. The last one takes the rest.
struct BugShelf
{
    const char* title;
    const char* rules;
};
constexpr BugShelf BugShelves[] = {
    {QT_TRANSLATE_NOOP("plimsoll::app::StartPage", "Two tensors at one place"), "overlap"},
    {QT_TRANSLATE_NOOP("plimsoll::app::StartPage", "Written over before it was read"), "clobbered-read"},
    {QT_TRANSLATE_NOOP("plimsoll::app::StartPage", "Branches and loops"), "subgraph-escape"},
    {QT_TRANSLATE_NOOP("plimsoll::app::StartPage", "Too small, misplaced, or nowhere"),
     "undersized missing-allocation misaligned reserved wrong-space padding-visible"},
    {QT_TRANSLATE_NOOP("plimsoll::app::StartPage", "What the caller notices"),
     "input-overwritten output-aliasing output-dies-at-replay output-in-arena saved-overwritten"},
    {QT_TRANSLATE_NOOP("plimsoll::app::StartPage", "Declared or ordered wrongly"), ""},
};

QLabel* heading(const QString& text, QWidget* parent)
{
    return titleLabel(text, parent, 1.15);
}

} // namespace

StartPage::StartPage(QWidget* parent) : QScrollArea(parent), m_page(new QWidget(this))
{
    setObjectName(QStringLiteral("start"));
    setAccessibleName(tr("Start page"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // its tiles take the keyboard, and are scrolled to
    auto* columns = new QHBoxLayout;
    columns->setSpacing(40);
    columns->addLayout(makeSamples(), 3);
    columns->addLayout(makeRecent(), 2);
    auto* rows = new QVBoxLayout;
    rows->setSpacing(28);
    rows->addLayout(makeHead());
    rows->addLayout(columns);
    rows->addStretch(1);
    auto* centred = new QHBoxLayout(m_page);
    centred->setContentsMargins(32, 36, 32, 24);
    centred->addStretch(1);
    auto* content = new QWidget(m_page);
    content->setLayout(rows);
    content->setMaximumWidth(1120);
    content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    rows->setContentsMargins(0, 0, 0, 0);
    centred->addWidget(content, 100);
    centred->addStretch(1);
    setWidget(m_page);
}

QLayout* StartPage::makeHead()
{
    auto* mark = new QLabel(m_page);
    mark->setPixmap(QIcon(QStringLiteral(":/icons/plimsoll.svg")).pixmap(QSize(64, 64)));
    auto* title = titleLabel(QStringLiteral("Plimsoll"), m_page, 2.0);
    auto* what = new QLabel(tr("Shows how a deep-learning graph is loaded into memory, how deep it may go, and whether "
                               "the loading is legal."),
                            m_page);
    what->setWordWrap(true);
    auto* open = new QPushButton(icon(QStringLiteral("open")), tr("Open a graph…"), m_page);
    open->setObjectName(QStringLiteral("openGraph"));
    open->setToolTip(tr("Open a captured graph, a table of buffers or a memory snapshot"));
    open->setMinimumSize(open->sizeHint().width() + 6, 34);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    auto* tour = new QPushButton(tr("Take the tour"), m_page);
    tour->setObjectName(QStringLiteral("takeTour"));
    tour->setToolTip(tr("Five stops, from the verdict to the run"));
    tour->setMinimumSize(tour->sizeHint().width() + 12, 34);
    connect(tour, &QPushButton::clicked, this, &StartPage::tourRequested);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(title);
    words->addWidget(what);
    auto* row = new QHBoxLayout;
    row->setSpacing(18);
    row->addWidget(mark, 0, Qt::AlignTop);
    row->addLayout(words, 1);
    row->addWidget(tour, 0, Qt::AlignVCenter);
    row->addWidget(open, 0, Qt::AlignVCenter);
    return row;
}

QLayout* StartPage::makeSamples()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(12);
    m_samplesHead = heading(tr("Samples"), m_page);
    column->addWidget(m_samplesHead);
    column->addLayout(makeShelf(samples()));
    column->addSpacing(16);
    column->addWidget(heading(tr("Real bugs"), m_page));
    auto* what = new QLabel(tr("Public reports of damaged memory, each as a small graph with the plan that shows it. "
                               "The plan is judged as it is."),
                            m_page);
    what->setWordWrap(true);
    column->addWidget(what);
    column->addLayout(makeBugs());
    column->addStretch(1);
    return column;
}

/// Opens the sample; cards stand in two columns of one width.
Card* StartPage::addCard(QGridLayout& grid, const Sample& sample, const QString& beneath)
{
    auto* card = new Card(sample.title, beneath, m_page);
    card->setObjectName(QStringLiteral("sample:") + sample.file);
    connect(card, &Card::clicked, this, [this, file = sample.file] { Q_EMIT sampleChosen(file); });
    const int at = grid.count();
    grid.addWidget(card, at / 2, at % 2);
    grid.setColumnStretch(at % 2, 1);
    return card;
}

QLayout* StartPage::makeShelf(const QList<Sample>& shelf)
{
    auto* grid = new QGridLayout;
    grid->setSpacing(12);
    for (const Sample& sample : shelf) {
        Card* card = addCard(*grid, sample, sample.story);
        card->reservePicture();
        m_pictured[sample.file] = card;
    }
    if (grid->count() == 0) grid->addWidget(new QLabel(tr("This build carries no samples."), m_page), 0, 0);
    return grid;
}

/// By what went wrong. The story of each is in its tip, and stands beside the plan that it opens.
QLayout* StartPage::makeBugs()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(8);
    QList<Sample> left = realBugs();
    for (const BugShelf& shelf : BugShelves) {
        const QStringList rules = QString::fromLatin1(shelf.rules).split(u' ', Qt::SkipEmptyParts);
        auto* grid = new QGridLayout;
        grid->setSpacing(8);
        for (qsizetype i = 0; i < left.size();) {
            if (!rules.isEmpty() && !rules.contains(left[i].rule)) {
                ++i;
                continue;
            }
            const Sample bug = left.takeAt(i);
            Card* card = addCard(*grid, bug, bug.system + QStringLiteral("  ·  ") + bug.thread);
            card->setToolTip(bug.story);
            card->setStatusTip(bug.story);
            card->setAccessibleDescription(bug.story);
        }
        if (grid->count() == 0) {
            delete grid;
            continue;
        }
        auto* title = new QLabel(tr(shelf.title), m_page);
        title->setForegroundRole(QPalette::PlaceholderText);
        column->addSpacing(8);
        column->addWidget(title);
        column->addLayout(grid);
    }
    return column;
}

void StartPage::setPictures(const QMap<QString, QImage>& bySample)
{
    for (auto picture = bySample.begin(); picture != bySample.end(); ++picture)
        if (Card* card = m_pictured.value(picture.key())) card->setPicture(picture.value());
}

void StartPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    const bool drawn = std::ranges::any_of(m_pictured, [](const Card* card) { return !card->picture().isNull(); });
    if (!drawn) Q_EMIT picturesWanted();
}

void StartPage::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    for (Card* card : m_pictured) // of the theme before
        card->setPicture({});
    if (isVisible()) Q_EMIT picturesWanted();
}

QLayout* StartPage::makeRecent()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(12);
    m_left = new QVBoxLayout;
    m_left->setSpacing(8);
    column->addLayout(m_left);
    auto* head = new QHBoxLayout;
    auto* forget = new QPushButton(tr("Forget"), m_page);
    forget->setToolTip(tr("Empty this list; the files stay"));
    forget->setFlat(true);
    // Both columns begin alike, whether or not there is something to forget.
    QLabel* title = heading(tr("Recent files"), m_page);
    const int height = std::max(forget->sizeHint().height(), title->sizeHint().height());
    for (QWidget* part :
         {static_cast<QWidget*>(m_samplesHead), static_cast<QWidget*>(title), static_cast<QWidget*>(forget)})
        part->setFixedHeight(height);
    connect(forget, &QPushButton::clicked, this, &StartPage::forgetRequested);
    head->addWidget(title, 1);
    head->addWidget(forget);
    m_forget = forget;
    column->addLayout(head);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(8);
    column->addLayout(m_recent);
    column->addSpacing(16);
    column->addWidget(heading(tr("What can be opened"), m_page));
    m_formats = new QLabel(m_page);
    m_formats->setTextFormat(Qt::RichText);
    m_formats->setWordWrap(true);
    m_formats->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_formats);
    column->addStretch(1);
    return column;
}

void StartPage::setPasting(const QString& by)
{
    m_formats->setText(formatParagraphs() +
                       tr("<p>Drop a file anywhere on this window, or paste its path or its text with %1.</p>")
                           .arg(by.toHtmlEscaped()));
}

void StartPage::setLeft(const QList<LeftCopy>& copies)
{
    while (QLayoutItem* item = m_left->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (copies.isEmpty()) return;
    m_left->addWidget(heading(tr("Restore what was open"), m_page));
    for (const LeftCopy& copy : copies.mid(0, MostLeftShown)) {
        const QString when = QLocale().toString(QFileInfo(copy.file).lastModified(), QLocale::ShortFormat);
        auto* card = new Card(labelText(QFileInfo(copy.of).fileName()), when, m_page);
        card->setObjectName(QStringLiteral("left"));
        card->setToolTip(labelText(copy.of));
        connect(
            card, &Card::clicked, this, [this, file = copy.file] { Q_EMIT fileChosen(file); },
            Qt::QueuedConnection); // which makes these anew
        m_left->addWidget(card);
    }
    if (copies.size() > MostLeftShown)
        m_left->addWidget(new QLabel(tr("and %1 older ones").arg(copies.size() - MostLeftShown), m_page));
    auto* forget = new QPushButton(tr("Do not restore"), m_page);
    forget->setObjectName(QStringLiteral("forgetLeft"));
    forget->setToolTip(tr("Remove what was kept of these"));
    forget->setFlat(true);
    connect(forget, &QPushButton::clicked, this, &StartPage::forgetLeftRequested, Qt::QueuedConnection);
    m_left->addWidget(forget, 0, Qt::AlignLeft);
}

void StartPage::setRecentFiles(const QStringList& files)
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_forget->setVisible(!files.isEmpty());
    for (const QString& file : files.mid(0, MostRecentShown)) {
        const bool there = !fileOnDisk(file).isEmpty();
        QString folder = QFileInfo(file).absolutePath();
        if (const QString home = QDir::homePath(); folder.startsWith(home + u'/')) folder.replace(0, home.size(), u'~');
        auto* card = new Card(labelText(QFileInfo(file).fileName()), there ? folder : tr("not there any more"), m_page);
        card->setEnabled(there);
        card->setToolTip(labelText(file));
        connect(card, &Card::clicked, this, [this, file] { Q_EMIT fileChosen(file); });
        m_recent->addWidget(card);
    }
    if (files.isEmpty()) {
        auto* none = new QLabel(tr("None yet."), m_page);
        none->setForegroundRole(QPalette::PlaceholderText);
        m_recent->addWidget(none);
    }
}

} // namespace plimsoll::app
