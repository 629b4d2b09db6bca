#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    Opened()
    {
        bench.costs.setEnabled(false);
        window.show();
        window.open(test::exampleFile(QStringLiteral("mobile-chain.json")));
    }
    void act(const char* id) const { window.actions().at(id)->trigger(); }
    std::int64_t step() const { return bench.selection.step(); }
    std::int64_t lastStep() const { return bench.session.report()->program.schedule.length() - 1; }
    /// A step stop, and nothing selected afterwards.
    void stopAt(std::int64_t at)
    {
        bench.selection.pick(Focus::atStep(at));
        act("go.stop-here");
    }
    QStringList listed() const
    {
        QAction* stop = window.actions().at("go.stop-here");
        QStringList found;
        for (QObject* shown : stop->associatedObjects()) {
            auto* menu = qobject_cast<QMenu*>(shown);
            if (!menu) continue;
            Q_EMIT menu->aboutToShow();
            for (const QAction* entry : menu->findChildren<QAction*>(QStringLiteral("stop")))
                found << entry->text();
        }
        return found;
    }
};

} // namespace

class WindowStopsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void theCursorGoesFromStopToStop()
    {
        Opened app;
        QVERIFY(app.ready());
        app.act("go.next-stop");
        QVERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("no stops")));
        app.stopAt(4);
        app.stopAt(9);
        app.bench.selection.setStep(0);
        app.act("go.next-stop");
        QCOMPARE(app.step(), 4);
        app.act("go.next-stop");
        QCOMPARE(app.step(), 9);
        app.act("go.next-stop");
        QCOMPARE(app.step(), 9);
        QVERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("behind this step")));
        app.act("go.previous-stop");
        QCOMPARE(app.step(), 4);
        app.act("go.stop-here"); // taken away
        app.bench.selection.setStep(0);
        app.act("go.next-stop");
        QCOMPARE(app.step(), 9);
        app.act("go.no-stops");
        QVERIFY(app.bench.selection.stops().empty());
    }

    void playingEndsAtAStopAndAtTheLastStep()
    {
        Opened app;
        QVERIFY(app.ready());
        app.stopAt(2);
        app.bench.selection.setStep(0);
        QAction* play = app.window.actions().at("go.play");
        app.act("go.play");
        QVERIFY(play->isChecked());
        QTRY_VERIFY(!play->isChecked());
        QCOMPARE(app.step(), 2);
        app.bench.selection.setStep(app.lastStep() - 1);
        app.act("go.play");
        QTRY_VERIFY(!play->isChecked());
        QCOMPARE(app.step(), app.lastStep());
        app.act("go.play"); // from the beginning
        QCOMPARE(app.step(), 0);
        app.act("go.play");
        QVERIFY(!play->isChecked());
    }

    void theMenuListsThemAndGoesThere()
    {
        Opened app;
        QVERIFY(app.ready());
        const Graph& graph = *app.bench.session.report()->program.graph;
        app.bench.selection.pick(Focus::on(findValue(graph, "block0.depthwise.act")));
        app.act("go.stop-here");
        app.bench.selection.clear();
        QCOMPARE(app.listed(), QStringList {QStringLiteral("block0.depthwise.act")});
    }

    void theyAreMarkedOnTheRulerOfThePlan()
    {
        Opened app;
        QVERIFY(app.ready());
        const Graph& graph = *app.bench.session.report()->program.graph;
        app.bench.selection.pick(Focus::on(findValue(graph, "block0.depthwise.act")));
        app.act("go.stop-here");
        app.bench.selection.clear();
        app.stopAt(9);
        app.bench.selection.clear();
        app.bench.selection.setStep(0);
        auto* plan = app.child<PlanCanvas>("plan");
        QVERIFY2(plan->accessibleDescription().endsWith(QStringLiteral(": block0.depthwise.act. Stop at step 9: 9.")),
                 qPrintable(plan->accessibleDescription()));
        const QRectF ruler = plan->regions().ruler;
        const QPoint dot(qRound(plan->viewport().xOf(9)), qRound(ruler.bottom()) - 5);
        QSignalSpy said(plan, &Canvas::hovered);
        QTest::mouseMove(plan, dot + QPoint(0, 1));
        QTRY_COMPARE(said.value(said.size() - 1).value(0).toString(), QStringLiteral("Stop at step 9: 9"));
        QTest::mouseClick(plan, Qt::LeftButton, {}, dot - QPoint(3, 0));
        QCOMPARE(app.step(), 9);
        plan->setStops({{2, QStringLiteral("of many steps")}});
        const QPoint beside(qRound(plan->viewport().xOf(2)) - 6, qRound(ruler.bottom()) - 5);
        QTest::mouseClick(plan, Qt::LeftButton, {}, beside);
        QCOMPARE(app.step(), 2);
        app.act("go.no-stops");
        QVERIFY(!plan->accessibleDescription().contains(QStringLiteral("Stop at")));
    }

    void anotherPlanKeepsThem()
    {
        Opened app;
        QVERIFY(app.ready());
        const Graph& graph = *app.bench.session.report()->program.graph;
        app.bench.selection.pick(Focus::on(findValue(graph, "block0.depthwise.act")));
        app.act("go.stop-here");
        app.stopAt(3);
        QVERIFY(app.bench.session.setPolicy(QStringLiteral("inplace"), QStringLiteral("off")).ok());
        QVERIFY(app.ready());
        QCOMPARE(app.bench.selection.stops().size(), std::size_t {2});
        app.bench.session.close();
        QVERIFY(app.bench.selection.stops().empty());
    }
};

QTEST_MAIN(WindowStopsTest)
#include "tst_window_stops.moc"
