#include "app/session/workbench.h"
#include "app/views/live_range_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "app/views/search_canvas.h"
#include "app/window/command_line.h"
#include "app/window/main_window.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"
#include "tests/support/random_table.h"

#include <QAction>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A window on a table of buffers.
struct Opened : test::OpenWindow
{
    QTemporaryDir folder;
    explicit Opened(const std::string& table, Choices choices = initialChoices())
        : OpenWindow(test::unsearchingEngine())
    {
        bench.costs.setEnabled(false);
        QFile file(folder.filePath(QStringLiteral("table.csv")));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no table");
        file.write(QByteArray::fromStdString(table));
        file.close();
        window.show();
        bench.session.open(file.fileName(), std::move(choices));
    }
    PlanCanvas* plan() const
    {
        return qobject_cast<PlanCanvas*>(window.panes().pictures->canvas(QStringLiteral("plan")));
    }
};

} // namespace

class WindowSearchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void searchingLongerLowersThePlanThatIsShown();
    void aTableIsPlannedAsItsRowsSay();
    void anAlignmentThatIsNamedHoldsForTablesToo();
    void aTableWithOffsetsIsJudgedFirst();
    void aHoleThatIsPickedIsShownInThePlan();
    void holesAreOutlinedByKey();
    void quietStepsAreNarrowInAllPictures();
    void thatQuietStepsAreNarrowIsKept();
};

void WindowSearchTest::searchingLongerLowersThePlanThatIsShown()
{
    Opened app(test::zeroSlackTable(600, 1));
    QVERIFY(app.ready());
    const std::int64_t first = app.plan()->scene().picture.peakBytes;
    const auto* canvas = app.child<SearchCanvas>("searchCanvas");
    QVERIFY(canvas->record()); // of the plan that was there at once
    QVERIFY(app.window.actions().at("search.start")->isEnabled());

    app.window.actions().at("search.start")->trigger();
    QVERIFY(app.window.actions().at("search.stop")->isEnabled());
    QVERIFY(app.child<QDockWidget>("search")->isVisible());
    QTRY_VERIFY(app.plan()->scene().picture.peakBytes < first);
    app.window.actions().at("search.stop")->trigger();
    QTRY_VERIFY(!app.bench.search.running());

    QCOMPARE(app.plan()->scene().picture.peakBytes, app.bench.session.report()->memory.peakBytes);
    QVERIFY(!app.child<QPushButton>("searchStop")->isVisible());
    QCOMPARE(canvas->record()->history.back().peakBytes, app.bench.session.report()->memory.peakBytes);
}

void WindowSearchTest::aTableIsPlannedAsItsRowsSay()
{
    Opened app("id,lower,upper,size,alignment,gaps\na,0,9,10,,3-6\nb,0,9,10,96,\nc,3,6,9,,\n");
    QVERIFY(app.ready());

    QCOMPARE(app.bench.session.choices().policies.alignment, 1);
    QVERIFY(!app.bench.session.canUndo());
    QCOMPARE(app.bench.session.report()->memory.peakBytes, 20);
    QVERIFY(app.bench.session.report()->verdict.findings.empty());
}

void WindowSearchTest::anAlignmentThatIsNamedHoldsForTablesToo()
{
    const auto line = parseCommandLine({QStringLiteral("-p"), QStringLiteral("alignment=64")});
    QVERIFY(line.ok());
    Opened app("id,lower,upper,size\na,0,9,10\nb,0,9,10\n", line.value().choices);
    QVERIFY(app.ready());

    QCOMPARE(app.bench.session.choices().policies.alignment, 64);
    QCOMPARE(app.bench.session.report()->memory.peakBytes, 128);
}

void WindowSearchTest::aTableWithOffsetsIsJudgedFirst()
{
    Opened app("id,lower,upper,size,offset\na,0,9,10,0\nb,0,9,10,5\n");
    QVERIFY(app.ready());

    QVERIFY(!app.bench.session.report()->program.ownPlan);
    QVERIFY(countFindings(*app.bench.session.report(), Severity::Error) > 0);
    QVERIFY(!app.window.actions().at("search.start")->isEnabled());
    app.window.actions().at("file.own-plan")->trigger();
    QTRY_VERIFY(app.bench.session.report()->program.ownPlan);
    QCOMPARE(app.bench.session.report()->memory.peakBytes, 20);
}

void WindowSearchTest::aHoleThatIsPickedIsShownInThePlan()
{
    Opened app("id,lower,upper,size,offset\na,0,4,10,0\nb,0,9,10,10\nc,4,9,4,0\n");
    QVERIFY(app.ready());
    app.window.showView(QStringLiteral("holes"));
    auto* table = app.child<QTableView>("holesView");
    QCOMPARE(table->model()->rowCount(), 1);

    table->selectRow(0);

    QCOMPARE(app.bench.selection.focus().hole, 0);
    QCOMPARE(app.plan()->scene().emphasis.hole, 0);
    QCOMPARE(app.child<QLabel>("inspectorTitle")->text(), QStringLiteral("1"));
    QVERIFY(app.window.panes().inspector->asText().contains(QStringLiteral("b")));
}

void WindowSearchTest::holesAreOutlinedByKey()
{
    Opened app("id,lower,upper,size,offset\na,0,4,10,0\nb,0,9,10,10\nc,4,9,4,0\n");
    QVERIFY(app.ready());
    QAction* action = app.window.actions().at("view.show-holes");

    QTest::keyClick(app.plan(), Qt::Key_H);
    QVERIFY(app.plan()->scene().showHoles);
    QVERIFY(action->isChecked());
    action->trigger();

    QVERIFY(!app.plan()->scene().showHoles);
}

void WindowSearchTest::quietStepsAreNarrowInAllPictures()
{
    Opened app("id,lower,upper,size,offset\na,0,4,10,0\nb,0,9,10,10\nc,4,9,4,0\n");
    QVERIFY(app.ready());
    const auto* live = qobject_cast<LiveRangeCanvas*>(app.window.panes().pictures->canvas(QStringLiteral("live")));
    QVERIFY(!app.plan()->viewport().places && !live->viewport().places);

    app.window.actions().at("view.compact-steps")->trigger();

    QVERIFY(app.plan()->viewport().places && live->viewport().places);
}

void WindowSearchTest::thatQuietStepsAreNarrowIsKept()
{
    const QTemporaryDir folder;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    const auto checkedIn = [](bool choose) {
        const Settings settings(true);
        Workbench bench(test::unsearchingEngine());
        const MainWindow window(bench, settings);
        QAction* action = window.actions().at("view.compact-steps");
        if (choose) action->setChecked(true);
        return action->isChecked();
    };
    QVERIFY(!checkedIn(false));
    QVERIFY(checkedIn(true));
    QVERIFY(checkedIn(false));
}

QTEST_MAIN(WindowSearchTest)
#include "tst_window_search.moc"
