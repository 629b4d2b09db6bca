#include "app/session/workbench.h"
#include "app/views/plan/plan_canvas.h"
#include "app/window/exporting.h"
#include "app/window/main_window.h"
#include "app/window/views/canvas_tabs.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A plan that places nothing twice, and the one before.
struct Opened : test::OpenWindow
{
    Opened()
    {
        bench.costs.setEnabled(false);
        window.resize(1400, 1000);
        window.show();
        window.open(test::exampleFile(QStringLiteral("mobile-chain.json")));
    }
    [[nodiscard]] bool change(const char* policy, const char* value)
    {
        const auto before = bench.session.report();
        return bench.session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok() &&
               QTest::qWaitFor([&] { return bench.session.report() != before && window.settled(); }, 20000);
    }
    [[nodiscard]] bool beside()
    {
        if (!ready() || !change("placement", "no-reuse")) return false;
        window.actions().at("view.side-by-side")->trigger();
        return QTest::qWaitFor([&] { return window.settled(); }, 20000);
    }
    [[nodiscard]] PlanCanvas& now() const { return *child<PlanCanvas>("plan"); }
    [[nodiscard]] PlanCanvas& other() const { return *child<PlanCanvas>("otherPlan"); }
    [[nodiscard]] std::string nameIn(const PlanCanvas& canvas) const
    {
        const ValueId value = canvas.selection().value;
        return value.valid() ? (*canvas.report()->program.graph)[value].name : std::string();
    }
    /// What one byte takes, in pixels.
    static double scale(const PlanCanvas& canvas) { return canvas.viewport().pixelsPerByte(); }
};

bool sameView(const PlanCanvas& one, const PlanCanvas& two)
{
    return one.viewport().steps == two.viewport().steps && one.viewport().bytes == two.viewport().bytes;
}

/// In the middle of the largest bar.
QPoint largestIn(const PlanCanvas& canvas)
{
    const PlanPicture& picture = canvas.scene().picture;
    const auto area = [&](const PlanBar& bar) { return bar.steps.length() * stackedBytes(picture, bar).length(); };
    const PlanBar& bar = *std::ranges::max_element(picture.bars, {}, area);
    return canvas.viewport().rectOf(bar.steps, stackedBytes(picture, bar)).center().toPoint();
}

} // namespace

/// The plan and what it is compared with, side by side.
class PlanPairTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }

    void thePlanBeforeStandsAboveByOneScale()
    {
        Opened app;
        QVERIFY(app.beside());
        QVERIFY(app.other().isVisible());
        QVERIFY(app.other().geometry().bottom() < app.now().geometry().top());
        QVERIFY(app.other().report() == app.bench.session.previousReport());
        QVERIFY(app.other().world().height() < app.now().world().height());
        QVERIFY(sameView(app.other(), app.now()));
        QVERIFY(std::abs(Opened::scale(app.other()) / Opened::scale(app.now()) - 1) < 0.02);
        QCOMPARE(app.other().viewport().xOf(3), app.now().viewport().xOf(3));
        QCOMPARE(app.other().scene().caption, QStringLiteral("Before"));
        QCOMPARE(app.now().scene().caption, QStringLiteral("Now"));
        app.window.resize(1366, 768);
        QVERIFY(sameView(app.other(), app.now()));
        QVERIFY(app.other().regions().curve.height() > 0 && app.now().regions().curve.height() > 0);
        QVERIFY(std::abs(Opened::scale(app.other()) / Opened::scale(app.now()) - 1) < 0.03);
        app.window.actions().at("view.side-by-side")->trigger();
        QVERIFY(!app.other().isVisible());
        QVERIFY(!app.other().report());
        QCOMPARE(app.now().scene().caption, QString());
        QCOMPARE(app.now().viewport().worldBytes, app.now().world().height());
    }

    void thePlanAboveIsNoGhostBelow()
    {
        Opened app;
        QVERIFY(app.ready() && app.change("placement", "no-reuse"));
        if (!app.window.actions().at("view.keep-ghost")->isChecked())
            app.window.actions().at("view.keep-ghost")->trigger();
        QVERIFY(!app.now().ghost().empty());
        app.window.actions().at("view.side-by-side")->trigger();
        QVERIFY(app.ready() && app.other().isVisible());
        QVERIFY(app.now().ghost().empty());
        app.window.actions().at("view.side-by-side")->trigger();
        QVERIFY(!app.now().ghost().empty());
    }

    void eitherMovesTheOther()
    {
        Opened app;
        QVERIFY(app.beside());
        const AxisWindow all = app.now().viewport().steps;
        for (PlanCanvas* moved : {&app.now(), &app.other()}) {
            const AxisWindow before = moved->viewport().steps;
            moved->setFocus();
            QTest::keyClick(moved, Qt::Key_W);
            QTest::keyClick(moved, Qt::Key_W, Qt::ShiftModifier);
            QTest::keyClick(moved, Qt::Key_D);
            QVERIFY(moved->viewport().steps != before);
            QVERIFY(sameView(app.other(), app.now()));
        }
        QVERIFY(app.now().viewport().steps != all);
        QTest::keyClick(&app.other(), Qt::Key_Home);
        QVERIFY(sameView(app.other(), app.now()));
        QCOMPARE(app.now().viewport().steps, all);
        QTest::keyClick(&app.other(), Qt::Key_BracketRight);
        QTest::keyClick(&app.other(), Qt::Key_BracketRight);
        QCOMPARE(app.other().selection().step, app.now().selection().step);
        QCOMPARE(app.bench.selection.step(), app.now().selection().step);
        app.window.actions().at("view.compact-steps")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return app.window.settled(); }, 20000));
        QVERIFY(app.now().viewport().places);
        QVERIFY(app.now().viewport().places == app.other().viewport().places);
        QVERIFY(sameView(app.other(), app.now()));
    }

    void whatIsPickedInOneIsPickedInBoth()
    {
        Opened app;
        QVERIFY(app.beside());
        for (PlanCanvas* clicked : {&app.other(), &app.now()}) {
            app.bench.selection.clear();
            QTest::mouseClick(clicked, Qt::LeftButton, {}, largestIn(*clicked));
            QVERIFY(!app.nameIn(app.now()).empty());
            QCOMPARE(app.nameIn(app.other()), app.nameIn(app.now()));
            QVERIFY(app.bench.selection.focus().samePick(app.now().selection()));
            QVERIFY(!app.other().selectedWorld().isNull());
        }
    }

    void differencesAreFramedInBoth()
    {
        Opened app;
        QVERIFY(app.beside());
        QVERIFY(app.change("inplace", "off"));
        for (int tried = 0; tried < 20 && (tried == 0 || app.other().selectedWorld().isNull()); ++tried)
            app.window.actions().at("go.next-difference")->trigger(); // of some the other one has no bytes
        QVERIFY(sameView(app.other(), app.now()));
        for (const PlanCanvas* canvas : {&app.other(), &app.now()}) {
            const QRectF world = canvas->selectedWorld();
            QVERIFY(!world.isNull());
            const PlanViewport& view = canvas->viewport();
            QVERIFY(view.bytes.first <= world.top() && view.bytes.last() >= world.bottom());
            QVERIFY(view.steps.first <= world.left() && view.steps.last() >= world.right());
        }
    }

    void itGoesWithTheComparison()
    {
        Opened app;
        QVERIFY(app.beside());
        const auto before = app.other().report();
        QVERIFY(app.change("placement", "best"));
        QVERIFY(app.other().report() != before);
        QVERIFY(sameView(app.other(), app.now()));
        app.window.actions().at("edit.undo")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return app.window.settled(); }, 20000));
        QVERIFY(app.other().report() == app.bench.session.comparison().shown().other);
        app.bench.session.close();
        QVERIFY(!app.other().report());
        app.window.open(test::exampleFile(QStringLiteral("residual-block.json")));
        QVERIFY(app.ready());
        QVERIFY(!app.other().isVisible()); // there is nothing before
        QCOMPARE(app.now().scene().caption, QString());
    }

    void theOneWithTheKeyboardIsExported()
    {
        Opened app;
        QVERIFY(app.beside());
        app.other().setFocus();
        QVERIFY(app.window.panes().shownPicture() == &app.other());
        app.now().setFocus();
        QVERIFY(app.window.panes().shownPicture() == &app.now());
    }
};

QTEST_MAIN(PlanPairTest)
#include "tst_plan_pair.moc"
