#include "core/plan/implementation.h"

#include <QtTest>

using namespace plimsoll;

namespace {

/// x → conv → a → relu → y
struct Pair
{
    Graph graph;
    ValueId x {std::size_t {0}};
    ValueId a {std::size_t {1}};
    ValueId y {std::size_t {2}};
    NodeId conv {std::size_t {0}};
    NodeId relu {std::size_t {1}};

    Pair()
    {
        graph.values.resize(3);
        graph.nodes.resize(2);
        graph[a].producer = conv;
        graph[y].producer = relu;
    }
};

Implementation blocked()
{
    Implementation offer;
    offer.backend = "onednn";
    offer.name = "jit";
    offer.inputLayouts = {"nChw8c", std::string(PlainLayout)};
    offer.outputLayouts = {"nChw16c"};
    return offer;
}

} // namespace

class ImplementationTest : public QObject
{
    Q_OBJECT

private slots:
    void whatIsNotListedIsPlainAndDense()
    {
        Implementation offer = blocked();
        offer.inputStorageTypes = {StorageType::Csr};
        offer.outputStorageTypes = {StorageType::RowSparse};

        QVERIFY(inputLayout(offer, 0) == "nChw8c");
        QVERIFY(inputLayout(offer, 1) == PlainLayout);
        QVERIFY(inputLayout(offer, 2) == PlainLayout);
        QVERIFY(inputLayout(offer, -1) == PlainLayout);
        QVERIFY(outputLayout(offer, 0) == "nChw16c");
        QVERIFY(outputLayout(offer, 1) == PlainLayout);
        QCOMPARE(inputStorageType(offer, 0), StorageType::Csr);
        QCOMPARE(inputStorageType(offer, 1), StorageType::Dense);
        QCOMPARE(outputStorageType(offer, 0), StorageType::RowSparse);
        QCOMPARE(outputStorageType(offer, -1), StorageType::Dense);
    }

    void aValueLiesAsItsProducerLeavesIt()
    {
        Pair pair;
        const std::vector<Implementation> chosen = {blocked()};

        QVERIFY(layoutOf(pair.graph, chosen, pair.a) == "nChw16c");
        QVERIFY(layoutOf(pair.graph, chosen, pair.x) == PlainLayout); // no node makes it
        QVERIFY(layoutOf(pair.graph, chosen, pair.y) == PlainLayout); // the list is shorter: the reference
        pair.graph[pair.a].producerOutput = 1;
        QVERIFY(layoutOf(pair.graph, chosen, pair.a) == PlainLayout);
    }

    void whatIsFusedAwayHasNoLayout()
    {
        Pair pair;
        pair.graph.decided.at(pair.a).fusedInto = pair.conv;

        QVERIFY(layoutOf(pair.graph, std::vector {blocked()}, pair.a) == PlainLayout);
    }

    void anOfferIsOneLine_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("line");
        QTest::newRow("reference") << "reference"
                                   << "reference, plain → plain";
        QTest::newRow("layouts") << "layouts"
                                 << "onednn jit, nChw8c + plain → nChw16c";
        QTest::newRow("fused") << "fused"
                               << "onednn jit + add + relu, nChw8c + plain → nChw16c";
        QTest::newRow("weights") << "weights"
                                 << "onednn jit, nChw8c + plain → nChw16c, weights as OIhw8i8o in 1,152 B";
        QTest::newRow("scratchpad") << "scratchpad"
                                    << "onednn jit, nChw8c + plain → nChw16c, scratchpad 4,096 B";
        QTest::newRow("time") << "time"
                              << "onednn jit, nChw8c + plain → nChw16c, 0.123 ms measured";
        QTest::newRow("all plain") << "all plain"
                                   << "onednn jit, plain → plain";
    }
    void anOfferIsOneLine()
    {
        QFETCH(QString, what);
        QFETCH(QString, line);
        Implementation offer = what == QStringLiteral("reference") ? Implementation() : blocked();
        if (what == QStringLiteral("fused")) offer.fuses = {"add", "relu"};
        if (what == QStringLiteral("weights")) offer.prepared.push_back({1, "OIhw8i8o", 1152, {}, {}});
        if (what == QStringLiteral("scratchpad")) offer.scratchpadBytes = 4096;
        if (what == QStringLiteral("time")) offer.timeMs = 0.12345;
        if (what == QStringLiteral("time")) offer.provenance = "measured";
        if (what == QStringLiteral("all plain")) {
            offer.inputLayouts.assign(2, std::string(PlainLayout));
            offer.outputLayouts.clear();
        }

        QCOMPARE(QString::fromStdString(offerText(offer)), line);
    }

    void aNodeWithoutAChoiceIsTheReferences()
    {
        Implementations chosen;
        QCOMPARE(chosen[NodeId {7}], Implementation());
        chosen.at(NodeId {1}) = blocked();
        QCOMPARE(chosen[NodeId {0}], Implementation());
        QCOMPARE(chosen[NodeId {1}], blocked());
        QCOMPARE(chosen[NodeId {2}], Implementation());

        Implementations longer = chosen;
        longer.at(NodeId {5}) = Implementation();
        QCOMPARE(longer, chosen);
        longer.at(NodeId {5}).timeMs = 1;
        QVERIFY(!(longer == chosen));
        QCOMPARE(chosen[NodeId {5}].timeMs, -1.0); // a copy of its own
    }

    void twoOffersAreTheSameWhenAllOfThemIs()
    {
        const Implementation offer = blocked();
        Implementation other = offer;
        QVERIFY(offer == other);
        other.inPlace.push_back({0, 1});
        QVERIFY(!(offer == other));
        other = offer;
        other.requiredInputBytes = {64};
        QVERIFY(!(offer == other));
    }
};

QTEST_APPLESS_MAIN(ImplementationTest)
#include "tst_implementation.moc"
