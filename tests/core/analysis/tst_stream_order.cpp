#include "core/analysis/stream_assignment.h"
#include "core/analysis/stream_conflicts.h"
#include "core/facts/english/english.h"
#include "core/plan/policies.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// p feeds a branch of three nodes and one of two; j joins them.
const QByteArray Fan = "input x float32[16]\np: vp = Exp(x)\na: va = Exp(vp)\nb: vb = Exp(va)\nc: vc = Exp(vb)\n"
                       "d: vd = Exp(vp)\ne: ve = Exp(vd)\nj: vj = Add(vc, ve)\noutput vj\n";
const QByteArray TwoSources = "input x float32[16]\ninput y float32[16]\na: va = Exp(x)\nb: vb = Exp(y)\n"
                              "c: vc = Exp(va)\nd: vd = Exp(vb)\nj: vj = Add(vc, vd)\noutput vj\n";
const QByteArray Written = "input x float32[4]\na: va = Exp(x)\nb: vb = Exp(va)\nm: vm = plimsoll::Relu_(va)\n"
                           "j: vj = Add(vb, vm)\noutput vj\n";
const QByteArray Nested = "input k bool[]\ninput x float32[4]\na: va = Exp(x)\nb: vb = Exp(x)\nc: vc = If(k)\n"
                          "body then_branch\n  t: vt = Exp(vb)\n  output vt\nend\n"
                          "body else_branch\n  f: vf = Neg(x)\n  output vf\nend\n"
                          "d: vd = Exp(va)\nj: vj = Add(vc, vd)\noutput vj\n";

struct Streamed
{
    explicit Streamed(const QByteArray& text) : graph(test::graphFromText(text.constData())) { settle(); }
    Streamed(const QByteArray& text, const QByteArray& streams) : Streamed(text)
    {
        for (const QByteArray& word : streams.split(' ')) {
            const auto at = word.indexOf('@');
            if (at > 0) node(word.left(at)).at.edit().stream = word.mid(at + 1).toInt();
        }
        settle();
    }

    Node& node(const QByteArray& name) { return graph[findNode(graph, name.toStdString())]; }
    void settle() { schedule = scheduleInCapturedOrder(graph); }

    /// "p0 a0 d1 | p>d": streams of the top's nodes, then the events.
    [[nodiscard]] QString text(std::int64_t streams) const
    {
        const auto plan = assignStreams(graph, schedule, streams);
        if (!plan.ok()) return QString::fromStdString(english(plan.error().message));
        QStringList words;
        for (const NodeId id : graph.top().nodes)
            words << QString::fromStdString(graph[id].name) + QString::number(plan.value().of(id));
        words << QStringLiteral("|");
        for (const StreamEvent& event : plan.value().events)
            words << QString::fromStdString(graph[event.signal].name + ">" + graph[event.waiter].name);
        return words.join(u' ').trimmed();
    }

    Graph graph;
    Schedule schedule;
};

LiveRanges ranges(std::initializer_list<Interval> intervals)
{
    LiveRanges live;
    for (const Interval one : intervals)
        live.add(one);
    return live;
}

} // namespace

class tst_StreamOrder : public QObject
{
    Q_OBJECT

private slots:
    void nodesFollowTheirProducers_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("captured");
        QTest::addColumn<int>("streams");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& graph, const char* captured, int streams,
                            const char* expected) {
            QTest::newRow(name) << graph << QByteArray(captured) << streams << QString::fromLatin1(expected);
        };
        row("one stream", Fan, "", 1, "p0 a0 b0 c0 d0 e0 j0 |");
        row("the second branch takes the second stream", Fan, "", 2, "p0 a0 b0 c0 d1 e1 j0 | p>d e>j");
        row("a third is not needed", Fan, "", 3, "p0 a0 b0 c0 d1 e1 j0 | p>d e>j");
        row("sources take streams of their own", TwoSources, "", 2, "a0 b1 c0 d1 j0 | d>j");
        row("a new version waits for readers of the old one", Written, "a@0 b@1 m@0 j@0", CapturedStreams,
            "a0 b1 m0 j0 | a>b b>m");
        row("what a branch reads its owner waits for", Nested, "", 2, "a0 b1 c1 d0 j0 | c>j");
        row("as captured", Fan, "p@0 a@1 b@1 c@1 d@3 e@3 j@0", CapturedStreams,
            "p0 a1 b1 c1 d3 e3 j0 | p>a p>d e>j c>j");
        row("what the file says nothing of follows", Fan, "a@2", CapturedStreams, "p0 a2 b2 c2 d0 e0 j0 | p>a c>j");
        row("an event carries what came before", TwoSources, "a@0 b@1 c@1 d@2 j@0", CapturedStreams,
            "a0 b1 c1 d2 j0 | a>c b>d d>j c>j");
        row("a number that no device has", Fan, "p@64", CapturedStreams,
            "There is no stream 64: they count from 0 to 63.");
    }
    void nodesFollowTheirProducers()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, captured);
        QFETCH(int, streams);
        QFETCH(QString, expected);
        QCOMPARE(Streamed(graph, captured).text(streams), expected);
    }

    void orderIsThatOfStreamsAndEvents()
    {
        const Streamed fan(Fan);
        const StreamPlan plan = assignStreams(fan.graph, fan.schedule, 2).value();
        const StreamOrder order(fan.graph, fan.schedule, plan);
        const auto node = [&](const char* name) { return findNode(fan.graph, name); };

        QVERIFY(order.before(node("p"), node("e")));
        QVERIFY(!order.before(node("e"), node("p")));
        QVERIFY(order.unordered(node("b"), node("d")));
        QVERIFY(!order.unordered(node("b"), node("b")));
        QVERIFY(order.before(node("d"), node("j")));
        QCOMPARE(order.unorderedOn(0, node("d")), (Interval {1, 4}));
        QVERIFY(order.unorderedOn(1, node("p")).empty());
        QCOMPARE(order.latestWait({node("a")}).until, 6);
        QCOMPARE(order.latestWait({node("a")}).stream, 1);
        QCOMPARE(order.latestWait({node("p")}).until, 0);
    }

    void nestedNodesCountForTheirOwner()
    {
        const Streamed nested(Nested);
        const auto accesses = findUsers(nested.graph, nested.schedule);
        const auto& users = accesses[findValue(nested.graph, "vb").index()];
        QCOMPARE(users.size(), std::size_t(2));
        QVERIFY(users[1] == findNode(nested.graph, "c"));
    }

    /// a and b run on stream 0, c and d on stream 1, in no order with them; steps 0 to 3.
    void clientsOfSeveralStreamsAreKeptApart()
    {
        const Streamed two("input x float32[4]\na: va = Exp(x)\nb: vb = Exp(x)\nc: vc = Exp(x)\nd: vd = Exp(x)\n"
                           "output vd\n",
                           "a@0 b@0 c@1 d@1");
        const StreamPlan plan = assignStreams(two.graph, two.schedule, CapturedStreams).value();
        const StreamOrder order(two.graph, two.schedule, plan);
        const ArenaId arena {std::size_t {0}};
        const auto node = [&](const char* name) { return findNode(two.graph, name); };
        const std::vector<StreamClient> clients = {{arena, ranges({{0, 1}}), {node("a")}},
                                                   {arena, ranges({{1, 2}}), {node("b")}},
                                                   {arena, ranges({{2, 3}}), {node("c")}},
                                                   {arena, ranges({{3, 4}}), {node("d")}}};

        const std::vector<LiveRanges> live = keepApart(order, clients, 4).value();
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = 0; j < i; ++j)
                QCOMPARE(overlaps(live[i], live[j]), (i < 2) != (j < 2));
        }
        const std::vector<LiveRanges> longer = keepLonger(order, clients);
        QCOMPARE(longer[0].hull(), (Interval {0, 4}));
        QCOMPARE(longer[1].hull(), (Interval {1, 4}));
        QCOMPARE(longer[2].hull(), (Interval {2, 3}));
    }
};

QTEST_APPLESS_MAIN(tst_StreamOrder)
#include "tst_stream_order.moc"
