#include "app/session/workbench.h"
#include "app/views/graph/graph_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/commands/action_table.h"
#include "app/window/commands/shortcuts.h"
#include "app/window/help/diagnostics.h"
#include "app/window/help/manual_pages.h"
#include "app/window/help/manual_window.h"
#include "app/window/main_window.h"
#include "app/window/pane_walk.h"
#include "app/window/panes/table_pane.h"
#include "app/window/view_table.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/no_warnings.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QInputDialog>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>

#include <numeric>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A window with settings that the next one finds.
struct Kept
{
    app::Settings settings {true};
    app::Workbench bench {app::Engine()};
    app::MainWindow window {bench, settings};

    explicit Kept(const QString& example = QStringLiteral("residual-block.json"))
    {
        bench.session.setAsksForOffers(false);
        window.resize(1366, 768);
        window.show();
        window.activateWindow();
        if (!example.isEmpty()) window.open(test::exampleFile(example));
    }
    bool ready()
    {
        return QTest::qWaitFor([this] { return bench.session.report() && window.settled(); }, 20000);
    }
    template <typename Widget>
    Widget* child(const QString& name) const
    {
        return window.findChild<Widget*>(name);
    }
    QAction* action(const char* id) const { return window.actions().at(id); }
};

QDialog* openSheet(Kept& app)
{
    app.action("help.shortcuts")->trigger();
    return app.child<QDialog>(QStringLiteral("shortcutSheet"));
}

void pickRow(QDialog* sheet, const QString& command)
{
    auto* tree = sheet->findChild<QTreeWidget*>();
    const auto rows = tree->findItems(command, Qt::MatchExactly | Qt::MatchRecursive);
    QVERIFY(!rows.isEmpty());
    tree->setCurrentItem(rows.front());
}

void press(QDialog* sheet, Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    auto* field = sheet->findChild<QKeySequenceEdit*>();
    field->setFocus();
    QTest::keyClick(field, key, modifiers);
}

void click(QWidget* parent, const char* name)
{
    auto* button = parent->findChild<QPushButton*>(QString::fromLatin1(name));
    QTRY_VERIFY2(button && button->isEnabled(), name); // a field of keys waits a second for more
    QTest::mouseClick(button, Qt::LeftButton);
}

/// Types it into the box that asks for a name, once that is there.
void answerName(const QString& name)
{
    QTimer::singleShot(0, qApp, [name] {
        auto* box = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        QVERIFY(box);
        auto* field = box->findChild<QLineEdit*>();
        field->selectAll();
        QTest::keyClicks(field, name);
        QTest::keyClick(field, Qt::Key_Return);
    });
}

/// As a menu shows when it opens.
QStringList entries(QMenu* menu)
{
    Q_EMIT menu->aboutToShow();
    QStringList texts;
    for (const QAction* entry : menu->actions())
        if (!entry->isSeparator()) texts << QString(entry->text()).remove(u'&');
    return texts;
}

void choose(QMenu* menu, const QString& text)
{
    Q_EMIT menu->aboutToShow();
    for (QAction* entry : menu->actions())
        if (QString(entry->text()).remove(u'&') == text) return entry->trigger();
    QFAIL(qPrintable(text));
}

QMenu* submenu(QMenu* menu, const QString& text)
{
    for (QAction* entry : menu->actions())
        if (QString(entry->text()).remove(u'&') == text) return entry->menu();
    return nullptr;
}

QMenu* menuWith(const Kept& app, const char* id)
{
    for (QMenu* menu : app.window.findChildren<QMenu*>())
        if (menu->actions().contains(app.action(id))) return menu;
    return nullptr;
}

} // namespace

/// What the user sets about the window, and finds again the next time; F6; help.
class WindowSettingsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        test::failOnWarnings();
        m_folder = std::make_unique<QTemporaryDir>();
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path());
    }
    void keysAreChangedAtOnceAndKept();
    void aKeyOfAnotherCommandIsToldAndTakenOver();
    void keysThatNoCommandMayHaveAreRefused_data();
    void keysThatNoCommandMayHaveAreRefused();
    void keysGoBackToTheirDefaults();
    void keysComeBackFromAFile();
    void f6GoesThroughThePanesAndBack();
    void layoutsAreKeptByName();
    void aBrokenLayoutFallsBackToThePreset();
    void filtersAreKeptByNameForTheirTable();
    void everyViewHasItsPlaceInTheManual();
    void f1OpensTheManualAtThePane();
    void theManualIsSearched();
    void diagnosticsNameNothingUnlessAsked();
    void recentFilesAreClearedAndMissingOnesGrey();
    void reducedMotionIsKept();
    void coloursAndTheDirectionOfTheGraphAreKept();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

void WindowSettingsTest::keysAreChangedAtOnceAndKept()
{
    {
        Kept app;
        QVERIFY(app.ready());
        QDialog* sheet = openSheet(app);
        pickRow(sheet, QStringLiteral("Peak"));
        press(sheet, Qt::Key_K, Qt::ControlModifier);
        click(sheet, "keys:set");
        QCOMPARE(app.action("go.peak")->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_K));
        QVERIFY(app.action("go.peak")->toolTip().endsWith(QStringLiteral("(Ctrl+K)")));
        const QTreeWidgetItem* row = sheet->findChild<QTreeWidget*>()->currentItem();
        QCOMPARE(row->text(1), QStringLiteral("Ctrl+K"));
    }
    Kept app;
    QVERIFY(app.ready());
    QTest::keyClick(&app.window, Qt::Key_P);
    QCOMPARE(app.bench.selection.step(), -1);
    QTest::keyClick(&app.window, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(app.bench.selection.step() >= 0);
}

void WindowSettingsTest::aKeyOfAnotherCommandIsToldAndTakenOver()
{
    Kept app;
    QDialog* sheet = openSheet(app);
    pickRow(sheet, QStringLiteral("Peak"));
    press(sheet, Qt::Key_O, Qt::ControlModifier);
    const auto* complaint = sheet->findChild<QLabel*>(QStringLiteral("keyComplaint"));
    QTRY_VERIFY(complaint->text().contains(QStringLiteral("“Open…”")));
    QVERIFY(!sheet->findChild<QPushButton*>(QStringLiteral("keys:set"))->isEnabled());
    click(sheet, "keys:take");
    QCOMPARE(app.action("go.peak")->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_O));
    QVERIFY(app.action("file.open")->shortcuts().isEmpty());
    QVERIFY(complaint->text().isEmpty());
}

void WindowSettingsTest::keysThatNoCommandMayHaveAreRefused_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("why");
    QTest::newRow("copying in fields") << QStringLiteral("Ctrl+C") << QStringLiteral("fields");
    QTest::newRow("a menu") << QStringLiteral("Alt+F") << QStringLiteral("menu File");
}

void WindowSettingsTest::keysThatNoCommandMayHaveAreRefused()
{
    QFETCH(QString, key);
    QFETCH(QString, why);
    Kept app;
    const auto conflict = conflictOf(app.window.actions(), *app.action("go.peak"), QKeySequence(key));
    QVERIFY(conflict && !conflict->command);
    QVERIFY2(conflict->text.contains(why), qPrintable(conflict->text));
    // The beginning of other keys would never let these through.
    ActionSet::setKeys(*app.action("go.back"), {QKeySequence(QStringLiteral("Ctrl+K, Ctrl+Shift+B"))});
    QVERIFY(conflictOf(app.window.actions(), *app.action("go.peak"), QKeySequence(QStringLiteral("Ctrl+K"))));
    QVERIFY(!conflictOf(app.window.actions(), *app.action("go.peak"), QKeySequence(QStringLiteral("Ctrl+Shift+B"))));
    QCOMPARE(pictureUseOf(QKeySequence(QStringLiteral("Shift+W"))), QStringLiteral("Zoom the bytes, or the rows"));
}

void WindowSettingsTest::keysGoBackToTheirDefaults()
{
    Kept app;
    ActionSet::setKeys(*app.action("edit.redo"), {QKeySequence(QStringLiteral("F2"))});
    ActionSet::setKeys(*app.action("go.peak"), {});
    QCOMPARE(changedKeys(app.window.actions()).keys(),
             (QStringList {QStringLiteral("edit.redo"), QStringLiteral("go.peak")}));
    QDialog* sheet = openSheet(app);
    pickRow(sheet, QStringLiteral("Redo"));
    click(sheet, "keys:reset");
    QCOMPARE(app.action("edit.redo")->shortcuts(), defaultKeys(*app.action("edit.redo")));
    click(sheet, "keys:reset-all");
    QVERIFY(changedKeys(app.window.actions()).isEmpty());
}

void WindowSettingsTest::keysComeBackFromAFile()
{
    Kept app;
    ActionSet::setKeys(*app.action("go.peak"), {QKeySequence(QStringLiteral("Ctrl+K"))});
    const QByteArray file = writeKeys(app.window.actions());
    const auto read = readKeys(app.window.actions(), file);
    QVERIFY(read.ok());
    QCOMPARE(read.value(), changedKeys(app.window.actions()));
    const auto refused = [&](const QByteArray& json) { return !readKeys(app.window.actions(), json).ok(); };
    QVERIFY(refused("{}"));
    QVERIFY(refused(QByteArray(file).replace("go.peak", "go.nowhere")));
    QVERIFY(refused(QByteArray(file).replace("Ctrl+K", "Ctrl+O"))); // has another already
}

void WindowSettingsTest::f6GoesThroughThePanesAndBack()
{
    Kept app;
    QVERIFY(app.ready());
    QTRY_VERIFY(app.window.isActiveWindow());
    const QList<QWidget*> panes = panesOf(app.window);
    QVERIFY(panes.size() >= 5); // two bars, picture, two docks at least
    QVERIFY(qobject_cast<QToolBar*>(panes.front()));
    QVERIFY(panes.contains(app.window.centralWidget()));
    QVERIFY(app.window.centralWidget()->isAncestorOf(app.window.focusWidget()));
    auto* ring = app.child<QWidget>(QStringLiteral("paneRing"));
    QVERIFY(!ring->isVisible());
    const qsizetype start = panes.indexOf(app.window.centralWidget());
    const auto isAt = [&](qsizetype index) {
        QWidget* pane = panes[(index + panes.size()) % panes.size()];
        const QRect framed(pane->mapTo(&app.window, QPoint()), pane->size());
        return pane->isAncestorOf(app.window.focusWidget()) && ring->isVisible() && ring->geometry() == framed;
    };
    for (qsizetype i = 1; i <= panes.size(); ++i) {
        QTest::keyClick(app.window.focusWidget(), Qt::Key_F6);
        QVERIFY2(isAt(start + i), qPrintable(panes[(start + i) % panes.size()]->objectName()));
    }
    QTest::keyClick(app.window.focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
    QVERIFY(isAt(start - 1));
    app.child<PlanCanvas>(QStringLiteral("plan"))->setFocus();
    QVERIFY(!ring->isVisible());
}

void WindowSettingsTest::layoutsAreKeptByName()
{
    Kept app;
    QVERIFY(app.ready());
    auto* policies = app.child<QDockWidget>(QStringLiteral("policies"));
    policies->hide();
    answerName(QStringLiteral("Bare & quiet"));
    app.action("layout.save")->trigger();
    auto* inspector = app.child<QDockWidget>(QStringLiteral("inspector"));
    inspector->setFloating(true);
    QCoreApplication::processEvents();
    app.action("layout.reset")->trigger();
    QCoreApplication::processEvents();
    QVERIFY(policies->isVisible());
    QVERIFY(!inspector->isFloating());
    QVERIFY(inspector->isVisible());

    QMenu* menu = menuWith(app, "layout.save");
    choose(menu, QStringLiteral("Bare  quiet")); // without the ampersands of the menu
    QVERIFY(!policies->isVisible());

    entries(menu);
    answerName(QStringLiteral("Quiet"));
    submenu(menu, QStringLiteral("Rename"))->actions().front()->trigger();
    QVERIFY(entries(menu).contains(QStringLiteral("Quiet")));
    submenu(menu, QStringLiteral("Delete"))->actions().front()->trigger();
    QVERIFY(!entries(menu).contains(QStringLiteral("Quiet")));
    QVERIFY(entries(menu).contains(QStringLiteral("Reset layout")));
}

void WindowSettingsTest::aBrokenLayoutFallsBackToThePreset()
{
    Kept app;
    QVERIFY(app.ready());
    app.settings.setNamed(QStringLiteral("layouts/v%1").arg(Settings::LayoutVersion),
                          {{QStringLiteral("Torn"), QByteArray("no state")}});
    auto* policies = app.child<QDockWidget>(QStringLiteral("policies"));
    policies->hide();
    choose(menuWith(app, "layout.save"), QStringLiteral("Torn"));
    QVERIFY(policies->isVisible());
}

void WindowSettingsTest::filtersAreKeptByNameForTheirTable()
{
    {
        Kept app;
        QVERIFY(app.ready());
        QVERIFY(app.window.showView(QStringLiteral("values")));
        QLineEdit* field = app.window.panes().tables[QStringLiteral("values")]->filterField();
        auto* star = app.child<QToolButton>(QStringLiteral("valuesView:filters"));
        QTest::keyClicks(field, QStringLiteral("role=output"));
        answerName(QStringLiteral("Handed out"));
        choose(star->menu(), QStringLiteral("Keep this filter as…"));
    }
    Kept app;
    QVERIFY(app.ready());
    QMenu* menu = app.child<QToolButton>(QStringLiteral("valuesView:filters"))->menu();
    const QLineEdit* field = app.window.panes().tables[QStringLiteral("values")]->filterField();
    QVERIFY(field->text().isEmpty());
    choose(menu, QStringLiteral("Handed out"));
    QCOMPARE(field->text(), QStringLiteral("role=output"));
    QMenu* others = app.child<QToolButton>(QStringLiteral("nodesView:filters"))->menu();
    QVERIFY(!entries(others).contains(QStringLiteral("Handed out")));
    entries(menu);
    submenu(menu, QStringLiteral("Delete"))->actions().front()->trigger();
    QVERIFY(!entries(menu).contains(QStringLiteral("Handed out")));
}

void WindowSettingsTest::everyViewHasItsPlaceInTheManual()
{
    for (const ViewInfo& view : viewTable()) {
        const QString page = manualPageOf(QString::fromLatin1(view.id));
        const QString html = manualHtml(page.section(u'#', 0, 0));
        QVERIFY2(!html.isEmpty(), view.id);
        const QString place = page.section(u'#', 1);
        QVERIFY2(place.isEmpty() || html.contains(QStringLiteral("id=\"%1\"").arg(place)), view.id);
    }
}

void WindowSettingsTest::f1OpensTheManualAtThePane()
{
    Kept app;
    QVERIFY(app.ready());
    const auto opened = [&] {
        QTest::keyClick(&app.window, Qt::Key_F1);
        return app.child<QWidget>(QStringLiteral("manual"))->findChild<QTextBrowser*>()->source().toString();
    };
    for (const char* view : {"plan", "graph", "values", "policies"}) {
        app.action((QByteArray("view.") + view).constData())->trigger();
        QVERIFY2(opened().endsWith(QStringLiteral("views.html#") + QString::fromLatin1(view)), view);
        app.window.activateWindow();
        const auto* browser = app.child<QWidget>(QStringLiteral("manual"))->findChild<QTextBrowser*>();
        QVERIFY2(browser->verticalScrollBar()->value() > 0, view); // Qt finds the place
    }
    app.bench.session.close();
    QVERIFY(opened().endsWith(QStringLiteral("index.html")));
}

void WindowSettingsTest::theManualIsSearched()
{
    ManualWindow manual;
    manual.showPage(QStringLiteral("index.html"));
    QTRY_VERIFY(manual.isActiveWindow());
    auto* field = manual.findChild<QLineEdit*>(QStringLiteral("manualSearch"));
    const auto* hits = manual.findChild<QListWidget*>(QStringLiteral("manualHits"));
    auto* browser = manual.findChild<QTextBrowser*>();
    QVERIFY(!hits->isVisible());
    QTest::keyClicks(field, QStringLiteral("diagonal hatch"));
    QVERIFY(hits->isVisible());
    QVERIFY(hits->count() >= 1);
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(browser->source().toString().endsWith(QStringLiteral("views.html")));
    QVERIFY(browser->textCursor().selectedText().contains(QStringLiteral("Diagonal hatch")));

    field->clear();
    QTest::keyClicks(field, QStringLiteral("zyzzyva"));
    QCOMPARE(hits->count(), 1);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!hits->isVisible());
    for (const ManualHit& hit : searchManual(QStringLiteral("Peak")))
        QVERIFY(hit.text.contains(QStringLiteral("peak"), Qt::CaseInsensitive));
}

void WindowSettingsTest::diagnosticsNameNothingUnlessAsked()
{
    const QTemporaryDir home(QDir::homePath() + QStringLiteral("/plimsoll-test-XXXXXX"));
    const QString file = home.filePath(QStringLiteral("secret-model.json"));
    QVERIFY(QFile::copy(test::exampleFile(QStringLiteral("residual-block.json")), file));
    Kept app((QString()));
    app.window.open(file);
    QVERIFY(app.ready());
    QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
    QVERIFY(app.ready());
    QMimeData nothing;
    nothing.setText(QStringLiteral("nothing"));
    QVERIFY(!app.window.openMime(nothing));
    app.action("help.diagnostics")->trigger();
    const QString text = QApplication::clipboard()->text();
    for (const char* part : {"Qt: 6", "Graph: ", " nodes, ", "Policy: inplace=off", "Error: window.nothing-pasted"})
        QVERIFY2(text.contains(QString::fromLatin1(part)), qPrintable(text));
    QVERIFY(!text.contains(QStringLiteral("secret")));
    QVERIFY(!text.contains(QDir::homePath()));
    app.action("help.diagnostics-names")->trigger();
    const QString named = QApplication::clipboard()->text();
    QVERIFY(named.contains(QStringLiteral("File: ~/plimsoll-test-")));
    QVERIFY(!named.contains(QDir::homePath()));
}

void WindowSettingsTest::recentFilesAreClearedAndMissingOnesGrey()
{
    const QString file = m_folder->filePath(QStringLiteral("here.json"));
    QVERIFY(QFile::copy(test::exampleFile(QStringLiteral("residual-block.json")), file));
    Kept app((QString()));
    app.window.open(file);
    QVERIFY(app.ready());
    app.bench.session.close();
    QMenu* recent = nullptr;
    for (QMenu* menu : app.window.findChildren<QMenu*>())
        if (menu->title().remove(u'&') == QStringLiteral("Open recent")) recent = menu;
    QCOMPARE(entries(recent), (QStringList {QStringLiteral("here.json"), QStringLiteral("Clear")}));
    QVERIFY(recent->actions().front()->isEnabled());
    QVERIFY(QFile::remove(file));
    entries(recent);
    QVERIFY(!recent->actions().front()->isEnabled());
    choose(recent, QStringLiteral("Clear"));
    QVERIFY(app.settings.recentFiles().isEmpty());
    QVERIFY(!recent->isEnabled());
}

void WindowSettingsTest::reducedMotionIsKept()
{
    {
        Kept app((QString()));
        app.action("view.reduced-motion")->setChecked(true);
        QVERIFY(!app.window.isAnimated());
    }
    Kept app((QString()));
    QVERIFY(app.action("view.reduced-motion")->isChecked());
    QVERIFY(!app.window.isAnimated());
}

void WindowSettingsTest::coloursAndTheDirectionOfTheGraphAreKept()
{
    {
        Kept app((QString()));
        app.action("colour.type")->trigger();
        app.action("graph.flow-right")->setEnabled(true); // a graph would be open
        app.action("graph.flow-right")->trigger();
    }
    Kept app((QString()));
    QVERIFY(app.action("colour.type")->isChecked());
    QVERIFY(!app.action("colour.storage")->isChecked());
    QVERIFY(app.action("graph.flow-right")->isChecked());
    const GraphLook& look = static_cast<GraphCanvas*>(app.window.panes().picture(QStringLiteral("graph")))->look();
    QCOMPARE(look.colours, ColourBy::Type);
    QCOMPARE(look.flow, FlowDirection::Right);
}

QTEST_MAIN(WindowSettingsTest)
#include "tst_window_settings.moc"
