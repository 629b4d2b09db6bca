#include "core/facts/english/english.h"
#include "core/ops/dialects/arena_rules.h"
#include "core/ops/node_facts.h"
#include "core/ops/rules/form.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

/// What a node with bodies must look like, and what interpreters do with memory of their own.
class OpBodies : public QObject
{
    Q_OBJECT

private slots:
    void bodiesAreWhole_data();
    void bodiesAreWhole();
    void interpretersKeepInputsAndState_data();
    void interpretersKeepInputsAndState();
    void lastOutputsMayBeRoomToWork_data();
    void lastOutputsMayBeRoomToWork();
    void compilersBringOperators();
};

namespace {

class NoFacts : public FactSource
{
public:
    [[nodiscard]] const TensorType& type(ValueId) const override { return m_type; }
    [[nodiscard]] bool hasContent(ValueId) const override { return false; }
    [[nodiscard]] const PartialTensor& content(ValueId) override { return m_content; }

private:
    TensorType m_type;
    PartialTensor m_content;
};

constexpr const char* Head = "input c bool[]\ninput n int64[]\ninput x float32[2]\n";

} // namespace

void OpBodies::bodiesAreWhole_data()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const QByteArray& text, const char* error) {
        QTest::newRow(name) << Head + text << QString::fromUtf8(error);
    };
    const QByteArray thenBody = "body then_branch\n  u = Relu(x)\n  output u\nend\n";
    const QByteArray elseBody = "body else_branch\n  v = Neg(x)\n  output v\nend\n";
    row("two branches", "z = If(c)\n" + thenBody + elseBody + "output z\n", "");
    row("one branch", "z = If(c)\n" + thenBody + "output z\n",
        "It has 1 bodies; If needs then_branch and else_branch.");
    row("a branch that gives less", "z, y = If(c)\n" + thenBody + elseBody + "output z y\n",
        "Its branch 'then_branch' has 1 output, and the node 2; both must be the same.");
    const QByteArray loop = "z = Loop(n, c, x)\nbody body\n  input i int64[]\n  input d bool[]\n  input s float32[2]\n";
    row("a loop", loop + "  t = Relu(s)\n  output d t\nend\noutput z\n", "");
    row("a loop that says nothing", loop + "end\noutput z\n", "Its body 'body' has no outputs.");
    row("a loop that loses its state", loop + "  output d\nend\noutput z\n",
        "Its body 'body' takes a state as input 2 and hands none back.");
    row("a loop that lacks a result",
        "z, y = Loop(n, c, x)\nbody body\n  input i int64[]\n  input d bool[]\n"
        "  input s float32[2]\n  t = Relu(s)\n  output d t\nend\noutput z y\n",
        "Its body 'body' has no output for 'y', output 1 of the node.");
    row("no body", "z = Loop(n, c, x)\noutput z\n", "It has 0 bodies; Loop needs one.");
}

void OpBodies::bodiesAreWhole()
{
    QFETCH(const QByteArray, graph);
    const Graph read = test::graphFromText(graph.toStdString());
    NoFacts facts;
    const Status status = checkForm(NodeFacts(read, read.top().nodes.front(), facts));
    QTEST(status.ok() ? QString() : QString::fromStdString(english(status.error().message)), "error");
}

void OpBodies::interpretersKeepInputsAndState_data()
{
    QTest::addColumn<QByteArray>("dialect");
    QTest::addColumn<QString>("kept"); // of x (seen), h (not seen), w (with data) and s (state)
    QTest::newRow("tflite") << QByteArray("tflite") << "x h s";
    QTest::newRow("executorch") << QByteArray("executorch") << "h s";
    QTest::newRow("onnx") << QByteArray("") << "";
}

void OpBodies::interpretersKeepInputsAndState()
{
    QFETCH(const QByteArray, dialect);
    Graph graph = test::graphFromText("input x float32[2]\ninput h float32[2]\nparam w float32[2]\nparam s float32[2]\n"
                                      "y = Add(x, h)\noutput y\n");
    graph.opsets[dialect.toStdString()] = 1;
    graph[findValue(graph, "h")].visible = false;
    graph[findValue(graph, "w")].data.edit().bytes = std::make_shared<std::vector<std::byte>>(8);
    QStringList kept;
    for (const char* name : {"x", "h", "w", "s", "y"})
        if (liesInArena(graph, graph[findValue(graph, name)])) kept += QString::fromLatin1(name);
    QTEST(kept.join(u' '), "kept");
}

void OpBodies::lastOutputsMayBeRoomToWork_data()
{
    QTest::addColumn<QByteArray>("dialect");
    QTest::addColumn<int>("workspaces");
    QTest::addColumn<QString>("room"); // of p, q, r
    QTest::newRow("none is said") << QByteArray("tflite") << 0 << "";
    QTest::newRow("the last") << QByteArray("tflite") << 1 << "r";
    QTest::newRow("the last two") << QByteArray("executorch") << 2 << "q r";
    QTest::newRow("of a graph that has none") << QByteArray("") << 1 << "";
}

void OpBodies::lastOutputsMayBeRoomToWork()
{
    QFETCH(const QByteArray, dialect);
    QFETCH(const int, workspaces);
    Graph graph = test::graphFromText("input x float32[2]\np, q, r = my::Op(x)\noutput p q r\n");
    graph.opsets[dialect.toStdString()] = 1;
    graph.nodes.front().attributes[std::string(Workspaces)] = std::int64_t {workspaces};
    QStringList room;
    for (const char* name : {"x", "p", "q", "r"})
        if (isWorkspace(graph, findValue(graph, name))) room += QString::fromLatin1(name);
    QTEST(room.join(u' '), "room");
}

void OpBodies::compilersBringOperators()
{
    Node node;
    node.domain = "tflite";
    node.op = "ethos-u";
    QVERIFY(arrangesItsMemory(node) && !isCustomOperator(node));
    node.from.edit().origin = {"tflite", "ethos-u", std::string(CustomOverload)};
    QVERIFY(isCustomOperator(node));
    node.domain = "other";
    QVERIFY(!arrangesItsMemory(node));
}

QTEST_APPLESS_MAIN(OpBodies)
#include "tst_op_bodies.moc"
