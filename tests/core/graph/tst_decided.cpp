#include "core/graph/graph.h"

#include <QtTest>

using namespace plimsoll;

/// What passes decide stands beside the graph, by id.
class DecidedTest : public QObject
{
    Q_OBJECT

private slots:
    void aCapturedGraphHasNothingDecided()
    {
        const Decided decided;
        const NodeId far(std::size_t {1000});

        QVERIFY(!decided[far].ahead);
        QVERIFY(decided[far].fused.empty());
        QVERIFY(!decided[far].fusedInto.valid());
        QVERIFY(!decided[far].recomputes.valid());
        QVERIFY(!decided[ValueId(std::size_t {1000})].fusedInto.valid());
    }

    void whatIsDecidedOfOneIsNotOfOthers()
    {
        Decided decided;
        decided.at(NodeId(std::size_t {2})).ahead = true;
        decided.at(ValueId(std::size_t {2})).fusedInto = NodeId(std::size_t {7});

        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(decided[NodeId(i)].ahead, i == 2);
            QCOMPARE(decided[ValueId(i)].fusedInto.valid(), i == 2);
        }
    }

    void aCopyOfANodeTakesItsDecisionsAlong()
    {
        Decided decided;
        const NodeId from(std::size_t {1});
        const NodeId to(std::size_t {500}); // behind all that there is
        decided.at(from) = {true, {{NodeId(std::size_t {3}), 1}}, {}, NodeId(std::size_t {0})};

        decided.copy(from, to);

        QVERIFY(decided[to].ahead);
        QCOMPARE(decided[to].fused, decided[from].fused);
        QCOMPARE(decided[to].recomputes, NodeId(std::size_t {0}));
        decided.copy(NodeId(std::size_t {900}), NodeId(std::size_t {2})); // of nothing comes nothing
        QVERIFY(!decided[NodeId(std::size_t {2})].ahead);
    }

    /// y = conv(x, w)(add z, relu): z stands behind the convolution's own inputs.
    void fusedOperandsStandBehindTheInputs()
    {
        Graph graph;
        graph.values.resize(6); // x w z, then what conv, add and relu make
        graph.nodes.resize(3);
        const auto value = [](std::size_t i) { return ValueId(i); };
        const NodeId conv(std::size_t {0});
        const NodeId add(std::size_t {1});
        const NodeId relu(std::size_t {2});
        graph[conv].inputs = {value(0), value(1), value(2)};
        graph[add].inputs = {value(2), value(3)};
        graph[relu].inputs = {value(4)};
        QCOMPARE(ownInputs(graph, conv), std::size_t(3)); // nothing is fused yet

        graph.decided.at(conv).fused = {{add, 1}, {relu, 0}};

        const auto operands = fusedOperands(graph, graph.decided[conv].fused);
        QCOMPARE(operands.size(), std::size_t(1));
        QCOMPARE(operands.front().node, add);
        QCOMPARE(operands.front().input, 0);
        QCOMPARE(ownInputs(graph, conv), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(DecidedTest)
#include "tst_decided.moc"
