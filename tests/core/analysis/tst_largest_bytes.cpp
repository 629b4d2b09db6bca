#include "core/analysis/largest_bytes.h"
#include "core/lower/types/infer_types.h"
#include "core/ops/rules/largest_outputs.h"
#include "core/verify/plan_facts.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

Graph typed(const QByteArray& text)
{
    auto inferred = inferTypes(test::graphFromText(text.constData()), {}, {});
    if (!inferred.ok()) qFatal("%s", text.constData());
    return std::move(inferred).value().graph;
}

/// "i 64, y 32" of the values whose size only the run knows; "?" where nothing bounds it.
QString boundsText(const Graph& graph, const std::vector<std::int64_t>& bytes)
{
    QStringList text;
    for (std::size_t i = 0; i < graph.values.size(); ++i) {
        if (!isOpen(graph.values[i].type)) continue;
        const QString bound = bytes[i] < 0 ? QStringLiteral("?") : QString::number(bytes[i]);
        text << QString::fromStdString(graph.values[i].name) + QStringLiteral(" ") + bound;
    }
    return text.join(QStringLiteral(", "));
}

} // namespace

/// How many bytes a tensor can have of which only the run knows the size: what the planner finds, and what the judge
/// finds on its own way.
class tst_LargestBytes : public QObject
{
    Q_OBJECT

private slots:
    void aBoundFollowsFromTheInputs_data()
    {
        QTest::addColumn<QByteArray>("nodes");
        QTest::addColumn<QString>("bounds");
        const auto row = [](const char* name, const char* nodes, const char* bounds) {
            QTest::newRow(name) << QByteArray(nodes) << QString::fromLatin1(bounds);
        };
        row("all may be other than zero", "y = NonZero(x)", "y 192"); // 2 axes × 12 × 8 bytes
        row("all may differ", "y, f, i, c = Unique(x)", "y 48, f 96, c 96");
        row("all rows may differ", "y, f, i, c = Unique(x) axis=0", "y 48, f 24, c 24");
        row("K is data", "y, i = TopK(x, k) axis=1", "y 48, i 96");
        row("as many as there are flags", "y = Compress(x, two) axis=1", "y 24");
        row("no more than there are", "y = Compress(x, many) axis=1", "y 48");
        row("of all elements", "y = Compress(x, many)", "y 20");
        row("where a slice begins is data", "y = Slice(x, k, end)", "y 48");
        row("every other row at most", "y = Slice(x, k, end, none, steps)", "y 32");
        row("boxes of all classes", "y = NonMaxSuppression(boxes, scores, each)", "y 96"); // 1 × 2 × min(2, 5)
        row("no boxes are asked for", "y = NonMaxSuppression(boxes, scores)", "y 0");
        row("how many boxes is data", "y = NonMaxSuppression(boxes, scores, k)", "y 240");
        row("sizes of parts are data", "y, z = Split(x, sizes) axis=0", "y 48, z 48");
        row("what is read of it", "y = NonZero(x)\nf = Cast(y) to=1\nh = Exp(f)\nt = Transpose(h)",
            "y 192, f 96, h 96, t 96");
        row("rows that are gathered", "y = NonZero(v)\nf = Flatten(y) axis=0\ng = Gather(x, f) axis=0",
            "y 32, f 32, g 64");
        row("reshaped", "y = NonZero(x)\nr = Reshape(y, flat)", "y 192, r 192");
        row("a number of rows that does not divide them", "y = NonZero(v)\nr = Reshape(y, threes)", "y 32, r 24");
        row("reduced and multiplied",
            "y = NonZero(x)\nf = Cast(y) to=1\nt = Transpose(f)\nm = MatMul(t, w)\n"
            "s = ReduceSum(t) axes=[1] keepdims=1\nopset 11",
            "y 192, f 96, t 96, m 240, s 48");
        row("the larger of two",
            "y = NonZero(x)\nz = NonZero(v)\np = Concat(y, y) axis=1\n"
            "f = Cast(p) to=1\ng = Cast(z) to=1\na = Add(f, g)\ne = Equal(f, g)",
            "y 192, z 32, p 384, f 192, g 16, a 192, e 48");
        row("a known size stays", "y = NonZero(x)\nf = Cast(y) to=1\na = Add(f, twelve)", "y 192, f 96");
        row("parts of it", "y = NonZero(x)\na, b = Split(y) axis=1 num_outputs=2", "y 192, a 96, b 96");
        row("nothing says how many", "y = Range(k, end0, one)", "y ?");
        row("reshaped by data", "y = Reshape(x, k4)\nz = Flatten(y)\nr = Relu(y)", "y 48, z 48, r ?");
        row("an operator that is not known", "y = my::Op(x)\nz = Relu(y)\nvalue y float32[?]", "y ?, z ?");
    }
    void aBoundFollowsFromTheInputs()
    {
        QFETCH(QByteArray, nodes);
        QFETCH(QString, bounds);
        const QByteArray given =
            "input x float32[3,4]\ninput v float32[4]\ninput k int64[1]\ninput two bool[2]\n"
            "input many bool[5]\ninput boxes float32[1,5,4]\ninput scores float32[1,2,5]\n"
            "input sizes int64[2]\nparam w float32[2,5]\ninput twelve float32[2,12]\n"
            "input end0 int64[]\ninput k4 int64[2]\nconst one int64[] = 1\nconst none int64[1] = 0\n"
            "const end int64[1] = 9\nconst steps int64[1] = 2\nconst each int64[1] = 2\n"
            "const flat int64[1] = -1\nconst threes int64[2] = -1 3\n";
        const Graph graph =
            typed((nodes.contains("opset") ? QByteArray() : QByteArray("opset 18\n")) + given + nodes + "\noutput y\n");
        QCOMPARE(boundsText(graph, findLargestBytes(graph)), bounds);
        Program program {std::make_shared<const Graph>(graph), scheduleInCapturedOrder(graph), {}, {}, {}};
        QCOMPARE(boundsText(graph, verifying::sizeBounds(program)), bounds);
    }

    void branchesAndLoops_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("bounds");
        QTest::newRow("the larger branch") << QByteArray(R"(
input x float32[4]
input c bool[]
z = If(c)
body then_branch
  t = NonZero(x)
  output t
end
body else_branch
  p = Concat(x, x) axis=0
  e = NonZero(p)
  output e
end
y = Neg(z)
output y
)") << QStringLiteral("z 64, y 64, If_0/then_branch/t 32, If_0/else_branch/e 64");
        QTest::newRow("a slice of every trip") << QByteArray(R"(
input x float32[4]
input c bool[]
const trips int64[] = 3
r, all = Loop(trips, c, x)
body body
  input i int64[]
  input k bool[]
  input s float32[4]
  u = Exp(s)
  kk = Identity(k)
  output kk u u
end
output r all
)") << QStringLiteral("all 48");
        QTest::newRow("what a loop lets grow") << QByteArray(R"(
input x float32[1]
input c bool[]
const trips int64[] = 3
r = Loop(trips, c, x)
body body
  input i int64[]
  input k bool[]
  input s float32[?]
  u = Concat(s, s) axis=0
  kk = Identity(k)
  output kk u
end
y = Neg(r)
output y
)") << QStringLiteral("r ?, y ?, Loop_0/body/s ?, Loop_0/body/u ?");
        QTest::newRow("what a loop hands on") << QByteArray(R"(
input x float32[4]
const trips int64[] = 3
const c bool[] = 1
n = NonZero(x)
r, q = Loop(trips, c, n, x)
body body
  input i int64[]
  input k bool[]
  input s int64[1,?]
  input t float32[4]
  g = Cast(s) to=1
  m = ReduceSum(g) keepdims=0
  v = Add(t, m)
  kk = Identity(k)
  output kk s v
end
output r q
)") << QStringLiteral("n 32, r 32, Loop_1/body/s 32, Loop_1/body/g 16");
    }
    void branchesAndLoops()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, bounds);
        const Graph graph = typed(text);
        const auto sorted = [](const QString& list) {
            QStringList parts = list.split(QStringLiteral(", "));
            parts.sort();
            return parts.join(QStringLiteral(", "));
        };
        QCOMPARE(sorted(boundsText(graph, findLargestBytes(graph))), sorted(bounds));
        Program program {std::make_shared<const Graph>(graph), scheduleInCapturedOrder(graph), {}, {}, {}};
        QCOMPARE(sorted(boundsText(graph, verifying::sizeBounds(program))), sorted(bounds));
    }
};

QTEST_APPLESS_MAIN(tst_LargestBytes)
#include "tst_largest_bytes.moc"
