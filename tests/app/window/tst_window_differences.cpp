#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/main_window.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

struct Opened : test::OpenWindow
{
    Opened()
    {
        bench.costs.setEnabled(false);
        window.resize(1400, 900);
        window.show();
        window.open(test::exampleFile(QStringLiteral("mobile-chain.json")));
    }
    void act(const char* id) const { window.actions().at(id)->trigger(); }
    bool change(const char* policy, const char* value)
    {
        const auto before = bench.session.report();
        return bench.session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok() &&
               QTest::qWaitFor([&] { return bench.session.report() != before && window.settled(); }, 20000);
    }
    const std::vector<GhostBar>& ghost() const { return child<PlanCanvas>("plan")->ghost(); }
};

} // namespace

class WindowDifferencesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void theSelectionGoesFromDifferenceToDifference()
    {
        Opened app;
        QVERIFY(app.ready());
        app.act("go.next-difference");
        QVERIFY(app.window.statusBar()->currentMessage().contains(QStringLiteral("no plan before")));
        QVERIFY(app.change("outputs", "external"));
        QVERIFY(app.change("inplace", "off"));
        app.act("go.next-difference");
        const Focus first = app.bench.selection.focus();
        QVERIFY(first.picked());
        app.act("go.next-difference");
        const Focus second = app.bench.selection.focus();
        app.act("go.previous-difference");
        QVERIFY(app.bench.selection.focus().samePick(first) || second.samePick(first));
    }

    void thePlanBeforeStaysOutlined()
    {
        Opened app;
        QVERIFY(app.ready());
        app.act("view.keep-ghost");
        QVERIFY(app.ghost().empty()); // there is none
        QVERIFY(app.change("placement", "no-reuse"));
        QTRY_VERIFY(!app.ghost().empty());
        const auto moved = std::ranges::count_if(app.ghost(), [](const GhostBar& bar) { return bar.is.has_value(); });
        QVERIFY(moved > 0);
        for (const GhostBar& bar : app.ghost())
            QVERIFY(!bar.is || *bar.is != bar.was);
        app.child<PlanCanvas>("plan")->clearFocus();
        QVERIFY(!app.ghost().empty());
        app.act("view.keep-ghost");
        QVERIFY(app.ghost().empty());
    }

    void whatIsNoMoreHasNoArrow()
    {
        Opened app;
        QVERIFY(app.ready());
        app.act("view.keep-ghost");
        QVERIFY(app.change("outputs", "external")); // its storage leaves the arena
        QTRY_VERIFY(!app.ghost().empty());
        QVERIFY(std::ranges::any_of(app.ghost(), [](const GhostBar& bar) { return !bar.is.has_value(); }));
    }
};

QTEST_MAIN(WindowDifferencesTest)
#include "tst_window_differences.moc"
