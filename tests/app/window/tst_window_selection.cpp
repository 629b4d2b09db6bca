#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "app/window/panes/fact_view.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/step_panel.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    explicit Opened(const QString& file = test::exampleFile(QStringLiteral("transformer-block.json")))
    {
        bench.costs.setEnabled(false);
        window.show();
        bench.session.open(file);
    }
    [[nodiscard]] QAction* action(const char* id) const { return window.actions().at(id); }
    [[nodiscard]] Canvas* canvas(const char* id) const
    {
        return window.panes().pictures->canvas(QString::fromLatin1(id));
    }
    [[nodiscard]] const Focus& focus() const { return bench.selection.focus(); }
    [[nodiscard]] ValueId value(const char* name) const
    {
        return findValue(*bench.session.report()->program.graph, name);
    }
};

/// In place of the desktop's editor.
class Editor : public QObject
{
    Q_OBJECT

public:
    Editor() { QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "open"); }
    ~Editor() override { QDesktopServices::unsetUrlHandler(QStringLiteral("file")); }
    QString opened;

public Q_SLOTS:
    void open(const QUrl& url) { opened = url.toLocalFile(); }
};

/// The texts of the menu that comes up; it goes again.
QStringList menuAt(QWidget* widget, QPoint at, QContextMenuEvent::Reason reason = QContextMenuEvent::Mouse)
{
    QContextMenuEvent event(reason, at, widget->mapToGlobal(at));
    QCoreApplication::sendEvent(widget, &event);
    const QPointer<QMenu> menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QStringList texts;
    if (!menu) return texts;
    for (const QAction* action : menu->actions())
        texts << action->text();
    menu->close();
    return texts;
}

/// Behind what the picture or the table has of its own: saving and copying it.
QStringList shared(const QStringList& menu)
{
    return menu.mid(menu.indexOf(QString()) + 1);
}

QStringList selectionMenu(const Opened& app)
{
    for (const QAction* top : app.window.menuBar()->actions()) {
        QStringList texts;
        for (const QAction* action : top->menu()->actions())
            texts << action->text();
        if (texts.contains(app.action("pick.plan")->text())) return texts;
    }
    return {};
}

} // namespace

class WindowSelectionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void theRightButtonPicksAndOffersTheSameEverywhere();
    void theMenuKeyLeavesTheSelection();
    void rowsOffersCopyingBeside();
    void whatIsCopied();
    void itsBytesCanBeSelected();
    void itIsShownInItsTable();
    void whatCannotBeDoneIsNotOffered();
    void theSourceIsOpenedWhereItIsAtHand();
    void theStepIsToldWhateverIsPicked();
    void arrowsInTheStepPanelMoveTheStep();
};

void WindowSelectionTest::theRightButtonPicksAndOffersTheSameEverywhere()
{
    Opened app;
    QVERIFY(app.ready());
    const QStringList everywhere = selectionMenu(app);
    QVERIFY(everywhere.size() > 8);
    const auto* plan = qobject_cast<PlanCanvas*>(app.canvas("plan"));
    const PlanBar& bar = *std::ranges::find(plan->scene().picture.bars, app.value("m"), &PlanBar::value);
    const QPointF there(plan->viewport().xOf(double(bar.steps.begin) + 0.5),
                        plan->viewport().yOf(double(stackedBytes(plan->scene().picture, bar).begin) + 1));

    QCOMPARE(shared(menuAt(app.canvas("plan"), there.toPoint())), everywhere);
    QCOMPARE(app.focus().value, bar.value);
    QCOMPARE(app.focus().step, bar.steps.begin);
    for (const char* view : {"live", "graph"}) {
        app.window.showView(QString::fromLatin1(view));
        QCOMPARE(shared(menuAt(app.canvas(view), app.canvas(view)->rect().center())), everywhere);
    }
}

void WindowSelectionTest::theMenuKeyLeavesTheSelection()
{
    Opened app;
    QVERIFY(app.ready());
    app.bench.selection.pick(Focus::on(app.value("m")));
    QCOMPARE(shared(menuAt(app.canvas("plan"), {1, 1}, QContextMenuEvent::Keyboard)), selectionMenu(app));
    QCOMPARE(app.focus().value, app.value("m"));
}

void WindowSelectionTest::rowsOffersCopyingBeside()
{
    Opened app;
    QVERIFY(app.ready());
    for (const char* id : {"values", "nodes", "storages", "holes"}) {
        app.window.showView(QString::fromLatin1(id));
        QTableView* table = app.window.panes().tables[QString::fromLatin1(id)]->view();
        QTRY_VERIFY(!table->visibleRegion().isEmpty());
        const QStringList texts = menuAt(table->viewport(), table->visualRect(table->model()->index(0, 0)).center());
        QCOMPARE(shared(texts), selectionMenu(app));
        QCOMPARE(texts.first(), QStringLiteral("Copy row"));
    }
    FactView* facts = app.window.panes().inspector->view();
    const QStringList texts = menuAt(facts->viewport(), {30, 30});
    QCOMPARE(texts.first(), QStringLiteral("Copy row"));
    for (const char* id : {"edit.copy-csv", "edit.copy-markdown", "file.table"})
        QVERIFY2(texts.contains(app.action(id)->text()), id);
    QCOMPARE(shared(texts), selectionMenu(app));
}

void WindowSelectionTest::whatIsCopied()
{
    Opened app;
    QVERIFY(app.ready());
    const auto copied = [&](const char* id) {
        app.action(id)->trigger();
        return QGuiApplication::clipboard()->text();
    };
    app.bench.selection.pick(Focus::on(app.value("m")));
    QCOMPARE(copied("pick.copy-name"), QStringLiteral("m"));
    const PlannedValue& planned = app.bench.session.report()->program.values[app.value("m").index()];
    const Interval bytes {planned.offset, planned.offset + planned.requiredBytes};
    QCOMPARE(copied("pick.copy-address"), QStringLiteral("[0x%1, 0x%2), steps [%3, %4)")
                                              .arg(bytes.begin, 0, 16)
                                              .arg(bytes.end, 0, 16)
                                              .arg(planned.live.hull().begin)
                                              .arg(planned.live.hull().end));
    app.canvas("plan")->setFocus(); // the table in sight has no row of it
    QVERIFY2(copied("pick.copy-exact").startsWith(QStringLiteral("m\t")), qPrintable(copied("pick.copy-exact")));
}

void WindowSelectionTest::itsBytesCanBeSelected()
{
    Opened app;
    QVERIFY(app.ready());
    app.bench.selection.pick(Focus::on(app.value("m")));
    app.action("pick.bytes")->trigger();

    const PlannedValue& planned = app.bench.session.report()->program.values[app.value("m").index()];
    QVERIFY(!app.focus().onThing());
    QCOMPARE(app.focus().area.bytes, (Interval {planned.offset, planned.offset + planned.requiredBytes}));
    QCOMPARE(app.focus().area.steps, planned.live.hull());
    app.action("go.back")->trigger();
    QCOMPARE(app.focus().value, app.value("m"));
}

void WindowSelectionTest::itIsShownInItsTable()
{
    Opened app;
    QVERIFY(app.ready());
    app.bench.selection.pick(Focus::on(app.value("m")));
    app.action("pick.table")->trigger();

    const TablePane* values = app.window.panes().tables[QStringLiteral("values")];
    QTRY_VERIFY(values->view()->isVisible());
    QCOMPARE(values->pickedAsText().section(u'\t', 0, 0), QStringLiteral("m"));
    const QTableView* view = values->view();
    QTRY_VERIFY(view->viewport()->rect().contains(view->visualRect(view->currentIndex()).center()));
    app.action("pick.graph")->trigger();
    QVERIFY(app.canvas("graph")->isVisible());
}

void WindowSelectionTest::whatCannotBeDoneIsNotOffered()
{
    Opened app;
    QVERIFY(app.ready());
    for (const char* id : {"pick.plan", "pick.table", "pick.bytes", "pick.copy-name", "pick.copy-address"})
        QVERIFY2(!app.action(id)->isEnabled(), id);
    app.bench.selection.pick(Focus::on(app.value("x"))); // of the caller: it lies in no arena
    QVERIFY(app.action("pick.copy-name")->isEnabled());
    QVERIFY(!app.action("pick.copy-address")->isEnabled());
    QVERIFY(!app.action("pick.copy-source")->isEnabled()); // an input was not made
    QVERIFY(app.window.select(QStringLiteral("0x100")));
    QVERIFY(app.action("pick.copy-address")->isEnabled());
    QVERIFY(!app.action("pick.table")->isEnabled()); // bytes are in no table
}

void WindowSelectionTest::theSourceIsOpenedWhereItIsAtHand()
{
    QTemporaryDir folder;
    const auto write = [&](const char* name, const char* text) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
    };
    QVERIFY(write("model.py", "pass\n"));
    QVERIFY(write("graph.json",
                  R"({"schema": "plimsoll.graph/1", "inputs": [{"name": "x", "dtype": "float32", "shape": [4]}],
        "nodes": [{"name": "n0", "op": "Relu", "inputs": ["x"], "outputs": ["a"], "source": "model.py:12 in f"},
                  {"name": "n1", "op": "Neg", "inputs": ["a"], "outputs": ["b"], "source": "gone.py:3"},
                  {"name": "n2", "op": "Exp", "inputs": ["b"], "outputs": ["c"], "source": "run.desktop:1"}],
        "outputs": ["c"]})"));
    QVERIFY(write("run.desktop", "[Desktop Entry]\n"));
    Editor editor;
    Opened app(folder.filePath(QStringLiteral("graph.json")));
    QVERIFY(app.ready());
    app.bench.selection.pick(Focus::on(app.value("a")));
    QVERIFY(app.action("pick.source")->isEnabled());
    app.action("pick.source")->trigger();
    QCOMPARE(editor.opened, QDir(folder.path()).absoluteFilePath(QStringLiteral("model.py")));

    app.bench.selection.pick(Focus::on(app.value("b")));
    QVERIFY(!app.action("pick.source")->isEnabled());
    QVERIFY(app.action("pick.copy-source")->isEnabled());
    app.action("pick.copy-source")->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("gone.py:3"));
    app.bench.selection.pick(Focus::on(app.value("c")));
    QVERIFY(!app.action("pick.source")->isEnabled()); // no program text: a desktop might run it
}

void WindowSelectionTest::theStepIsToldWhateverIsPicked()
{
    Opened app;
    QVERIFY(app.ready());
    const StepPanel* panel = app.window.panes().inspector->step();
    app.bench.selection.setStep(12);
    QVERIFY(panel->isHidden()); // the inspector itself says it

    for (const Focus& focus :
         {Focus::on(app.value("m")), Focus::on(StorageId(17)), Focus::on(PlanArea {ArenaId(0), {0, 64}})}) {
        app.bench.selection.pick(focus);
        QVERIFY(panel->isVisible());
        const QString told = panel->view()->facts().asText();
        QVERIFY2(told.startsWith(QStringLiteral("step 12\n\nAt this step\n  Runs: ")), qPrintable(told));
        QVERIFY2(told.contains(QStringLiteral("\n  Reads: ")) && told.contains(QStringLiteral("\n  Live: ")),
                 qPrintable(told));
    }
    app.bench.selection.setStep(13);
    QVERIFY(panel->view()->facts().asText().startsWith(QStringLiteral("step 13\n")));
    app.bench.selection.setStep(-1);
    QVERIFY(panel->isHidden());
}

void WindowSelectionTest::arrowsInTheStepPanelMoveTheStep()
{
    Opened app;
    QVERIFY(app.ready());
    app.bench.selection.pick({.value = app.value("m"), .step = 12});
    StepPanel* panel = app.window.panes().inspector->step();

    QTest::keyClick(panel->view(), Qt::Key_Right);
    QTest::keyClick(panel->view(), Qt::Key_Right);
    QTest::keyClick(panel->view(), Qt::Key_Left);
    QCOMPARE(app.focus().step, 13);
    auto* before = panel->findChildren<QToolButton*>().first();
    QCOMPARE(before->accessibleName(), QStringLiteral("Previous step"));
    QTRY_VERIFY(before->height() > 0);
    QTest::mouseClick(before, Qt::LeftButton);
    QCOMPARE(app.focus().step, 12);
    app.bench.selection.setStep(0);
    QTest::keyClick(panel->view(), Qt::Key_Left); // there is none before
    QCOMPARE(app.focus().step, 0);
    QCOMPARE(app.focus().value, app.value("m"));
}

QTEST_MAIN(WindowSelectionTest)
#include "tst_window_selection.moc"
