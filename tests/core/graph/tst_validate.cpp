#include "core/facts/english/english.h"
#include "core/graph/validate.h"

#include "tests/support/graph_text.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace plimsoll;
using test::graphFromText;

namespace {

QString errorOf(const Status& status)
{
    return status.ok() ? QStringLiteral("(no error)") : QString::fromStdString(describe(status.error()));
}

/// A chain n0 → n1 → … of \p length nodes.
Graph chain(int length)
{
    std::string text = "input v0 float32[1]\n";
    for (int i = 0; i < length; ++i)
        text += "n" + std::to_string(i) + ": v" + std::to_string(i + 1) + " = Relu(v" + std::to_string(i) + ")\n";
    return graphFromText(text + "output v" + std::to_string(length));
}

} // namespace

class ValidateTest : public QObject
{
    Q_OBJECT

private slots:
    void theSamplesAreValid()
    {
        using namespace test::samples;
        for (const auto text : {TwoOutputsOneStorage, Residual, Branches, CarriedLoop, Chain})
            QVERIFY2(validate(graphFromText(text)).ok(), text.data());
    }

    void everyBrokenRuleNamesItsPlace_data()
    {
        QTest::addColumn<std::function<void(Graph&)>>("damage");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, std::function<void(Graph&)> damage, const char* message) {
            QTest::newRow(name) << std::move(damage) << QString(message);
        };
        const auto node = [](Graph& g, const char* name) -> Node& { return g[findNode(g, name)]; };
        row(
            "read before it is computed", [=](Graph& g) { node(g, "pre").inputs[0] = findValue(g, "z"); },
            "node 'pre': Input 'z' is read before");
        row(
            "read of a nested value from outside",
            [=](Graph& g) { node(g, "post").inputs[0] = findValue(g, "choose/then_branch/u"); },
            "node 'post': Input 'choose/then_branch/u' belongs to a nested graph");
        row(
            "read of the other branch",
            [=](Graph& g) { node(g, "choose/else_branch/e1").inputs[0] = findValue(g, "choose/then_branch/u"); },
            "belongs to a nested graph");
        row(
            "owner's own output read inside",
            [=](Graph& g) { node(g, "choose/else_branch/e1").inputs[0] = findValue(g, "y"); }, "'y' is read before");
        row(
            "input out of range", [=](Graph& g) { node(g, "pre").inputs[0] = ValueId(std::int32_t {99}); },
            "node 'pre': Input 0 does not exist");
        row(
            "computed twice", [=](Graph& g) { node(g, "post").outputs.push_back(findValue(g, "p")); },
            "'p' is computed twice");
        row(
            "another producer", [=](Graph& g) { g[findValue(g, "z")].producer = findNode(g, "pre"); },
            "names another producer");
        row(
            "output never computed", [](Graph& g) { g.bodies[0].outputs.push_back(ValueId()); },
            "output of the graph is never computed");
        row(
            "nested output never computed", [](Graph& g) { g.bodies[1].outputs[0] = findValue(g, "z"); },
            "node 'choose'/then_branch: An output");
        row(
            "output repeated", [](Graph& g) { g.bodies[0].outputs.resize(1001, findValue(g, "z")); },
            "graph: 'z' is an output of the graph more than 1,000 times");
        row(
            "two values of one name", [](Graph& g) { g[findValue(g, "z")].name = "p"; }, "'p' is defined twice");
        row(
            "negative dimension", [](Graph& g) { g[findValue(g, "x")].type.dims->at(0).size = -2; },
            "value 'x': The shape has a negative");
        row(
            "size above 63 bits", [](Graph& g) { g[findValue(g, "x")].type.dims->at(0).size = std::int64_t {1} << 62; },
            "63 bits");
    }
    void everyBrokenRuleNamesItsPlace()
    {
        QFETCH(std::function<void(Graph&)>, damage);
        QFETCH(QString, message);
        Graph graph = graphFromText(test::samples::Branches);

        damage(graph);

        QVERIFY2(errorOf(validate(graph)).contains(message), qPrintable(errorOf(validate(graph))));
    }

    void sortingKeepsAnOrderThatIsOne()
    {
        Graph graph = graphFromText(test::samples::Branches);
        const auto before = graph.bodies[0].nodes;

        QVERIFY(sortTopologically(graph).ok());

        QCOMPARE(graph.bodies[0].nodes, before);
    }

    void sortingMendsAnyOrder()
    {
        const unsigned seed = 42;
        std::mt19937 random(seed);
        for (int round = 0; round < 50; ++round) {
            Graph graph = graphFromText(test::samples::Branches);
            for (Body& body : graph.bodies)
                std::shuffle(body.nodes.begin(), body.nodes.end(), random);
            QVERIFY(sortTopologically(graph).ok());
            QVERIFY2(validate(graph).ok(), qPrintable(QString("seed %1, round %2").arg(seed).arg(round)));
        }
    }

    void longChainsAreSortedWithoutRecursion()
    {
        Graph graph = chain(100'000);
        std::reverse(graph.bodies[0].nodes.begin(), graph.bodies[0].nodes.end());

        QVERIFY(sortTopologically(graph).ok());

        QVERIFY(validate(graph).ok());
    }

    void cyclesNameTheNodes()
    {
        Graph graph = chain(3);
        graph.nodes[0].inputs[0] = graph.nodes[2].outputs[0];

        const Status status = sortTopologically(graph);

        QVERIFY2(errorOf(status).contains("cycle: 'n1' needs 'n0'") ||
                     errorOf(status).contains("cycle: 'n0' needs 'n2'") ||
                     errorOf(status).contains("cycle: 'n2' needs 'n1'"),
                 qPrintable(errorOf(status)));
    }

    void aNestedGraphThatReadsItsOwnersOutputIsACycle()
    {
        Graph graph = graphFromText(test::samples::Branches);
        graph[findNode(graph, "choose/then_branch/t1")].inputs[0] = findValue(graph, "z"); // post needs choose

        QVERIFY2(errorOf(sortTopologically(graph)).contains("cycle"), qPrintable(errorOf(sortTopologically(graph))));
    }
};

QTEST_APPLESS_MAIN(ValidateTest)
#include "tst_validate.moc"
