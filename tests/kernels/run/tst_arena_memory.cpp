#include "kernels/run/memory/arena_memory.h"

#include <QtTest>

#include <cstring>

using namespace plimsoll;
using kernels::ArenaMemory;

namespace {

constexpr ArenaId First {std::int32_t {0}};

ArenaMemory memoryOf(std::int64_t bytes)
{
    PlannedArena arena;
    arena.bytes = bytes;
    return ArenaMemory::create({arena}).value();
}

} // namespace

class TestArenaMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesInsideLeaveTheGuardsAlone();
    void aWriteBesideTheArenaIsToldOnce_data();
    void aWriteBesideTheArenaIsToldOnce();
    void aWriteToReservedBytesIsToldOnce();
    void highWaterIsRoundedToTheAlignment();
    void poisonChangesTheBytesItNames();
    void aCopyIsTheSameMemory();
    void anArenaBeyondThisMachineIsRefused();
};

void TestArenaMemory::writesInsideLeaveTheGuardsAlone()
{
    ArenaMemory memory = memoryOf(256);

    std::memset(memory.at(First, 0), 0, 256);

    QVERIFY(!memory.checkGuards());
}

void TestArenaMemory::aWriteBesideTheArenaIsToldOnce_data()
{
    QTest::addColumn<int>("offset");
    QTest::addColumn<bool>("after");
    QTest::addColumn<int>("distance");
    QTest::newRow("first byte behind") << 256 << true << 0;
    QTest::newRow("further behind") << 300 << true << 44;
    QTest::newRow("last byte in front") << -1 << false << 0;
    QTest::newRow("further in front") << -10 << false << 9;
}

void TestArenaMemory::aWriteBesideTheArenaIsToldOnce()
{
    QFETCH(int, offset);
    QFETCH(bool, after);
    QFETCH(int, distance);
    ArenaMemory memory = memoryOf(256);

    *memory.at(First, offset) = std::byte {1};

    const auto hit = memory.checkGuards();
    QVERIFY(hit.has_value());
    QCOMPARE(hit->zone == ArenaMemory::GuardHit::Zone::After, after);
    QCOMPARE(hit->distance, std::int64_t(distance));
    QVERIFY(!memory.checkGuards());
    QCOMPARE(memory.watched()->zones, 2);
    QCOMPARE(memory.watched()->touchedZones, 1);
    QCOMPARE(memory.watched()->poisonedBytes, 256);
    memory.poison(First, {0, 64});
    QCOMPARE(memory.watched()->poisonedBytes, 320);
    QVERIFY(!ArenaMemory::create({PlannedArena {.bytes = 64}}, {}, false).value().watched());
}

/// Once, whatever lies there.
void TestArenaMemory::aWriteToReservedBytesIsToldOnce()
{
    PlannedArena arena;
    arena.bytes = 256;
    arena.reserved = {{{64, 128}, "boot loader"}, {{64, 128}, "said twice"}, {{200, 999}, "beyond the end"}};
    ArenaMemory memory = ArenaMemory::create({arena}).value();
    std::memset(memory.at(First, 0), 0, 64);
    std::memset(memory.at(First, 128), 0, 72);
    QVERIFY(!memory.checkGuards());

    *memory.at(First, 100) = std::byte {1};
    const auto hit = memory.checkGuards();
    QVERIFY(hit.has_value());
    QVERIFY(hit->zone == ArenaMemory::GuardHit::Zone::Reserved);
    QCOMPARE(hit->distance, std::int64_t(100));
    QVERIFY(!memory.checkGuards());
    QCOMPARE(*memory.at(First, 100), std::byte {1});

    *memory.at(First, 255) = std::byte {1};
    QVERIFY(memory.checkGuards());
}

void TestArenaMemory::highWaterIsRoundedToTheAlignment()
{
    ArenaMemory memory = memoryOf(256);

    memory.touch(First, 64, 1);
    memory.touch(First, 0, 3);

    QCOMPARE(memory.touchedBytes(), std::int64_t(128));
}

void TestArenaMemory::poisonChangesTheBytesItNames()
{
    ArenaMemory memory = memoryOf(64);
    std::memset(memory.at(First, 0), 0, 64);

    memory.poison(First, {16, 999});

    QCOMPARE(*memory.at(First, 15), std::byte {0});
    QVERIFY(*memory.at(First, 16) != std::byte {0});
    QVERIFY(*memory.at(First, 63) != std::byte {0});
    QVERIFY(!memory.checkGuards());
}

void TestArenaMemory::aCopyIsTheSameMemory()
{
    const ArenaMemory memory = memoryOf(256);
    const ArenaMemory copy = memory;

    QCOMPARE(copy.at(First, 16), memory.at(First, 16));
}

void TestArenaMemory::anArenaBeyondThisMachineIsRefused()
{
    PlannedArena arena;
    arena.bytes = std::int64_t {1} << 60;

    const auto memory = ArenaMemory::create({arena});

    QVERIFY(!memory.ok());
    QCOMPARE(memory.error().code, ErrorCode::Unsupported);
}

QTEST_APPLESS_MAIN(TestArenaMemory)
#include "tst_arena_memory.moc"
