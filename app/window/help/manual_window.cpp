#include "app/window/help/manual_window.h"

#include "app/models/window_text.h"
#include "app/window/help/manual_pages.h"
#include "app/window/look/screen_room.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

constexpr int FileRole = Qt::UserRole;
constexpr int BlockRole = Qt::UserRole + 1;
constexpr int MostText = 160; ///< Of a hit, characters.
constexpr int TitleAir = 12;  ///< Beside the title of a page, both sides together, in pixels.

class Browser final : public QTextBrowser
{
public:
    using QTextBrowser::QTextBrowser;

private:
    QVariant loadResource(int type, const QUrl& name) override
    {
        return type == QTextDocument::HtmlResource ? manualHtml(name.fileName())
                                                   : QTextBrowser::loadResource(type, name);
    }
};

/// The part of a long text in which a word stands.
QString excerpt(const QString& text, const QString& word)
{
    if (text.size() <= MostText) return text;
    const qsizetype from = std::max<qsizetype>(0, text.indexOf(word, 0, Qt::CaseInsensitive) - MostText / 3);
    return (from > 0 ? QStringLiteral("…") : QString()) + text.mid(from, MostText) + u'…';
}

} // namespace

ManualWindow::ManualWindow(QWidget* parent)
    : QWidget(parent, Qt::Window), m_browser(new Browser(this)), m_field(new QLineEdit(this)),
      m_hits(new QListWidget(this))
{
    setWindowTitle(tr("Plimsoll manual"));
    setObjectName(QStringLiteral("manual"));
    resizeOnScreen(*this, {980, 680});
    m_browser->setOpenExternalLinks(false);
    m_browser->setAccessibleName(tr("Manual"));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->document()->setDocumentMargin(24);
    m_field->setObjectName(QStringLiteral("manualSearch"));
    m_field->setAccessibleName(tr("Search the manual"));
    m_field->setPlaceholderText(tr("Search all pages"));
    m_field->setClearButtonEnabled(true);
    m_hits->setObjectName(QStringLiteral("manualHits"));
    m_hits->setAccessibleName(tr("Places in the manual"));
    m_hits->setWordWrap(true);
    m_hits->setMaximumHeight(200);
    m_hits->hide();
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(makeBar());
    rows->addWidget(m_hits);
    rows->addWidget(m_browser, 1);
    connect(m_field, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        if (m_hits->count() > 0) m_hits->setCurrentRow((m_hits->currentRow() + 1) % m_hits->count());
    });
    connect(m_hits, &QListWidget::currentRowChanged, this, &ManualWindow::showHit);
    auto* find = new QShortcut(QKeySequence::Find, this);
    connect(find, &QShortcut::activated, m_field, [this] { m_field->setFocus(Qt::ShortcutFocusReason); });
    auto* away = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    connect(away, &QShortcut::activated, this, [this] { m_field->text().isEmpty() ? hide() : m_field->clear(); });
}

QLayout* ManualWindow::makeBar()
{
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 8, 8, 0);
    for (const ManualPage& page : manualPages()) {
        auto* button = new QPushButton(translated(page.title), this);
        button->setFlat(true);
        button->setMinimumWidth(button->fontMetrics().horizontalAdvance(button->text()) + TitleAir);
        connect(button, &QPushButton::clicked, this, [this, &page] { showPage(QString::fromLatin1(page.file)); });
        bar->addWidget(button);
    }
    bar->addWidget(m_field, 1);
    return bar;
}

void ManualWindow::showPage(const QString& page)
{
    m_browser->setSource(QUrl(QStringLiteral("qrc:/manual/") + page));
    show();
    raise();
    activateWindow();
}

void ManualWindow::search(const QString& words)
{
    const QSignalBlocker blocker(m_hits);
    m_hits->clear();
    m_hits->setVisible(!words.trimmed().isEmpty());
    for (const ManualHit& hit : searchManual(words)) {
        const QString word = words.section(u' ', 0, 0, QString::SectionSkipEmpty);
        const QString text = hit.text == hit.heading ? QString() : QStringLiteral("  ") + excerpt(hit.text, word);
        auto* row = new QListWidgetItem(QStringLiteral("%1:").arg(hit.heading) + text, m_hits);
        row->setData(FileRole, hit.file);
        row->setData(BlockRole, hit.block);
    }
    if (m_hits->count() == 0) new QListWidgetItem(tr("Nothing in the manual has all these words."), m_hits);
}

void ManualWindow::showHit(int row)
{
    const QListWidgetItem* hit = m_hits->item(row);
    if (!hit || hit->data(FileRole).isNull()) return;
    m_browser->setSource(QUrl(QStringLiteral("qrc:/manual/") + hit->data(FileRole).toString()));
    QTextCursor place(m_browser->document()->findBlockByNumber(hit->data(BlockRole).toInt()));
    m_browser->moveCursor(QTextCursor::End); // so that the place comes to the top
    m_browser->setTextCursor(place);
    place.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    m_browser->setTextCursor(place);
}

QString manualPageOf(const QString& view)
{
    if (view.isEmpty() || view == QStringLiteral("all") || view == QStringLiteral("start"))
        return QStringLiteral("index.html");
    if (view == QStringLiteral("problem")) return QStringLiteral("formats.html");
    return QStringLiteral("views.html#") + view;
}

} // namespace plimsoll::app
