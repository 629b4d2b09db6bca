#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "app/window/panes/inspector_pane.h"
#include "app/window/panes/table_pane.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

constexpr const char* Diamond = R"({
  "schema": "plimsoll.graph/1", "name": "diamond",
  "inputs": [{"name": "x", "dtype": "float32", "shape": [16]}],
  "nodes": [{"name": "n0", "op": "Neg", "inputs": ["x"], "outputs": ["a"]},
            {"name": "n1", "op": "Tanh", "inputs": ["x"], "outputs": ["b"]},
            {"name": "n2", "op": "Sin", "inputs": ["b"], "outputs": ["c"]},
            {"name": "n3", "op": "Add", "inputs": ["a", "c"], "outputs": ["d"]}],
  "outputs": ["d"]
})";

/// c over the upper half of a.
constexpr const char* Damaged =
    R"({"schema": "plimsoll.plan/1", "graph": null, "arenas": [{"space": "cpu", "bytes": 256, "alignment": 32}],
  "allocations": [{"value": "a", "offset": 0, "bytes": 64}, {"value": "b", "offset": 128, "bytes": 64},
                  {"value": "c", "offset": 32, "bytes": 64}, {"value": "d", "offset": 192, "bytes": 64}], "steps": null})";

/// The window on the diamond under the damaged plan, with a real plimsoll-cli behind it.
struct Opened : test::OpenWindow
{
    QTemporaryDir folder;

    Opened()
    {
        bench.costs.setEnabled(false);
        bench.run.setProgram(QStringLiteral(PLIMSOLL_CLI));
        bench.bisect.setProgram(QStringLiteral(PLIMSOLL_CLI));
        window.resize(1500, 1000);
        window.show();
        Choices choices = initialChoices();
        (void)choices.setPolicy("backend", "captured");
        bench.session.open(write("diamond.json", Diamond), choices, write("damaged.json", Damaged));
    }
    [[nodiscard]] QString write(const char* name, const char* text) const
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(text);
        return file.fileName();
    }
    [[nodiscard]] QAction* action(const char* id) const { return window.actions().at(id); }
    [[nodiscard]] QTableView* findings() const
    {
        return window.panes().tables.value(QStringLiteral("findings"))->view();
    }
    [[nodiscard]] QString finding(int row) const { return findings()->model()->index(row, 1).data().toString(); }
    /// The button of an action beside what the inspector says of a finding.
    [[nodiscard]] QToolButton* mend(const char* id) const
    {
        for (auto* button : window.panes().inspector->findChildren<QToolButton*>())
            if (button->defaultAction() == action(id)) return button;
        return nullptr;
    }
    [[nodiscard]] std::int64_t offsetOf(const char* value) const
    {
        const PlannedProgram& program = bench.session.report()->program;
        return program.values[findValue(*program.graph, value).index()].offset;
    }
    /// In place of the command line: never ends by itself.
    [[nodiscard]] QString sleeper() const
    {
        const QString file = write("sleeper", "#!/bin/sh\nexec sleep 60\n");
        QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file;
    }
    [[nodiscard]] std::size_t errors() const { return countFindings(*bench.session.report(), Severity::Error); }
};

} // namespace

/// A plan that goes wrong: run, bisected, mended.
class WindowMendTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void aMismatchStandsInTheFindings();
    void bisectingPicksTheGuiltyPair();
    void bisectingIsCancelled();
    void theMendIsAButton();
    void onlyFindingsOfferMends();
};

void WindowMendTest::aMismatchStandsInTheFindings()
{
    Opened app;
    QVERIFY(app.ready());
    const int judged = app.findings()->model()->rowCount();
    const auto shown = app.window.panes().pictures->current()->report();
    app.action("run.start")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);
    const int all = judged + 2; // d was computed from it
    QCOMPARE(app.findings()->model()->rowCount(), all);
    QVERIFY2(app.finding(0).startsWith(QStringLiteral("By the run: 'a' is wrong at step 3 (node 'n3'): ")),
             qPrintable(app.finding(0)));
    QVERIFY(app.window.panes().pictures->current()->report() != shown);
    QVERIFY(app.child<QToolButton>("findingsButton")->text().startsWith(QString::number(all)));
    app.findings()->selectRow(0);
    QCOMPARE(app.bench.selection.focus().finding, 0);
    QCOMPARE(app.bench.selection.step(), 2);
    app.action("edit.clear")->trigger();
    app.action("file.own-plan")->trigger();
    QVERIFY(app.ready());
    QTRY_COMPARE(app.errors(), std::size_t(0));
}

void WindowMendTest::bisectingPicksTheGuiltyPair()
{
    Opened app;
    QVERIFY(app.ready());
    app.window.showView(QStringLiteral("run"));
    app.child<QPushButton>("runBisect")->click();
    QVERIFY(!app.action("run.start")->isEnabled() && app.action("run.cancel")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.bisection(), 20000);
    QVERIFY2(app.finding(0).startsWith(QStringLiteral("By bisecting: 'a' and 'c' meet in [32, 64) of arena cpu: ")),
             qPrintable(app.finding(0)));
    QCOMPARE(app.bench.selection.focus().finding, 0);
    QVERIFY(app.child<QLabel>("runHeadline")->text().startsWith(QStringLiteral("1 culprit found by ")));
    QVERIFY(app.child<QLabel>("runFacts")->text().startsWith(QStringLiteral("'a' and 'c' meet in [32, 64)")));
    QVERIFY(app.action("run.start")->isEnabled());
}

void WindowMendTest::bisectingIsCancelled()
{
    Opened app;
    QVERIFY(app.ready());
    app.bench.bisect.setProgram(app.sleeper());
    app.action("run.bisect")->trigger();
    QVERIFY(app.bench.bisect.running());
    app.action("run.cancel")->trigger();
    QVERIFY(!app.bench.runs());
    QCOMPARE(app.child<QLabel>("runHeadline")->text(), QStringLiteral("Cancelled."));
    QVERIFY(app.action("run.bisect")->isEnabled());
}

void WindowMendTest::theMendIsAButton()
{
    Opened app;
    QVERIFY(app.ready());
    QVERIFY(app.errors() > 0);
    QVERIFY(!app.mend("pick.apart")->isVisible());
    app.action("run.start")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(app.bench.session.run(), 20000);
    app.action("go.next-finding")->trigger();
    QTest::qWait(0);
    QVERIFY(app.mend("pick.apart")->isVisible() && app.mend("file.own-plan")->isVisible());
    QTest::mouseClick(app.mend("pick.apart"), Qt::LeftButton);
    QTRY_COMPARE(app.errors(), std::size_t(0));
    QVERIFY(app.ready());
    QCOMPARE(app.offsetOf("c"), 256);
    app.action("edit.undo")->trigger();
    QTRY_VERIFY(app.errors() > 0);
}

void WindowMendTest::onlyFindingsOfferMends()
{
    Opened app;
    QVERIFY(app.ready());
    app.action("file.own-plan")->trigger();
    QTRY_VERIFY(app.bench.session.report()->program.ownPlan);
    QVERIFY(!app.mend("file.own-plan")->isVisible());
    app.bench.selection.pick(Focus::on(ValueId(1)));
    QVERIFY(!app.action("pick.apart")->isEnabled());
    QVERIFY(!app.mend("pick.apart")->isVisible());
}

QTEST_MAIN(WindowMendTest)
#include "tst_window_mend.moc"
