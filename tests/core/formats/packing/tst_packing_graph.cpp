#include "core/facts/english/english.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/packing/packing_graph.h"

#include "core/formats/read_graph.h"

#include <QtTest>

#include <sstream>

using namespace plimsoll;

namespace {

Graph graphOf(const char* table)
{
    const std::string_view text(table);
    auto graph = readGraph(std::as_bytes(std::span(text)), {});
    if (!graph.ok()) qFatal("%s", english(graph.error().message).c_str());
    return std::move(graph).value();
}

/// "t=5: b <- a c", one line a node.
QString summary(const Graph& graph)
{
    QStringList lines;
    for (const Node& node : graph.nodes) {
        QString line = QString::fromStdString(node.name) + QLatin1Char(':');
        for (const ValueId output : node.outputs)
            line += QLatin1Char(' ') + QString::fromStdString(graph[output].name);
        line += QStringLiteral(" <-");
        for (const ValueId input : node.inputs)
            line += QLatin1Char(' ') + QString::fromStdString(graph[input].name);
        lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestPackingGraph : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNodeStandsForEachTimeOfBirth();
    void buffersThatTouchInTimeAreNotAliveTogether();
    void whatNeverLivesTakesNoBytes();
    void valuesKnowTheirProducers();
    void oneIdForTwoBuffersIsAnError();
    void onlyTablesOfBuffersAreTaken_data();
    void onlyTablesOfBuffersAreTaken();
};

void TestPackingGraph::aNodeStandsForEachTimeOfBirth()
{
    const Graph graph = graphOf("id,lower,upper,size\na,0,7,64\nb,5,9,32\nc,5,6,8\nd,8,9,4\n");

    QCOMPARE(summary(graph), QStringLiteral("t=0: a <-\nt=5: b c <- a\nt=8: d <- b"));
    QCOMPARE(graph[findValue(graph, "b")].type, TensorType::dense(DType::UInt8, {32}));
}

void TestPackingGraph::buffersThatTouchInTimeAreNotAliveTogether()
{
    const Graph graph = graphOf("id,lower,upper,size\na,0,5,64\nb,5,9,32\nc,3,4,8\n");

    QCOMPARE(summary(graph), QStringLiteral("t=0: a <-\nt=3: c <- a\nt=5: b <-"));
}

void TestPackingGraph::whatNeverLivesTakesNoBytes()
{
    const Graph graph = graphOf("id,lower,upper,size\na,0,5,64\nb,3,3,32\n");

    QCOMPARE(graph[findValue(graph, "b")].type, TensorType::dense(DType::UInt8, {0}));
}

void TestPackingGraph::valuesKnowTheirProducers()
{
    const Graph graph = graphOf("id,lower,upper,size\na,0,7,64\nb,5,9,32\nc,5,6,8\n");

    for (const Value& value : graph.values)
        QCOMPARE(graph[graph[value.producer].outputs[static_cast<std::size_t>(value.producerOutput)]].name, value.name);
    QCOMPARE(graph.top().nodes, (std::vector {NodeId(0), NodeId(1)}));
}

/// Readers of logs make ids of names.
void TestPackingGraph::oneIdForTwoBuffersIsAnError()
{
    PackingTable table;
    table.ids = {"a", "a"};
    table.problem.arenas = {{"cpu", 1, {}}};
    table.problem.buffers = {{.bytes = 8, .live = LiveRanges({0, 2})}, {.bytes = 8, .live = LiveRanges({1, 3})}};

    const auto graph = packingGraph(table, "twice");

    QVERIFY(!graph.ok());
    QCOMPARE(graph.error().where, std::string("value 'a'"));
}

void TestPackingGraph::onlyTablesOfBuffersAreTaken_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("table");
    QTest::newRow("plain") << QByteArray("id,lower,upper,size\n") << true;
    QTest::newRow("other names, order and case") << QByteArray("SIZE, begin ,buffer_id,end,color\n1,2,3,4,5") << true;
    QTest::newRow("no newline") << QByteArray("id,start,end,size") << true;
    QTest::newRow("no size") << QByteArray("id,lower,upper\n") << false;
    QTest::newRow("no life") << QByteArray("id,lower,size\n") << false;
    QTest::newRow("prose") << QByteArray("hello, world\n") << false;
    QTest::newRow("empty") << QByteArray() << false;
}

void TestPackingGraph::onlyTablesOfBuffersAreTaken()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, table);

    QCOMPARE(looksLikePackingTable(std::string_view(text.constData(), std::size_t(text.size()))), table);
}

QTEST_APPLESS_MAIN(TestPackingGraph)
#include "tst_packing_graph.moc"
