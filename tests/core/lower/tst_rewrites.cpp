#include "core/facts/english/english.h"
#include "core/lower/cse.h"
#include "core/lower/gradient/min_cut.h"
#include "core/lower/output_copies.h"
#include "core/lower/types/infer_types.h"
#include "core/lower/unroll.h"
#include "tests/core/lower/graph_order.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using test::orderOf;

namespace {

Graph typed(const QByteArray& text)
{
    return inferTypes(test::graphFromText(text.toStdString()), {}, {}).value().graph;
}

/// "y: same-node" of each decision.
QString rulesOf(const std::vector<Decision>& decisions)
{
    QStringList rules;
    for (const Decision& decision : decisions)
        rules += QString::fromStdString(decision.subject + ": " + decision.rule);
    return rules.join(QStringLiteral(", "));
}

void addColumns()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("order");
    QTest::addColumn<QString>("rules");
}

void row(const char* name, const QByteArray& text, const char* order, const char* rules)
{
    QTest::newRow(name) << "input x float32[2,3]\n" + text << QString::fromUtf8(order) << QString::fromUtf8(rules);
}

} // namespace

/// Passes that merge, copy and write out nodes of a graph: text in, the order of the nodes out.
class Rewrites : public QObject
{
    Q_OBJECT

private slots:
    void equalNodesBecomeOne_data();
    void equalNodesBecomeOne();
    void outputsGetBytesOfTheirOwn_data();
    void outputsGetBytesOfTheirOwn();
    void loopsWithGradientsAreWrittenOut_data();
    void loopsWithGradientsAreWrittenOut();
    void loopsThatCannotBeWrittenOut_data();
    void loopsThatCannotBeWrittenOut();
    void theLeastCutIsTheOneNearestToWhatIsWanted_data();
    void theLeastCutIsTheOneNearestToWhatIsWanted();
};

void Rewrites::equalNodesBecomeOne_data()
{
    addColumns();
    row("twins", "a: p = Relu(x)\nb: q = Relu(x)\nc: y = Add(p, q)\noutput y\n", "p = Relu(x); y = Add(p, p) -> y",
        "b: same-node");
    row("twins of twins", "a: p = Relu(x)\nb: q = Relu(x)\nc: r = Neg(p)\nd: s = Neg(q)\ne: y = Add(r, s)\noutput y\n",
        "p = Relu(x); r = Neg(p); y = Add(r, r) -> y", "b: same-node, d: same-node");
    row("other attributes", "a: p = Elu(x) alpha=0.5\nb: q = Elu(x) alpha=0.25\nc: y = Add(p, q)\noutput y\n",
        "p = Elu(x); q = Elu(x); y = Add(p, q) -> y", "");
    row("other order of inputs", "a: p = Neg(x)\nb: q = Sub(x, p)\nc: r = Sub(p, x)\nd: y = Add(q, r)\noutput y\n",
        "p = Neg(x); q = Sub(x, p); r = Sub(p, x); y = Add(q, r) -> y", "");
    row("a result that is handed out", "a: p = Relu(x)\nb: q = Relu(x)\noutput p q\n",
        "p = Relu(x); q = Identity(p) -> p q", "b: isolated");
    row("one of two results is handed out",
        "const k int64[2] = 1 2\na: p, q = Split(x, k) axis=1\nb: r, s = Split(x, k) axis=1\nc: t = Relu(s)\n"
        "output p q r t\n",
        "p, q = Split(x, k); r = Identity(p); t = Relu(q) -> p q r t", "b: isolated");
    row("the twin names too little",
        "const k int64[2] = 1 2\na: p, _ = Split(x, k) axis=1\nb: r, s = Split(x, k) axis=1\noutput p r s\n",
        "p, _ = Split(x, k); r, s = Split(x, k) -> p r s", "");
    row("equal small constants",
        "const k float32[1] = 2\nconst l float32[1] = 2\na: p = Mul(x, k)\n"
        "b: q = Mul(x, l)\nc: y = Add(p, q)\noutput y\n",
        "p = Mul(x, k); y = Add(p, p) -> y", "b: same-node");
    row("other constants",
        "const k float32[1] = 2\nconst l float32[1] = 3\na: p = Mul(x, k)\n"
        "b: q = Mul(x, l)\nc: y = Add(p, q)\noutput y\n",
        "p = Mul(x, k); q = Mul(x, l); y = Add(p, q) -> y", "");
    row("random numbers", "a: p = RandomUniformLike(x)\nb: q = RandomUniformLike(x)\nc: y = Add(p, q)\noutput y\n",
        "p = RandomUniformLike(x); q = RandomUniformLike(x); y = Add(p, q) -> y", "b: impure");
    row("unknown operators",
        "a: p = my::Op(x)\nb: q = my::Op(x)\nc: y = Add(p, q)\nvalue p float32[2,3]\nvalue q float32[2,3]\noutput y\n",
        "p = Op(x); q = Op(x); y = Add(p, q) -> y", "b: opaque");
    row("what is written in between",
        "param w float32[2,3]\na: p = Relu(w)\nm: v = my::Op(w) alias=0:mutates:0\nvalue v float32[2,3]\n"
        "b: q = Relu(w)\nc: y = Add(p, q)\noutput y v\n",
        "p = Relu(w); v = Op(w); q = Relu(w); y = Add(p, q) -> y v", "b: changed-bytes");
}

void Rewrites::equalNodesBecomeOne()
{
    QFETCH(const QByteArray, text);
    std::vector<Decision> decisions;
    QTEST(orderOf(mergeCommonSubexpressions(typed(text), DecisionLog(decisions))), "order");
    QTEST(rulesOf(decisions), "rules");
}

void Rewrites::outputsGetBytesOfTheirOwn_data()
{
    addColumns();
    row("computed ones have them", "y = Relu(x)\noutput y\n", "y = Relu(x) -> y", "");
    row("an input", "output x\n", "x:copy = Identity(x) -> x:copy", "x:copy: pass-through");
    row("a constant", "const k float32[1] = 2\ny = Relu(x)\noutput y k\n",
        "k:copy = Identity(k); y = Relu(x) -> y k:copy", "k:copy: pass-through");
    row("the same one twice", "y = Relu(x)\noutput y y\n", "y = Relu(x); y:copy = Identity(y) -> y y:copy",
        "y:copy: same-entry");
    row("a view", "p = Relu(x)\ny = my::Op(p) alias=0:view:0:0\nvalue y float32[2,3]\noutput y\n",
        "p = Relu(x); y = Op(p); y:copy = Identity(y) -> y:copy", "y:copy: view");
    row("a version, and what it was",
        "p = Relu(x)\ny = my::Op(p) alias=0:mutates:0\nvalue y float32[2,3]\noutput p y\n",
        "p = Relu(x); p:copy = Identity(p); y = Op(p); y:copy = Identity(y) -> p:copy y:copy",
        "p:copy: view, y:copy: view");
    row("what may be in place needs none", "p = Relu(x)\ny = Relu(p)\noutput p y\n", "p = Relu(x); y = Relu(p) -> p y",
        "");
}

void Rewrites::outputsGetBytesOfTheirOwn()
{
    QFETCH(const QByteArray, text);
    std::vector<Decision> decisions;
    QTEST(orderOf(copySharedOutputs(typed(text), DecisionLog(decisions))), "order");
    QTEST(rulesOf(decisions), "rules");
}

namespace {

/// A loop of s = s * w, with \p more in its body and \p results behind s.
QByteArray loop(const char* trips, const char* more = "", const char* results = "", const char* handed = "")
{
    return QByteArray("param w float32[2,3]\ngrad w\nconst one bool[] = 1\n") + trips + "l: y" + results +
           " = Loop(n, one, x)\nbody body\n  input i int64[]\n  input c bool[]\n  input s float32[2,3]\n" +
           "  t = Mul(s, w)\n" + more + "  output c t" + handed + "\nend\n" +
           "z = ReduceSum(y) keepdims=0\noutput z\nloss z\n";
}

} // namespace

void Rewrites::loopsWithGradientsAreWrittenOut_data()
{
    addColumns();
    row("three times", loop("const n int64[] = 3\n"),
        "t@0 = Mul(x, w); t@1 = Mul(t@0, w); y = Mul(t@1, w); z = ReduceSum(y) -> z", "l: gradients");
    row("once", loop("const n int64[] = 1\n"), "y = Mul(x, w); z = ReduceSum(y) -> z", "l: gradients");
    row("not at all", loop("const n int64[] = 0\n"), "y = Identity(x); z = ReduceSum(y) -> z", "l: gradients");
    row("no less than not at all", loop("const n int64[] = -2\n"), "y = Identity(x); z = ReduceSum(y) -> z",
        "l: gradients");
    row("slices are stacked", loop("const n int64[] = 2\n", "", ", a", " t"),
        "t@0 = Mul(x, w); l/row@0 = Reshape(t@0, l/shape); y = Mul(t@0, w); l/row@1 = Reshape(y, l/shape); "
        "a = Concat(l/row@0, l/row@1); z = ReduceSum(y) -> z",
        "l: gradients");
    row("no gradient passes", loop("const n int64[] = 2\n").replace("grad w\n", "param v float32[2,3]\ngrad v\n"),
        "y = Loop(n, one, x) {t = Mul(s, w) -> c t}; z = ReduceSum(y) -> z", "");
    row("a scan",
        "param w float32[3]\ngrad w\ninput b float32[3]\nl: y, a = Scan(b, x) num_scan_inputs=1\nbody body\n"
        "  input s float32[3]\n  input e float32[3]\n  p = Mul(e, w)\n  t = Add(s, p)\n  output t p\nend\n"
        "z = ReduceSum(y) keepdims=0\noutput z\nloss z\n",
        "l/slice@0 = Gather(x, l/trip); p@0 = Mul(l/slice@0, w); t@0 = Add(b, p@0); "
        "l/row@0 = Reshape(p@0, l/shape); l/slice@1 = Gather(x, l/trip#2); p@1 = Mul(l/slice@1, w); "
        "y = Add(t@0, p@1); l/row@1 = Reshape(p@1, l/shape); a = Concat(l/row@0, l/row@1); z = ReduceSum(y) -> z",
        "l: gradients");
}

void Rewrites::loopsWithGradientsAreWrittenOut()
{
    QFETCH(const QByteArray, text);
    std::vector<Decision> decisions;
    const auto unrolled = unrollLoops(typed(text), derivatives26(), DecisionLog(decisions));
    QVERIFY2(unrolled.ok(), unrolled.ok() ? "" : english(unrolled.error().message).c_str());
    QTEST(orderOf(unrolled.value()).remove(QStringLiteral("l/body/")), "order");
    QTEST(rulesOf(decisions), "rules");
}

void Rewrites::loopsThatCannotBeWrittenOut_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("id");
    QTest::newRow("the count is an input") << loop("input n int64[]\n") << "unroll.unknown-count";
    QTest::newRow("the body decides")
        << loop("const n int64[] = 2\n", "  k = Not(c)\n").replace("output c t", "output k t")
        << "unroll.unknown-count";
    QTest::newRow("far too often") << loop("const n int64[] = 900000\n") << "unroll.too-many";
    QTest::newRow("nothing to stack") << loop("const n int64[] = 0\n", "", ", a", " t") << "unroll.no-iteration";
}

void Rewrites::loopsThatCannotBeWrittenOut()
{
    QFETCH(const QByteArray, text);
    const auto unrolled = unrollLoops(typed("input x float32[2,3]\n" + text), derivatives26(), {});
    QVERIFY(!unrolled.ok());
    QTEST(QString::fromUtf8(unrolled.error().message.id), "id");
    QCOMPARE(QString::fromStdString(unrolled.error().where), QStringLiteral("node 'l' (Loop)"));
}

void Rewrites::theLeastCutIsTheOneNearestToWhatIsWanted_data()
{
    QTest::addColumn<QList<int>>("weights");
    QTest::addColumn<QString>("edges"); // "01 12": from one to the next
    QTest::addColumn<QString>("there");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("cut");
    const auto row = [](const char* name, QList<int> weights, const char* edges, const char* there, const char* wanted,
                        const char* cut) {
        QTest::newRow(name) << weights << QString::fromUtf8(edges) << QString::fromUtf8(there)
                            << QString::fromUtf8(wanted) << QString::fromUtf8(cut);
    };
    row("of equal ones the last", {4, 4, 4}, "01 12", "0", "2", "2");
    row("the thin middle", {4, 1, 4}, "01 12", "0", "2", "1");
    row("the thin beginning", {1, 3, 4}, "01 12", "0", "2", "0");
    row("two branches are dearer than their root", {3, 2, 2}, "01 02", "0", "12", "0");
    row("two branches are cheaper", {5, 2, 2}, "01 02", "0", "12", "12");
    row("one of two is needed on each way", {2, 9, 3, 9, 9}, "01 23 14 34", "02", "4", "02");
    row("both ways meet", {2, 9, 3, 9, 4}, "01 23 14 34", "02", "4", "4");
    row("a shortcut takes part of the flow", {9, 2, 2, 9}, "01 13 02 23 12", "0", "3", "12");
    row("it is there itself", {7}, "", "0", "0", "0");
    row("no way leads there", {7, 1}, "", "0", "1", "");
    row("nothing is wanted", {7, 1}, "01", "0", "", "");
    row("for nothing", {0, 1, 0}, "01 12", "0", "2", "2");
}

void Rewrites::theLeastCutIsTheOneNearestToWhatIsWanted()
{
    QFETCH(const QList<int>, weights);
    QFETCH(const QString, edges);
    QFETCH(const QString, there);
    QFETCH(const QString, wanted);
    CutProblem problem;
    for (qsizetype vertex = 0; vertex < weights.size(); ++vertex) {
        const QString name = QString::number(vertex);
        problem.weights.push_back(weights[vertex]);
        problem.there.push_back(there.contains(name));
        problem.wanted.push_back(wanted.contains(name));
    }
    for (const QString& edge : edges.split(u' ', Qt::SkipEmptyParts))
        problem.edges.emplace_back(edge[0].digitValue(), edge[1].digitValue());
    QString cut;
    const std::vector<bool> found = nearestLeastCut(problem);
    for (std::size_t vertex = 0; vertex < found.size(); ++vertex)
        if (found[vertex]) cut += QString::number(vertex);
    QTEST(cut, "cut");
}

QTEST_APPLESS_MAIN(Rewrites)
#include "tst_rewrites.moc"
