#include "core/placement/placement.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "begin end bytes", with "takes frees" behind it where turns matter; one buffer for each line, one arena.
Problem problemOf(const QByteArray& rows)
{
    Problem problem;
    problem.arenas = {{"cpu", 1, {}}};
    for (const QByteArray& row : rows.split('\n')) {
        const QList<QByteArray> cells = row.split(' ');
        if (cells.size() < 3) continue;
        Buffer buffer;
        buffer.bytes = cells[2].toLongLong();
        buffer.live = LiveRanges({cells[0].toLongLong(), cells[1].toLongLong()});
        if (cells.size() == 5) {
            buffer.takes = cells[3].toInt();
            buffer.frees = cells[4].toInt();
        }
        problem.buffers.push_back(std::move(buffer));
    }
    return problem;
}

/// The buffers of a chain in which each value is made from the one before.
Problem chainOf(const QList<int>& bytes)
{
    QByteArray rows;
    for (int i = 0; i < bytes.size(); ++i) {
        rows += QByteArray::number(i) + ' ' + QByteArray::number(i + 2) + ' ' + QByteArray::number(bytes[i]) + '\n';
    }
    return problemOf(rows);
}

Plan placed(const Problem& problem)
{
    return place(problem, "storage-reuse", {}).value();
}

QString offsets(const Plan& plan)
{
    QStringList list;
    for (const Allocation& allocation : plan.allocations)
        list.append(QString::number(allocation.offset));
    return list.join(QLatin1Char(' '));
}

} // namespace

/// Blocks that are handed on whole, as in MXNet's planner. Sizes in bytes.
class tst_SizedBlocks : public QObject
{
    Q_OBJECT

private slots:
    void aBlockIsHandedOnWithinTheMatchRange_data();
    void aBlockIsHandedOnWithinTheMatchRange();
    void theSearchKeepsTheFirstOfTheLowest();
    void aSearchWithoutARangeMakesThePlanOfRangeZero();
    void ofTwoBlocksTheTighterIsTaken_data();
    void ofTwoBlocksTheTighterIsTaken();
    void turnsDecideWhoAsksAndWhoFreesFirst();
    void aBlockStaysWithTheColourThatFreedIt();
};

void tst_SizedBlocks::aBlockIsHandedOnWithinTheMatchRange_data()
{
    QTest::addColumn<QList<int>>("chain");
    QTest::addColumn<qint64>("range");
    QTest::addColumn<qint64>("expected");

    const QList<int> dip = {4096, 4096, 256, 4096};
    QTest::newRow("within 16") << dip << qint64 {16} << qint64 {8192};
    QTest::newRow("equal sizes only") << dip << qint64 {1} << qint64 {8448};
    QTest::newRow("to none") << dip << qint64 {0} << qint64 {12544};
    QTest::newRow("just below a sixteenth") << QList<int> {4096, 4096, 252, 4096} << qint64 {16} << qint64 {8444};
    QTest::newRow("a block grows") << QList<int> {4000, 40, 4000, 40, 2000} << qint64 {16} << qint64 {4040};
    QTest::newRow("a freed block of 1024 elements, 64 wanted")
        << QList<int> {4096, 1, 256} << qint64 {16} << qint64 {4097};
    QTest::newRow("a freed block of 1024 elements, 63 wanted")
        << QList<int> {4096, 1, 252} << qint64 {16} << qint64 {4349};
    QTest::newRow("a freed block of 64 elements, 1024 wanted")
        << QList<int> {256, 1, 4096} << qint64 {16} << qint64 {4097};
    QTest::newRow("a freed block of 64 elements, 1025 wanted: 4100 / 16 is 256")
        << QList<int> {256, 1, 4100} << qint64 {16} << qint64 {4101};
    QTest::newRow("a freed block of 64 elements, 1040 wanted")
        << QList<int> {256, 1, 4160} << qint64 {16} << qint64 {4417};
    QTest::newRow("a range beyond all sizes")
        << QList<int> {1, 1 << 20, 1 << 30} << (qint64 {1} << 40) << (qint64 {1} << 30) + (1 << 20);
}

void tst_SizedBlocks::aBlockIsHandedOnWithinTheMatchRange()
{
    QFETCH(QList<int>, chain);
    QFETCH(qint64, range);
    Problem problem = chainOf(chain);
    problem.blockRule.matchRange = range;

    const Plan plan = placed(problem);

    QTEST(qint64 {plan.arenaBytes[0]}, "expected");
    QCOMPARE(plan.tried, (std::vector<MatchRangeTry> {{range, plan.arenaBytes[0]}}));
}

void tst_SizedBlocks::theSearchKeepsTheFirstOfTheLowest()
{
    Problem problem = chainOf({4000, 40, 4000, 40, 2000});
    problem.blockRule = {16, true, {}};
    const Plan plan = placed(problem);

    QCOMPARE(plan.arenaBytes[0], 4040);
    QCOMPARE(plan.tried, (std::vector<MatchRangeTry> {{1, 6040}, {2, 4040}, {4, 4040}, {8, 4040}, {16, 4040}}));

    problem.blockRule.matchRange = 7; // no power of two: as in MXNet it is itself not tried
    QCOMPARE(placed(problem).tried, (std::vector<MatchRangeTry> {{1, 6040}, {2, 4040}, {4, 4040}}));
}

void tst_SizedBlocks::aSearchWithoutARangeMakesThePlanOfRangeZero()
{
    Problem problem = chainOf({4000, 40, 4000, 40, 2000});
    problem.blockRule = {0, true, {}};

    QCOMPARE(placed(problem).tried, (std::vector<MatchRangeTry> {{0, 10080}}));
}

void tst_SizedBlocks::ofTwoBlocksTheTighterIsTaken_data()
{
    QTest::addColumn<QByteArray>("rows");
    QTest::addColumn<QString>("expected");

    QTest::newRow("the smallest that is large enough")
        << QByteArray("0 2 30\n0 2 20\n0 2 10\n2 3 15\n") << "0 30 50 30";
    QTest::newRow("else the largest, which grows") << QByteArray("0 2 30\n0 2 20\n0 2 10\n2 3 40\n") << "0 40 60 0";
    QTest::newRow("of equal ones the first freed") << QByteArray("0 3 20\n0 2 20\n3 4 20\n") << "0 20 20";
    QTest::newRow("growing, of equal ones the last freed") << QByteArray("0 3 20\n0 2 20\n3 4 30\n") << "0 30 0";
}

void tst_SizedBlocks::ofTwoBlocksTheTighterIsTaken()
{
    QFETCH(QByteArray, rows);

    QTEST(offsets(placed(problemOf(rows))), "expected");
}

void tst_SizedBlocks::turnsDecideWhoAsksAndWhoFreesFirst()
{
    QCOMPARE(offsets(placed(problemOf("0 1 8\n0 1 8\n"))), QStringLiteral("0 8"));
    QCOMPARE(offsets(placed(problemOf("0 1 8 1 0\n0 1 8 0 0\n"))), QStringLiteral("8 0"));
    QCOMPARE(offsets(placed(problemOf("0 1 4 1 0\n0 1 8 2 0\n"))), QStringLiteral("0 4")); // before size
    QCOMPARE(offsets(placed(problemOf("0 1 8\n0 1 8\n1 2 8\n"))), QStringLiteral("0 8 0"));
    QCOMPARE(offsets(placed(problemOf("0 1 8 0 1\n0 1 8 1 0\n1 2 8\n"))), QStringLiteral("0 8 8"));
}

void tst_SizedBlocks::aBlockStaysWithTheColourThatFreedIt()
{
    // steps    0     1     2     3
    // colours  0     1     0     1
    // a        [-----)                freed by 0: the last of its steps counts
    // b              [-----)          wanted by 1: another block
    // c                    [-----)    wanted by 0: the block of a; freed by 0
    // d                          [--) wanted by 1: the block of b
    Problem problem = problemOf("0 1 8\n1 2 8\n2 3 8\n3 4 8\n");
    problem.blockRule.stepColours = {0, 1, 0, 1};
    QCOMPARE(offsets(placed(problem)), QStringLiteral("0 8 0 8"));

    problem.blockRule.stepColours = {};
    QCOMPARE(offsets(placed(problem)), QStringLiteral("0 0 0 0"));
}

QTEST_APPLESS_MAIN(tst_SizedBlocks)
#include "tst_sized_blocks.moc"
