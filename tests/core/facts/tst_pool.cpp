#include "core/facts/english/english.h"
#include "core/facts/pool.h"
#include "core/pipeline/pipeline.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace plimsoll;

namespace {

std::vector<Blocks> blocks(const char* graph, const char* placement, std::int64_t alignment = 1)
{
    PlanRequest request;
    request.policies.alignment = alignment;
    request.policies.placement = placement;
    const Result<Report> report = analyse(test::graphFromText(graph), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return blocksOf(report.value());
}

std::vector<Blocks> ofSizes(std::vector<std::int64_t> bytes)
{
    std::sort(bytes.rbegin(), bytes.rend());
    return {{"cpu", std::move(bytes)}};
}

QString text(const std::vector<std::int64_t>& bytes)
{
    QStringList all;
    for (const std::int64_t size : bytes)
        all << QString::number(size);
    return all.join(u' ');
}

/// "pool | one by one | separate"
QString sums(const Pool& pool)
{
    return QStringLiteral("%1 | %2 | %3").arg(pool.poolBytes).arg(pool.oneByOneBytes).arg(pool.separateBytes);
}

const char* const Big = "input x float32[5]\ninput y float32[1000]\na = Neg(x)\nb = Neg(y)\noutput a b\n";
const char* const Small = "input x int8[30]\ninput y float32[500]\na = Neg(x)\nb = Neg(y)\noutput a b\n";

} // namespace

/// One pool for graphs that take turns.
class tst_Pool : public QObject
{
    Q_OBJECT

private slots:
    void theOrderOfGraphsIsNothingToThePool();
    void aPlanIsOneArenaUnlessItHasBlocks();
    void aBlockHasRoomForWhatIsRounded();
    void spacesHavePoolsOfTheirOwn();
    void randomPlansFindTheirBlocks();
};

void tst_Pool::aBlockHasRoomForWhatIsRounded()
{
    QCOMPARE(text(blocks(Big, "storage-reuse", 64)[0].bytes), QStringLiteral("4032 64"));
}

/// B29: {4000, 20} and {2000, 30}.
void tst_Pool::theOrderOfGraphsIsNothingToThePool()
{
    const std::vector<Blocks> big = blocks(Big, "storage-reuse");
    const std::vector<Blocks> small = blocks(Small, "storage-reuse");
    QCOMPARE(text(big[0].bytes), QStringLiteral("4000 20"));
    QCOMPARE(text(small[0].bytes), QStringLiteral("2000 30"));

    const std::vector<Pool> bigFirst = poolOf(std::vector {big, small});
    const std::vector<Pool> smallFirst = poolOf(std::vector {small, big});

    QCOMPARE(text(bigFirst[0].bytes), QStringLiteral("4000 30"));
    QCOMPARE(text(smallFirst[0].bytes), text(bigFirst[0].bytes));
    QCOMPARE(sums(bigFirst[0]), QStringLiteral("4030 | 4050 | 6050")); // 2000 in 4000, 30 anew
    QCOMPARE(sums(smallFirst[0]), QStringLiteral("4030 | 6030 | 6050"));
}

void tst_Pool::aPlanIsOneArenaUnlessItHasBlocks()
{
    const std::vector<Pool> pool = poolOf(std::vector {blocks(Small, "best"), blocks(Big, "best")});

    QCOMPARE(text(pool[0].bytes), QStringLiteral("4020"));
    QCOMPARE(sums(pool[0]), QStringLiteral("4020 | 6050 | 6050"));
}

void tst_Pool::spacesHavePoolsOfTheirOwn()
{
    const std::vector<Pool> pools =
        poolOf(std::vector<std::vector<Blocks>> {{{"cpu", {10}}, {"gpu", {5, 4}}}, {{"gpu", {7}}}});

    QCOMPARE(pools.size(), std::size_t(2));
    QCOMPARE(QString::fromStdString(pools[1].space), QStringLiteral("gpu"));
    QCOMPARE(text(pools[1].bytes), QStringLiteral("7 4"));
}

/// In whatever order, the pool is the same and no larger than one that grows, and every plan fits into it.
void tst_Pool::randomPlansFindTheirBlocks()
{
    constexpr unsigned Seed = 29;
    std::mt19937 random(Seed);
    for (int round = 0; round < 2'000; ++round) {
        std::vector<std::vector<Blocks>> plans;
        for (unsigned plan = 0; plan < 1 + random() % 5; ++plan) {
            std::vector<std::int64_t> bytes(random() % 6);
            for (std::int64_t& size : bytes)
                size = 1 + random() % 50;
            plans.push_back(ofSizes(bytes));
        }
        const std::vector<Pool> pool = poolOf(plans);
        std::shuffle(plans.begin(), plans.end(), random);
        const std::vector<Pool> again = poolOf(plans);
        const QByteArray where = QByteArray("seed 29, round ") + QByteArray::number(round);
        QVERIFY2(pool[0].bytes == again[0].bytes, where.constData());
        QVERIFY2(again[0].poolBytes <= again[0].oneByOneBytes && again[0].oneByOneBytes <= again[0].separateBytes,
                 where.constData());
        for (const std::vector<Blocks>& plan : plans) {
            for (std::size_t i = 0; i < plan[0].bytes.size(); ++i)
                QVERIFY2(plan[0].bytes[i] <= pool[0].bytes[i], where.constData());
        }
        // One of the plans needs each buffer whole: no smaller pool would do.
        for (std::size_t i = 0; i < pool[0].bytes.size(); ++i) {
            QVERIFY2(std::any_of(plans.begin(), plans.end(),
                                 [&](const std::vector<Blocks>& plan) {
                                     return i < plan[0].bytes.size() && plan[0].bytes[i] == pool[0].bytes[i];
                                 }),
                     where.constData());
        }
    }
}

QTEST_APPLESS_MAIN(tst_Pool)
#include "tst_pool.moc"
