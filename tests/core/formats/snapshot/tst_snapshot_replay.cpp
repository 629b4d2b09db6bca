#include "core/facts/english/english.h"
#include "core/formats/snapshot/snapshot_replay.h"

#include "core/base/bytes.h"
#include "core/formats/snapshot/plain_json.h"
#include "core/formats/snapshot/snapshot_segments.h"

#include "tests/support/snapshot_text.h"

#include <QtTest>

using namespace plimsoll;

namespace {

constexpr std::int64_t KiB = 1024;
constexpr std::int64_t MiB = 1024 * KiB;

/// \p settings: more keys of the snapshot, ", \"allocator_settings\": {}".
DeviceSnapshot snapshotOf(const std::string& lines, const std::string& settings = {})
{
    static std::vector<PickledData> kept; // frames are looked up in it
    std::string json = test::snapshotJson(lines);
    json.insert(json.rfind('}'), settings);
    auto plain = readPlainJson(json);
    if (!plain.ok()) qFatal("%s", describe(plain.error()).c_str());
    kept.push_back(std::move(plain).value());
    auto snapshot = readDeviceSnapshot(kept.back().data, kept.back().root, {});
    if (!snapshot.ok()) qFatal("%s", describe(snapshot.error()).c_str());
    return std::move(snapshot).value();
}

SnapshotReplay replayOf(const std::string& lines)
{
    auto replay = replaySnapshot(snapshotOf(lines));
    if (!replay.ok()) qFatal("%s", describe(replay.error()).c_str());
    return std::move(replay).value();
}

/// "4096+512 [1, 4)", one line a life.
QString livesOf(const SnapshotReplay& replay)
{
    QStringList lines;
    for (const SnapshotLife& life : replay.lives)
        lines << QStringLiteral("%1+%2 [%3, %4)")
                     .arg(life.address)
                     .arg(life.bytes)
                     .arg(life.time.begin)
                     .arg(life.time.end);
    return lines.join(QLatin1Char('\n'));
}

QString textOf(const SnapshotSegments& segments)
{
    QStringList parts;
    for (const auto& [begin, segment] : segments.byBegin())
        parts << QStringLiteral("%1-%2%3")
                     .arg(begin)
                     .arg(segment.end)
                     .arg(segment.expandable ? QStringLiteral("e") : QString());
    return parts.join(QLatin1Char(' '));
}

std::string words(std::initializer_list<std::int64_t> numbers, const char* action)
{
    std::string line = action;
    for (const std::int64_t number : numbers)
        line += " " + std::to_string(number);
    return line + "\n";
}

} // namespace

class TestSnapshotReplay : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void livesGoFromAllocationToCompletedFree_data();
    void livesGoFromAllocationToCompletedFree();
    void blocksAreAsLargeAsTheAllocatorMakesThem_data();
    void blocksAreAsLargeAsTheAllocatorMakesThem();
    void blocksHaveTheAddressesThatTheyTell();
    void onlyTheSegmentsOfOneDeviceAreTaken();
    void holesAreThoseOfThePeakNotOfTheEnd();
    void whatIsFreeAwaitsNothing();
    void settingsOfTheAllocatorCount_data();
    void settingsOfTheAllocatorCount();
    void segmentsOfTheDriverStayApartAndPagesJoin();
    void reservedBytesAreCountedBackFromTheEnd();
    void pagesAreMappedAndUnmapped();
    void aRefusalNamesTheLargestHole();
    void aHoleOfAnotherStreamIsOfNoUse();
    void theLastRefusalsAreTold();
    void holesAtThePeakAreThoseBetweenItsBlocks();
    void addressesThatNeverWereInASegmentAreLeftOut();
    void contradictionsAreToldWithTheirEvent_data();
    void contradictionsAreToldWithTheirEvent();
    void moreThanAllBytesIsAnError();
};

void TestSnapshotReplay::livesGoFromAllocationToCompletedFree_data()
{
    QTest::addColumn<QString>("lines");
    QTest::addColumn<QString>("lives");
    const auto row = [](const char* name, const char* lines, const char* lives) {
        QTest::newRow(name) << QString::fromUtf8(lines) << QString::fromUtf8(lives);
    };
    row("alloc and free", "alloc 4096 512\nfree_requested 4096 512\nfree_completed 4096 512\n", "4096+512 [1, 3)");
    row("free at once", "alloc 4096 512\nfree 4096 512\n", "4096+512 [1, 2)");
    row("alive at the end", "alloc 4096 512\nsnapshot 0 0\n", "4096+512 [1, 3)");
    row("given up, not free", "alloc 4096 512\nfree_requested 4096 512\n", "4096+512 [1, 3)");
    row("an address again", "alloc 4096 512\nfree 4096 512\nalloc 4096 1024\n", "4096+512 [1, 2)\n4096+1024 [3, 4)");
    row("a free without an alloc", "snapshot 0 0\nfree_completed 4096 700\n", "4096+1024 [0, 2)");
    row("its request without an alloc", "free_requested 4096 700\nsnapshot 0 0\nfree_completed 4096 700\n",
        "4096+1024 [0, 3)");
    row("a block without events", "segment 4096 2097152\nblock 1024 700 active_allocated\nsnapshot 0 0\n",
        "4096+1024 [0, 2)");
    row("a free block", "segment 4096 2097152\nblock 1024 700 inactive\nsnapshot 0 0\n", "");
    row("blocks follow one another",
        "segment 4096 2097152\nblock 512 1 active_allocated\nblock 1024 0 inactive\nblock 512 9 active_pending_free\n",
        "4096+512 [0, 1)\n5632+512 [0, 1)");
    row("before the record, by address", "free_completed 9216 1\nfree_completed 4096 1\n",
        "4096+512 [0, 2)\n9216+512 [0, 1)");
    row("given up before the end, in the final state",
        "segment 4096 2097152\nblock 1536 700 active_awaiting_free\nfree_requested 4096 700\n", "4096+1536 [0, 2)");
}

void TestSnapshotReplay::livesGoFromAllocationToCompletedFree()
{
    QFETCH(QString, lines);

    const SnapshotReplay replay = replayOf(lines.toStdString());

    QTEST(livesOf(replay), "lives");
    QVERIFY2(replay.faults.empty(), english(replay.faults.empty() ? Message() : replay.faults.front()).c_str());
}

void TestSnapshotReplay::blocksAreAsLargeAsTheAllocatorMakesThem_data()
{
    QTest::addColumn<QString>("lines");
    QTest::addColumn<qint64>("bytes");
    const auto row = [](const char* name, const std::string& lines, std::int64_t bytes) {
        QTest::newRow(name) << QString::fromStdString(lines) << qint64(bytes);
    };
    const std::string large = "segment 0 20971520\n";
    const std::string small = "segment 0 2097152\n";
    row("rounded to 512", small + "alloc 0 513\nfree 0 513\n", 1024);
    row("at least 512", small + "alloc 0 1\nfree 0 1\n", 512);
    row("no small rest is split off a large block", small + words({0, 2 * MiB - 512}, "alloc") + "free 0 2096640\n",
        2 * MiB);
    row("but off a small one", small + words({0, MiB}, "alloc") + "alloc 1048576 1048064\nfree 0 1048576\n", MiB);
    row("a rest of 1 MiB stays", large + words({0, 19 * MiB}, "alloc") + words({0, 19 * MiB}, "free"), 20 * MiB);
    row("a larger rest is split off", large + words({0, 19 * MiB - 512}, "alloc") + words({0, 19 * MiB - 512}, "free"),
        19 * MiB - 512);
    row("up to the next block",
        large + words({8 * MiB, 12 * MiB}, "alloc") + words({0, 8 * MiB - 4096}, "alloc") +
            words({0, 8 * MiB - 4096}, "free") + words({8 * MiB, 12 * MiB}, "free"),
        8 * MiB);
    row("a rest of one block is split off",
        small + words({1536, 512}, "alloc") + words({0, 1024}, "alloc") + words({0, 1024}, "free"), 1024);
    row("nothing asked for is a block, too", small + "alloc 0 0\nfree 0 0\n", 512);
    row("pages are split finely",
        "segment 0 20971520 expandable\n" + words({0, 19 * MiB}, "alloc") + words({0, 19 * MiB}, "free"), 19 * MiB);
    row("the final state knows better",
        large + "block 3145728 2097152 active_allocated\nblock 17825792 0 inactive\nalloc 0 2097152\n", 3 * MiB);
    row("but only of the last at its address",
        large + "block 3145728 2097152 active_allocated\nblock 17825792 0 inactive\nalloc 0 2097152\nfree 0 2097152\n"
                "alloc 0 2097152\n",
        2 * MiB);
    row("no segments are known", words({0, 19 * MiB}, "alloc") + words({0, 19 * MiB}, "free"), 19 * MiB);
}

void TestSnapshotReplay::blocksAreAsLargeAsTheAllocatorMakesThem()
{
    QFETCH(QString, lines);

    const SnapshotReplay replay = replayOf(lines.toStdString());

    const auto first = std::find_if(replay.lives.begin(), replay.lives.end(),
                                    [](const SnapshotLife& life) { return life.address == 0; });
    QVERIFY(first != replay.lives.end());
    QTEST(qint64(first->bytes), "bytes");
}

void TestSnapshotReplay::blocksHaveTheAddressesThatTheyTell()
{
    const auto plain = readPlainJson(R"({"segments": [{"address": 0, "total_size": 8192, "blocks": [
        {"address": 4096, "size": 512, "state": "active_allocated"}, {"size": 1024, "state": "active_allocated"}]}]})");
    QVERIFY(plain.ok());
    const auto snapshot = readDeviceSnapshot(plain.value().data, plain.value().root, {});
    QVERIFY(snapshot.ok());

    QCOMPARE(livesOf(replaySnapshot(snapshot.value()).value()), QStringLiteral("4096+512 [0, 1)\n4608+1024 [0, 1)"));
}

void TestSnapshotReplay::onlyTheSegmentsOfOneDeviceAreTaken()
{
    const DeviceSnapshot snapshot = snapshotOf("segment 0 2097152\nalloc 0 512\ndevice 1\nsegment 4194304 2097152\n");

    QCOMPARE(snapshot.device, std::int64_t {0});
    QCOMPARE(snapshot.segments.size(), std::size_t {1});
    QCOMPARE(snapshot.segments.front().address, std::int64_t {0});
    QCOMPARE(snapshot.others, (std::vector<std::int64_t> {1}));
}

void TestSnapshotReplay::holesAreThoseOfThePeakNotOfTheEnd()
{
    const SnapshotReplay replay = replayOf("segment 0 2097152\nsegment 4194304 2097152\n"
                                           "alloc 0 1048576\nfree 0 1048576\nsegment_alloc 4194304 2097152\n");

    QCOMPARE(replay.mostAlive.time, std::int64_t {1});
    QCOMPARE(replay.holes.size(), std::size_t {1});
    QCOMPARE(replay.holes.front().addresses, (Interval {MiB, 2 * MiB}));
}

/// A request to free counts with the whole block, until it is done.
void TestSnapshotReplay::whatIsFreeAwaitsNothing()
{
    const SnapshotReplay replay = replayOf("segment 0 2097152\nalloc 0 700\nfree_requested 0 700\noom 0 512\n"
                                           "free_completed 0 700\noom 0 512\n");

    QCOMPARE(replay.refused.size(), std::size_t {2});
    QCOMPARE(replay.refused.front().awaitingBytes, std::int64_t {1024});
    QCOMPARE(replay.refused.back().awaitingBytes, std::int64_t {0});
    QCOMPARE(replay.awaiting, std::int64_t {0});
    const SnapshotReplay rounded = replayOf("alloc 0 700\nfree 0 1024\n"); // as some versions tell it
    QVERIFY(rounded.faults.empty());
}

void TestSnapshotReplay::settingsOfTheAllocatorCount_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<bool>("roundsToPowers");
    const auto row = [](const char* name, const char* settings, std::int64_t bytes, bool rounds = false) {
        QTest::newRow(name) << QString::fromUtf8(settings) << qint64(bytes) << rounds;
    };
    row("none", "", 10 * MiB);
    row("from this size on blocks are whole", "\"max_split_size\": 10485760", 20 * MiB);
    row("from the next one on", "\"max_split_size\": 10485761", 10 * MiB);
    row("never, as the allocator writes it", "\"max_split_size\": -1", 10 * MiB);
    row("halves of powers", "\"roundup_power2_divisions\": {\"1\": 0, \"256\": 2}", 10 * MiB, true);
    row("no fractions", "\"roundup_power2_divisions\": {\"1\": 1, \"256\": 0}", 10 * MiB);
}

void TestSnapshotReplay::settingsOfTheAllocatorCount()
{
    QFETCH(QString, settings);

    const DeviceSnapshot snapshot =
        snapshotOf("segment 0 20971520\n" + words({0, 10 * MiB}, "alloc") + words({0, 10 * MiB}, "free"),
                   ", \"allocator_settings\": {" + settings.toStdString() + "}");
    const auto replay = replaySnapshot(snapshot);

    QVERIFY(replay.ok());
    QTEST(qint64(replay.value().lives.front().bytes), "bytes");
    QTEST(snapshot.roundsToPowers, "roundsToPowers");
}

void TestSnapshotReplay::segmentsOfTheDriverStayApartAndPagesJoin()
{
    SnapshotSegments segments;
    QVERIFY(segments.add({100, 200}, 0, false));
    QVERIFY(segments.add({200, 300}, 0, false));
    QCOMPARE(textOf(segments), QStringLiteral("100-200 200-300"));

    QVERIFY(segments.add({400, 500}, 0, true));
    QVERIFY(segments.add({600, 700}, 0, true));
    QVERIFY(segments.add({500, 600}, 0, true)); // between the two
    QVERIFY(segments.add({700, 800}, 1, true)); // another stream's
    QCOMPARE(textOf(segments), QStringLiteral("100-200 200-300 400-700e 700-800e"));

    QVERIFY(segments.remove({500, 550}));
    QVERIFY(segments.remove({100, 200}));
    QCOMPARE(textOf(segments), QStringLiteral("200-300 400-500e 550-700e 700-800e"));
    QCOMPARE(segments.bytes(), std::int64_t {450});

    QVERIFY(!segments.remove({490, 560})); // part of it is gone already
    QVERIFY(!segments.add({250, 350}, 0, false));
    QCOMPARE(textOf(segments), QStringLiteral("200-250 250-350 400-490e 560-700e 700-800e"));
    QVERIFY(segments.find(349) != segments.byBegin().end());
    QVERIFY(segments.find(350) == segments.byBegin().end());
    QVERIFY(segments.find(199) == segments.byBegin().end());
}

void TestSnapshotReplay::reservedBytesAreCountedBackFromTheEnd()
{
    const SnapshotReplay replay = replayOf("segment 0 2097152\n"
                                           "free_completed 8388608 100\n" // of a segment that was there before
                                           "segment_free 8388608 20971520\n"
                                           "segment_alloc 0 2097152\n"
                                           "alloc 0 1000\n"
                                           "segment_alloc 33554432 2097152\n"
                                           "segment_free 33554432 2097152\n");

    QVERIFY2(replay.faults.empty(), english(replay.faults.empty() ? Message() : replay.faults.front()).c_str());
    QCOMPARE(replay.mostReserved.reservedBytes, 20 * MiB);
    QCOMPARE(replay.mostReserved.time, std::int64_t {0});
    QCOMPARE(replay.mostAlive.aliveBytes, std::int64_t {1024});
    QCOMPARE(replay.mostAlive.time, std::int64_t {4});
    QCOMPARE(replay.mostAlive.reservedBytes, 2 * MiB);
}

void TestSnapshotReplay::pagesAreMappedAndUnmapped()
{
    const SnapshotReplay replay = replayOf("segment 0 2097152 expandable\n"
                                           "segment_map 0 2097152\n"
                                           "segment_map 2097152 4194304\n"
                                           "alloc 0 6291456\n" // across both
                                           "free_completed 0 6291456\n"
                                           "segment_unmap 2097152 4194304\n");

    QVERIFY2(replay.faults.empty(), english(replay.faults.empty() ? Message() : replay.faults.front()).c_str());
    QCOMPARE(replay.mostReserved.reservedBytes, 6 * MiB);
    QCOMPARE(replay.mostReserved.time, std::int64_t {2});
    QCOMPARE(livesOf(replay), QStringLiteral("0+6291456 [3, 4)"));
}

void TestSnapshotReplay::aRefusalNamesTheLargestHole()
{
    const SnapshotReplay replay = replayOf("segment 0 20971520\n"
                                           "block 4194304 0 inactive\nblock 2097152 2097152 active_allocated\n"
                                           "block 6291456 0 inactive\nblock 8388608 8388608 active_pending_free\n"
                                           "free_requested 12582912 8388608\n"
                                           "oom 1000 9437184\n");

    QCOMPARE(replay.refusals, std::int64_t {1});
    const SnapshotRefusal& refusal = replay.refused.front();
    QCOMPARE(refusal.moment.time, std::int64_t {2});
    QCOMPARE(refusal.bytes, 9 * MiB);
    QCOMPARE(refusal.moment.reservedBytes, 20 * MiB);
    QCOMPARE(refusal.moment.aliveBytes, 10 * MiB);
    QCOMPARE(refusal.holeBytes, 10 * MiB);
    QCOMPARE(refusal.awaitingBytes, 8 * MiB);
    QCOMPARE(refusal.deviceFreeBytes, std::int64_t {1000});
    QVERIFY(refusal.largest.has_value());
    QCOMPARE(refusal.largest->addresses, (Interval {6 * MiB, 12 * MiB}));
}

void TestSnapshotReplay::aHoleOfAnotherStreamIsOfNoUse()
{
    const SnapshotReplay replay = replayOf("segment 0 2097152 stream=0\nsegment 2097152 4194304 stream=7\n"
                                           "oom 0 3145728 stream=0\n");

    const SnapshotRefusal& refusal = replay.refused.front();
    QCOMPARE(refusal.holeBytes, 6 * MiB);
    QCOMPARE(refusal.foreignBytes, 4 * MiB);
    QCOMPARE(refusal.largest->addresses.length(), 2 * MiB); // the two touch, but no block reaches across
}

void TestSnapshotReplay::theLastRefusalsAreTold()
{
    std::string lines;
    for (int i = 0; i < 20; ++i)
        lines += "oom 0 " + std::to_string(512 * (i + 1)) + "\n";

    const SnapshotReplay replay = replayOf(lines);

    QCOMPARE(replay.refusals, std::int64_t {20});
    QCOMPARE(replay.refused.size(), std::size_t {8});
    QCOMPARE(replay.refused.front().bytes, std::int64_t {13 * 512});
    QVERIFY(!replay.refused.back().largest);
}

void TestSnapshotReplay::holesAtThePeakAreThoseBetweenItsBlocks()
{
    //       0     1     2     3     4   MiB
    // peak  ├──a──┤     ├──c──┤     ┤ (small, large segment: 20 MiB)
    const SnapshotReplay replay =
        replayOf("segment 0 20971520\nblock 1048576 1048576 active_allocated\nblock 19922944 0 inactive\n"
                 "alloc 0 1048576\nalloc 1048576 1048576\nalloc 2097152 1048576\n"
                 "free 1048576 1048576\nalloc 3145728 2097152\nfree 2097152 1048576\nfree 3145728 2097152\n");

    QCOMPARE(replay.mostAlive.time, std::int64_t {5});
    QCOMPARE(replay.mostAlive.aliveBytes, 4 * MiB);
    QCOMPARE(replay.holes.size(), std::size_t {2});
    QCOMPARE(replay.holes[0].addresses, (Interval {5 * MiB, 20 * MiB}));
    QCOMPARE(replay.holes[1].addresses, (Interval {MiB, 2 * MiB}));
}

void TestSnapshotReplay::addressesThatNeverWereInASegmentAreLeftOut()
{
    const SnapshotReplay replay = replayOf("segment 1000000 1000\nsegment 2000000 500\n"
                                           "segment_alloc 1001000 200\nsegment_free 1001000 200\n"
                                           "alloc 5000000 100\n");

    QCOMPARE(replay.addresses.size(), std::size_t {3});
    QCOMPARE(replay.addresses[0], (Interval {1000000, 1001200}));
    QCOMPARE(replay.addresses[1], (Interval {2000000, 2000500}));
    QCOMPARE(replay.addresses[2], (Interval {5000000, 5000512})); // a contradiction, but it has a place
}

void TestSnapshotReplay::contradictionsAreToldWithTheirEvent_data()
{
    QTest::addColumn<QString>("lines");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char* name, const char* lines, const char* fault) {
        QTest::newRow(name) << QString::fromUtf8(lines) << QString::fromUtf8(fault);
    };
    row("over a block", "alloc 4096 1024\nalloc 4608 512\n", "Event 2 allocates 0x1200 over bytes that are in use.");
    row("below a block", "alloc 4608 512\nalloc 4096 1024\n", "Event 2 allocates 0x1000 over bytes that are in use.");
    row("twice", "alloc 4096 512\nalloc 4096 512\n", "Event 2 allocates 0x1000 over bytes that are in use.");
    row("freed twice", "alloc 4096 512\nfree 4096 512\nfree 4096 512\n", "Event 3 frees 0x1000, which is free.");
    row("given up twice", "alloc 4096 512\nfree 4096 512\nfree_requested 4096 512\n",
        "Event 3 gives up 0x1000, which is free.");
    row("another size", "alloc 4096 512\nfree 4096 700\n",
        "Event 2 frees 700 B at 0x1000, of which 512 B were asked for.");
    row("outside", "segment 0 2097152\nalloc 4194304 512\n", "Event 1 allocates 0x400000 outside of any segment.");
    row("across the end", "segment 0 1024\nalloc 512 1024\n", "Event 1 allocates 0x200 outside of any segment.");
    row("a segment that is lost", "segment 0 2097152\nsegment_alloc 4194304 2097152\n",
        "Event 1 reserves 0x400000, which is not there afterwards.");
    row("a segment that stays", "segment 0 2097152\nsegment_free 0 2097152\n",
        "Event 1 gives back 0x0, which is there afterwards.");
    row("segments overlap", "segment 0 2097152\nsegment 1048576 2097152\n",
        "The segment at 0x100000 overlaps another one.");
    row("freed, yet there", "segment 4096 2097152\nblock 512 512 active_allocated\nalloc 4096 512\nfree 4096 512\n",
        "The block at 0x1000 is in use at the end, although its last event freed it.");
}

void TestSnapshotReplay::contradictionsAreToldWithTheirEvent()
{
    QFETCH(QString, lines);

    const SnapshotReplay replay = replayOf(lines.toStdString());

    QCOMPARE(replay.faults.size(), std::size_t {1});
    QTEST(QString::fromStdString(english(replay.faults.front())), "fault");
}

void TestSnapshotReplay::moreThanAllBytesIsAnError()
{
    const auto replay = replaySnapshot(snapshotOf("alloc 0 4611686018427387904\nalloc 1 4611686018427387903\n"));

    QVERIFY(!replay.ok());
    QVERIFY(english(replay.error().message).find("Event 2: more bytes are in use than 63 bits hold.") !=
            std::string::npos);
}

QTEST_APPLESS_MAIN(TestSnapshotReplay)
#include "tst_snapshot_replay.moc"
