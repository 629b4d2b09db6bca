#include "core/facts/holes.h"
#include "core/facts/peak_causes.h"
#include "tests/core/picture/picture_samples.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

QString names(const Report& report, const std::vector<StorageId>& storages)
{
    QString text;
    for (const StorageId id : storages)
        text +=
            QString::fromStdString((*report.program.graph)[report.program.storages[id.index()].values.front()].name);
    return text;
}

Report packed(const std::vector<test::Row>& rows)
{
    Report report = test::reportOf(rows);
    report.program.map.arenas[0].alignment = 1;
    return report;
}

/// bytes
/// 192 |   +-c-+
/// 128 | +-b--+|          b rests on a, c on b; d is alive with neither
///  64 | +a-+  +-----d--+
///   0 +-0--2-3-4-------8-> step
Report tower()
{
    Report report =
        test::reportOf({{"a", {0, 2}, 64, 0}, {"b", {1, 4}, 64, 64}, {"c", {3, 5}, 64, 128}, {"d", {4, 8}, 64, 0}});
    report.memory.arenas = {{128, 256}};
    report.memory.lowerBoundBytes = 128;
    return report;
}

} // namespace

class TestPeakCauses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTowerGoesFromTheTopToTheGround();
    void theFullestStepIsFoundWithWhatIsAlive();
    void aTowerEndsWhereNothingLiesBeneath();
    void stepsAboveTheBoundAreThoseInWhichSomethingIsThere();
    void eachArenaIsExplainedByItself();
    void anEmptyPlanHasNoCauses();
    void holesAreRankedByBytesAndSteps();
    void whatAnAlignmentLeavesOverIsNoHole();
    void holesAreFreeAndHaveSomethingAbove();
    void aStopEndsTheSearchForHoles();
};

void TestPeakCauses::theTowerGoesFromTheTopToTheGround()
{
    const Report report = tower();
    const PeakCauses causes = explainPeak(report).front();

    QCOMPARE(names(report, causes.onTop), QStringLiteral("c"));
    QCOMPARE(names(report, causes.tower), QStringLiteral("cba"));
    QCOMPARE(causes.highestStep, 3);
    QCOMPARE(causes.liveThere, 128);
    QCOMPARE(causes.peakBytes, 192);
}

void TestPeakCauses::theFullestStepIsFoundWithWhatIsAlive()
{
    const Report report = packed({{"a", {0, 9}, 32, 0}, {"b", {2, 4}, 64, 32}, {"c", {6, 7}, 48, 32}});
    const PeakCauses causes = explainPeak(report).front();

    QCOMPARE(causes.fullestStep, 2);
    QCOMPARE(causes.fullestBytes, 96);
    QCOMPARE(names(report, causes.live), QStringLiteral("ba"));
}

void TestPeakCauses::aTowerEndsWhereNothingLiesBeneath()
{
    const Report report = test::reportOf({{"a", {0, 2}, 64, 0}, {"b", {3, 6}, 64, 64}});

    QCOMPARE(names(report, explainPeak(report).front().tower), QStringLiteral("b"));
}

void TestPeakCauses::stepsAboveTheBoundAreThoseInWhichSomethingIsThere()
{
    QVERIFY(explainPeak(tower()).front().aboveBound == LiveRanges({3, 5}));
}

void TestPeakCauses::eachArenaIsExplainedByItself()
{
    Report report = test::reportOf({{"a", {0, 2}, 64, 0}, {"b", {0, 6}, 32, 0}});
    report.program.storages[1].arena = ArenaId(std::size_t {1});
    report.program.map.arenas = {{"cpu", 64, 1, {}}, {"sram", 32, 1, {}}};
    report.memory.arenas = {{64, 64}, {32, 32}};

    const auto causes = explainPeak(report);

    QCOMPARE(causes.size(), std::size_t {2});
    QCOMPARE(names(report, causes[0].live), QStringLiteral("a"));
    QCOMPARE(names(report, causes[1].live), QStringLiteral("b"));
}

void TestPeakCauses::anEmptyPlanHasNoCauses()
{
    Report report = test::reportOf({});
    report.program.map.arenas = {{"cpu", 0, 64, {}}};
    const PeakCauses causes = explainPeak(report).front();

    QVERIFY(causes.live.empty() && causes.tower.empty() && causes.aboveBound.empty());
    QVERIFY(findHoles(report.program).empty());
}

void TestPeakCauses::holesAreRankedByBytesAndSteps()
{
    // bytes
    // 160 |+-----b-----+-+-c-+
    //  96 |+-----------+ +---+      the wide one under b is larger than the high one under c
    //   0 +0-----------9-10-11-> step
    const Report report = packed({{"b", {0, 9}, 64, 32}, {"c", {10, 11}, 64, 96}});

    const std::vector<Hole> holes = findHoles(report.program);

    QCOMPARE(holes.size(), std::size_t {2});
    QVERIFY(holes[0].steps == (Interval {0, 9}) && holes[0].bytes == (Interval {0, 32}));
    QVERIFY(holes[1].steps == (Interval {10, 11}) && holes[1].bytes == (Interval {0, 96}));
    QCOMPARE(holes[0].area(), 288.0);
}

void TestPeakCauses::whatAnAlignmentLeavesOverIsNoHole()
{
    Report report = test::reportOf({{"a", {0, 4}, 40, 0}, {"b", {0, 4}, 64, 64}});
    report.program.map.arenas[0].alignment = 64;

    QVERIFY(findHoles(report.program).empty());
}

/// Together they have all cells of steps × bytes that are free and have something alive above.
void TestPeakCauses::holesAreFreeAndHaveSomethingAbove()
{
    constexpr std::int64_t Unit = 64; // of all sizes
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const Report report = test::randomReport(60, seed);
        std::vector<bool> taken(static_cast<std::size_t>(report.program.map.arenas[0].bytes / Unit));
        double expected = 0;
        for (std::int64_t step = 0; step < report.program.schedule.length(); ++step) {
            std::fill(taken.begin(), taken.end(), false);
            std::int64_t top = 0;
            for (const Storage& storage : report.program.storages) {
                if (!storage.arena.valid() || !storage.live.contains(step)) continue;
                const std::int64_t end = (storage.offset + storage.bytes) / Unit;
                std::fill(taken.begin() + storage.offset / Unit, taken.begin() + end, true);
                top = std::max(top, end);
            }
            expected += double(Unit) * double(std::count(taken.begin(), taken.begin() + top, false));
        }
        double area = 0;
        for (const Hole& hole : findHoles(report.program))
            area += hole.area();
        QVERIFY2(area == expected, qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
}

void TestPeakCauses::aStopEndsTheSearchForHoles()
{
    const Report report = test::randomReport(20'000, 1);
    std::stop_source source;
    source.request_stop();

    QVERIFY(findHoles(report.program, {source.get_token(), {}}).size() < report.memory.holes.size() / 2);
}

QTEST_APPLESS_MAIN(TestPeakCauses)
#include "tst_peak_causes.moc"
