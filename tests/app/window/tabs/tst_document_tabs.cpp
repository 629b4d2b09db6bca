#include "app/session/document/document.h"
#include "app/session/workbench.h"
#include "app/window/help/log.h"
#include "app/window/main_window.h"
#include "app/window/tabs/document_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/no_warnings.h"
#include "tests/app/window/tabs/opened_tabs.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFile>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QUrl>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

const QString Chain = QStringLiteral("mobile-chain.json");
const QString Block = QStringLiteral("residual-block.json");
const QString Two = QStringLiteral("two-outputs.json");

} // namespace

/// Several documents in one window.
class DocumentTabsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void aFileGoesWhereNothingIsOpen();
    void severalFilesAreDropped();
    void tooManyFilesAreSaid();
    void keysGoThroughTabs();
    void keysActInTheTabThatIsShown();
    void tabsAreClosedByTheMouse();
    void aTabHasAMenu();
    void filesAreDroppedOnTheBar();
    void theTitleIsOfTheTabThatIsShown();
    void aTabSaysHowItsDocumentStands();
    void settingsAreOfAllTabs();
    void aNewTabHasThePanesOfTheOther();
    void floatingPanesGoWithTheirTab();
    void aHiddenTabComesWithItsPanes();
    void everyDocumentIsKeptSafe();
    void aPlanGoesToTheGraphThatIsOpen();
};

void DocumentTabsTest::aFileGoesWhereNothingIsOpen()
{
    test::OpenedTabs app;
    QVERIFY(!app.tabs.tabBar()->isVisible());
    QVERIFY(app.open(Chain));
    QCOMPARE(app.tabs.count(), 1);
    QVERIFY(!app.tabs.tabBar()->isVisible());
    const auto report = app.bench().session.report();
    QVERIFY(app.open(Block));
    QCOMPARE(app.tabs.count(), 2);
    QCOMPARE(app.tabs.currentIndex(), 1);
    QVERIFY(app.tabs.tabBar()->isVisible());
    QVERIFY(app.tabs.page(0).bench().session.report() == report);
    QVERIFY(app.open(Chain)); // it is open
    QCOMPARE(app.tabs.count(), 2);
    QCOMPARE(app.tabs.currentIndex(), 0);
    QVERIFY(app.bench().session.report() == report);
    for (QAction* recent : app.tabs.current().findChildren<QAction*>())
        if (recent->data().toString() == test::exampleFile(Block)) recent->trigger();
    QCOMPARE(app.tabs.currentIndex(), 1);
}

void DocumentTabsTest::severalFilesAreDropped()
{
    test::OpenedTabs app;
    app.drop({test::exampleFile(Chain), test::exampleFile(Block), test::exampleFile(Two)});
    QCOMPARE(app.tabs.count(), 3);
    QVERIFY(app.ready());
    QCOMPARE(QStringList({app.name(0), app.name(1), app.name(2)}), QStringList({Chain, Block, Two}));
    for (int at = 0; at < 3; ++at)
        QTRY_VERIFY(app.tabs.page(at).bench().session.report());
    app.action("file.close")->trigger();
    QCOMPARE(app.tabs.count(), 2);
}

void DocumentTabsTest::tooManyFilesAreSaid()
{
    test::OpenedTabs app;
    QStringList files;
    for (int i = 0; i < 12; ++i) {
        files << app.home.filePath(QStringLiteral("%1.json").arg(i));
        QVERIFY(QFile::copy(test::exampleFile(Two), files.last()));
    }
    app.drop(files);
    QCOMPARE(app.tabs.count(), 10);
    const QString said = app.tabs.page(0).statusBar()->currentMessage();
    QVERIFY2(said.contains(QStringLiteral("12 files are too many at once")), qPrintable(said));
}

void DocumentTabsTest::keysGoThroughTabs()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    QVERIFY(!app.action("go.next-tab")->isEnabled());
    app.press(Qt::Key_N);
    QCOMPARE(app.tabs.count(), 2);
    QVERIFY(app.open(Block));
    app.press(Qt::Key_N);
    QCOMPARE(app.tabs.count(), 3);
    QCOMPARE(app.tabs.currentIndex(), 2);
    app.press(Qt::Key_PageDown);
    QCOMPARE(app.tabs.currentIndex(), 0);
    app.press(Qt::Key_PageUp);
    QCOMPARE(app.tabs.currentIndex(), 2);
    app.press(Qt::Key_Tab);
    QCOMPARE(app.tabs.currentIndex(), 0);
    app.press(Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(app.tabs.currentIndex(), 2);
    app.press(Qt::Key_W); // a start page beside others goes, too
    QCOMPARE(app.tabs.count(), 2);
    app.press(Qt::Key_W);
    QCOMPARE(app.tabs.count(), 1);
    QCOMPARE(app.name(0), Chain);
    app.press(Qt::Key_W);
    QCOMPARE(app.tabs.count(), 1);
    QCOMPARE(app.name(0), QString());
    QVERIFY(!app.action("file.close")->isEnabled());
    app.press(Qt::Key_Q);
    QVERIFY(!app.tabs.isVisible());
}

/// The same keys are those of every page: one that is hidden neither takes them nor makes them ambiguous.
void DocumentTabsTest::keysActInTheTabThatIsShown()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    QVERIFY(app.set("inplace", "off"));
    QVERIFY(app.open(Block));
    QVERIFY(app.set("inplace", "off"));
    app.press(Qt::Key_Z);
    QVERIFY(!app.bench().session.canUndo());
    QVERIFY(app.tabs.page(0).bench().session.canUndo());
    app.press(Qt::Key_PageDown);
    app.press(Qt::Key_Z);
    QVERIFY(!app.tabs.page(0).bench().session.canUndo());
    app.press(Qt::Key_F6, Qt::NoModifier);
    QVERIFY(app.tabs.page(0).isAncestorOf(QApplication::focusWidget()));
    app.press(Qt::Key_F6, Qt::NoModifier);
    QVERIFY(app.tabs.page(0).isAncestorOf(QApplication::focusWidget()));
}

void DocumentTabsTest::tabsAreClosedByTheMouse()
{
    test::OpenedTabs app;
    for (const QString& each : {Chain, Block, Two})
        QVERIFY(app.open(each));
    QTabBar* bar = app.tabs.tabBar();
    QTest::mouseClick(bar, Qt::MiddleButton, {}, bar->tabRect(1).center());
    QCOMPARE(app.tabs.count(), 2);
    QCOMPARE(QStringList({app.name(0), app.name(1)}), QStringList({Chain, Two}));
    QWidget* cross = bar->tabButton(0, QTabBar::RightSide);
    QVERIFY(cross);
    QTest::mouseClick(cross, Qt::LeftButton);
    QCOMPARE(app.tabs.count(), 1);
    QCOMPARE(app.name(0), Two);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(app.tabs.findChildren<MainWindow*>().size(), 1);
}

void DocumentTabsTest::aTabHasAMenu()
{
    test::OpenedTabs app;
    for (const QString& each : {Chain, Block, Two})
        QVERIFY(app.open(each));
    QTabBar* bar = app.tabs.tabBar();
    const QPoint at = bar->tabRect(1).center();
    QContextMenuEvent asked(QContextMenuEvent::Mouse, at, bar->mapToGlobal(at));
    QCoreApplication::sendEvent(bar, &asked);
    auto* menu = app.tabs.findChild<QMenu*>(QStringLiteral("tabMenu"));
    QVERIFY(menu);
    QTest::keyClick(menu, Qt::Key_P);
    QCOMPARE(QGuiApplication::clipboard()->text(), test::exampleFile(Block));
    QCoreApplication::sendEvent(bar, &asked);
    menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QTest::keyClick(menu, Qt::Key_O);
    QCOMPARE(app.tabs.count(), 1);
    QCOMPARE(app.name(0), Block);
}

void DocumentTabsTest::filesAreDroppedOnTheBar()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    QVERIFY(app.open(Block));
    app.drop({test::exampleFile(Two)}, app.tabs.tabBar());
    QCOMPARE(app.tabs.count(), 3);
    QVERIFY(app.ready());
    QCOMPARE(app.name(2), Two);
}

void DocumentTabsTest::theTitleIsOfTheTabThatIsShown()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    QCOMPARE(app.tabs.windowTitle(), Chain + QStringLiteral("[*] — Plimsoll"));
    app.tabs.current().findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("a remark"));
    QTRY_VERIFY(app.tabs.isWindowModified());
    QVERIFY(app.open(Block));
    QCOMPARE(app.tabs.windowTitle(), Block + QStringLiteral("[*] — Plimsoll"));
    QVERIFY(!app.tabs.isWindowModified());
    app.tabs.setCurrentIndex(0);
    QVERIFY(app.tabs.isWindowModified());
}

void DocumentTabsTest::aTabSaysHowItsDocumentStands()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    app.tabs.current().findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("a remark"));
    QTRY_COMPARE(app.tabs.tabText(0), Chain + u'*');
    QVERIFY(app.tabs.tabToolTip(0).startsWith(test::exampleFile(Chain)));
    app.tabs.add();
    QCOMPARE(app.tabs.tabText(1), QStringLiteral("Start"));
    JobRunner& jobs = app.tabs.page(0).bench().jobs;
    std::atomic<bool> goOn = false;
    jobs.start(
        QStringLiteral("long"), QStringLiteral("Long work"),
        [&goOn](const Context&) {
            while (!goOn)
                QThread::msleep(5);
            return 0;
        },
        [](int) {});
    QTRY_VERIFY(app.tabs.tabToolTip(0).contains(QStringLiteral("at work")));
    QVERIFY(!app.tabs.tabIcon(0).isNull());
    goOn = true;
    QTRY_VERIFY(app.tabs.tabToolTip(0).contains(QStringLiteral("its work has ended")));
    QAccessibleInterface* bar = QAccessible::queryAccessibleInterface(app.tabs.tabBar());
    QCOMPARE(bar->child(0)->text(QAccessible::Name), Chain + QStringLiteral(", modified, its work has ended"));
    app.tabs.setCurrentIndex(0);
    QVERIFY(app.tabs.tabIcon(0).isNull());
}

void DocumentTabsTest::settingsAreOfAllTabs()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    QVERIFY(app.open(Block));
    const auto of = [&](int at, const char* id) { return app.tabs.page(at).actions().at(id); };
    of(1, "view.dark")->trigger();
    QVERIFY(of(0, "view.dark")->isChecked());
    QVERIFY(!of(0, "view.system")->isChecked());
    of(1, "view.exact-bytes")->trigger();
    QVERIFY(of(0, "view.exact-bytes")->isChecked());
    const auto* peak = app.tabs.page(0).findChild<QWidget*>(QStringLiteral("peak"));
    QVERIFY(peak);
    QVERIFY(peak->property("text").toString().endsWith(QStringLiteral(" B")));
    const bool still = of(1, "view.reduced-motion")->isChecked();
    of(1, "view.reduced-motion")->trigger();
    QCOMPARE(of(0, "view.reduced-motion")->isChecked(), !still);
    of(1, "language.de")->trigger();
    QVERIFY(of(0, "language.de")->isChecked());
    app.settings.setNamed(QStringLiteral("shortcuts"), {{QStringLiteral("go.peak"), QStringLiteral("Ctrl+Y")}});
    app.tabs.shareSettings();
    QCOMPARE(of(0, "go.peak")->shortcut(), QKeySequence(QStringLiteral("Ctrl+Y")));
    app.tabs.add();
    QVERIFY(of(2, "view.dark")->isChecked());
    of(1, "view.exact-bytes")->trigger();
    of(1, "view.light")->trigger();
    of(1, "language.en")->trigger();
    QVERIFY(&app.tabs.page(0).log() == &app.tabs.log());
}

void DocumentTabsTest::aNewTabHasThePanesOfTheOther()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    app.action("layout.picture")->trigger();
    QVERIFY(app.open(Block));
    const auto* policies = app.tabs.current().findChild<QDockWidget*>(QStringLiteral("policies"));
    QVERIFY(policies->isHidden());
    QVERIFY(app.tabs.current().findChild<QDockWidget*>(QStringLiteral("inspector"))->isVisible());
}

void DocumentTabsTest::floatingPanesGoWithTheirTab()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    auto* inspector = app.tabs.current().findChild<QDockWidget*>(QStringLiteral("inspector"));
    inspector->setFloating(true);
    QVERIFY(inspector->isVisible());
    app.tabs.add();
    QVERIFY(!inspector->isVisible());
    app.tabs.setCurrentIndex(0);
    QVERIFY(inspector->isVisible());
    QVERIFY(inspector->isFloating());
    QVERIFY(app.tabs.page(0).actions().at("view.inspector")->isEnabled());
    app.tabs.setCurrentIndex(1);
    QVERIFY(app.open(Block)); // it floats there as well
    auto* other = app.tabs.current().findChild<QDockWidget*>(QStringLiteral("inspector"));
    QVERIFY(!inspector->isVisible());
    app.tabs.setCurrentIndex(0);
    QVERIFY(inspector->isVisible());
    QVERIFY(!other->isVisible());
    app.tabs.page(0).keepLayout();
    app.tabs.close();
    QVERIFY(!inspector->isVisible());
}

/// What is opened behind another tab shows its panes when it is looked at.
void DocumentTabsTest::aHiddenTabComesWithItsPanes()
{
    test::OpenedTabs app;
    app.drop({test::exampleFile(Chain), test::exampleFile(Block)});
    QTRY_VERIFY(app.tabs.page(0).bench().session.report());
    auto* first = app.tabs.page(0).findChild<QDockWidget*>(QStringLiteral("inspector"));
    QVERIFY(!first->isVisible());
    QVERIFY(app.tabs.page(0).showView(QStringLiteral("bytes"))); // as a late result does
    app.tabs.setCurrentIndex(0);
    QVERIFY(first->isVisible());
    QVERIFY(app.tabs.page(0).findChild<QDockWidget*>(QStringLiteral("bytes"))->isVisible());
}

void DocumentTabsTest::everyDocumentIsKeptSafe()
{
    const QTemporaryDir safe;
    const auto leftFor = [&safe](const DocumentTabs& tabs) {
        return tabs.current().findChildren<QAbstractButton*>(QStringLiteral("left")).size();
    };
    {
        test::OpenedTabs app;
        app.tabs.keepSafeIn(safe.path());
        for (const QString& each : {Chain, Block}) {
            QVERIFY(app.open(each));
            QVERIFY(app.set("inplace", "off"));
            app.tabs.current().findChild<QPlainTextEdit*>()->setPlainText(each);
        }
        QTRY_COMPARE(QDir(safe.path()).entryList({QStringLiteral("*.plimsoll")}, QDir::Files).size(), 2);
        app.tabs.add();
        QCOMPARE(leftFor(app.tabs), 0); // they live
        app.tabs.close();
    }
    test::OpenedTabs next;
    next.tabs.keepSafeIn(safe.path());
    QCOMPARE(leftFor(next.tabs), 2);
    auto* one = next.tabs.current().findChild<QAbstractButton*>(QStringLiteral("left"));
    QTest::mouseClick(one, Qt::LeftButton);
    QVERIFY(next.ready());
    QVERIFY(next.bench().session.canUndo());
    next.tabs.add();
    QCOMPARE(leftFor(next.tabs), 1);
    QTest::mouseClick(next.tabs.current().findChild<QAbstractButton*>(QStringLiteral("left")), Qt::LeftButton);
    QVERIFY(next.ready());
    QVERIFY(next.name(0) != next.name(1));
}

void DocumentTabsTest::aPlanGoesToTheGraphThatIsOpen()
{
    test::OpenedTabs app;
    QVERIFY(app.open(Chain));
    QVERIFY(app.open(Block));
    const QString plan = app.home.filePath(QStringLiteral("plan.json"));
    QFile file(plan);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"schema": "plimsoll.plan/1", "entries": []})");
    file.close();
    app.drop({plan, test::exampleFile(Chain)});
    QCOMPARE(app.tabs.count(), 2);
    QCOMPARE(app.tabs.currentIndex(), 0);
    QVERIFY(QTest::qWaitFor([&app] { return !app.bench().session.busy(); }, 20000));
}

QTEST_MAIN(DocumentTabsTest)
#include "tst_document_tabs.moc"
