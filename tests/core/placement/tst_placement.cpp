#include "core/placement/placement.h"
#include "core/placement/search/load.h"

#include <QTest>

#include <limits>

using namespace plimsoll;

namespace {

Buffer buffer(std::int64_t begin, std::int64_t end, std::int64_t bytes)
{
    Buffer made;
    made.bytes = bytes;
    made.live = LiveRanges({begin, end});
    return made;
}

/// "begin end bytes", one buffer for each line, in one arena without rounding.
Problem problemOf(const QByteArray& rows)
{
    Problem problem;
    problem.arenas = {{"cpu", 1, {}}};
    for (const QByteArray& row : rows.split('\n')) {
        const QList<QByteArray> cells = row.split(' ');
        if (cells.size() == 3)
            problem.buffers.push_back(buffer(cells[0].toLongLong(), cells[1].toLongLong(), cells[2].toLongLong()));
    }
    return problem;
}

QString offsets(const Plan& plan)
{
    QStringList list;
    for (const Allocation& allocation : plan.allocations)
        list.append(QString::number(allocation.offset));
    return list.join(QLatin1Char(' '));
}

} // namespace

class tst_Placement : public QObject
{
    Q_OBJECT

private slots:
    void everyAlgorithmHasItsWay_data();
    void everyAlgorithmHasItsWay();
    void bestKeepsTheLowestPlan();
    void anOptimalPlanSaysSo();
    void gapsAreReused();
    void sizesAreRoundedToTheArenaAndOffsetsToTheBuffer();
    void pinsAreKeptAndAvoided();
    void arenasDoNotInfluenceEachOther();
    void nothingToPlaceIsFine();
    void buffersWithoutBytesTakeNone();
    void badProblemsAreErrors_data();
    void badProblemsAreErrors();
    void unknownAlgorithmsAreWrongUsage();
    void aStopRequestEndsIt();
};

void tst_Placement::everyAlgorithmHasItsWay_data()
{
    QTest::addColumn<QByteArray>("algorithm");
    QTest::addColumn<QString>("expected");

    QTest::newRow("no-reuse") << QByteArray("no-reuse") << "0 8 24 28";
    QTest::newRow("first-fit-by-step") << QByteArray("first-fit-by-step") << "0 8 0 4";
    QTest::newRow("best-fit-by-size") << QByteArray("best-fit-by-size") << "16 0 16 20";
    QTest::newRow("storage-reuse") << QByteArray("storage-reuse") << "0 8 0 24";
}

void tst_Placement::everyAlgorithmHasItsWay()
{
    QFETCH(QByteArray, algorithm);
    // bytes
    //  24 |  +--------b-----+
    //   8 |  |              |
    //     +a-+-c--+         |      a makes room for c and d, both smaller
    //   0 +0--2----4----6---8-> step
    const Problem problem = problemOf("0 2 8\n1 8 16\n2 6 4\n3 5 4\n");

    const Plan plan = place(problem, algorithm.constData(), {}).value();

    QTEST(offsets(plan), "expected");
    QCOMPARE(plan.algorithm, algorithm.toStdString());
}

void tst_Placement::bestKeepsTheLowestPlan()
{
    const Problem problem = problemOf("0 2 8\n1 8 16\n2 6 4\n3 5 12\n");
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const std::string_view algorithm : placementAlgorithms()) {
        lowest = std::min(lowest, place(problem, algorithm, {}).value().arenaBytes[0]);
    }

    QCOMPARE(place(problem, "best", {}).value().arenaBytes[0], lowest);
}

void tst_Placement::anOptimalPlanSaysSo()
{
    const Problem problem = problemOf("0 2 8\n2 4 8\n");

    QVERIFY(place(problem, "best", {}).value().optimal);
    QVERIFY(!place(problem, "no-reuse", {}).value().optimal);
}

void tst_Placement::gapsAreReused()
{
    Problem problem = problemOf("0 2 8\n2 4 8\n");
    problem.buffers[0].live.add({4, 6});

    for (const std::string_view algorithm : {"first-fit-by-step", "best-fit-by-size"}) {
        QCOMPARE(place(problem, algorithm, {}).value().arenaBytes[0], 8);
    }
    problem.buffers[1].live.add({5, 7});
    for (const std::string_view algorithm : {"first-fit-by-step", "best-fit-by-size"}) {
        QCOMPARE(place(problem, algorithm, {}).value().arenaBytes[0], 16);
    }
}

void tst_Placement::sizesAreRoundedToTheArenaAndOffsetsToTheBuffer()
{
    Problem problem = problemOf("0 2 1\n0 2 1\n0 2 100\n");
    problem.arenas[0].alignment = 64;
    for (Buffer& one : problem.buffers)
        one.alignment = 64;

    const Plan plan = place(problem, "first-fit-by-step", {}).value();

    QCOMPARE(plan.arenaBytes[0], 256);
    QCOMPARE(lowerBounds(problem)[0], 256);
    QCOMPARE(noReuseBytes(problem)[0], 256);
    QCOMPARE(offsets(plan), QStringLiteral("128 192 0"));
}

void tst_Placement::pinsAreKeptAndAvoided()
{
    Problem problem = problemOf("0 4 16\n0 4 16\n4 6 16\n");
    problem.buffers[0].pinnedOffset = 8;

    for (const std::string_view algorithm : placementAlgorithms()) {
        const Plan plan = place(problem, algorithm, {}).value();
        QCOMPARE(plan.allocations[0].offset, 8);
        QVERIFY2(plan.allocations[1].offset >= 24, algorithm.data());
    }
}

void tst_Placement::arenasDoNotInfluenceEachOther()
{
    Problem problem = problemOf("0 4 16\n0 4 8\n0 4 4\n");
    problem.arenas.push_back({"sram", 1, {}});
    problem.buffers[1].arena = ArenaId(std::int32_t {1});

    for (const std::string_view algorithm : placementAlgorithms()) {
        const Plan plan = place(problem, algorithm, {}).value();
        QVERIFY2(plan.arenaBytes == (std::vector<std::int64_t> {20, 8}), algorithm.data());
        QCOMPARE(plan.allocations[1].arena, ArenaId(std::int32_t {1}));
    }
}

void tst_Placement::nothingToPlaceIsFine()
{
    QVERIFY(place({}, "best", {}).value().arenaBytes.empty());
    QCOMPARE(place(problemOf(""), "best", {}).value().arenaBytes[0], 0);
}

void tst_Placement::buffersWithoutBytesTakeNone()
{
    for (const std::string_view algorithm : placementAlgorithms()) {
        QCOMPARE(place(problemOf("0 4 0\n0 4 16\n"), algorithm, {}).value().arenaBytes[0], 16);
    }
}

void tst_Placement::badProblemsAreErrors_data()
{
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<int>("alignment");
    QTest::newRow("a negative size") << QByteArray("0 1 -1\n") << 1;
    QTest::newRow("no alignment") << QByteArray("0 1 1\n") << 0;
    QTest::newRow("sizes beyond 63 bits") << QByteArray("0 1 9223372036854775000\n0 1 9223372036854775000\n") << 1;
    QTest::newRow("rounding beyond 63 bits") << QByteArray("0 1 9223372036854775807\n") << 64;
}

void tst_Placement::badProblemsAreErrors()
{
    QFETCH(QByteArray, rows);
    QFETCH(int, alignment);
    Problem problem = problemOf(rows);
    problem.buffers[0].alignment = alignment;

    const Result<Plan> plan = place(problem, "best", {});

    QVERIFY(!plan.ok());
    QCOMPARE(plan.error().code, ErrorCode::BadInput);
    QVERIFY(plan.error().where.starts_with("buffer "));
}

void tst_Placement::unknownAlgorithmsAreWrongUsage()
{
    QCOMPARE(place({}, "magic", {}).error().code, ErrorCode::BadUsage);
}

void tst_Placement::aStopRequestEndsIt()
{
    Problem problem;
    problem.arenas = {{"cpu", 1, {}}};
    for (std::int64_t i = 0; i < 5000; ++i)
        problem.buffers.push_back(buffer(i, i + 2, 8));
    std::stop_source source;
    source.request_stop();

    QCOMPARE(place(problem, "best", {source.get_token(), {}}).error().code, ErrorCode::Stopped);
}

QTEST_APPLESS_MAIN(tst_Placement)
#include "tst_placement.moc"
