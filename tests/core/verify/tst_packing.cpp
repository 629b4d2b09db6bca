#include "core/verify/packing.h"

#include <QtTest>

#include <random>
#include <set>

using namespace plimsoll;

namespace {

Buffer buffer(Interval steps, std::int64_t bytes)
{
    Buffer made;
    made.bytes = bytes;
    made.live = LiveRanges(steps);
    return made;
}

struct Packed
{
    Problem problem {{}, {Arena {"cpu", 1, {}}}};
    std::vector<Allocation> where;

    Packed& add(Buffer item, std::int64_t offset)
    {
        problem.buffers.push_back(std::move(item));
        where.push_back({ArenaId(std::int32_t {0}), offset});
        return *this;
    }
    [[nodiscard]] PackingVerdict judge(std::size_t most = 100) const { return judgePacking(problem, where, most); }
};

/// "overlap 1 0 @3 [4, 8)", one line a fault.
QString summary(const PackingVerdict& verdict)
{
    QStringList lines;
    for (const PackingFault& fault : verdict.faults) {
        lines << QStringLiteral("%1 %2 %3 @%4 [%5, %6)")
                     .arg(QString::fromStdString(std::string(packingFaultId(fault.kind))))
                     .arg(fault.buffer.number())
                     .arg(fault.other.number())
                     .arg(fault.step)
                     .arg(fault.bytes.begin)
                     .arg(fault.bytes.end);
    }
    return lines.join(QLatin1Char('\n'));
}

/// Every pair, every interval.
std::size_t clashingPairs(const Packed& packed)
{
    std::size_t pairs = 0;
    const auto& all = packed.problem.buffers;
    for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = a + 1; b < all.size(); ++b) {
            const Interval one {packed.where[a].offset, packed.where[a].offset + all[a].bytes};
            const Interval other {packed.where[b].offset, packed.where[b].offset + all[b].bytes};
            if (overlaps(one, other) && overlaps(all[a].live, all[b].live)) ++pairs;
        }
    }
    return pairs;
}

} // namespace

class TestPacking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void touchingInTimeOrSpaceIsLegal();
    void everyKindOfFaultIsNamed();
    void oneThatClashedStillClashesWithOthers();
    void gapsMayBeReused();
    void faultsAreCountedUpToTheMost();
    void theSweepAgreesWithEveryPair();
};

void TestPacking::touchingInTimeOrSpaceIsLegal()
{
    Packed packed;
    packed.add(buffer({0, 3}, 8), 0).add(buffer({3, 5}, 8), 0).add(buffer({1, 4}, 8), 8).add(buffer({0, 9}, 0), 4);

    const PackingVerdict verdict = packed.judge();

    QVERIFY(verdict.legal());
    QCOMPARE(verdict.arenaBytes.front(), std::int64_t(16));
    QCOMPARE(verdict.liveBytes.front(), std::int64_t(16));
}

void TestPacking::everyKindOfFaultIsNamed()
{
    Packed packed;
    packed.problem.arenas[0].capacityBytes = 32;
    Buffer aligned = buffer({0, 2}, 4);
    aligned.alignment = 8;
    Buffer pinned = buffer({0, 2}, 4);
    pinned.pinnedOffset = 24;
    packed.add(buffer({0, 4}, 8), 0).add(buffer({3, 5}, 8), 4).add(aligned, 12).add(pinned, 20);
    packed.add(buffer({6, 7}, 8), -8).add(buffer({6, 7}, 8), 28).add(buffer({6, 7}, 8), INT64_MAX - 3);

    QCOMPARE(summary(packed.judge()), QStringLiteral("misaligned 2 -1 @0 [12, 16)\n"
                                                     "moved 3 -1 @0 [20, 24)\n"
                                                     "below-arena 4 -1 @6 [-8, 0)\n"
                                                     "beyond-capacity 5 -1 @6 [32, 36)\n"
                                                     "beyond-numbers 6 -1 @6 [0, 0)\n"
                                                     "overlap 1 0 @3 [4, 8)"));
}

void TestPacking::oneThatClashedStillClashesWithOthers()
{
    Packed packed;
    packed.add(buffer({0, 9}, 8), 0).add(buffer({1, 9}, 16), 4).add(buffer({2, 9}, 4), 16);

    QCOMPARE(summary(packed.judge()), QStringLiteral("overlap 1 0 @1 [4, 8)\noverlap 2 1 @2 [16, 20)"));
}

void TestPacking::gapsMayBeReused()
{
    Packed packed;
    Buffer gapped = buffer({0, 2}, 8);
    gapped.live.add({5, 7});
    packed.add(gapped, 0).add(buffer({2, 5}, 8), 0);
    QVERIFY(packed.judge().legal());

    packed.add(buffer({4, 6}, 8), 0);
    QCOMPARE(summary(packed.judge()), QStringLiteral("overlap 2 1 @4 [0, 8)\noverlap 0 2 @5 [0, 8)"));
}

void TestPacking::faultsAreCountedUpToTheMost()
{
    Packed packed;
    for (int i = 0; i < 5; ++i)
        packed.add(buffer({0, 1}, 4), 0);

    QCOMPARE(packed.judge().faults.size(), std::size_t(10));
    QVERIFY(packed.judge().complete);
    QCOMPARE(packed.judge(3).faults.size(), std::size_t(3));
    QVERIFY(!packed.judge(3).complete);
    QVERIFY(packed.judge(10).complete);
}

void TestPacking::theSweepAgreesWithEveryPair()
{
    const unsigned seed = 20261121;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    const auto below = [&](std::int64_t end) { return std::int64_t(random() % std::uint64_t(end)); };
    std::size_t illegal = 0;
    for (int round = 0; round < 3000; ++round) {
        Packed packed;
        const std::int64_t count = 1 + below(12);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t begin = below(10);
            Buffer item = buffer({begin, begin + below(5)}, below(7));
            if (below(4) == 0) item.live.add({begin + 6, begin + 7});
            packed.add(item, below(60));
        }
        const PackingVerdict verdict = packed.judge(10'000);
        const std::size_t expected = clashingPairs(packed);
        illegal += expected > 0;
        // Two that meet in two of their intervals are told twice.
        std::set<std::pair<BufferId, BufferId>> pairs;
        for (const PackingFault& fault : verdict.faults)
            pairs.insert(std::minmax(fault.buffer, fault.other));
        QCOMPARE(pairs.size(), expected);
    }
    QVERIFY(illegal > 300 && illegal < 2700);
}

QTEST_APPLESS_MAIN(TestPacking)
#include "tst_packing.moc"
