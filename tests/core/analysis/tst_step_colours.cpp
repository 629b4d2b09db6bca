#include "core/analysis/step_colours.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// "p0 a0 b1": the node of each step, in order, and its colour.
QString colours(const QByteArray& text, std::int64_t count)
{
    const Graph graph = test::graphFromText(text.constData());
    const Schedule schedule = scheduleInCapturedOrder(graph);
    const std::vector<std::int32_t> found = colourSteps(graph, schedule, count);
    QStringList list;
    for (std::size_t step = 0; step < found.size(); ++step)
        list << QString::fromStdString(graph[schedule.steps[step].node].name) + QString::number(found[step]);
    return list.join(u' ');
}

/// p feeds a branch of three nodes and one of two; j joins them.
const QByteArray Fan = "input x float32[16]\np: vp = Relu(x)\na: va = Relu(vp)\nb: vb = Relu(va)\nc: vc = Relu(vb)\n"
                       "d: vd = Relu(vp)\ne: ve = Relu(vd)\nj: vj = Add(vc, ve)\noutput vj\n";

} // namespace

class tst_StepColours : public QObject
{
    Q_OBJECT

private slots:
    void longestPathsAreFirst_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QByteArray& graph, int count, const char* expected) {
            QTest::newRow(name) << graph << count << QString::fromLatin1(expected);
        };
        row("one colour is none", Fan, 1, "");
        row("two", Fan, 2, "p0 a0 b0 c0 d1 e1 j0");
        row("more than there are paths", Fan, 9, "p0 a0 b0 c0 d1 e1 j0");
        row("the rest gets the last",
            "input x float32[4]\na: va = Relu(x)\nb: vb = Relu(va)\nc: vc = Relu(x)\nd: vd = Relu(x)\n"
            "j: vj = Sum(vb, vc, vd)\noutput vj\n",
            2, "a0 b0 c1 d1 j0");
        row("of equal paths the one that begins last",
            "input x float32[4]\na: va = Relu(x)\nb: vb = Relu(x)\nj: vj = Add(va, vb)\noutput vj\n", 2, "a1 b0 j0");
        row("and goes on to the reader that comes last",
            "input x float32[4]\np: vp = Relu(x)\na: va = Relu(vp)\nb: vb = Relu(vp)\noutput va vb\n", 2, "p0 a1 b0");
        row("what is painted counts no more: c is found through p and j",
            "input x float32[4]\np: vp = Relu(x)\na: va = Relu(vp)\nb: vb = Relu(va)\nc: vc = Relu(vp)\n"
            "j: vj = Add(vb, vc)\no: vo = Relu(x)\noutput vj vo\n",
            3, "p0 a0 b0 c2 j0 o1");
        row("a body has the colour of its owner",
            "input x float32[4]\ninput k bool[]\na: va = Relu(x)\nb: vb = Relu(va)\nn: vn = If(k)\nbody then_branch\n"
            "  t: u = Relu(x)\n  output u\nend\nbody else_branch\n  s: w = Neg(x)\n  output w\nend\noutput vb vn\n",
            2, "a0 b0 n1 n/then_branch/t1 n1 n/else_branch/s1 n1 n1");
        row("what a body reads from outside leads to its owner",
            "input x float32[4]\ninput k bool[]\na: va = Relu(x)\nn: vn = If(k)\nbody then_branch\n"
            "  t: u = Relu(va)\n  output u\nend\nbody else_branch\n  s: w = Neg(x)\n  output w\nend\n"
            "b: vb = Relu(x)\noutput vb vn\n",
            2, "a0 n0 n/then_branch/t0 n0 n/else_branch/s0 n0 n0 b1");
    }

    void longestPathsAreFirst()
    {
        QFETCH(QByteArray, graph);
        QFETCH(int, count);

        QTEST(colours(graph, count), "expected");
    }
};

QTEST_APPLESS_MAIN(tst_StepColours)
#include "tst_step_colours.moc"
