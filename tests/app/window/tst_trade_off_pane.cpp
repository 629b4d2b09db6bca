#include "app/views/trade_off_canvas.h"
#include "app/window/panes/plots/trade_off_pane.h"
#include "app/window/panes/table_pane.h"
#include "tests/app/support/app_samples.h"
#include "tests/app/support/open_window.h"

#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSemaphore>
#include <QStandardPaths>
#include <QTableView>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

QSemaphore gate; ///< The curve comes when it is let through.

Engine slowEngine()
{
    Engine engine = test::unsearchingEngine();
    engine.timeAgainstPeak = [](const Graph&, const PlanRequest&,
                                const Context& context) -> Result<std::vector<TradeOff>> {
        context.report("choices", 0.5);
        bool through = false;
        while (!through && !context.stopped())
            through = gate.tryAcquire(1, 5);
        if (context.stopped()) {
            if (through) gate.release(); // it is for the one that goes on
            return Error {ErrorCode::Stopped, Message("stopped"), {}, {}};
        }
        return std::vector<TradeOff> {{{4096, 512, 2, false}, "cpu=4096"},
                                      {{2048, 256, 3, false}, "cpu=2048"},
                                      {{1024, 256, 9, false}, "cpu=1024"}};
    };
    return engine;
}

/// A window on an example, with the pane in front.
struct Opened : test::OpenWindow
{
    explicit Opened(const Engine& engine = slowEngine()) : OpenWindow(engine)
    {
        while (gate.tryAcquire()) {}
        bench.costs.setEnabled(false);
        window.resize(1300, 900);
        window.show();
        bench.session.open(test::exampleFile(QStringLiteral("two-outputs.json")));
    }
    void bring()
    {
        window.actions().at("view.time-against-peak")->trigger();
        gate.release();
    }
    [[nodiscard]] TradeOffCanvas* canvas() const { return child<TradeOffCanvas>("tradeOffCanvas"); }
    [[nodiscard]] QTableView* table() const { return child<QTableView>("time-against-peakView"); }
    [[nodiscard]] QPoint at(std::size_t point) const
    {
        const Report& report = *canvas()->report();
        return tradeOffPlot(report, canvas()->rect(), canvas()->looks()).at(report.tradeOffs[point].cost).toPoint();
    }
    [[nodiscard]] QString capacity() const
    {
        return QString::fromStdString(policyValue(bench.session.choices().policies, "capacity"));
    }
};

} // namespace

class TradeOffPaneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() { test::failOnWarnings(); }
    void nothingIsWorkedOutUnseen();
    void itTellsHowFarItIsAndCanBeStopped();
    void aPointIsTakenByDoubleClickAndUndone();
    void aRowAndAPointAreOneChoice();
    void theButtonAndReturnTakeWhatIsSelected();
    void withoutOffersItSaysSo();
};

void TradeOffPaneTest::nothingIsWorkedOutUnseen()
{
    Opened app;
    QVERIFY(app.ready());
    QVERIFY(!app.child<QDockWidget>("time-against-peak")->isVisible());
    QVERIFY(!app.bench.tradeOffs.running());
    QVERIFY(!app.bench.tradeOffs.known());
    app.bring();
    QTRY_VERIFY(app.bench.tradeOffs.known());
    QCOMPARE(app.table()->model()->rowCount(), 3);
    QVERIFY(app.canvas()->isVisible());
    QCOMPARE(app.child<QLabel>("tradeOffStatus")->text(),
             QStringLiteral("3 choices that no other beats in time and bytes"));
    QCOMPARE(app.window.panes().tables.value(QStringLiteral("time-against-peak"))->view(), app.table());
}

void TradeOffPaneTest::itTellsHowFarItIsAndCanBeStopped()
{
    Opened app;
    QVERIFY(app.ready());
    app.window.actions().at("view.time-against-peak")->trigger();
    auto* stop = app.child<QPushButton>("tradeOffStop");
    auto* progress = app.window.panes().plots.value("time-against-peak")->findChild<QProgressBar*>();
    QTRY_VERIFY(stop->isVisible());
    QTRY_COMPARE(progress->value(), 50);
    QTest::mouseClick(stop, Qt::LeftButton);
    QVERIFY(!app.bench.tradeOffs.running());
    QVERIFY(!stop->isVisible());
    QVERIFY(!progress->isVisible());
    QVERIFY(app.canvas()->report()->tradeOffs.empty());
    auto* start = app.child<QPushButton>("tradeOffStart");
    QVERIFY(start->isVisible() && start->isEnabled());
    gate.release();
    QTest::mouseClick(start, Qt::LeftButton);
    QTRY_VERIFY(app.bench.tradeOffs.known());
    QVERIFY(!start->isVisible());
}

void TradeOffPaneTest::aPointIsTakenByDoubleClickAndUndone()
{
    Opened app;
    QVERIFY(app.ready());
    app.bring();
    QTRY_VERIFY(app.bench.tradeOffs.known());
    QTest::mouseDClick(app.canvas(), Qt::LeftButton, {}, app.at(1));
    QCOMPARE(app.capacity(), QStringLiteral("cpu=2048"));
    QVERIFY(app.bench.session.choices().policies.choose == ChoosePolicy::FastestWithin);
    QVERIFY(app.ready());
    QCOMPARE(app.canvas()->report()->program.policies.capacity.at("cpu"), 2048);
    QCOMPARE(app.canvas()->report()->tradeOffs.size(), std::size_t(3)); // the curve stays
    QTRY_VERIFY(app.window.actions().at("edit.undo")->isEnabled());
    app.window.actions().at("edit.undo")->trigger();
    QCOMPARE(app.capacity(), QStringLiteral("none"));
    QVERIFY(app.bench.session.choices().policies.choose == ChoosePolicy::Fastest);
}

void TradeOffPaneTest::aRowAndAPointAreOneChoice()
{
    Opened app;
    QVERIFY(app.ready());
    app.bring();
    QTRY_VERIFY(app.bench.tradeOffs.known());
    app.table()->sortByColumn(2, Qt::AscendingOrder); // lowest peak first: the other way round
    QTest::mouseClick(app.canvas(), Qt::LeftButton, {}, app.at(0));
    QCOMPARE(app.table()->selectionModel()->selectedRows().value(0).row(), 2);
    const QRect row = app.table()->visualRect(app.table()->model()->index(0, 0));
    QTest::mouseClick(app.table()->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(app.canvas()->point(), 2);
    QCOMPARE(app.capacity(), QStringLiteral("none")); // it is selected, not taken
    QTest::mouseDClick(app.table()->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(app.capacity(), QStringLiteral("cpu=1024"));
}

void TradeOffPaneTest::theButtonAndReturnTakeWhatIsSelected()
{
    Opened app;
    QVERIFY(app.ready());
    app.bring();
    QTRY_VERIFY(app.bench.tradeOffs.known());
    auto* take = app.child<QPushButton>("tradeOffTake");
    QVERIFY(take->isVisible() && !take->isEnabled());
    QTest::keyClick(app.canvas(), Qt::Key_Left);
    QVERIFY(take->isEnabled());
    QTest::mouseClick(take, Qt::LeftButton);
    QCOMPARE(app.capacity(), QStringLiteral("cpu=4096"));
    QVERIFY(app.ready());
    app.table()->selectRow(1);
    app.window.activateWindow();
    app.table()->setFocus();
    QTRY_VERIFY(app.table()->hasFocus());
    QTest::keyClick(app.table(), Qt::Key_Return);
    QCOMPARE(app.capacity(), QStringLiteral("cpu=2048"));
}

void TradeOffPaneTest::withoutOffersItSaysSo()
{
    Opened app(test::unsearchingEngine()); // no backend can be asked here
    QVERIFY(app.ready());
    app.window.actions().at("view.time-against-peak")->trigger();
    QTRY_VERIFY(app.bench.tradeOffs.known());
    QCOMPARE(app.child<QLabel>("tradeOffStatus")->text(),
             QStringLiteral("No backend offers implementations to choose from."));
}

QTEST_MAIN(TradeOffPaneTest)
#include "tst_trade_off_pane.moc"
