#include "app/views/plan/plan_canvas.h"

#include "tests/app/support/no_warnings.h"
#include "tests/core/picture/picture_samples.h"

#include <QSignalSpy>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

//  bytes
//   128 |       +---c---+
//    64 | +--a-+=b==+-d--+
//     0 +-0----3----6----9-> step     b is written over a
Report fourValues()
{
    return test::reportOf({{"a", {0, 4}, 64, 0, 0},
                           {"b", {3, 6}, 64, 0, 0, AliasKind::MayBeInPlace},
                           {"c", {3, 7}, 64, 64},
                           {"d", {6, 9}, 64, 0}});
}

const ValueId C(std::size_t {2});
const ValueId D(std::size_t {3});

} // namespace

/// Bytes that are pointed at in the plan.
class TestPlanArea : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_canvas.reset(); }
    void aClickPicksTheByteAndTheStep_data();
    void aClickPicksTheByteAndTheStep();
    void aTinyBarIsPointedAtNearBy();
    void aClickAboveThePlanPicksNothing();
    void aDragWithShiftPicksAnArea();
    void escapeEndsADrag();
    void arrowsMoveTheBytesThatArePicked();
    void anAreaCanBeFramedAndAByteCannot();
    void stackedByAgeThereIsNoAddress();
    void rowsArePickedAndFramed();

private:
    [[nodiscard]] QPoint at(double step, double byte) const
    {
        return QPointF(m_canvas->viewport().xOf(step), m_canvas->viewport().yOf(byte)).toPoint();
    }
    std::unique_ptr<PlanCanvas> m_canvas;
};

void TestPlanArea::init()
{
    test::failOnWarnings();
    m_canvas = std::make_unique<PlanCanvas>();
    m_canvas->resize(900, 600);
    const auto report = std::make_shared<const Report>(fourValues());
    m_canvas->setReport(report, test::coloursOf(*report));
    m_canvas->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_canvas.get()));
}

void TestPlanArea::aClickPicksTheByteAndTheStep_data()
{
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("byte");
    QTest::addColumn<int>("value"); // -1: none lies there
    QTest::newRow("on a bar") << 3.5 << 30.0 << 1;
    QTest::newRow("on nothing") << 1.5 << 100.0 << -1;
}

void TestPlanArea::aClickPicksTheByteAndTheStep()
{
    QFETCH(double, step);
    QFETCH(double, byte);
    QFETCH(int, value);
    const QPoint pixel = at(step, byte);
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, pixel);
    QCOMPARE(spy.size(), 1);
    const auto there = static_cast<std::int64_t>(m_canvas->viewport().byteAt(pixel.y()));
    Focus wanted {.area = {ArenaId(std::size_t {0}), {there, there + 1}}, .step = static_cast<std::int64_t>(step)};
    if (value >= 0) wanted.value = ValueId(value);
    QCOMPARE(spy[0][0].value<Focus>(), wanted);
}

/// Of 64 bytes among a million: less than a pixel, and drawn as two.
void TestPlanArea::aTinyBarIsPointedAtNearBy()
{
    const auto report = std::make_shared<const Report>(
        test::reportOf({{"big", {0, 9}, 1'000'000, 0, 0}, {"tiny", {4, 5}, 64, 1'500'000, 1}}));
    m_canvas->setReport(report, test::coloursOf(*report));
    m_canvas->fit();
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    const QPoint there = at(4.5, 1'500'000);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, there - QPoint(0, 2));
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, there - QPoint(0, 8));
    QCOMPARE(spy.size(), 2);
    QVERIFY(spy[0][0].value<Focus>().value == ValueId(std::size_t {1}));
    QCOMPARE(spy[0][0].value<Focus>().area.bytes, (Interval {1'500'000, 1'500'001}));
    QCOMPARE(spy[0][0].value<Focus>().step, 4);
    QVERIFY(!spy[1][0].value<Focus>().onThing());
}

void TestPlanArea::aClickAboveThePlanPicksNothing()
{
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(1, 129));
    QCOMPARE(spy.size(), 1);
    QVERIFY(spy[0][0].value<Focus>() == Focus());
}

void TestPlanArea::aDragWithShiftPicksAnArea()
{
    const AxisWindow seen = m_canvas->viewport().steps;
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mousePress(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(4.5, 110));
    QTest::mouseMove(m_canvas.get(), at(2.5, 40));
    const QImage drawing = m_canvas->grab().toImage();
    QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(2.5, 40));

    QCOMPARE(spy.size(), 1);
    const PlanArea area = spy[0][0].value<Focus>().area;
    QCOMPARE(area.steps, (Interval {2, 5}));
    QVERIFY(std::abs(area.bytes.begin - 40) <= 1 && std::abs(area.bytes.end - 110) <= 1);
    QCOMPARE(m_canvas->viewport().steps, seen);
    QVERIFY(m_canvas->grab().toImage() != drawing); // it goes with the drag
    m_canvas->setSelection(spy[0][0].value<Focus>());
    const auto inside = [&](ValueId value) {
        const StorageId storage = m_canvas->report()->program.values[value.index()].storage;
        return m_canvas->scene().emphasis.storages[storage.index()] != 0;
    };
    QVERIFY(inside(C) && !inside(D));
}

void TestPlanArea::escapeEndsADrag()
{
    const QImage before = m_canvas->grab().toImage();
    QSignalSpy spy(m_canvas.get(), &Canvas::picked);
    QTest::mousePress(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(4.5, 110));
    QTest::mouseMove(m_canvas.get(), at(2.5, 40));
    QTest::keyClick(m_canvas.get(), Qt::Key_Escape);
    QTest::mouseMove(m_canvas.get(), at(1.5, 30));
    QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(1.5, 30));

    QCOMPARE(spy.size(), 0); // neither an area nor a cleared selection
    QTest::mouseMove(m_canvas.get(), QPoint(1, 1));
    QCOMPARE(m_canvas->grab().toImage(), before);
}

void TestPlanArea::arrowsMoveTheBytesThatArePicked()
{
    const PlanArea area {ArenaId(std::size_t {0}), {32, 64}};
    m_canvas->setSelection({.area = area, .step = 4});
    QSignalSpy picked(m_canvas.get(), &Canvas::picked);
    QSignalSpy moved(m_canvas.get(), &Canvas::stepAsked);

    QTest::keyClick(m_canvas.get(), Qt::Key_Up);
    QTest::keyClick(m_canvas.get(), Qt::Key_Right);
    m_canvas->setSelection({.area = {area.arena, {0, 32}}, .step = 4});
    QTest::keyClick(m_canvas.get(), Qt::Key_Down); // there is nothing below

    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked[0][0].value<Focus>().area.bytes, (Interval {64, 96}));
    QCOMPARE(moved.size(), 1);
    QCOMPARE(moved[0][0].toInt(), 1);
}

void TestPlanArea::anAreaCanBeFramedAndAByteCannot()
{
    const ArenaId arena(std::size_t {0});
    m_canvas->setSelection({.area = {arena, {64, 96}, {3, 5}}});
    m_canvas->frameSelection();
    const AxisWindow framed = m_canvas->viewport().bytes;
    QVERIFY(framed.span < 64 && framed.first <= 64 && framed.last() >= 96);
    QVERIFY(!m_canvas->frameSelection()); // as it is already
    QVERIFY(m_canvas->viewport().bytes == framed);
    m_canvas->setSelection({.area = {arena, {64, 65}}});
    m_canvas->frameOrFit();
    QVERIFY(m_canvas->viewport().bytes.span >= 128); // the whole plan
}

void TestPlanArea::stackedByAgeThereIsNoAddress()
{
    m_canvas->setSelection(Focus::on(C));
    m_canvas->setAxis(PlanAxis::Age);
    QSignalSpy picked(m_canvas.get(), &Canvas::picked);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(7.5, 20)); // c has died, and d has sunk: nothing moves it
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(6.5, 20)); // c stands on nothing since b died
    QCOMPARE(picked.count(), 2);
    QCOMPARE(picked[0][0].value<Focus>().value, D);
    QCOMPARE(picked[1][0].value<Focus>().value, C);
    QVERIFY(!picked[0][0].value<Focus>().area.valid());
    QTest::mousePress(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(1, 20));
    QTest::mouseMove(m_canvas.get(), at(3, 40));
    QTest::mouseRelease(m_canvas.get(), Qt::LeftButton, Qt::ShiftModifier, at(3, 40));
    QCOMPARE(picked.count(), 2);
    m_canvas->setAxis(PlanAxis::Address);
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(7.5, 20));
    QVERIFY(picked.back()[0].value<Focus>().area.valid());
}

/// a and b share a storage: three rows of storages, four of tensors.
void TestPlanArea::rowsArePickedAndFramed()
{
    QSignalSpy picked(m_canvas.get(), &Canvas::picked);
    const auto pickAt = [&](double step, double row) {
        QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(step, (row + 0.4) * PlanRowUnits));
        return picked.back()[0].value<Focus>();
    };
    m_canvas->setAxis(PlanAxis::Storages);
    QCOMPARE(pickAt(7.5, 0).value, D);
    QCOMPARE(pickAt(4.5, 1).value, C);
    QVERIFY(!pickAt(4.5, 1).area.valid());
    m_canvas->setSelection(Focus::on(C));
    QVERIFY(m_canvas->frameSelection());
    const AxisWindow framed = m_canvas->viewport().bytes;
    QVERIFY(framed.first <= 1.4 * PlanRowUnits && framed.last() >= 1.8 * PlanRowUnits &&
            framed.span < 2 * PlanRowUnits);
    QCOMPARE(pickAt(4.5, 1).value, C); // at another zoom
    m_canvas->setAxis(PlanAxis::Values);
    m_canvas->fit();
    QCOMPARE(pickAt(1.5, 3).value, ValueId(std::size_t {0}));
    QTest::keyClick(m_canvas.get(), Qt::Key_Down);
    m_canvas->setAxis(PlanAxis::Address);
    m_canvas->fit();
    QTest::mouseClick(m_canvas.get(), Qt::LeftButton, {}, at(7.5, 20));
    QVERIFY(picked.back()[0].value<Focus>().area.valid());
}

QTEST_MAIN(TestPlanArea)
#include "tst_plan_area.moc"
