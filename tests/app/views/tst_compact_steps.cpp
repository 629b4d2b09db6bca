#include "app/views/live_range_canvas.h"
#include "app/views/plan/plan_canvas.h"
#include "tests/core/picture/picture_samples.h"

#include <QSignalSpy>
#include <QtTest>

#include <memory>
#include <random>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// Two bursts with a long silence between them:
///
///     bytes ^
///           | all ------------------------------------ |
///           | a --- b ---              c --- d ---     |
///           0     4     8          1000  1004  1008  1012  step
Report twoBursts()
{
    return test::reportOf({{"all", {0, 1012}, 4096, 0},
                           {"a", {0, 4}, 4096, 4096},
                           {"b", {4, 8}, 4096, 4096},
                           {"c", {1000, 1004}, 4096, 4096},
                           {"d", {1004, 1008}, 4096, 4096}});
}

std::shared_ptr<const StepPlaces> someBusySteps(std::mt19937& random, std::size_t steps)
{
    std::vector<char> busy(steps);
    for (int events = 0; events < 30; ++events)
        busy[random() % steps] = 1;
    return std::make_shared<const StepPlaces>(compactSteps(busy));
}

} // namespace

class TestCompactSteps : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void stepsAreFoundWhereTheyAreShown();
    void whatIsSeenStaysFromAxisToAxis();
    void zoomKeepsTheStepUnderThePointer();
    void quietStepsAreNarrowAndMarked();
    void aClickFindsTheStep();
    void theStripMovesTheView();
    void whatIsPickedIsFramed();
    void aPickOutOfViewComesIntoIt();
    void liveRangesShowTheSameSteps();
    void whereNothingIsQuietThatIsSaid();
    void theWholePictureIsAsWideAsItsPlaces();

private:
    void give(Report report);
    [[nodiscard]] double widthOf(double step) const
    {
        return m_plan->viewport().xOf(step + 1) - m_plan->viewport().xOf(step);
    }

    std::unique_ptr<PlanCanvas> m_plan;
};

void TestCompactSteps::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_plan = std::make_unique<PlanCanvas>();
    m_plan->resize(900, 600);
    m_plan->setStepAxis({.compact = true});
    give(twoBursts());
    m_plan->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_plan.get()));
}

void TestCompactSteps::cleanup()
{
    m_plan.reset();
}

void TestCompactSteps::give(Report report)
{
    const auto shared = std::make_shared<const Report>(std::move(report));
    m_plan->setReport(shared, test::coloursOf(*shared));
    QTRY_VERIFY(m_plan->scene().report == shared);
}

void TestCompactSteps::stepsAreFoundWhereTheyAreShown()
{
    std::mt19937 random(3);
    for (int plan = 0; plan < 40; ++plan) {
        const auto steps = std::uniform_int_distribution<std::size_t>(2, 5000)(random);
        PlanViewport view;
        view.setArea({10, 20, 700, 400});
        view.setWorld(double(steps), 1000, plan % 4 == 0 ? nullptr : someBusySteps(random, steps));
        view.fit();
        for (int move = 0; move < 20; ++move) {
            view.zoomSteps(std::uniform_real_distribution(0.6, 2.0)(random), 10 + double(random() % 700));
            view.pan({double(random() % 200) - 100, 0});
            const double step = std::uniform_real_distribution(0.0, double(steps))(random);
            QVERIFY(qAbs(view.stepAt(view.xOf(step)) - step) < 1e-5);
            QVERIFY(view.xOf(step) < view.xOf(step + 0.5));
        }
    }
}

void TestCompactSteps::whatIsSeenStaysFromAxisToAxis()
{
    std::mt19937 random(4);
    const auto places = someBusySteps(random, 1000);
    PlanViewport view;
    view.setArea({0, 0, 700, 400});
    view.setWorld(1000, 1000);
    view.steps = {300, 250};

    view.setWorld(1000, 1000, places);
    QVERIFY(qAbs(view.stepAt(0) - 300) < 1e-6 && qAbs(view.stepAt(700) - 550) < 1e-6);
    QVERIFY(view.steps.span < 250);
    view.setWorld(1000, 1000);
    QVERIFY(qAbs(view.steps.first - 300) < 1e-6 && qAbs(view.steps.last() - 550) < 1e-6);
}

void TestCompactSteps::zoomKeepsTheStepUnderThePointer()
{
    PlanViewport view = m_plan->viewport();
    const double x = view.xOf(1003);
    view.zoomSteps(2, x);
    QVERIFY(qAbs(view.stepAt(x) - 1003) < 1e-6);
}

void TestCompactSteps::quietStepsAreNarrowAndMarked()
{
    QVERIFY(widthOf(2) > 10 && widthOf(1001) > 10);
    QVERIFY(widthOf(500) < 1);
    const auto ground = [this](double step) {
        const QPointF at(m_plan->viewport().xOf(step), m_plan->viewport().yOf(6000));
        return m_plan->grab().toImage().pixelColor(at.toPoint());
    };
    QVERIFY(ground(500) != ground(1011.5));
    m_plan->setStepAxis({});
    QCOMPARE(ground(505), ground(1010)); // no line of the grid
    QCOMPARE(widthOf(2), widthOf(500));
}

void TestCompactSteps::aClickFindsTheStep()
{
    QSignalSpy moved(m_plan.get(), &Canvas::stepChanged);
    QSignalSpy picked(m_plan.get(), &Canvas::picked);
    const PlanViewport& view = m_plan->viewport();
    QTest::mouseClick(m_plan.get(), Qt::LeftButton, {},
                      QPointF(view.xOf(1005.5), m_plan->regions().ruler.center().y()).toPoint());
    QTest::mouseClick(m_plan.get(), Qt::LeftButton, {}, QPointF(view.xOf(1005.5), view.yOf(6000)).toPoint());
    QCOMPARE(moved.size(), 1);
    QCOMPARE(moved[0][0].toLongLong(), 1005);
    QCOMPARE(picked.size(), 1);
    QVERIFY(picked[0][0].value<Focus>().samePick(Focus::on(ValueId(std::size_t {4}))));
    QCOMPARE(picked[0][0].value<Focus>().step, 1005);
}

void TestCompactSteps::theStripMovesTheView()
{
    for (int i = 0; i < 6; ++i)
        QTest::keyClick(m_plan.get(), Qt::Key_W);
    const QRectF strip = m_plan->regions().strip;
    const double there =
        strip.left() + m_plan->viewport().placeOf(1004) / m_plan->viewport().worldPlaces() * strip.width();
    QTest::mouseClick(m_plan.get(), Qt::LeftButton, {}, QPointF(there, strip.center().y()).toPoint());
    QVERIFY(qAbs(m_plan->viewport().stepAt(m_plan->regions().bars.center().x()) - 1004) < 1);
}

void TestCompactSteps::whatIsPickedIsFramed()
{
    m_plan->setSelection(Focus::on(ValueId(std::size_t {3})));
    QTest::keyClick(m_plan.get(), Qt::Key_F);
    const PlanViewport& view = m_plan->viewport();
    QVERIFY(qAbs(view.stepAt(view.area.center().x()) - 1002) < 1e-6);
    QVERIFY(view.stepAt(view.area.left()) < 1000 && view.stepAt(view.area.right()) > 1004);
}

void TestCompactSteps::aPickOutOfViewComesIntoIt()
{
    for (int i = 0; i < 8; ++i)
        QTest::keyClick(m_plan.get(), Qt::Key_W);
    for (int i = 0; i < 30; ++i)
        QTest::keyClick(m_plan.get(), Qt::Key_A);
    const double span = m_plan->viewport().steps.span;
    QVERIFY(m_plan->viewport().seenSteps().last() < 1004);
    m_plan->setSelection(Focus::on(ValueId(std::size_t {4})));
    QVERIFY(m_plan->viewport().seenSteps().last() > 1004);
    QCOMPARE(m_plan->viewport().steps.span, span);
}

void TestCompactSteps::liveRangesShowTheSameSteps()
{
    LiveRangeCanvas live;
    live.resize(900, 600);
    live.show();
    live.setReport(m_plan->report(), test::coloursOf(*m_plan->report()));
    connect(m_plan.get(), &Canvas::stepsShown, &live, &Canvas::showSteps);
    connect(&live, &Canvas::stepsShown, m_plan.get(), &Canvas::showSteps);
    const auto same = [&] {
        const AxisWindow plan = m_plan->viewport().seenSteps();
        const AxisWindow other = live.viewport().seenSteps();
        return qAbs(plan.first - other.first) < 1e-6 && qAbs(plan.last() - other.last()) < 1e-6;
    };
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(m_plan.get(), Qt::Key_W);
    QVERIFY(same()); // the one by places, the other by steps
    live.setStepAxis({.compact = true});
    QVERIFY(same());
    QVERIFY(live.viewport().xOf(3) - live.viewport().xOf(2) > 10);
    QTest::keyClick(&live, Qt::Key_S);
    QVERIFY(same());
    m_plan->setStepAxis({});
    QVERIFY(same());
}

void TestCompactSteps::whereNothingIsQuietThatIsSaid()
{
    QSignalSpy spy(m_plan.get(), &Canvas::noticed);
    m_plan->setStepAxis({});
    give(test::reportOf({{"a", {0, 2}, 64, 0}, {"b", {2, 4}, 64, 0}}));
    QCOMPARE(spy.size(), 0);
    m_plan->setStepAxis({.compact = true});
    QCOMPARE(spy.size(), 1);
}

void TestCompactSteps::theWholePictureIsAsWideAsItsPlaces()
{
    QVERIFY(m_plan->wholeSize().width() < 1200);
    m_plan->setStepAxis({});
    QVERIFY(m_plan->wholeSize().width() > 10000);
}

QTEST_MAIN(TestCompactSteps)
#include "tst_compact_steps.moc"
