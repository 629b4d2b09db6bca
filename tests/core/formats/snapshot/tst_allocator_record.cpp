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

QTEST_APPLESS_MAIN(TestAllocatorRecord)
#include "tst_allocator_record.moc"
