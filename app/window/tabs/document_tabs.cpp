#include "app/window/tabs/document_tabs.h"

#include "app/models/window_text.h"
#include "app/session/document/document.h"
#include "app/session/jobs/trial_read.h"
#include "app/session/workbench.h"
#include "app/window/help/log.h"
#include "app/window/jobs_strip.h"
#include "app/window/look/icons.h"
#include "app/window/look/theme.h"
#include "app/window/main_window.h"
#include "core/facts/words/verdict.h"

#include <QAccessibleWidget>
#include <QClipboard>
#include <QCloseEvent>
#include <QContextMenuEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QTabBar>

namespace plimsoll::app {
namespace {

constexpr int NameLetters = 60;
constexpr int MarkSize = 14;

/// Behind the window that shows it: nothing is left to hear it then.
struct OwnWorkbench
{
    Workbench bench {tryingFirst(Engine(), trialReader())};
};

class Page : private OwnWorkbench, public MainWindow
{
public:
    Page(const Settings& settings, DocumentTabs& tabs) : MainWindow(OwnWorkbench::bench, settings, &tabs, &tabs) {}
};

/// What tells files apart, whatever way leads there; with the graph of the file that is asked for.
QString identityOf(const QString& file)
{
    const QString disk = fileOnDisk(file);
    return disk.isEmpty() ? file : QFileInfo(disk).canonicalFilePath() + file.mid(disk.size());
}

bool shows(const MainWindow& page, const QString& file)
{
    const QString wanted = identityOf(file);
    return identityOf(page.document().file()) == wanted || identityOf(page.bench().session.file()) == wanted;
}

/// Or about to be.
bool isOpen(const Session& session)
{
    return session.report() || session.busy();
}

VerdictLevel levelOf(const Session& session)
{
    if (session.report()) return verdictLevel(*session.report());
    return session.error() ? VerdictLevel::Broken : VerdictLevel::Legal;
}

void end(MainWindow& page)
{
    page.close();
    page.setFront(false); // what floats is a window of its own
}

QIcon mark(const QString& name, const QColor& colour, qreal pixelRatio)
{
    return iconPixmap(name, colour, MarkSize, pixelRatio);
}

/// A reader of the screen takes what bears the pages for a window: a QTabWidget is a part of one.
QAccessibleInterface* asWindow(const QString&, QObject* object)
{
    auto* tabs = qobject_cast<DocumentTabs*>(object);
    return tabs ? new QAccessibleWidget(tabs, QAccessible::Window) : nullptr;
}

} // namespace

DocumentTabs::DocumentTabs(const Settings& settings, QWidget* parent)
    : QTabWidget(parent), m_settings(settings), m_log(new Log(this))
{
    QAccessible::installFactory(asWindow);
    setObjectName(QStringLiteral("documents"));
    tabBar()->setObjectName(QStringLiteral("documentBar"));
    tabBar()->setProperty("elides", true);
    tabBar()->installEventFilter(this);
    tabBar()->setAcceptDrops(true);
    tabBar()->setIconSize(QSize(MarkSize, MarkSize));
    setDocumentMode(true);
    setTabBarAutoHide(true);
    setMovable(true);
    setTabsClosable(true);
    setElideMode(Qt::ElideMiddle);
    setWindowIcon(QIcon(QStringLiteral(":/icons/plimsoll.svg")));
    connect(this, &QTabWidget::tabCloseRequested, this, [this](int at) { closePage(page(at)); });
    connect(this, &QTabWidget::currentChanged, this, &DocumentTabs::showFront);
    applyTheme(settings.theme());
    resize(1400, 900);
    if (const QByteArray geometry = settings.geometry(); !geometry.isEmpty()) restoreGeometry(geometry);
    DocumentTabs::add();
}

/// Pages ask for the others until they are gone.
DocumentTabs::~DocumentTabs()
{
    disconnect(this, &QTabWidget::currentChanged, this, nullptr);
    while (count() > 0)
        delete widget(0);
}

MainWindow& DocumentTabs::page(int at) const
{
    return *static_cast<MainWindow*>(widget(at));
}

MainWindow& DocumentTabs::open(const QString& file, const Choices& choices, const QString& plan)
{
    for (int at = 0; at < count(); ++at) {
        if (!shows(page(at), file)) continue;
        setCurrentIndex(at);
        if (!isOpen(current().bench().session)) break; // it failed: once more
        if (!plan.isEmpty()) current().bench().session.judgePlan(plan);
        return current();
    }
    if (isOpen(current().bench().session)) add();
    current().open(file, choices, plan);
    return current();
}

/// It takes the panes of the one that is shown.
void DocumentTabs::add()
{
    if (isVisible()) current().keepLayout();
    auto* page = new Page(m_settings, *this);
    page->resize(size());
    if (!m_safe.isEmpty()) page->keepSafeIn(m_safe);
    follow(*page);
    setCurrentIndex(insertTab(currentIndex() + 1, page, QString()));
}

void DocumentTabs::follow(MainWindow& page)
{
    page.installEventFilter(this);
    const Session& session = page.bench().session;
    connect(&page.document(), &Document::changed, this, [this, &page] { refresh(page); });
    for (auto signal : {&Session::reportChanged, &Session::findingsChanged, &Session::closed})
        connect(&session, signal, this, [this, &page] { refresh(page); });
    connect(&session, &Session::openFailed, this, [this, &page] { refresh(page); });
    connect(page.findChild<JobsStrip*>(), &JobsStrip::busyChanged, this,
            [this, &page](bool busy) { setBusy(page, busy); });
}

void DocumentTabs::closePage(MainWindow& page)
{
    if (count() == 1) return page.bench().session.close();
    end(page);
    removeTab(indexOf(&page));
    m_busy.remove(&page);
    m_ended.remove(&page);
    page.deleteLater(); // one of its commands may be what closes it
}

void DocumentTabs::go(int by)
{
    setCurrentIndex((currentIndex() + by + count()) % count());
}

void DocumentTabs::shareSettings()
{
    if (std::exchange(m_sharing, true)) return; // what is taken over is no news
    for (int at = 0; at < count(); ++at) {
        page(at).takeSettings();
        refresh(page(at)); // in other colours
    }
    m_sharing = false;
}

void DocumentTabs::keepSafeIn(const QString& folder)
{
    m_safe = folder;
    for (int at = 0; at < count(); ++at)
        page(at).keepSafeIn(folder);
}

void DocumentTabs::fitInto(QSize room)
{
    if (size() == size().boundedTo(room)) return;
    resize(size().boundedTo(room));
    current().fitInto(size());
}

void DocumentTabs::tabInserted(int at)
{
    refresh(page(at));
    tellHowMany();
}

void DocumentTabs::tabRemoved(int)
{
    tellHowMany();
}

void DocumentTabs::tellHowMany()
{
    for (int at = 0; at < count(); ++at)
        page(at).setAlone(count() == 1);
}

void DocumentTabs::showFront()
{
    if (count() == 0) return;
    for (int at = 0; at < count(); ++at)
        page(at).setFront(at == currentIndex());
    if (m_ended.remove(&current())) refresh(current());
    showName();
}

void DocumentTabs::showName()
{
    setWindowTitle(current().windowTitle());
    setWindowModified(current().isWindowModified());
}

void DocumentTabs::setBusy(MainWindow& page, bool busy)
{
    if (indexOf(&page) < 0) return; // it is being closed
    if (busy) {
        m_busy.insert(&page);
    } else if (m_busy.remove(&page) && &page != currentWidget()) {
        m_ended.insert(&page);
    }
    refresh(page);
}

void DocumentTabs::refresh(MainWindow& page)
{
    const int at = indexOf(&page);
    if (at < 0) return;
    const QString name =
        page.document().name().isEmpty() ? tr("Start") : labelText(page.document().name(), NameLetters);
    const bool modified = page.document().modified();
    const bool busy = m_busy.contains(&page);
    const VerdictLevel level = levelOf(page.bench().session);
    const bool broken = level == VerdictLevel::Broken;
    const bool warned = level == VerdictLevel::Warned;
    const bool ended = m_ended.contains(&page);
    setTabText(at, QString(name).replace(u'&', QStringLiteral("&&")) + (modified ? QStringLiteral("*") : QString()));
    setTabIcon(at, busy     ? mark(QStringLiteral("run"), colours().accent, devicePixelRatioF())
                   : broken ? mark(QStringLiteral("findings"), colours().error, devicePixelRatioF())
                   : !ended ? QIcon()
                   : warned ? mark(QStringLiteral("findings"), colours().warning, devicePixelRatioF())
                            : mark(QStringLiteral("legal"), colours().good, devicePixelRatioF()));
    QStringList states;
    if (modified) states << tr("modified");
    if (busy) states << tr("at work");
    if (broken) states << (page.bench().session.report() ? tr("not legal") : tr("not opened"));
    if (warned) states << tr("with warnings");
    if (ended) states << tr("its work has ended");
    const QString path = labelText(page.document().path());
    setTabToolTip(at, (QStringList() << path << states).join(u'\n').trimmed());
    tabBar()->setAccessibleTabName(at, (QStringList() << name << states).join(QStringLiteral(", ")));
}

/// As each window by itself; the panes of the page that is shown are those of the next start.
void DocumentTabs::closeEvent(QCloseEvent* event)
{
    for (int at = 0; at < count(); ++at)
        if (at != currentIndex()) end(page(at));
    end(current());
    event->accept();
}

void DocumentTabs::showMenu(MainWindow& page, QPoint at)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("tabMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString path = page.document().path();
    menu->addAction(tr("&Close"), &page, [this, &page] { closePage(page); });
    menu->addAction(tr("Close the &others"), &page, [this, &page] {
        for (int other = count(); other-- > 0;)
            if (widget(other) != &page) closePage(this->page(other));
    });
    menu->addSeparator();
    menu->addAction(tr("Copy its &path"), &page, [path] { QGuiApplication::clipboard()->setText(path); })
        ->setEnabled(!path.isEmpty());
    menu->popup(at);
}

bool DocumentTabs::eventFilter(QObject* watched, QEvent* event)
{
    const auto type = event->type();
    const bool names = type == QEvent::WindowTitleChange || type == QEvent::ModifiedChange;
    if (names && watched == currentWidget()) showName();
    const bool dragged = type == QEvent::DragEnter || type == QEvent::DragMove || type == QEvent::Drop;
    if (watched == tabBar() && dragged) // as over the page; sent, it would come back to where it was dragged to
        return static_cast<QObject&>(current()).event(event);
    if (watched == tabBar() && type == QEvent::ContextMenu) {
        const auto* asked = static_cast<QContextMenuEvent*>(event);
        const bool pointed = asked->reason() == QContextMenuEvent::Mouse;
        const int at = pointed ? tabBar()->tabAt(asked->pos()) : currentIndex();
        if (at >= 0)
            showMenu(page(at), pointed ? asked->globalPos() : tabBar()->mapToGlobal(tabBar()->tabRect(at).center()));
        return true;
    }
    if (watched == tabBar() && type == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const int at = tabBar()->tabAt(mouse->position().toPoint());
        if (mouse->button() == Qt::MiddleButton && at >= 0) closePage(page(at));
    }
    return QTabWidget::eventFilter(watched, event);
}

} // namespace plimsoll::app
