#include "core/facts/english/english.h"
#include "core/formats/snapshot/allocator_record.h"

#include "core/formats/packing/packing_graph.h"
#include "core/formats/plimsoll/graph_json.h"
#include "core/formats/read_graph.h"
#include "core/formats/snapshot/snapshot_table.h"

#include "tests/support/snapshot_text.h"
#include "tests/support/temporary_folder.h"

#include <QtTest>

using namespace plimsoll;

/// What an allocator did travels with the graph.
class TestAllocatorRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aGraphKeepsWhatWasReserved();
    void whatNoAllocatorSaysIsNoRecord_data();
    void whatNoAllocatorSaysIsNoRecord();
    void aRecordingHasItsEventsOnce();
};

void TestAllocatorRecord::aGraphKeepsWhatWasReserved()
{
    const auto table = readSnapshotTable(test::snapshotJson("segment 1048576 2097152\nsegment 67108864 2097152\n"
                                                            "alloc 1048576 500\nfree 1048576 500\n"),
                                         {});
    QVERIFY2(table.ok(), table.ok() ? "" : describe(table.error()).c_str());
    const auto graph = packingGraph(table.value(), "s");
    QVERIFY(graph.ok());
    const test::TemporaryFolder folder;
    const std::string converted = folder.write("s.json", "").string();
    QVERIFY(writeGraphJson(graph.value(), converted).ok());

    for (const auto& read : {graph, readGraph(converted, {})}) {
        QVERIFY(read.ok());
        const auto record = allocatorOf(read.value());
        QVERIFY(record.has_value());
        QCOMPARE(record->device, std::string("cuda:0"));
        QCOMPARE(record->mostReservedBytes, std::int64_t {4 << 20});
        QCOMPARE(record->mostAliveTime, std::int64_t {1});
        QCOMPARE(record->heightBytes, std::int64_t {512});
    }
}

/// A graph file may have any key.
void TestAllocatorRecord::whatNoAllocatorSaysIsNoRecord_data()
{
    QTest::addColumn<QByteArray>("keys");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray(R"({"allocator": )");
    QTest::newRow("no object") << QByteArray(R"({"allocator": [1]})");
    QTest::newRow("a number is missing") << QByteArray(R"({"allocator": {"mostReservedBytes": 4}})");
    const QByteArray rest =
        R"("mostReservedTime": 0, "mostAliveBytes": 1, "mostAliveTime": 0, "reservedThenBytes": 4, "heightBytes": 4}})";
    QTest::newRow("a number below 0") << QByteArray(R"({"allocator": {"mostReservedBytes": -4, )") + rest;
    QTest::newRow("no number") << QByteArray(R"({"allocator": {"mostReservedBytes": "4", )") + rest;
    QTest::newRow("deeper down") << QByteArray(R"({"my": {"allocator": {"mostReservedBytes": 4, )") + rest + '}';
}

void TestAllocatorRecord::whatNoAllocatorSaysIsNoRecord()
{
    QFETCH(QByteArray, keys);
    Graph graph;
    graph.extra = keys.toStdString();
    QVERIFY(!allocatorOf(graph));
}

/// One event, and its list says it 5,000 times: ten kilobytes that mean a megabyte.
void TestAllocatorRecord::aRecordingHasItsEventsOnce()
{
    const auto text = [](const std::string& word) {
        return "X" + std::string(1, static_cast<char>(word.size())) + std::string(3, '\0') + word;
    };
    const std::string event = "}q\1(" + text("action") + text("alloc") + text("addr") + "K\1" + text("size") + "K\1u";
    const std::string pickle = "\x80\x02}" + text("device_traces") + "](](" + event;
    std::string again;
    for (int i = 0; i < 5000; ++i)
        again += "h\1";

    const auto once = readSnapshotTable(pickle + "ees.", {});
    const auto often = readSnapshotTable(pickle + again + "ees.", {});

    QVERIFY2(once.ok(), once.ok() ? "" : describe(once.error()).c_str());
    QVERIFY(!often.ok());
    QCOMPARE(describe(often.error()), std::string("device_traces[0]: It lists 5,001 events, and has not so many: one "
                                                  "stands there again and again. No recording does so."));
}

QTEST_APPLESS_MAIN(TestAllocatorRecord)
#include "tst_allocator_record.moc"
