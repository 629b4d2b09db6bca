#include "core/sharing/storage_table.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// h holds two views, low [0, 16) and high [16, 32); step 3 reads both and writes s.
struct Halves
{
    Graph graph = make();
    Schedule schedule = scheduleInCapturedOrder(graph);
    ValueFacts facts = findValueFacts(graph, schedule, {});
    StorageTable table {graph, facts};

    static Graph make()
    {
        Graph graph = test::graphFromText("input x float32[8]\nh = Softmax(x)\n"
                                          "low: l = my::Part(h) alias=0:view:0\nvalue l float32[4]\n"
                                          "high: r = my::Part(h) alias=0:view:0\nvalue r float32[4]\n"
                                          "s = my::F(l, r)\nvalue s float32[4]\noutput s\n");
        graph[findNode(graph, "high")].declared.edit().traits->front().offsetBytes = 16;
        return graph;
    }
    [[nodiscard]] ValueId operator[](const char* name) const { return findValue(graph, name); }
};

constexpr std::int64_t Reader = 3;
constexpr std::int64_t Elsewhere = 90;

} // namespace

/// Which contents may lie in one storage at the same time: only those that one step hands over, in the same place.
class tst_StorageTable : public QObject
{
    Q_OBJECT

private slots:
    void aContentFollowsAnotherWhereTheStepHandsItOver()
    {
        const Halves halves;
        QVERIFY(halves.table.inPlaceFits(halves["l"], halves["s"], Reader));
        QVERIFY(!halves.table.inPlaceFits(halves["l"], halves["s"], Elsewhere));
    }

    /// What is handed over from byte 16 on may stay there, and not move to byte 0 while the rest is still read.
    void aHandoverHoldsForItsOwnBytesOnly()
    {
        Halves halves;
        halves.table.allowHandover(halves["r"], halves["s"], Reader);
        QVERIFY(halves.table.inPlaceFits(halves["r"], halves["s"], Elsewhere));
        QVERIFY(!halves.table.inPlaceFits(halves["l"], halves["s"], Elsewhere));
    }

    void aHandoverHoldsForItsOwnStepOnly()
    {
        Halves halves;
        halves.table.allowHandover(halves["r"], halves["s"], Reader - 1);
        QVERIFY(!halves.table.inPlaceFits(halves["r"], halves["s"], Elsewhere));
    }

    /// It goes over to the content that the value is joined to.
    void aHandoverOutlivesAnIdentity()
    {
        const Graph graph = test::graphFromText("input x float32[4]\nh = Softmax(x)\ni = Identity(h)\n"
                                                "s = my::F(i)\nvalue s float32[4]\noutput s\n");
        const Schedule schedule = scheduleInCapturedOrder(graph);
        const ValueFacts facts = findValueFacts(graph, schedule, {});
        const ValueId h = findValue(graph, "h");
        const ValueId i = findValue(graph, "i");
        const ValueId s = findValue(graph, "s");
        StorageTable table(graph, facts);
        table.allowHandover(i, s, 2);
        table.joinIdentity(h, i);
        QVERIFY(table.inPlaceFits(h, s, Elsewhere));
    }

    void joiningMovesTheValueToItsPlace()
    {
        Halves halves;
        halves.table.joinInPlace(halves["r"], halves["s"], Reader);
        QCOMPARE(halves.table.offsetOf(halves["s"]), 16);
        QVERIFY(halves.table.sameStorage(halves["s"], halves["h"]));
        QVERIFY(!halves.table.sameContent(halves["s"], halves["h"]));
        QCOMPARE(halves.table.bytesOf(halves["s"]), 32);
        QVERIFY(halves.table.holdsOutput(halves["l"]));
    }

    void anIdentityJoinsTheContentToo()
    {
        Halves halves;
        halves.table.joinIdentity(halves["l"], halves["s"]);
        QVERIFY(halves.table.sameContent(halves["s"], halves["h"]));
        QCOMPARE(halves.table.originOf(halves["s"]), halves["h"]);
        QCOMPARE(halves.table.survivor(halves["r"], Reader), halves["s"]); // an output, whenever
    }

    void whatIsReadAfterAStepSurvivesIt()
    {
        const Halves halves;
        QCOMPARE(halves.table.survivor(halves["h"], 1), halves["h"]);
        QCOMPARE(halves.table.survivor(halves["h"], 2), halves["l"]);
        QVERIFY(!halves.table.survivor(halves["h"], Reader).valid());
    }

    /// [ h . . . . . . . ]
    ///         [ s . . . ] . .     s of 32 bytes at byte 16 would reach beyond
    void aStorageGrowsByWhatReachesBeyond()
    {
        const Halves halves;
        QCOMPARE(halves.table.bytesWhenJoined(halves["r"], halves["s"]), 32);
        QCOMPARE(halves.table.bytesWhenJoined(halves["r"], halves["h"]), 48);
    }
};

QTEST_APPLESS_MAIN(tst_StorageTable)
#include "tst_storage_table.moc"
