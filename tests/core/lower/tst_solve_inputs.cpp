#include "core/facts/english/english.h"
#include "core/lower/types/solve_inputs.h"

#include "core/lower/types/infer_types.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

QString elementText(const std::optional<Scalar>& element)
{
    if (!element) return QStringLiteral("_");
    return element->isFloat ? QString::number(element->real) : QString::number(element->integer);
}

/// "shape: 2 3; axes: 0"
QString solved(const Graph& graph)
{
    QStringList lines;
    for (const auto& [value, content] : solveInputs(graph)) {
        QStringList numbers;
        for (const auto& element : content.elements)
            numbers << elementText(element);
        lines << QString::fromStdString(graph[value].name) + QStringLiteral(": ") + numbers.join(QLatin1Char(' '));
    }
    return lines.join(QStringLiteral("; "));
}

void row(const char* name, const char* text, const char* wanted)
{
    QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(wanted);
}

/// With x before it.
void withX(const char* name, const char* text, const char* wanted)
{
    QTest::newRow(name) << QByteArray("input x float32[4,6]\n") + text << QString::fromLatin1(wanted);
}

} // namespace

/// What inputs must hold so that the types of a graph hold.
class tst_SolveInputs : public QObject
{
    Q_OBJECT

private slots:
    void contentThatDecidesSizes_data();
    void contentThatDecidesSizes();
    void contentFurtherAhead_data();
    void contentFurtherAhead();
    void itGoesIntoBranches();
    void whatIsGivenStays();
    void hugeNumbersAreNotAdded();
};

void tst_SolveInputs::contentThatDecidesSizes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("wanted");
    withX("reshape", "input s int64[3]\ny = Reshape(x, s)\nvalue y float32[2,3,4]\noutput y\n", "s: 2 3 4");
    withX("reshape, a size unknown", "input s int64[2]\ny = Reshape(x, s)\nvalue y float32[?,12]\noutput y\n",
          "s: -1 12");
    row("reshape to nothing",
        "input x float32[0,3]\ninput s int64[2]\ny = Reshape(x, s)\nvalue y float32[3,0]\noutput y\n", "s: 3 -1");
    withX("expand", "input s int64[3]\ny = Expand(x, s)\nvalue y float32[5,4,6]\noutput y\n", "s: 5 4 6");
    withX("tile", "input s int64[2]\ny = Tile(x, s)\nvalue y float32[8,18]\noutput y\n", "s: 2 3");
    withX("pad", "input s int64[4]\ny = Pad(x, s)\nvalue y float32[7,6]\noutput y\n", "s: 1 0 2 0");
    withX("pad along one axis",
          "input s int64[2]\ninput a int64[1]\ny = Pad(x, s, _, a)\nvalue y float32[4,9]\noutput y\n", "s: 1 2; a: 1");
    withX("slice",
          "input b int64[1]\ninput e int64[1]\ninput a int64[1]\ny = Slice(x, b, e, a)\n"
          "value y float32[4,2]\noutput y\n",
          "b: 0; e: 2; a: 1");
    withX("slice backwards",
          "const m int64[1] = -1\nconst a int64[1] = 1\ninput b int64[1]\ninput e int64[1]\n"
          "y = Slice(x, b, e, a, m)\nvalue y float32[4,6]\noutput y\n",
          "b: 5; e: -7");
    withX("slice to a given end",
          "const e int64[1] = -1\ninput b int64[1]\ny = Slice(x, b, e)\n"
          "value y float32[2,6]\noutput y\n",
          "b: 1");
    withX("squeeze", "input a int64[2]\nz = Reshape(x, a)\nvalue z float32[4,6]\noutput z\n", "a: 4 6");
    row("axes of ones",
        "input x float32[1,3,1,5]\ninput a int64[1]\ny = Squeeze(x, a)\nvalue y float32[1,3,5]\noutput y\n", "a: 2");
    withX("unsqueeze", "input a int64[2]\ny = Unsqueeze(x, a)\nvalue y float32[4,1,6,1]\noutput y\n", "a: 1 3");
    withX("reduce", "input a int64[1]\ny = ReduceSum(x, a)\nvalue y float32[4,1]\noutput y\n", "a: 1");
    withX("reduce away", "input a int64[1]\ny = ReduceSum(x, a) keepdims=0\nvalue y float32[6]\noutput y\n", "a: 0");
    withX("the largest", "input k int64[1]\ny, i = TopK(x, k)\nvalue y float32[4,5]\noutput y\n", "k: 5");
    row("range", "input b int64[]\ninput e int64[]\ninput d int64[]\ny = Range(b, e, d)\nvalue y int64[7]\noutput y\n",
        "b: 0; e: 7; d: 1");
    row("range of reals",
        "input b float32[]\ninput e float32[]\ninput d float32[]\ny = Range(b, e, d)\n"
        "value y float32[7]\noutput y\n",
        "b: 0; e: 7; d: 1");
    withX("compress", "input c bool[4]\ny = Compress(x, c) axis=0\nvalue y float32[2,6]\noutput y\n", "c: 1 1 0 0");
    withX("split",
          "input s int64[2]\ny, z = Split(x, s) axis=1\nvalue y float32[4,1]\nvalue z float32[4,5]\noutput y z\n",
          "s: 1 5");
    withX("resize by factors", "input f float32[2]\ny = Resize(x, _, f)\nvalue y float32[8,9]\noutput y\n", "f: 2 1.5");
    withX("resize to sizes", "input s int64[2]\ny = Resize(x, _, _, s)\nvalue y float32[8,9]\noutput y\n", "s: 8 9");
    row("indices of the only row", "input x float32[1,6]\ninput i int64[2]\ny = Gather(x, i)\noutput y\n", "i: 0 0");
    withX("indices of several", "input i int64[2]\ny = Gather(x, i)\noutput y\n", "");
    withX("no sizes, no wish", "y = Relu(x)\noutput y\n", "");
}

/// Solved through other operators.
void tst_SolveInputs::contentFurtherAhead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("wanted");
    withX("through arithmetic",
          "input n int64[1]\nconst two int64[1] = 2\nconst three int64[1] = 3\nm = Mul(n, two)\nk = Sub(m, two)\n"
          "s = Concat(k, three) axis=0\ny = Reshape(x, s)\nvalue y float32[8,3]\noutput y\n",
          "n: 5");
    withX("two unknown operands",
          "input a int64[]\ninput b int64[]\nk = Div(a, b)\nr = Cast(k) to=7\n"
          "const one int64[1] = 1\ns = Reshape(r, one)\ny, i = TopK(x, s)\n"
          "value y float32[4,3]\noutput y\n",
          "a: 3; b: 1");
    withX("one of several numbers",
          "input all int64[4]\nconst at int64[1] = 2\nk = Gather(all, at)\ny, i = TopK(x, k)\n"
          "value y float32[4,3]\noutput y\n",
          "all: _ _ 3 _");
    withX("a part of several numbers",
          "input all int64[4]\nconst b int64[1] = 1\nconst e int64[1] = 3\n"
          "s = Slice(all, b, e)\ny = Reshape(x, s)\nvalue y float32[8,3]\noutput y\n",
          "all: _ 8 3 _");
    withX("axes behind a cast",
          "input a int64[1]\nr = ReduceSum(x, a)\nq = Sqrt(r)\ny = CastLike(q, x)\nvalue y float32[4,1]\noutput y\n",
          "a: 1");
    withX("axes behind a rank that is unknown",
          "input a int64[1]\nr = ReduceSum(x, a) keepdims=0\ny = Sqrt(r)\nvalue y float32[4]\noutput y\n", "a: 1");
    withX("behind a copy in the memory of a device",
          "input s int64[3]\nt = plimsoll::CopyTo(s) space=\"cuda:0\"\ny = Reshape(x, t)\n"
          "value y float32[2,3,4]\noutput y\n",
          "s: 2 3 4");
    row("sizes that are declared further behind",
        "input n int64[]\nconst b int64[] = 0\nconst d int64[] = 1\nr = Range(b, n, d)\nc = Cast(r) to=1\ns = Cos(c)\n"
        "t = Sin(c)\nu = Add(s, t)\ny = Neg(u)\nvalue y float32[9]\noutput y\n",
        "n: 9");
}

void tst_SolveInputs::contentFurtherAhead()
{
    contentThatDecidesSizes();
}

void tst_SolveInputs::contentThatDecidesSizes()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, wanted);
    const auto inferred = inferTypes(test::graphFromText(text.toStdString()), {}, {});
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    QCOMPARE(solved(inferred.value().graph), wanted);
}

void tst_SolveInputs::itGoesIntoBranches()
{
    const auto inferred =
        inferTypes(test::graphFromText("input c bool[]\ninput x float32[4,6]\ninput n int64[1]\ns = If(c)\n"
                                       "body then_branch\n  t = Neg(n)\n  output t\nend\n"
                                       "body else_branch\n  u = Identity(n)\n  output u\nend\n"
                                       "y, i = TopK(x, s)\nvalue y float32[4,3]\noutput y\n"),
                   {}, {});
    QVERIFY2(inferred.ok(), inferred.ok() ? "" : describe(inferred.error()).c_str());
    QCOMPARE(solved(inferred.value().graph), QStringLiteral("n: -3"));
}

/// What the file says is no input to be found.
void tst_SolveInputs::whatIsGivenStays()
{
    QCOMPARE(solved(test::graphFromText("input x float32[4,6]\nconst k int64[1] = 2\ny, i = TopK(x, k)\n"
                                        "value y float32[4,3]\noutput y\n")),
             QString());
}

void tst_SolveInputs::hugeNumbersAreNotAdded()
{
    QCOMPARE(solved(test::graphFromText("input e int64[]\nconst b int64[] = 9223372036854775807\n"
                                        "const d int64[] = 9223372036854775807\ny = Range(b, e, d)\n"
                                        "value y int64[7]\noutput y\n")),
             QString());
}

QTEST_APPLESS_MAIN(tst_SolveInputs)
#include "tst_solve_inputs.moc"
