#include "core/placement/fit/free_list.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace plimsoll;

namespace {

/// The same, slowly: every byte that is taken, as runs.
class Naive
{
public:
    std::int64_t takeLowest(std::int64_t units, std::int64_t alignment)
    {
        std::int64_t at = 0;
        for (const auto& [begin, end] : m_taken) {
            if (begin - at >= units) break;
            at = std::max(at, (end + alignment - 1) / alignment * alignment);
        }
        m_taken[at] = at + units;
        return at;
    }

    std::int64_t takeTightest(std::int64_t units)
    {
        std::int64_t at = 0;
        std::int64_t best = -1;
        std::int64_t smallest = FreeList::Top;
        for (const auto& [begin, end] : m_taken) {
            if (begin - at >= units && begin - at < smallest) {
                best = at;
                smallest = begin - at;
            }
            at = end;
        }
        if (best < 0) best = at;
        m_taken[best] = best + units;
        return best;
    }

    void put(std::int64_t offset, std::int64_t units) { m_taken[offset] = offset + units; }
    void giveBack(std::int64_t offset) { m_taken.erase(offset); }

private:
    std::map<std::int64_t, std::int64_t> m_taken; // begin → end
};

struct Block
{
    std::int64_t offset = 0;
    std::int64_t units = 0;
};

} // namespace

class TestFreeList : public QObject
{
    Q_OBJECT

private slots:
    void thousandsOfHolesAreTakenAsByASlowOne_data();
    void thousandsOfHolesAreTakenAsByASlowOne();
};

void TestFreeList::thousandsOfHolesAreTakenAsByASlowOne_data()
{
    QTest::addColumn<int>("blocks");
    QTest::addColumn<int>("alignment");
    QTest::addColumn<bool>("tightest");
    QTest::newRow("few") << 40 << 1 << false;
    QTest::newRow("many chunks") << 3'000 << 1 << false;
    QTest::newRow("many groups") << 20'000 << 1 << false;
    QTest::newRow("aligned") << 3'000 << 6 << false;
    QTest::newRow("tightest") << 3'000 << 1 << true;
}

/// So many blocks, then half of them given back and taken in other sizes, again and again.
void TestFreeList::thousandsOfHolesAreTakenAsByASlowOne()
{
    QFETCH(const int, blocks);
    QFETCH(const int, alignment);
    QFETCH(const bool, tightest);
    constexpr unsigned Seed = 20'261'122;
    qInfo("seed %u", Seed);
    std::mt19937 random(Seed);
    FreeList fast;
    Naive slow;
    std::vector<Block> taken;
    const auto take = [&](std::int64_t most) {
        const auto units = static_cast<std::int64_t>(1 + random() % static_cast<unsigned>(most));
        const std::int64_t offset = tightest ? fast.takeTightest(units, 1) : fast.takeLowest(units, alignment);
        taken.push_back({offset, units});
        return offset == (tightest ? slow.takeTightest(units) : slow.takeLowest(units, alignment));
    };
    const auto giveBack = [&](std::size_t count) {
        for (; count > 0; --count) {
            fast.giveBack(taken.back().offset, taken.back().units);
            slow.giveBack(taken.back().offset);
            taken.pop_back();
        }
    };
    for (std::int64_t i = 0, end = 0; i < blocks; ++i, end += taken.back().units) {
        taken.push_back({end, static_cast<std::int64_t>(1 + random() % 9)});
        QCOMPARE(tightest ? fast.takeTightest(taken.back().units, 1) : fast.takeLowest(taken.back().units, 1), end);
        slow.put(end, taken.back().units);
    }
    for (int round = 0; round < 3; ++round) {
        std::shuffle(taken.begin(), taken.end(), random);
        giveBack(taken.size() / 2);
        // Wherever there is no room the slow one walks over everything, so a few of those will do.
        for (int i = 0; i < std::min(blocks / 2, 500); ++i)
            QVERIFY(take(i % 8 == 0 ? 40 : 3));
    }
    std::shuffle(taken.begin(), taken.end(), random);
    while (taken.size() > 40) { // holes join until few are left
        giveBack(40);
        for (int i = 0; i < 4; ++i)
            QVERIFY(take(i == 0 ? 300 : 12));
        std::swap(taken.front(), taken.back());
    }
}

QTEST_APPLESS_MAIN(TestFreeList)
#include "tst_free_list.moc"
