#include "core/facts/english/english.h"
#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// The else branch of i may write over h; \p second decides about o, whose branch \p reads reads h.
QByteArray twoIfs(const char* second, const char* inThen, const char* inElse)
{
    return QByteArray("input k bool[]\ninput j bool[]\nconst yes bool[] = 1\nconst no bool[] = 0\ninput in uint8[64]\n"
                      "p: h = my::Op(in)\n"
                      "i: y = If(k)\n"
                      "body then_branch\n  a: t = my::Op(in)\n  output t\nend\n"
                      "body else_branch\n  b: e = my::Op(in)\n  c: g = my::Op(e)\n  output g\nend\n"
                      "o: z = If(") +
           second + ")\nbody then_branch\n  d: u = my::Op(" + inThen +
           ")\n  output u\nend\nbody else_branch\n  f: v = my::Op(" + inElse + ")\n  output v\nend\noutput z\n";
}

constexpr const char* TwoIfsPlan = "arena 512\nh 0\ny 64\ni/then_branch/t 128\ni/else_branch/e 0\n"
                                   "i/else_branch/g 128\nz 192\no/then_branch/u 256\no/else_branch/v 256\n";

/// The body reads w, then writes u, which lies on it.
QByteArray loop(const char* trips, const char* condition)
{
    return QByteArray("input m int64[]\nconst none int64[] = 0\nconst one int64[] = 1\nconst two int64[] = 2\n"
                      "const stop bool[] = 0\ninput k bool[]\ninput in uint8[64]\n"
                      "p: w = my::Op(in)\n"
                      "l: f = Loop(") +
           trips +
           ",k,in)\nbody body\n  input n int64[]\n  input c bool[]\n  input v uint8[64]\n"
           "  a: t = my::Op(v,w)\n  b: u = my::Op(t)\n  output " +
           condition + " u\nend\nq: z = my::Op(f)\noutput z\n";
}

constexpr const char* LoopPlan = "arena 1024\nl/body/n 0\nl/body/c 8\nw 64\nl/body/v 128\nl/body/t 192\nl/body/u 64\n"
                                 "f 576\nz 640\n";

/// One branch of the If in the body writes over w, the other reads it; \p decider is made outside or in the body.
QByteArray ifInLoop(const char* decider)
{
    return QByteArray("input m int64[]\ninput k bool[]\ninput in uint8[64]\n"
                      "p: w = my::Op(in)\n"
                      "l: f = Loop(m,k,in)\nbody body\n  input n int64[]\n  input c bool[]\n  input v uint8[64]\n"
                      "  g: d = my::Op(v)\n"
                      "  i: y = If(") +
           decider +
           ")\n  body then_branch\n    a: t = my::Op(v)\n    output t\n  end\n"
           "  body else_branch\n    b: e = my::Op(w)\n    output e\n  end\n"
           "  output c y\nend\nq: z = my::Op(f)\noutput z\n";
}

constexpr const char* IfInLoopPlan =
    "type l/body/d bool[]\narena 1024\nw 64\nl/body/n 0\nl/body/c 8\nl/body/v 128\nl/body/d 192\nl/body/y 256\n"
    "l/body/i/then_branch/t 64\nl/body/i/else_branch/e 320\nf 384\nz 448\n";

} // namespace

/// What the graph itself says of branches and trips is known to the judge.
class tst_BranchChoices : public QObject
{
    Q_OBJECT

private slots:
    void branchesAndTripsThatCannotBe_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("findings");
        const auto row = [](const char* name, const QByteArray& graph, const char* plan, const char* findings) {
            QTest::newRow(name) << graph << QByteArray(plan) << QByteArray(findings);
        };
        const char* const spoiled =
            "subgraph-escape h i/else_branch/e / o/then_branch/d i/else_branch/b / [4, 10) / [0, 64)";
        row("two Ifs on one condition", twoIfs("k", "h,y", "y"), TwoIfsPlan, "");
        row("the branch that runs then reads it", twoIfs("k", "y", "h,y"), TwoIfsPlan,
            "subgraph-escape h i/else_branch/e / o/else_branch/f i/else_branch/b / [4, 12) / [0, 64)");
        row("two Ifs on two conditions", twoIfs("j", "h,y", "y"), TwoIfsPlan, spoiled);
        row("a constant takes the branch", twoIfs("yes", "h,y", "y"), TwoIfsPlan, spoiled);
        row("a constant takes the other branch", twoIfs("no", "h,y", "y"), TwoIfsPlan, "");

        const char* const again = "subgraph-escape w l/body/u / l/body/a l/body/b / [2, 4) / [64, 128)";
        row("any number of trips", loop("m", "c"), LoopPlan, again);
        row("one trip", loop("one", "c"), LoopPlan, "");
        row("two trips", loop("two", "c"), LoopPlan, again);
        row("no trip", loop("none", "c"), LoopPlan, "");
        row("the condition ends it", loop("m", "stop"), LoopPlan, "");

        row("an If whose condition the loop leaves alone", ifInLoop("k"), IfInLoopPlan,
            "dead-output advice l/body/d / l/body/g / [2, 3) / [192, 193)");
        row("an If whose condition each trip makes anew", ifInLoop("d"), IfInLoopPlan,
            "subgraph-escape w l/body/i/then_branch/t / l/body/i/else_branch/b l/body/i/then_branch/a / [4, 7) / "
            "[64, 128)");
    }
    void branchesAndTripsThatCannotBe()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        QCOMPARE(QByteArray::fromStdString(test::verdict(graph.constData(), plan.constData())), findings);
    }

    /// A node that reads w and writes over it damages the next trip, at the step at which it reads.
    void damageIsOfTheIterationBefore_data()
    {
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QString>("said");
        QTest::newRow("by the same node")
            << QByteArray("l/body/v 128\nl/body/t 64\n")
            << QStringLiteral("overwritten at step 2 of the iteration before by node 'l/body/a', which writes");
        QTest::newRow("at the Enter, of no iteration")
            << QByteArray("l/body/v 64\nl/body/t 128\n")
            << QStringLiteral("overwritten at step 1 by node 'l', which writes 'l/body/v'");
    }
    void damageIsOfTheIterationBefore()
    {
        QFETCH(QByteArray, plan);
        QFETCH(QString, said);
        const test::Case c = test::parseCase(
            "input m int64[]\ninput k bool[]\ninput in uint8[64]\np: w = my::Op(in)\nl: f = Loop(m,k,in)\nbody body\n"
            "  input n int64[]\n  input c bool[]\n  input v uint8[64]\n"
            "  a: t = my::Op(v,w) alias=0:in-place:1\n  output c t\nend\nq: z = my::Op(f)\noutput z\n",
            "arena 1024\nw 64\nl/body/n 0\nl/body/c 8\nf 192\nz 256\n" + plan.toStdString());
        const std::vector<Finding> findings = c.judge();
        QVERIFY(!findings.empty());
        const QString message = QString::fromStdString(english(findings.front().message));
        QVERIFY2(message.startsWith(QStringLiteral("Value 'w' is read at step 2 by node 'l/body/a'")),
                 qPrintable(message));
        QVERIFY2(message.contains(said), qPrintable(message));
    }
};

QTEST_APPLESS_MAIN(tst_BranchChoices)
#include "tst_branch_choices.moc"
