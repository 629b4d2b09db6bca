#include "tests/kernels/onednn/agreement.h"

#include "kernels/onednn/onednn.h"
#include "tests/support/graph_text.h"

#include <QtTest>

#include <algorithm>

using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

struct Head
{
    const char* name;
    const char* line; ///< Makes a from x, with C channels in and out.
};

constexpr Head Heads[] = {
    {"Conv 3x3", "param w float32[C,C,3,3]\nparam b float32[C]\nhead: a = Conv(x, w, b) pads=[1,1,1,1]\n"},
    {"Conv 1x1", "param w float32[C,C,1,1]\nhead: a = Conv(x, w)\n"},
    {"Conv dilated", "param w float32[C,C,3,3]\nhead: a = Conv(x, w) pads=[2,2,2,2] dilations=[2,2]\n"},
    {"Conv depthwise", "param w float32[C,1,3,3]\nhead: a = Conv(x, w) pads=[1,1,1,1] group=C\n"},
    {"ConvTranspose", "param w float32[C,C,3,3]\nhead: a = ConvTranspose(x, w) pads=[1,1,1,1]\n"},
    {"BatchNormalization", "param s float32[C]\nparam b float32[C]\nparam m float32[C]\nparam v float32[C]\n"
                           "vv: q = Abs(v)\nhead: a = BatchNormalization(x, s, b, m, q) epsilon=0.01\n"},
    {"MatMul", "param w float32[7,7]\nhead: a = MatMul(x, w)\n"},
    {"AveragePool", "head: a = AveragePool(x) kernel_shape=[3,3] pads=[1,1,1,1]\n"},
    {"MaxPool", "head: a = MaxPool(x) kernel_shape=[3,3] pads=[1,1,1,1]\n"},
};

struct Tail
{
    const char* name;
    const char* lines;      ///< Makes y from a; z is made in the graph and read nowhere else, e is made by the caller.
    std::size_t fewest = 1; ///< So many nodes at least are fused into a convolution.
};

constexpr Tail Tails[] = {
    {"Relu", "t0: y = Relu(a)\n"},
    {"LeakyRelu", "t0: y = LeakyRelu(a) alpha=0.2\n"},
    {"Sigmoid, Mul", "t0: i = Sigmoid(a)\nt1: y = Mul(i, e)\n"},
    {"Clip", "const lo float32[] = -0.1\nconst hi float32[] = 0.3\nt0: y = Clip(a, lo, hi)\n"},
    {"sum, Relu", "t0: i = Add(a, z)\nt1: y = Relu(i)\n"},
    {"sum from the left", "t0: y = Add(z, a)\n"},
    {"Relu, sum", "t0: i = Relu(a)\nt1: y = Add(z, i)\n"},
    {"addend of the caller", "t0: i = Add(a, e)\nt1: y = Relu(i)\n", 0}, // it may have to be reordered for it
    {"by channel", "input c float32[C,1,1]\nt0: i = Mul(a, c)\nt1: y = Relu(i)\n"},
    {"HardSwish", "t0: y = HardSwish(a)\n"},
};

QByteArray network(const Head& head, const Tail& tail, int channels, int batch)
{
    const QByteArray shape = "float32[" + QByteArray::number(batch) + ",C,9,7]\n";
    QByteArray text = "input x " + shape + "input e " + shape + "top: z = Neg(e)\n" + head.line + tail.lines +
                      "end: r = Neg(y)\noutput r\n";
    return text.replace("=C", "=" + QByteArray::number(channels))
        .replace("[C", "[" + QByteArray::number(channels))
        .replace(",C", "," + QByteArray::number(channels));
}

std::size_t fusedNodes(const Report& report)
{
    const Graph& graph = *report.program.graph;
    std::size_t count = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        count += graph.decided[NodeId(i)].fusedInto.valid() ? 1 : 0;
    return count;
}

} // namespace

/// Whatever oneDNN computes in one, against the same operators one by one.
class TestOneDnnFusion : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!oneDnnAvailable()) QSKIP("built without oneDNN");
    }
    void agreesWithTheReference_data();
    void agreesWithTheReference();
    void mostOfItIsFused();
    void theSumLiesOnItsOperand();
    void aSumThatMayNotOverwriteCopiesFirst();
};

void TestOneDnnFusion::agreesWithTheReference_data()
{
    QTest::addColumn<QByteArray>("text");
    const int channels[] = {1, 3, 17, 22, 33};
    std::size_t turn = 0;
    for (const Head& head : Heads) {
        for (const Tail& tail : Tails) {
            const int c = channels[turn % 5];
            const int batch = turn % 2 == 0 ? 1 : 8;
            ++turn;
            QTest::addRow("%s, %s, %d channels, batch %d", head.name, tail.name, c, batch)
                << network(head, tail, c, batch);
        }
    }
    for (const int c : channels) {
        for (const int batch : {1, 8})
            QTest::addRow("all channels: %d, batch %d", c, batch) << network(Heads[0], Tails[4], c, batch);
    }
}

void TestOneDnnFusion::agreesWithTheReference()
{
    QFETCH(QByteArray, text);
    test::agreesWithReference(test::plannedForOneDnn(text.toStdString()));
}

void TestOneDnnFusion::mostOfItIsFused()
{
    for (const Tail& tail : Tails) {
        const Report report = test::plannedForOneDnn(network(Heads[0], tail, 22, 1).toStdString());
        const NodeId head = findNode(*report.program.graph, "head");
        const bool products = report.program.implementations[head].name.find("gemm") != std::string::npos;
        if (!products) QVERIFY2(fusedNodes(report) >= tail.fewest, tail.name); // behind those it may be slower
        QCOMPARE(fusedNodes(test::plannedForOneDnn(network(Heads[0], tail, 22, 1).toStdString(), {{"fusion", "off"}})),
                 std::size_t(0));
    }
}

void TestOneDnnFusion::theSumLiesOnItsOperand()
{
    const Report report = test::plannedForOneDnn(network(Heads[0], Tails[4], 32, 1).toStdString());
    QCOMPARE(fusedNodes(report), std::size_t(2));
    const NodeId head = findNode(*report.program.graph, "head");
    const ValueId made = (*report.program.graph)[head].outputs[0];
    QCOMPARE(report.program.values[made.index()].sharedAs, AliasKind::MayBeInPlace);
    test::agreesWithReference(report);
}

void TestOneDnnFusion::aSumThatMayNotOverwriteCopiesFirst()
{
    const Report report =
        test::plannedForOneDnn(network(Heads[0], Tails[4], 32, 1).toStdString(), {{"inplace", "identity-only"}});
    QCOMPARE(fusedNodes(report), std::size_t(2));
    test::agreesWithReference(report);
}

QTEST_APPLESS_MAIN(TestOneDnnFusion)
#include "tst_onednn_fusion.moc"
