#include "app/views/plan/plan_viewport.h"

#include <QtTest>

using plimsoll::app::AxisWindow;
using plimsoll::app::PlanViewport;

namespace {

PlanViewport hundredByThousand()
{
    PlanViewport view;
    view.setArea({10, 20, 500, 400});
    view.setWorld(100, 1000);
    view.fit();
    return view;
}

} // namespace

class TestPlanViewport : public QObject
{
    Q_OBJECT

private slots:
    void fitShowsEverything();
    void bytesGrowUpwards();
    void mappingGoesThereAndBack();
    void zoomKeepsWhatIsUnderThePointer_data();
    void zoomKeepsWhatIsUnderThePointer();
    void panMovesWithThePointer();
    void nothingLeavesTheWorld();
    void zoomHasLimits();
    void aFramedBarIsInTheMiddle();
    void anEmptyWorldIsHarmless();
    void aNameFitsAboveTheWorld();
};

void TestPlanViewport::fitShowsEverything()
{
    const PlanViewport view = hundredByThousand();

    QCOMPARE(view.xOf(0), 10.0);
    QCOMPARE(view.xOf(100), 510.0);
    QCOMPARE(view.yOf(0), 420.0);
    QVERIFY(view.yOf(1000) > 20);
}

void TestPlanViewport::aNameFitsAboveTheWorld()
{
    PlanViewport view = hundredByThousand();
    view.setArea({10, 20, 500, 150});
    QVERIFY2(view.yOf(1000) >= 20 + 18, qPrintable(QString::number(view.yOf(1000))));
    view.setArea({10, 20, 500, 400});
    QVERIFY(view.yOf(1000) < 20 + 60);
    view.zoomBytes(2, 200);
    const AxisWindow seen = view.bytes;
    view.setArea({10, 20, 500, 150});
    QCOMPARE(view.bytes, seen);
}

void TestPlanViewport::bytesGrowUpwards()
{
    const PlanViewport view = hundredByThousand();
    const QRectF rect = view.rectOf(10, 20, 100, 300);

    QVERIFY(rect.width() > 0 && rect.height() > 0);
    QCOMPARE(rect.top(), view.yOf(300));
    QCOMPARE(rect.left(), view.xOf(10));
}

void TestPlanViewport::mappingGoesThereAndBack()
{
    PlanViewport view = hundredByThousand();
    view.zoomSteps(3.7, 100);
    view.zoomBytes(2.1, 300);

    QVERIFY(qAbs(view.stepAt(view.xOf(42.5)) - 42.5) < 1e-9);
    QVERIFY(qAbs(view.byteAt(view.yOf(333)) - 333) < 1e-9);
}

void TestPlanViewport::zoomKeepsWhatIsUnderThePointer_data()
{
    QTest::addColumn<double>("factor");
    QTest::newRow("in") << 2.5;
    QTest::newRow("out") << 0.8;
}

void TestPlanViewport::zoomKeepsWhatIsUnderThePointer()
{
    QFETCH(double, factor);
    PlanViewport view = hundredByThousand();
    view.zoomSteps(4, 260); // so that there is room to zoom out again
    view.zoomBytes(4, 220);
    const double step = view.stepAt(300);
    const double byte = view.byteAt(200);

    view.zoomSteps(factor, 300);
    view.zoomBytes(factor, 200);

    QVERIFY(qAbs(view.stepAt(300) - step) < 1e-9);
    QVERIFY(qAbs(view.byteAt(200) - byte) < 1e-6);
}

void TestPlanViewport::panMovesWithThePointer()
{
    PlanViewport view = hundredByThousand();
    view.zoomSteps(4, 260);
    view.zoomBytes(4, 220);
    const double step = view.stepAt(250);
    const double byte = view.byteAt(220);

    view.pan({7, -11});

    QVERIFY(qAbs(view.xOf(step) - 257) < 1e-9);
    QVERIFY(qAbs(view.yOf(byte) - 209) < 1e-6);
}

void TestPlanViewport::nothingLeavesTheWorld()
{
    PlanViewport view = hundredByThousand();
    view.zoomSteps(4, 260);
    view.pan({1e9, 1e9});
    QCOMPARE(view.steps.first, 0.0);
    view.pan({-1e9, -1e9});

    QVERIFY(view.steps.last() <= 104);
    QVERIFY(view.bytes.first >= 0);
}

void TestPlanViewport::zoomHasLimits()
{
    PlanViewport view = hundredByThousand();
    view.zoomSteps(1e12, 260);
    view.zoomBytes(1e12, 220);
    QCOMPARE(view.steps.span, 2.0);
    QCOMPARE(view.bytes.span, 16.0);

    view.zoomSteps(1e-12, 260);
    QVERIFY(view.steps.span <= 104);
}

void TestPlanViewport::aFramedBarIsInTheMiddle()
{
    PlanViewport view = hundredByThousand();

    view.frame(40, 60, 400, 500);

    QVERIFY(qAbs(view.xOf(50) - 260) < 1e-9);
    QVERIFY(qAbs(view.yOf(450) - 220) < 1e-9);
    QVERIFY(view.area.contains(view.rectOf(40, 60, 400, 500)));
}

void TestPlanViewport::anEmptyWorldIsHarmless()
{
    PlanViewport view;
    view.setArea({});
    view.setWorld(0, 0);
    view.fit();
    view.zoomSteps(2, 0);
    view.pan({5, 5});

    QVERIFY(qIsFinite(view.xOf(3)) && qIsFinite(view.yOf(3)) && qIsFinite(view.stepAt(3)));
}

QTEST_APPLESS_MAIN(TestPlanViewport)
#include "tst_plan_viewport.moc"
