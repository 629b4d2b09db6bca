#include "core/analysis/lifetimes.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "y [1, 3)": one line for each value asked for, in that order.
QString rangesOf(const Graph& graph, const QStringList& names)
{
    const std::vector<LiveRanges> live = findLiveRanges(graph, scheduleInCapturedOrder(graph));
    QStringList lines;
    for (const QString& name : names) {
        const ValueId id = findValue(graph, name.toStdString());
        if (!id.valid()) return QStringLiteral("there is no value ") + name;
        QString line = name;
        for (const Interval steps : live[id.index()].intervals())
            line += QStringLiteral(" [%1, %2)").arg(steps.begin).arg(steps.end);
        lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

QStringList namesIn(const QString& expected)
{
    QStringList names;
    for (const QString& line : expected.split(QLatin1Char('\n')))
        names.append(line.section(QLatin1Char(' '), 0, 0));
    return names;
}

} // namespace

class tst_Lifetimes : public QObject
{
    Q_OBJECT

private slots:
    void bytesMatterFromTheWriteToTheLastRead_data();
    void bytesMatterFromTheWriteToTheLastRead();
    void branchesWriteTheirResultAtTheirLeave_data();
    void eachBranchKeepsWhatItReads_data();
    void branchesWriteTheirResultAtTheirLeave();
    void eachBranchKeepsWhatItReads();
    void everyTripWritesStackedOutputs_data();
    void everyTripWritesStackedOutputs();
    void loopsKeepWhatTheNextTripReads_data();
    void loopsKeepWhatTheNextTripReads();
    void nodesAheadOfTheRunNeitherReadNorWrite();

private:
    static void columns();
    static void compare();
};

void tst_Lifetimes::bytesMatterFromTheWriteToTheLastRead_data()
{
    columns();

    QTest::newRow("chain") << QByteArray("input x float32[4]\n"
                                         "a = Relu(x)\n"
                                         "b = Relu(a)\n"
                                         "c = Relu(b)\n"
                                         "output c\n")
                           << "x [0, 3)\na [0, 2)\nb [1, 3)\nc [2, 3)";
    QTest::newRow("kept across others") << QByteArray("input x float32[4]\n"
                                                      "a = Relu(x)\n"
                                                      "b = Relu(a)\n"
                                                      "c = Add(a, b)\n"
                                                      "output c\n")
                                        << "a [0, 3)\nb [1, 3)";
    QTest::newRow("a dead value lives at its step") << QByteArray("input x float32[4]\n"
                                                                  "dead = Relu(x)\n"
                                                                  "y = Relu(x)\n"
                                                                  "output y\n")
                                                    << "dead [0, 1)\ny [1, 2)";
    QTest::newRow("an output lives to the end") << QByteArray("input x float32[4]\n"
                                                              "y = Relu(x)\n"
                                                              "z = Relu(y)\n"
                                                              "output y z\n")
                                                << "y [0, 2)\nz [1, 2)";
    QTest::newRow("only its shape is read") << QByteArray("input x float32[4]\n"
                                                          "a = Relu(x)\n"
                                                          "b = Relu(a)\n"
                                                          "s = Shape(a)\n"
                                                          "output b s\n")
                                            << "a [0, 2)";
    QTest::newRow("no step: all is handed on at once") << QByteArray("input x float32[4]\n"
                                                                     "input y float32[4]\n"
                                                                     "output y\n")
                                                       << "x [0, 1)\ny [0, 1)";
    QTest::newRow("ignored by declaration") << QByteArray("input x float32[4]\n"
                                                          "a = Relu(x)\n"
                                                          "b = Relu(x)\n"
                                                          "c = my::Op(a) ignores=[0]\n"
                                                          "output c\n")
                                            << "a [0, 1)";
}

void tst_Lifetimes::branchesWriteTheirResultAtTheirLeave_data()
{
    columns();

    // step   0      1       2      3       4      5     6
    //        Enter  then.a  Leave  else.b  Leave  Exit  reader
    QTest::newRow("the result of an If has a gap while the other branch runs")
        << QByteArray("input x float32[4]\n"
                      "input k bool[]\n"
                      "n: y = If(k)\n"
                      "body then_branch\n"
                      "  a = Relu(x)\n"
                      "  output a\n"
                      "end\n"
                      "body else_branch\n"
                      "  b = Neg(x)\n"
                      "  output b\n"
                      "end\n"
                      "z = Relu(y)\n"
                      "output z\n")
        << "y [2, 3) [4, 7)\nn/then_branch/a [1, 3)\nn/else_branch/b [3, 5)\nz [6, 7)";
}

void tst_Lifetimes::eachBranchKeepsWhatItReads_data()
{
    columns();

    // step   0  1      2       3  4      5       6  7      8
    //        w  Enter  then.a  c  Leave  else.b  d  Leave  Exit
    QTest::newRow("each branch reads for itself") << QByteArray("input x float32[4]\n"
                                                                "input k bool[]\n"
                                                                "w = Relu(x)\n"
                                                                "n: y = If(k)\n"
                                                                "body then_branch\n"
                                                                "  a = Relu(w)\n"
                                                                "  c = Relu(a)\n"
                                                                "  output c\n"
                                                                "end\n"
                                                                "body else_branch\n"
                                                                "  b = Relu(x)\n"
                                                                "  d = Add(w, b)\n"
                                                                "  output d\n"
                                                                "end\n"
                                                                "output y\n")
                                                  << "w [0, 3) [5, 7)\ny [4, 5) [7, 9)";
    QTest::newRow("what is read afterwards lives through all branches") << QByteArray("input x float32[4]\n"
                                                                                      "input k bool[]\n"
                                                                                      "w = Relu(x)\n"
                                                                                      "n: y = If(k)\n"
                                                                                      "body then_branch\n"
                                                                                      "  a = Relu(w)\n"
                                                                                      "  output a\n"
                                                                                      "end\n"
                                                                                      "body else_branch\n"
                                                                                      "  b = Relu(x)\n"
                                                                                      "  output b\n"
                                                                                      "end\n"
                                                                                      "z = Add(y, w)\n"
                                                                                      "output z\n")
                                                                        << "w [0, 8)";
    QTest::newRow("branches in branches, a loop around them keeps all")
        << QByteArray("input x float32[4]\n"
                      "input k bool[]\n"
                      "input m int64[]\n"
                      "w = Relu(x)\n"
                      "l: s = Loop(m, _, x)\n"
                      "body body\n"
                      "  input i int64[]\n"
                      "  input c bool[]\n"
                      "  input h float32[4]\n"
                      "  t = Relu(h)\n"
                      "  n: y = If(k)\n"
                      "  body then_branch\n"
                      "    a = Relu(w)\n"
                      "    output a\n"
                      "  end\n"
                      "  body else_branch\n"
                      "    b = Relu(t)\n"
                      "    output b\n"
                      "  end\n"
                      "  output c y\n"
                      "end\n"
                      "output s\n")
        // 0 w, 1 Enter l, 2 t, 3 Enter n, 4 a, 5 Leave, 6 b, 7 Leave, 8 Exit n, 9 Leave, 10 Exit l
        << "w [0, 11)\nl/body/t [2, 4) [6, 7)\nl/body/y [5, 6) [7, 10)";
    QTest::newRow("a branch reads from outside") << QByteArray("input x float32[4]\n"
                                                               "input k bool[]\n"
                                                               "w = Relu(x)\n"
                                                               "n: y = If(k)\n"
                                                               "body then_branch\n"
                                                               "  a = Relu(w)\n"
                                                               "  c = Relu(a)\n"
                                                               "  output c\n"
                                                               "end\n"
                                                               "body else_branch\n"
                                                               "  output w\n"
                                                               "end\n"
                                                               "output y\n")
                                                 << "w [0, 3) [5, 6)\ny [4, 7)"; // the two Leaves touch
}

void tst_Lifetimes::everyTripWritesStackedOutputs_data()
{
    columns();

    // step   0      1    2      3
    //        Enter  mul  Leave  Exit
    QTest::newRow("a stacked output is written by every trip, though nobody reads it")
        << QByteArray("input x float32[4]\n"
                      "input m int64[]\n"
                      "n: s, all = Loop(m, _, x)\n"
                      "body body\n"
                      "  input i int64[]\n"
                      "  input c bool[]\n"
                      "  input h float32[4]\n"
                      "  t = Neg(h)\n"
                      "  output c h t\n"
                      "end\n"
                      "output s\n")
        << "all [0, 4)\ns [3, 4)";
}

void tst_Lifetimes::loopsKeepWhatTheNextTripReads_data()
{
    columns();

    // step   0  1      2    3    4      5     6
    //        w  Enter  mul  add  Leave  Exit  reader
    QTest::newRow("a loop keeps its state, and what it reads from outside, until its Exit")
        << QByteArray("input x float32[4]\n"
                      "input m int64[]\n"
                      "w = Relu(x)\n"
                      "n: s, all = Loop(m, _, x)\n"
                      "body body\n"
                      "  input i int64[]\n"
                      "  input c bool[]\n"
                      "  input h float32[4]\n"
                      "  t = Mul(h, w)\n"
                      "  u = Add(t, h)\n"
                      "  output c u t\n"
                      "end\n"
                      "z = Relu(s)\n"
                      "output z all\n")
        << "w [0, 6)\nn/body/i [1, 2) [4, 6)\nn/body/c [1, 6)\nn/body/h [1, 6)\nn/body/t [2, 5)\nn/body/u [3, 5)\ns "
           "[5, "
           "7)\nall [1, 7)";
    // step   0      1  2        3  4      5     6      7
    //        Enter  t  k Enter  q  Leave  Exit  Leave  Exit
    QTest::newRow("an inner loop keeps the values of the outer one")
        << QByteArray("input x float32[4]\n"
                      "input m int64[]\n"
                      "n: s = Loop(m, _, x)\n"
                      "body outer\n"
                      "  input i int64[]\n"
                      "  input c bool[]\n"
                      "  input h float32[4]\n"
                      "  t = Relu(h)\n"
                      "  k: v = Loop(m, _, h)\n"
                      "  body inner\n"
                      "    input i2 int64[]\n"
                      "    input c2 bool[]\n"
                      "    input g float32[4]\n"
                      "    q = Add(g, t)\n"
                      "    output c2 q\n"
                      "  end\n"
                      "  output c v\n"
                      "end\n"
                      "output s\n")
        << "n/outer/t [1, 6)\nn/outer/k/inner/g [2, 6)\nn/outer/k/inner/q [3, 5)\nn/outer/v [5, 7)\nn/outer/h [0, "
           "3) [6, 8)\ns [7, 8)";
    QTest::newRow("what a Scan takes slices of lives until the last slice is cut")
        << QByteArray("input x float32[3,4]\n"
                      "input h float32[4]\n"
                      "xs = Relu(x)\n"
                      "n: s, ys = Scan(h, xs) num_scan_inputs=1\n"
                      "body body\n"
                      "  input state float32[4]\n"
                      "  input slice float32[4]\n"
                      "  u = Add(state, slice)\n"
                      "  output u u\n"
                      "end\n"
                      "output s ys\n")
        << "xs [0, 4)\nn/body/slice [1, 5)\nn/body/u [2, 4)\nys [1, 5)\ns [4, 5)";
    QTest::newRow("a vendor operator reads and hands on until its Exit")
        << QByteArray("input x float32[4]\n"
                      "a = Relu(x)\n"
                      "n: y = com.vendor::Graph(a)\n"
                      "body decoder\n"
                      "  input p float32[4]\n"
                      "  u = Relu(p)\n"
                      "  output u\n"
                      "end\n"
                      "value y float32[4]\n"
                      "output y\n")
        << "a [0, 5)\nn/decoder/p [1, 3)\nn/decoder/u [2, 5)\ny [4, 5)";
}

void tst_Lifetimes::compare()
{
    QFETCH(QByteArray, graph);
    QFETCH(QString, expected);

    const QString actual = rangesOf(test::graphFromText(graph.constData()), namesIn(expected));

    QCOMPARE(actual, expected);
}

void tst_Lifetimes::columns()
{
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QString>("expected");
}

void tst_Lifetimes::bytesMatterFromTheWriteToTheLastRead()
{
    compare();
}

void tst_Lifetimes::branchesWriteTheirResultAtTheirLeave()
{
    compare();
}

void tst_Lifetimes::eachBranchKeepsWhatItReads()
{
    compare();
}

void tst_Lifetimes::everyTripWritesStackedOutputs()
{
    compare();
}

void tst_Lifetimes::loopsKeepWhatTheNextTripReads()
{
    compare();
}

void tst_Lifetimes::nodesAheadOfTheRunNeitherReadNorWrite()
{
    Graph graph = test::graphFromText("input x float32[4]\n"
                                      "a = Relu(x)\n"
                                      "b = Relu(a)\n"
                                      "c = Relu(a)\n"
                                      "output c\n");
    graph.decided.at(NodeId(1)).ahead = true;

    QCOMPARE(rangesOf(graph, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}),
             QStringLiteral("a [0, 2)\nb\nc [1, 2)"));
}

QTEST_APPLESS_MAIN(tst_Lifetimes)
#include "tst_lifetimes.moc"
