#include "tests/support/graph_text.h"

#include <QtTest>

using namespace plimsoll;
using test::graphFromText;
using test::parseGraphText;

class GraphTextTest : public QObject
{
    Q_OBJECT

private slots:
    void everyKindOfLineIsUnderstood()
    {
        const Graph g = graphFromText(R"(
            graph all                                  # a comment
            opset 13
            opset my 2
            input x float32[batch,?,3]
            input u int64[...]
            const k int64[2] = 1 -2
            a: y, _ = my::Op(x, _, u) i=3 f=0.5 s="t" is=[1,2] fs=[1.0,2.0] ss=["a","b"] t=float32[2]{1,2} alias=0:view:0 ignores=[2]
            z = Relu(y)
            value z float32[2,2]
            loss z
            output z x z
        )");

        const Node& node = g.nodes[0];
        QCOMPARE(g.name, std::string("all"));
        QCOMPARE(opsetVersion(g, "my"), std::int64_t(2));
        QCOMPARE(describe(g.values[0].type), std::string("float32[batch,?,3]"));
        QVERIFY(!g.values[1].type.dims);
        QCOMPARE(g.values[2].data->bytes->size(), std::size_t(16));
        QCOMPARE(qualifiedOp(node), std::string("my::Op"));
        QVERIFY(!node.inputs[1].valid() && !node.outputs[1].valid());
        QCOMPARE(attributeOr(node, "i", std::int64_t(0)), std::int64_t(3));
        QCOMPARE(attributeOr(node, "f", 0.0), 0.5);
        QCOMPARE(attributeOr(node, "s", std::string()), std::string("t"));
        QCOMPARE(*findAttribute<std::vector<double>>(node, "fs"), (std::vector {1.0, 2.0}));
        QCOMPARE(findAttribute<std::vector<std::string>>(node, "ss")->at(1), std::string("b"));
        QCOMPARE(findAttribute<TensorLiteral>(node, "t")->shape, Shape {2});
        QCOMPARE(node.declared->traits->at(0).kind, AliasKind::View);
        QCOMPARE(node.declared->ignoredInputs, std::vector<int> {2});
        QCOMPARE(g.nodes[1].name, std::string("Relu_1"));
        QCOMPARE(describe(g[g.loss].type), std::string("float32[2,2]"));
        QCOMPARE(g.top().outputs.size(), std::size_t(3));
    }

    void wrongLinesAreNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("unknown word") << "inputs x float32[1]"
                                      << "line 1";
        QTest::newRow("unknown value") << "\ny = Relu(x)"
                                       << "line 2";
        QTest::newRow("unknown type") << "input x real[1]"
                                      << "line 1";
        QTest::newRow("end without a body") << "end"
                                            << "line 1";
        QTest::newRow("unknown output") << "input x float32[1]\noutput y"
                                        << "line 2";
    }
    void wrongLinesAreNamed()
    {
        QFETCH(QString, text);
        QFETCH(QString, where);

        const auto graph = parseGraphText(text.toStdString());

        QVERIFY(!graph.ok());
        QCOMPARE(QString::fromStdString(graph.error().where), where);
    }

    void theSamplesAreGraphs()
    {
        using namespace test::samples;
        for (const auto text : {TwoOutputsOneStorage, Residual, Branches, CarriedLoop, Chain})
            QVERIFY(parseGraphText(text).ok());
    }
};

QTEST_APPLESS_MAIN(GraphTextTest)
#include "tst_graph_text.moc"
