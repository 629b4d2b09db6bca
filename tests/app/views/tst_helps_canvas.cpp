#include "app/views/helps_canvas.h"

#include "core/facts/offers.h"
#include "tests/app/support/app_samples.h"

#include <QSignalSpy>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A change that is lower and faster than the plan, a pair, and one that is higher and slower; what needs least first.
std::shared_ptr<const Report> sample(double ms = 1)
{
    auto report = std::make_shared<Report>(*test::planned(test::smallGraph()));
    const std::int64_t peak = report->memory.peakBytes;
    report->policyChanges = {{"cse", "on", {peak / 4, 0, 2 * ms, false}, {{"fold", "all"}}},
                             {"fold", "all", {peak / 2, 0, ms, false}},
                             {"inplace", "off", {2 * peak, 0, 9 * ms, false}}};
    return report;
}

struct Shown
{
    HelpsCanvas canvas;
    QSignalSpy picked {&canvas, &HelpsCanvas::pointPicked};
    QSignalSpy taken {&canvas, &HelpsCanvas::pointTaken};

    explicit Shown(const std::shared_ptr<const Report>& report)
    {
        canvas.resize(600, 300);
        canvas.setReport(report, nullptr);
        canvas.show();
        (void)QTest::qWaitForWindowExposed(&canvas);
    }
};

} // namespace

class HelpsCanvasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// What needs least comes first: to the right are more bytes.
    void keysGoFromPointToPoint()
    {
        Shown shown(sample());
        QTest::keyClick(&shown.canvas, Qt::Key_Right);
        QCOMPARE(shown.canvas.point(), 0);
        QTest::keyClick(&shown.canvas, Qt::Key_Right);
        QCOMPARE(shown.canvas.point(), 1);
        QTest::keyClick(&shown.canvas, Qt::Key_Left);
        QCOMPARE(shown.canvas.point(), 0);
        QTest::keyClick(&shown.canvas, Qt::Key_Return);
        QCOMPARE(shown.taken.count(), 1);
        QCOMPARE(shown.taken.last().first().toInt(), 0);
    }

    void aPointSaysWhatIsChanged()
    {
        Shown shown(sample());
        shown.canvas.setPoint(0);
        const QString said = shown.canvas.accessibleDescription();
        QVERIFY2(said.startsWith(QStringLiteral("'Merge repeats: on', 'Fold constants: all'")), qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("peak beside this plan: −")), qPrintable(said));
    }

    /// Neither squashes the others, and neither is left out.
    void anUnknownTimeStandsBelowAndAFarOneAbove()
    {
        auto report = std::make_shared<Report>(*sample());
        for (PolicyChange& change : report->policyChanges)
            change.cost.untimedNodes = kernelTime(report->program).untimedNodes;
        report->policyChanges[0].cost.kernelMs = 0;
        report->policyChanges[2].cost.kernelMs = 900;
        Shown shown(report);
        std::vector<TradeOff> points;
        for (const PolicyChange& change : report->policyChanges)
            points.push_back({change.cost, {}});
        const TradeOffPlot plot = tradeOffPlot(points, *report, shown.canvas.rect(), shown.canvas.looks());
        QVERIFY(plot.highMs < 900);
        const auto click = [&](const PlanCost& cost) {
            QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, plot.at(cost).toPoint());
            return shown.canvas.point();
        };
        QCOMPARE(plot.at(report->policyChanges[2].cost).y(), plot.area.top());
        QCOMPARE(click(report->policyChanges[2].cost), 2);
        QCOMPARE(shown.canvas.accessibleDescription().contains(QStringLiteral("900 ms")), true);
        QTest::keyClick(&shown.canvas, Qt::Key_Left);
        QTest::keyClick(&shown.canvas, Qt::Key_Left);
        QCOMPARE(shown.canvas.point(), 0);
        QVERIFY2(shown.canvas.accessibleDescription().contains(QStringLiteral("time not known")),
                 qPrintable(shown.canvas.accessibleDescription()));
    }

    void withoutTimesThereAreNoPoints()
    {
        Shown shown(sample(0));
        QTest::keyClick(&shown.canvas, Qt::Key_Right);
        QCOMPARE(shown.canvas.point(), -1);
        QVERIFY(shown.picked.isEmpty());
    }
};

QTEST_MAIN(HelpsCanvasTest)
#include "tst_helps_canvas.moc"
