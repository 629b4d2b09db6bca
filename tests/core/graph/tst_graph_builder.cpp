#include "core/facts/english/english.h"
#include "core/graph/graph_builder.h"

#include <QtTest>

using namespace plimsoll;

namespace {
const TensorType Vector = TensorType::dense(DType::Float32, {4});
}

class GraphBuilderTest : public QObject
{
    Q_OBJECT

private slots:
    void namesOfNestedGraphsCarryTheirPath()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        const NodeId owner = builder.addNode({.name = "choose", .op = "If"}, {x}, {"y"});
        builder.openBody(owner, "then_branch");
        const NodeId inner = builder.addNode({.name = "n", .op = "Relu"}, {builder.find("x")}, {"v"});
        QCOMPARE(builder.find("v"), builder.output(inner, 0));
        builder.addOutput(builder.output(inner, 0));
        builder.closeBody();
        QVERIFY(!builder.find("v").valid());
        builder.addOutput(builder.output(owner, 0));

        const auto graph = std::move(builder).build();

        QVERIFY(graph.ok());
        QVERIFY(findValue(graph.value(), "choose/then_branch/v").valid());
        QCOMPARE(graph.value()[inner].name, std::string("choose/then_branch/n"));
        QVERIFY(isInside(graph.value(), graph.value()[inner].body, TopBody));
        QVERIFY(!isInside(graph.value(), TopBody, graph.value()[inner].body));
    }

    void inputsOfNestedGraphsComeFromTheirOwner()
    {
        GraphBuilder builder("g");
        const NodeId owner = builder.addNode({.op = "Loop"}, {}, {});
        builder.openBody(owner, "body");
        const ValueId trip = builder.addInput("i", Vector);
        builder.closeBody();

        QCOMPARE(builder.graph()[trip].role, ValueRole::BodyInput);
    }

    void nodesWithoutANameGetOneAndRepeatedNamesANumber()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        const NodeId first = builder.addNode({.op = "Relu"}, {x}, {"a"});
        const NodeId second = builder.addNode({.name = "n", .op = "Relu"}, {x}, {"b"});
        const NodeId third = builder.addNode({.name = "n", .op = "Relu"}, {x}, {"c"});

        QCOMPARE(builder.graph()[first].name, std::string("Relu_0"));
        QCOMPARE(builder.graph()[second].name, std::string("n"));
        QCOMPARE(builder.graph()[third].name, std::string("n#2"));
        const auto graph = std::move(builder).build();
        QCOMPARE(english(graph.value().notes),
                 (std::vector<std::string> {
                     "Several nodes of the file have one name: 'n', of which a later one is called 'n#2' here."}));
    }

    void nodesOfOneOperatorHaveItsNamesOnce()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        const auto add = [&](const char* source) {
            const Provenance from {{"onnx", "Relu", {}}, source, {}, {}};
            return builder.addNode({.op = "Relu", .domain = "my", .from = from}, {x}, {});
        };
        const NodeId one = add("");
        const NodeId other = add("");
        const NodeId told = add("model.py:3");
        const Graph& graph = builder.graph();
        QCOMPARE(&*graph[one].op, &*graph[told].op);
        QCOMPARE(&*graph[one].domain, &*graph[told].domain);
        QCOMPARE(&*graph[one].op, &*graph[told].from->origin.op);
        QCOMPARE(&*graph[one].from, &*graph[other].from);
        QCOMPARE(graph[other].from->source, std::string());
        QCOMPARE(graph[told].from->source, std::string("model.py:3"));
    }

    /// A million of them fit in a GiB.
    void nodesAndValuesAreSmall()
    {
        QVERIFY(sizeof(Node) <= 144);
        QVERIFY(sizeof(Value) <= 128);
    }

    /// A node may be called what another one would be.
    void numbersOfRepeatedNamesAreFree()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        const auto add = [&](const char* name) {
            const NodeId id = builder.addNode({.name = name, .op = "Relu"}, {x}, {});
            return builder.graph()[id].name;
        };

        QCOMPARE(add("n#2"), std::string("n#2"));
        QCOMPARE(add("n"), std::string("n"));
        QCOMPARE(add("n"), std::string("n#3"));
        QCOMPARE(add("n#3"), std::string("n#3#2"));
        QCOMPARE(add("Relu_4"), std::string("Relu_4"));
        QCOMPARE(add(""), std::string("Relu_5"));
        QCOMPARE(add("Relu_7"), std::string("Relu_7"));
        QCOMPARE(add(""), std::string("Relu_7#2"));
        QCOMPARE(add("n"), std::string("n#4"));
        QCOMPARE(add("n"), std::string("n#5"));
        const std::vector<std::string> notes = english(std::move(builder).build().value().notes);
        QCOMPARE(notes.size(), std::size_t(1));
        QVERIFY2(notes[0].ends_with(", and 1 more."), notes[0].c_str()); // names that were not given are no news
    }

    void outputsThatNobodyNamesKeepTheirPosition()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        const NodeId node = builder.addNode({.op = "Split"}, {x}, {"", "b"});

        QVERIFY(!builder.output(node, 0).valid());
        QCOMPARE(builder.graph()[builder.output(node, 1)].producerOutput, 1);
    }

    void aNameThatIsTakenIsTheFirstError()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        builder.addNode({.op = "Relu"}, {x}, {"x"});
        builder.addNode({.op = "Relu"}, {x}, {"y"});
        builder.addNode({.op = "Relu"}, {x}, {"y"});

        const auto graph = std::move(builder).build();

        QVERIFY(!graph.ok());
        QCOMPARE(graph.error().where, std::string("value 'x'"));
    }

    void usesAreFoundOnceForEveryReader()
    {
        GraphBuilder builder("g");
        const ValueId x = builder.addInput("x", Vector);
        const NodeId twice = builder.addNode({.op = "Add"}, {x, x}, {"y"});
        builder.addOutput(builder.output(twice, 0));
        builder.addOutput(builder.output(twice, 0));
        const auto graph = std::move(builder).build();

        const Uses uses = findUses(graph.value());

        QCOMPARE(uses.reads[x.index()].size(), std::size_t(2));
        QCOMPARE(uses.reads[x.index()][1].input, 1);
        QCOMPARE(uses.results[graph.value()[twice].outputs[0].index()].size(), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(GraphBuilderTest)
#include "tst_graph_builder.moc"
