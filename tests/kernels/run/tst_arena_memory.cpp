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
    QCOMPARE(hit->after, after);
    QCOMPARE(hit->distance, std::int64_t(distance));
    QVERIFY(!memory.checkGuards());
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
