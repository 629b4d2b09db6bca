#include "core/facts/english/english.h"
#include "core/formats/snapshot/snapshot_table.h"

#include "core/facts/english/english.h"
#include "core/formats/formats.h"
#include "core/formats/packing/packing_file.h"
#include "core/formats/packing/packing_graph.h"
#include "core/formats/read_graph.h"
#include "core/formats/snapshot/allocator_record.h"
#include "core/formats/snapshot/memory_snapshot.h"

#include "tests/support/pickle_bytes.h"
#include "tests/support/snapshot_text.h"
#include "tests/support/temporary_folder.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <random>

using namespace plimsoll;
using plimsoll::test::TemporaryFolder;

namespace {

std::string pickled(const std::string& lines)
{
    return test::pickleOf(test::snapshotJson(lines));
}

PackingTable tableOf(const std::string& lines, std::string_view wanted = {})
{
    auto table = readSnapshotTable(pickled(lines), wanted);
    if (!table.ok()) qFatal("%s", describe(table.error()).c_str());
    return std::move(table).value();
}

/// "f.py:3 run 1: 512 (500 asked) at 0 in [1, 4)", one line a row.
QString rowsOf(const PackingTable& table)
{
    QStringList lines;
    for (std::size_t row = 0; row < table.ids.size(); ++row) {
        const Buffer& buffer = table.problem.buffers[row];
        lines << QStringLiteral("%1: %2 (%3 asked) at %4 in [%5, %6)")
                     .arg(QString::fromStdString(table.ids[row]))
                     .arg(buffer.bytes)
                     .arg(table.requested[row])
                     .arg(*table.offsets[row])
                     .arg(buffer.live.hull().begin)
                     .arg(buffer.live.hull().end);
    }
    return lines.join(QLatin1Char('\n'));
}

QString notesOf(const PackingTable& table)
{
    QStringList notes;
    for (const std::string& note : english(table.notes))
        notes << QString::fromStdString(note);
    return notes.join(QLatin1Char('\n'));
}

QString errorOf(const std::string& bytes, std::string_view wanted = {}, std::size_t mostRows = MostPackingRows)
{
    const auto table = readSnapshotTable(bytes, wanted, mostRows);
    return table.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(table.error()));
}

/// Two segments with nothing between them but addresses, and a hole in the first.
const std::string Small = "segment 1048576 2097152\nblock 512 0 inactive\nblock 512 300 active_allocated @m.py:9:g\n"
                          "segment 67108864 2097152\n"
                          "alloc 1048576 500 @/x/torch/nn/linear.py:7:forward</src/m.py:3:f</src/t.py:5:main\n"
                          "alloc 1049088 300 @m.py:9:g\n"
                          "alloc 67108864 2000 @/src/m.py:3:f\n"
                          "free 67108864 2000\n"
                          "free 1048576 500\n";

} // namespace

class TestSnapshotTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAreAllocationsAtTheirAddresses();
    void buffersAreNamedAfterTheirCallers_data();
    void buffersAreNamedAfterTheirCallers();
    void aRefusalIsRecorded();
    void notesSayWhatWasReservedAndWhoIsThere();
    void notesNameAFewAndCountTheRest();
    void aStateWithoutEventsIsOneMoment();
    void snapshotsAreKnownByTheirBeginning_data();
    void snapshotsAreKnownByTheirBeginning();
    void oneDeviceIsChosen_data();
    void oneDeviceIsChosen();
    void theGraphKnowsWhoAskedAndBringsThePlan();
    void blocksOfOneMomentKeepTheirCallers();
    void dictionariesOfAnySizeAreNotSearched();
    void moreDevicesThanThereAreAreRefused();
    void jsonIsReadLikeAPickle();
    void brokenSnapshotsSayWhere_data();
    void brokenSnapshotsSayWhere();
    void tooManyRowsAreRefused();
    void sharedSegmentsDoNotMultiplyForEver();
    void damagedSnapshotsNeverCrash();
};

void TestSnapshotTable::rowsAreAllocationsAtTheirAddresses()
{
    const PackingTable table = tableOf(Small);

    QCOMPARE(rowsOf(table), QStringLiteral("m.py:3 f 1: 512 (500 asked) at 0 in [1, 5)\n"
                                           "m.py:9 g 1: 512 (300 asked) at 512 in [2, 6)\n"
                                           "m.py:3 f 2: 2048 (2000 asked) at 2097152 in [3, 4)"));
    QCOMPARE(table.sources.front(), std::string("/src/m.py:3 f, called by t.py:5 main"));
    QVERIFY(table.allocator.has_value());
    QCOMPARE(table.allocator->device, std::string("cuda:0"));
    QCOMPARE(table.allocator->mostReservedBytes, std::int64_t {4 << 20});
    QCOMPARE(table.allocator->mostAliveBytes, std::int64_t {3072});
    QCOMPARE(table.allocator->mostAliveTime, std::int64_t {3});
    QCOMPARE(table.allocator->heightBytes, std::int64_t {(2 << 20) + 2048});
}

void TestSnapshotTable::buffersAreNamedAfterTheirCallers_data()
{
    QTest::addColumn<QString>("stack");
    QTest::addColumn<QString>("id");
    const auto row = [](const char* name, const char* stack, const char* id) {
        QTest::newRow(name) << QString::fromUtf8(stack) << QString::fromUtf8(id);
    };
    row("no stack", "", "0x1000 1");
    row("our own", "/src/model.py|31|forward", "model.py:31 forward 1");
    row("below PyTorch's", "/site-packages/torch/nn/f.py|1|a\ntorch/x.py|2|b\nC:\\work\\model.py|31|forward",
        "model.py:31 forward 1");
    row("below native frames", "CUDACachingAllocator.cpp|0|at::empty\n??|0|_start\nmodel.py|31|forward",
        "model.py:31 forward 1");
    row("PyTorch's alone", "Functions.cpp|0|empty\ntorch/optim/adam.py|12|step", "adam.py:12 step 1");
    row("native alone", "Functions.cpp|3|empty\nOther.cpp|4|other", "Functions.cpp:3 empty 1");
    row("a notebook", "<ipython-input-3-ab>|4|<module>", "<ipython-input-3-ab>:4 <module> 1");
    row("commas and quotes", "a.cpp|1|f<int, \"x\">", "a.cpp:1 f<int; 'x'> 1");
    row("control characters", "a.py|1|f\x1B[2J", "a.py:1 f?[2J 1");
}

void TestSnapshotTable::buffersAreNamedAfterTheirCallers()
{
    QFETCH(QString, stack);
    QJsonArray frames;
    for (const QString& frame : stack.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList parts = frame.split(QLatin1Char('|'));
        frames.append(QJsonObject {{QStringLiteral("filename"), parts[0]},
                                   {QStringLiteral("line"), parts[1].toInt()},
                                   {QStringLiteral("name"), parts[2]}});
    }
    const QJsonObject event {{QStringLiteral("action"), QStringLiteral("alloc")},
                             {QStringLiteral("addr"), 4096},
                             {QStringLiteral("size"), 512},
                             {QStringLiteral("frames"), frames}};
    const QJsonObject snapshot {{QStringLiteral("device_traces"), QJsonArray {QJsonArray {event}}}};

    const auto table = readSnapshotTable(test::pickleOf(QJsonDocument(snapshot).toJson().toStdString()), {});

    QVERIFY(table.ok());
    QTEST(QString::fromStdString(table.value().ids.front()), "id");
}

void TestSnapshotTable::aRefusalIsRecorded()
{
    const PackingTable table =
        tableOf("segment 0 20971520 stream=0\nblock 4194304 0 inactive\nblock 4194304 1 active_allocated\n"
                "segment 41943040 16777216 stream=3\n"
                "oom 1048576 17825792 stream=0 @m.py:3:f\noom 0 512 stream=1\n");

    const std::vector<AllocatorRefusal>& refused = table.allocator->refused;
    QCOMPARE(refused.size(), std::size_t {2});
    QCOMPARE(QString::fromStdString(english(refusalText(refused[1], -1))),
             QStringLiteral("Out of memory at event 2: asked for 512 B; 32.0 MiB (33,554,432 B) of the 36.0 MiB "
                            "(37,748,736 B) reserved are free, 32.0 MiB (33,554,432 B) of them for other streams only; "
                            "there is no hole for it; the device had 0 B left. 4.00 MiB were in use."));
    QCOMPARE(QString::fromStdString(english(refusalText(refused[0], 4 << 20))),
             QStringLiteral("Out of memory at event 1: asked for 17.0 MiB (17,825,792 B) in m.py:3 f; 32.0 MiB "
                            "(33,554,432 B) of the 36.0 MiB (37,748,736 B) reserved are free, 16.0 MiB (16,777,216 B) "
                            "of them for other streams only; the largest hole is 12.0 MiB (12,582,912 B); the device "
                            "had 1.00 MiB (1,048,576 B) left. There was room enough: it is in pieces. 4.00 MiB were in "
                            "use; the requests that were met need 4.00 MiB (4,194,304 B) when repacked."));
    QCOMPARE(refused[0].largestHoleOffset, std::int64_t {8 << 20});
}

void TestSnapshotTable::notesSayWhatWasReservedAndWhoIsThere()
{
    QCOMPARE(
        notesOf(tableOf(Small)),
        QStringLiteral(
            "At most 3.00 KiB (3,072 B) are alive, at event 3; then 4.00 MiB are reserved. At most 4.00 MiB (4,194,304 "
            "B) "
            "are reserved, first before the first event.\n"
            "At the peak 4.00 MiB are free in 2 holes, the largest of 2.00 MiB at 0x100400, 2.00 MiB at 0x4000800.\n"
            "Most of the peak is from m.py:3 f: 2.50 KiB in 2 blocks; m.py:9 g: 512 B in 1 block.\n"
            "This is what PyTorch's caching allocator did on cuda:0: 3 allocations in 5 events. Event 1 happens at "
            "t=1; t=0 is what was there before. In a plan of it a step is an event that allocates: node 't=1' is event "
            "1."));
    const QString notes =
        notesOf(tableOf("segment 0 2097152\nblock 512 1 active_allocated\nsegment_alloc 4194304 2097152\n"
                        "segment_free 4194304 2097152\nfree_requested 0 1\nnews 0 0\n"
                        "alloc 8388608 512\nalloc 8388608 512\n"));
    for (const char* part :
         {"the segments that ever were stand in it side by side, up to the highest block",
          "1 block is from before the first event (512 B).", "1 block is given up at the end, but not free",
          "1 event is of a kind that is not known here, and passed over.",
          "The file contradicts itself: Event 6 allocates 0x800000 over bytes that are in use."})
        QVERIFY2(notes.contains(QString::fromUtf8(part)), qPrintable(notes));
}

void TestSnapshotTable::notesNameAFewAndCountTheRest()
{
    std::string lines = "segment 0 2097152\n";
    for (int block = 1; block <= 7; ++block) // every other block is a hole; both grow
        lines += "block " + std::to_string(512 * block) + " 1 active_allocated" +
                 (block < 7 ? " @m.py:" + std::to_string(block) + ":f" : "") + "\nblock " +
                 std::to_string(1024 * block) + " 0 inactive\n";
    for (int event = 0; event < 12; ++event)
        lines += "oom 7 1048576000\n";
    const QString notes = notesOf(tableOf(lines));

    for (const char* part :
         {"Most of the peak is from unknown lines: 3.50 KiB in 1 block; m.py:6 f: 3.00 KiB in 1 block; m.py:5 f: "
          "2.50 KiB in 1 block; m.py:4 f: 2.00 KiB in 1 block; m.py:3 f: 1.50 KiB in 1 block.",
          "in 7 holes, the largest of 1.97 MiB at 0x8c00, 6.00 KiB at 0x6600, 5.00 KiB at 0x4600, 4.00 KiB at "
          "0x2c00, 3.00 KiB at 0x1800."})
        QVERIFY2(notes.contains(QString::fromUtf8(part)), qPrintable(notes.right(900)));
    const AllocatorRecord record = tableOf(lines).allocator.value();
    QCOMPARE(record.refused.size(), std::size_t {8});
    QCOMPARE(record.refused.front().time, std::int64_t {5});
    QCOMPARE(english(earlierRefusals(record)), std::string("4 requests were refused before these."));

    std::string frees = "alloc 4096 512\n";
    for (int event = 0; event < 23; ++event)
        frees += "free 4096 512\n";
    const QString faults = notesOf(tableOf(frees));
    QCOMPARE(faults.count(QStringLiteral("The file contradicts itself: ")), 20);
    QVERIFY2(faults.contains(QStringLiteral("It does so in 2 more places.")), qPrintable(faults));
}

void TestSnapshotTable::snapshotsAreKnownByTheirBeginning_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("known");
    const auto row = [](const char* name, const std::string& bytes, bool known) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << known;
    };
    row("JSON", R"({"device_traces": []})", true);
    row("JSON of ours", R"({"schema": "plimsoll.graph/1", "segments": []})", false);
    row("other JSON", R"({"nodes": [{"segments": []}]})", false);
    row("a pickle", test::pickleOf(R"({"segments": []})"), true);
    row("a pickle of the list alone", test::pickleOf(R"([{"total_size": 5, "segment_type": "small"}])"), true);
    row("half of its words", test::pickleOf(R"([{"total_size": 5}])"), false);
    row("another pickle", test::pickleOf(R"({"state_dict": []})"), false);
    row("nothing", {}, false);
}

void TestSnapshotTable::snapshotsAreKnownByTheirBeginning()
{
    QFETCH(QByteArray, bytes);

    QTEST(looksLikeMemorySnapshot(bytes.toStdString()), "known");
}

void TestSnapshotTable::aStateWithoutEventsIsOneMoment()
{
    const PackingTable table = tableOf("segment 4096 2097152\nblock 512 9 active_allocated\nblock 512 0 inactive\n"
                                       "block 1024 600 active_allocated\n");
    QCOMPARE(rowsOf(table),
             QStringLiteral("0x1000 1: 512 (9 asked) at 0 in [0, 1)\n0x1400 1: 1024 (600 asked) at 1024 in [0, 1)"));
    QVERIFY2(
        notesOf(table).contains(QStringLiteral("2 allocations that are there at one moment. No events were recorded")),
        qPrintable(notesOf(table)));

    const QString waiting = notesOf(tableOf("segment 0 2097152\nblock 512 9 active_pending_free\n"
                                            "block 512 9 active_pending_free\nblock 512 9 active_allocated\n"
                                            "free_requested 0 9\n"));
    QVERIFY2(waiting.contains(QStringLiteral("2 blocks are given up at the end, but not free")), qPrintable(waiting));

    // the form of torch.cuda.memory_snapshot(): the list alone, with what a block was used for
    const auto old = readSnapshotTable(
        test::pickleOf(R"([{"device": 0, "address": 4096, "total_size": 2097152, "segment_type": "small", "blocks": [
            {"size": 1024, "state": "active_allocated",
             "history": [{"addr": 4096, "real_size": 700, "frames": [{"filename": "a.py", "line": 5, "name": "g"}]}]}]}])"),
        {});
    QVERIFY2(old.ok(), old.ok() ? "" : describe(old.error()).c_str());
    QCOMPARE(rowsOf(old.value()), QStringLiteral("a.py:5 g 1: 1024 (700 asked) at 0 in [0, 1)"));
}

void TestSnapshotTable::oneDeviceIsChosen_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("device");
    QTest::newRow("the busiest") << QString() << QStringLiteral("cuda:1");
    QTest::newRow("by name") << QStringLiteral("cuda:0") << QStringLiteral("cuda:0");
    QTest::newRow("state alone") << QStringLiteral("cuda:3") << QStringLiteral("cuda:3");
    QTest::newRow("nothing there") << QStringLiteral("cuda:2")
                                   << QStringLiteral(
                                          "The snapshot has nothing of 'cuda:2', only of cuda:0, cuda:1, cuda:3.");
    QTest::newRow("no device") << QStringLiteral("training")
                               << QStringLiteral(
                                      "The snapshot has nothing of 'training', only of cuda:0, cuda:1, cuda:3.");
}

void TestSnapshotTable::oneDeviceIsChosen()
{
    QFETCH(QString, wanted);
    const TemporaryFolder folder;
    const std::string text = pickled("alloc 0 512\ndevice 1\nalloc 512 512\nfree 512 512\ndevice 3\nsegment 0 "
                                     "2097152\nblock 512 512 active_allocated\n");
    const std::string file = folder.write("two.pickle", text).string();

    const auto table = readPackingFile(wanted.isEmpty() ? file : file + "#" + wanted.toStdString());

    if (!table.ok()) {
        QTEST(QString::fromStdString(english(table.error().message)), "device");
        QCOMPARE(table.error().file, file);
        return;
    }
    QTEST(QString::fromStdString(table.value().allocator->device), "device");
    QVERIFY(notesOf(table.value()).contains(QStringLiteral("others are opened as FILE#NAME: cuda:")));
}

void TestSnapshotTable::theGraphKnowsWhoAskedAndBringsThePlan()
{
    const TemporaryFolder folder;
    const std::string file = folder.write("s.pickle", pickled(Small)).string();

    const auto graph = readGraph(file, {});

    QVERIFY2(graph.ok(), graph.ok() ? "" : describe(graph.error()).c_str());
    QCOMPARE(graph.value().file.format, std::string(SnapshotFormat.id));
    QCOMPARE(graph.value().values.front().at->space, std::string("cuda:0"));
    QCOMPARE(graph.value().name, std::string("s"));
    QVERIFY(!graph.value().notes.empty());
    const NodeId node = findNode(graph.value(), "t=1");
    QVERIFY(node.valid());
    QCOMPARE(graph.value()[node].from->source, std::string("/src/m.py:3 f, called by t.py:5 main"));
    QCOMPARE(*findAttribute<std::vector<std::int64_t>>(graph.value()[node], "requested"),
             (std::vector<std::int64_t> {500}));

    const auto plan = readPlan(file);
    QVERIFY(plan.ok());
    QCOMPARE(plan.value().arenas.front().space, std::string("cuda:0"));
    QCOMPARE(plan.value().entries.size(), std::size_t {3});
    QCOMPARE(plan.value().entries[2].offset, std::int64_t {2 << 20});
    QVERIFY(readPlan(file + "#cuda:0").ok());
    QVERIFY(!readPlan(file + "#cuda:1").ok());
}

void TestSnapshotTable::blocksOfOneMomentKeepTheirCallers()
{
    const PackingTable table = tableOf("segment 0 2097152\nblock 512 9 active_allocated @a.py:1:f\n"
                                       "block 512 8 active_allocated\nblock 512 7 active_allocated @b.py:2:g\n");
    const auto graph = packingGraph(table, "s");

    QVERIFY(graph.ok());
    const Node& node = graph.value().nodes.front();
    QCOMPARE(node.from->source, std::string());
    QCOMPARE(*findAttribute<std::vector<std::string>>(node, "sources"),
             (std::vector<std::string> {"a.py:1 f", "", "b.py:2 g"}));
    QCOMPARE(*findAttribute<std::vector<std::int64_t>>(node, "requested"), (std::vector<std::int64_t> {9, 8, 7}));
    const auto silent = packingGraph(tableOf("segment 0 2097152\nblock 512 9 active_allocated\n"), "s");
    QVERIFY(silent.ok() && !silent.value().nodes.front().attributes.contains("sources"));
}

/// An event or a block of so many keys is refused; of a stack only its name would be lost.
void TestSnapshotTable::dictionariesOfAnySizeAreNotSearched()
{
    std::string keys;
    for (int key = 0; key < 65; ++key)
        keys += ", \"k" + std::to_string(key) + "\": 0";
    const auto eventOf = [&](const std::string& more, const std::string& frame) {
        return test::pickleOf("{\"device_traces\": [[{\"action\": \"alloc\", \"addr\": 4096, \"size\": 5, "
                              "\"frames\": [{\"filename\": \"a.py\", \"line\": 1, \"name\": \"f\"" +
                              frame + "}]" + more + "}]]}");
    };

    QCOMPARE(errorOf(eventOf(keys, {})),
             QStringLiteral("device_traces[0][0]: It has more than 64 keys; this is no snapshot."));
    QCOMPARE(readSnapshotTable(eventOf({}, {}), {}).value().ids.front(), std::string("a.py:1 f 1"));
    QCOMPARE(readSnapshotTable(eventOf({}, keys), {}).value().ids.front(), std::string("0x1000 1"));
}

void TestSnapshotTable::moreDevicesThanThereAreAreRefused()
{
    std::string traces = "[]";
    for (int device = 1; device < 1024; ++device)
        traces += ", []";
    const std::string event = R"([{"action": "alloc", "addr": 0, "size": 5}])";

    QCOMPARE(errorOf(test::pickleOf("{\"device_traces\": [" + traces + ", " + event + "]}")),
             QStringLiteral("device_traces: It has events of more than 1,024 devices; this is no snapshot."));
    QCOMPARE(errorOf(test::pickleOf("{\"device_traces\": [" + traces.substr(4) + ", " + event + "]}")),
             QStringLiteral("(no error)"));
}

void TestSnapshotTable::jsonIsReadLikeAPickle()
{
    const std::string json = test::snapshotJson(Small);
    const auto table = readSnapshotTable(json, {});

    QVERIFY2(table.ok(), table.ok() ? "" : describe(table.error()).c_str());
    QCOMPARE(rowsOf(table.value()), rowsOf(tableOf(Small)));
    QCOMPARE(notesOf(table.value()), notesOf(tableOf(Small)));
    QVERIFY(readGraph(std::as_bytes(std::span(json)), {}).ok());
    QCOMPARE(errorOf(json.substr(0, json.size() - 2)),
             QStringLiteral("byte %1: This is no well-formed JSON.").arg(json.size() - 1));
    QCOMPARE(errorOf(R"({"device_traces": [[{"action": "alloc", "addr": 18446744073709551615, "size": 5}]]})"),
             QStringLiteral("device_traces[0][0].addr: The number is negative or beyond 63 bits."));
    QCOMPARE(errorOf("{\"segments\": " + std::string(300, '[')),
             QStringLiteral("Brackets are nested more than 200 deep."));
}

void TestSnapshotTable::brokenSnapshotsSayWhere_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* json, const char* reason) {
        QTest::newRow(name) << QString::fromUtf8(json) << QString::fromUtf8(reason);
    };
    row("nothing", R"({"segments": [], "device_traces": [[], []]})",
        "The snapshot is empty: no device has segments or events.");
    row("no lists", R"({"segments": 5})", "It has neither 'segments' nor 'device_traces': this is no memory snapshot.");
    row("an event without a size", R"({"device_traces": [[], [{"action": "alloc", "addr": 5}]]})",
        "device_traces[1][0].size: The number is missing.");
    row("an address of text", R"({"device_traces": [[{"action": "alloc", "addr": "x", "size": 5}]]})",
        "device_traces[0][0].addr: A whole number is expected here.");
    row("a negative size", R"({"device_traces": [[{"action": "alloc", "addr": 5, "size": -5}]]})",
        "device_traces[0][0].size: The number is negative or beyond 63 bits.");
    row("an event of text", R"({"device_traces": [["alloc"]]})", "device_traces[0][0]: A dictionary is expected here.");
    row("an end beyond 62 bits",
        R"({"device_traces": [[{"action": "alloc", "addr": 4611686018427387904, "size": 1}]]})",
        "device_traces[0][0]: Address and size add up to more than 62 bits hold.");
    row("a segment without an address", R"({"segments": [{"device": 0, "total_size": 5}]})",
        "segments[0].address: The number is missing.");
    row("a block without a size",
        R"({"segments": [{"address": 0, "total_size": 5, "blocks": [{"state": "inactive"}]}]})",
        "segments[0].blocks[0].size: The number is missing.");
    row("a use without a size",
        R"({"segments": [{"address": 0, "total_size": 5, "blocks": [{"size": 5, "history": [{"real_size": -1}]}]}]})",
        "segments[0].blocks[0].history[0].real_size: The number is negative or beyond 63 bits.");
    row("a device without end", R"({"segments": [{"device": 5000000}]})",
        "segments[0].device: No device has this number.");
}

void TestSnapshotTable::brokenSnapshotsSayWhere()
{
    QFETCH(QString, json);

    QTEST(errorOf(test::pickleOf(json.toStdString())), "reason");
}

void TestSnapshotTable::tooManyRowsAreRefused()
{
    QCOMPARE(errorOf(pickled(Small), {}, 2),
             QStringLiteral(
                 "The snapshot has more than 2 allocations; allow more rows, or record fewer events (max_entries)."));
    QCOMPARE(errorOf(pickled(Small), {}, 3), QStringLiteral("(no error)"));
}

/// 3,000 times the same list of 9,000 blocks: told once, meant 27 million times.
void TestSnapshotTable::sharedSegmentsDoNotMultiplyForEver()
{
    std::string pickle =
        "\x80\x02}(X\x08" + std::string(3, '\0') + "segments](}(X\x07" + std::string(3, '\0') + "addressK";
    pickle += '\0';
    pickle += "X\n" + std::string(3, '\0') + "total_sizeK\1X\6" + std::string(3, '\0') + "blocks](}(X\4" +
              std::string(3, '\0') + "sizeK\1u";
    pickle += std::string(8999, '2') + "eu" + std::string(2999, '2') + "eu.";

    QCOMPARE(errorOf(pickle),
             QStringLiteral("segments[444].blocks[4000]: There are too many blocks; this is no snapshot."));
}

void TestSnapshotTable::damagedSnapshotsNeverCrash()
{
    const auto seed = std::random_device()();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    const std::string whole = pickled(Small + "oom 5 100\nsegment_map 134217728 2097152\nalloc 134217728 50\n");
    int readable = 0;
    for (int round = 0; round < 5'000; ++round) {
        std::string damaged = whole;
        for (auto flips = 1 + random() % 3; flips > 0; --flips)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        const auto graph = readGraph(std::as_bytes(std::span(damaged)), {});
        readable += graph.ok() && graph.value().file.format == SnapshotFormat.id ? 1 : 0;
    }
    QVERIFY(readable > 100); // another number is as good
    for (std::size_t length = 0; length < whole.size(); ++length)
        QVERIFY(!readSnapshotTable(std::string_view(whole).substr(0, length), {}).ok());
}

QTEST_APPLESS_MAIN(TestSnapshotTable)
#include "tst_snapshot_table.moc"
