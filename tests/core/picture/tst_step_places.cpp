#include "core/picture/step_places.h"

#include "tests/core/picture/picture_samples.h"

#include <QtTest>

#include <random>

using namespace plimsoll;

namespace {

/// "b..bb...." has a step with a 'b' where something begins or ends.
std::vector<char> stepsOf(const QString& picture)
{
    std::vector<char> busy;
    for (const QChar step : picture)
        busy.push_back(step == u'b');
    return busy;
}

/// The quiet stretches, and where each step begins: "0 1 2 6".
QString drawn(const StepPlaces& places)
{
    QStringList words;
    for (const Interval& quiet : places.quiet)
        words << QStringLiteral("[%1, %2)").arg(quiet.begin).arg(quiet.end);
    for (const double place : places.ofStep)
        words << QString::number(place, 'g', 4);
    return words.join(u' ');
}

} // namespace

class TestStepPlaces : public QObject
{
    Q_OBJECT

private slots:
    void quietStretchesAreNarrow_data();
    void quietStretchesAreNarrow();
    void stepsAreFoundFromTheirPlaces();
    void onlyLargeBarsAreEvents();
    void aStepIsAsWideAsItTook();
};

void TestStepPlaces::quietStretchesAreNarrow_data()
{
    QTest::addColumn<QString>("busy");
    QTest::addColumn<QString>("places");
    const auto row = [](const char* busy, const char* places) {
        QTest::newRow(*busy ? busy : "no steps") << QString::fromLatin1(busy) << QString::fromLatin1(places);
    };
    row("", "0");
    row("bbb", "0 1 2 3");
    row("b.b..b", "0 1 2 3 4 5 6"); // one and two quiet steps stay as they are
    row("b....b", "[1, 5) 0 1 1.75 2.5 3.25 4 5");
    row("........", "[0, 8) 0 0.5 1 1.5 2 2.5 3 3.5 4");
    row("b....b....", "[1, 5) [6, 10) 0 1 1.75 2.5 3.25 4 5 5.75 6.5 7.25 8");
}

void TestStepPlaces::quietStretchesAreNarrow()
{
    QFETCH(QString, busy);
    QTEST(drawn(compactSteps(stepsOf(busy))), "places");
}

void TestStepPlaces::aStepIsAsWideAsItTook()
{
    RunResult run;
    QVERIFY(!timedSteps(run));
    run.stepMs = {0, 0};
    QVERIFY(!timedSteps(run));
    run.stepMs = {1, 0, 5, 2};
    const auto places = timedSteps(run);
    QVERIFY(places);
    QCOMPARE(drawn(*places), QStringLiteral("0 0.5 0.501 3.001 4.001")); // the second has a thousandth of a place
    QCOMPARE(places->msPerPlace, 2.0);
    QCOMPARE(places->stepOf(places->placeOf(2.5)), 2.5);
}

void TestStepPlaces::stepsAreFoundFromTheirPlaces()
{
    std::mt19937 random(7);
    for (int plan = 0; plan < 50; ++plan) {
        std::vector<char> busy(std::uniform_int_distribution(1, 3000)(random));
        for (int events = std::uniform_int_distribution(0, 40)(random); events > 0; --events)
            busy[random() % busy.size()] = 1;
        const StepPlaces places = compactSteps(busy);
        QCOMPARE(places.ofStep.size(), busy.size() + 1);
        QVERIFY(std::ranges::adjacent_find(places.ofStep, std::greater_equal()) == places.ofStep.end());
        for (int i = 0; i < 200; ++i) { // before the first step and behind the last one, too
            const double step = std::uniform_real_distribution(-9.0, double(busy.size()) + 9.0)(random);
            QVERIFY(qAbs(places.stepOf(places.placeOf(step)) - step) < 1e-6);
            const auto whole = std::floor(step);
            const double width = places.placeOf(whole + 1) - places.placeOf(whole);
            const bool outside = whole < 0 || whole >= double(busy.size());
            QVERIFY(width > 0 && width < 1 + 1e-9);
            if (outside || busy[static_cast<std::size_t>(whole)]) QVERIFY(qAbs(width - 1) < 1e-9);
        }
    }
}

/// What begins and ends in the middle is small once, and large enough the other time.
void TestStepPlaces::onlyLargeBarsAreEvents()
{
    const auto places = [](std::int64_t bytes) {
        return compactSteps(test::reportOf({{"all", {0, 100}, 10000, 0}, {"middle", {40, 60}, bytes, 10000}}));
    };
    QCOMPARE(places(100)->quiet, (std::vector<Interval> {{1, 99}}));
    QCOMPARE(places(200)->quiet, (std::vector<Interval> {{1, 40}, {41, 59}, {60, 99}}));
}

QTEST_APPLESS_MAIN(TestStepPlaces)
#include "tst_step_places.moc"
