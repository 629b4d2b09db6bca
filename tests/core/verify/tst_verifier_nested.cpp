#include "core/verify/verifier.h"

#include "tests/core/verify/case.h"

#include <QRegularExpression>
#include <QTest>

using namespace plimsoll;

namespace {

// step  0  1      2       3      4       5      6     7
//       p  Enter  then.a  Leave  else.b  Leave  Exit  after
constexpr const char* Branches = R"(
    input k bool[]
    input in uint8[64]
    p: x = my::Op(in)
    i: y = If(k)
    body then_branch
      a: t = my::Op(x)
      output t
    end
    body else_branch
      b: e = my::Op(in)
      output e
    end
    q: z = my::Op(y,x)
    output z
)";

// step  0  1      2  3  4      5     6
//       p  Enter  a  b  Leave  Exit  q
constexpr const char* Loop = R"(
    input m int64[]
    input k bool[]
    input in uint8[64]
    p: w = my::Op(in)
    l: f, s = Loop(m,k,in)
    body body
      input n int64[]
      input c bool[]
      input v uint8[64]
      a: t = my::Op(v,w)
      b: u = my::Op(t)
      output c u t
    end
    q: z = my::Op(f,s)
    output z
)";
constexpr const char* LoopTypes =
    "type s uint8[256]\narena 2048\nl/body/n 0\nl/body/c 8\nw 64\nl/body/v 128\nl/body/t 192\nl/body/u 256\n"
    "s 320\nf 576\nz 640\n";

void row(const char* name, const char* graph, const QString& plan, const char* expected)
{
    QTest::newRow(name) << QString::fromLatin1(graph) << plan << QString::fromLatin1(expected);
}

/// The legal plan, with one value elsewhere.
QString loopWith(const char* line)
{
    return QString::fromLatin1(LoopTypes) + QString::fromLatin1(line);
}

/// An If whose branches hand out one content, or two.
void addHandedOutTwice()
{
    constexpr const char* Twice = "input k bool[]\ninput in uint8[64]\np: x = my::Op(in)\ni: y0, y1 = If(k)\n"
                                  "body then_branch\na: t0 = Identity(x)\nb: t1 = Identity(x)\noutput t0 t1\nend\n"
                                  "body else_branch\nc: e0 = my::Op(x)\nd: e1 = %1\noutput e0 e1\nend\n"
                                  "q: z = my::Op(y0,y1,x)\noutput z";
    const QString same = QString::fromLatin1(Twice).arg(QStringLiteral("Identity(e0)"));
    const QString other = QString::fromLatin1(Twice).arg(QStringLiteral("my::Op(e0)"));
    const auto twice = [](const char* rest) {
        return QStringLiteral("arena 512\nx 0\nz 448\ni/then_branch/t0 0\ni/then_branch/t1 0\n"
                              "i/else_branch/e0 128\n") +
               QString::fromLatin1(rest);
    };
    row("one content handed out twice is copied to one place", qPrintable(same),
        twice("y0 64\ny1 64\ni/else_branch/e1 128"), "");
    row("one content stays where it is, twice", qPrintable(same), twice("y0 128\ny1 128\ni/else_branch/e1 128"), "");
    row("two contents are not handed out to one place", qPrintable(other), twice("y0 64\ny1 64\ni/else_branch/e1 256"),
        "overlap y0 y1 / i / [7, 10) / [64, 128)");
}

} // namespace

class TestVerifierNested : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void nestedGraphsAreJudged_data();
    void nestedGraphsAreJudged();
    void aLoopInALoopInALoopEnds();
};

void TestVerifierNested::nestedGraphsAreJudged_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("plan");
    QTest::addColumn<QString>("expected");
    const auto branches = [](const char* plan) { return QStringLiteral("arena 256\n") + QString::fromLatin1(plan); };

    row("branches reuse each other's bytes", Branches,
        branches("x 0\ny 64\nz 128\ni/then_branch/t 128\ni/else_branch/e 128"), "");
    row("both results stay where the branch put them", Branches,
        branches("x 0\ny 64\nz 128\ni/then_branch/t 64\ni/else_branch/e 64"), "");
    row("a branch writes what is needed behind the If", Branches,
        branches("x 0\ny 64\nz 128\ni/then_branch/t 128\ni/else_branch/e 32"),
        "subgraph-escape x i/else_branch/e / q i/else_branch/b / [4, 8) / [32, 64)\n"
        "overlap i/else_branch/e y / i / [5, 6) / [64, 96)");
    row("a branch writes over what only the other one reads",
        "input k bool[]\ninput in uint8[64]\np: x = my::Op(in)\ni: y = If(k)\nbody then_branch\na: t = "
        "my::Op(x)\noutput t\nend\n"
        "body else_branch\nb: e = my::Op(in)\noutput e\nend\noutput y",
        branches("x 0\ny 64\ni/then_branch/t 128\ni/else_branch/e 0"), "");
    row("the first branch writes over what only the second one reads",
        "input k bool[]\ninput in uint8[64]\np: x = my::Op(in)\ni: y = If(k)\nbody then_branch\na: t = "
        "my::Op(in)\noutput t\nend\n"
        "body else_branch\nb: e = my::Op(x)\noutput e\nend\noutput y",
        branches("x 0\ny 64\ni/then_branch/t 0\ni/else_branch/e 128"), "");
    row("the result of a branch over a captured value", Branches,
        branches("x 64\ny 64\nz 128\ni/then_branch/t 0\ni/else_branch/e 0"),
        "clobbered-read x y / q i / [3, 8) / [64, 128)");
    row("only one branch spoils", Branches, branches("x 0\ny 64\nz 192\ni/then_branch/t 0\ni/else_branch/e 128"),
        "overlap x i/then_branch/t / i/then_branch/a / [2, 8) / [0, 64)");

    addHandedOutTwice();

    row("a loop with bytes for everything", Loop, loopWith(""), "");
    row("state is updated in place of the old one", Loop, loopWith("l/body/u 128\nf 128"), "");
    const QString loop = QString::fromLatin1(Loop);
    const auto lastReads = [&](const char* read) {
        return QString(loop).replace(QStringLiteral("my::Op(f,s)"),
                                     QStringLiteral("my::Op(%1)").arg(QLatin1String(read)));
    };
    row("the last state is read by nobody", qPrintable(lastReads("s")), loopWith(""), "");
    row("what is stacked is read by nobody", qPrintable(lastReads("f")), loopWith(""),
        "dead-output advice s / l / [1, 6) / [320, 576)");
    row("a captured value is spoiled for the second trip", Loop, loopWith("l/body/u 64"),
        "subgraph-escape w l/body/u / l/body/a l/body/b / [2, 4) / [64, 128)");
    row("state is overwritten before it is read",
        "input m int64[]\ninput k bool[]\ninput in uint8[64]\nl: f = Loop(m,k,in)\nbody body\ninput n int64[]\ninput c "
        "bool[]\n"
        "input v uint8[64]\na: t = my::Op(in)\nb: u = my::Op(v,t)\noutput c u\nend\noutput f",
        QStringLiteral("arena 512\nl/body/n 0\nl/body/c 8\nl/body/v 64\nl/body/t 96\nl/body/u 192\nf 256"),
        "clobbered-read l/body/v l/body/t / l/body/b l/body/a / [1, 3) / [96, 128)");
    row("stacked slices are spoiled by the second trip", Loop, loopWith("l/body/u 512"),
        "overlap l/body/u s / l / [3, 5) / [512, 576)");
    row("the trip number is copied over what is stacked", Loop, loopWith("l/body/n 200"),
        "overlap l/body/t l/body/n / l / [4, 5) / [200, 208)");
    row("state is swapped by the graph itself",
        "input m int64[]\ninput k bool[]\ninput in uint8[64]\nl: f, g = Loop(m,k,in,in)\nbody body\ninput n "
        "int64[]\ninput c bool[]\n"
        "input a uint8[64]\ninput b uint8[64]\noutput c b a\nend\noutput f g",
        QStringLiteral("arena 512\nl/body/n 0\nl/body/c 8\nl/body/a 64\nl/body/b 128\nf 192\ng 256"), "");
    row("a plan lets two copies of state collide",
        "input m int64[]\ninput k bool[]\ninput in uint8[64]\nl: f, g = Loop(m,k,in,in)\nbody body\ninput n "
        "int64[]\ninput c bool[]\n"
        "input a uint8[64]\ninput b uint8[64]\nx: p = my::Op(a,b)\ny: q = my::Op(in)\noutput c p q\nend\noutput f g",
        QStringLiteral(
            "arena 512\nl/body/n 0\nl/body/c 8\nl/body/a 64\nl/body/b 128\nl/body/p 320\nl/body/q 64\nf 192\ng 256"),
        "overlap l/body/q l/body/a / l / [3, 4) / [64, 128)");
    row("final state over stacked slices", Loop, loopWith("f 300"), "clobbered-read s f / q l / [5, 7) / [320, 364)");
    row("the condition is spoiled in the body", Loop, loopWith("l/body/t 1024\nl/body/c 1030"),
        "clobbered-read l/body/c l/body/t / l l/body/a / [2, 5) / [1030, 1031)");
}

void TestVerifierNested::nestedGraphsAreJudged()
{
    QFETCH(QString, graph);
    QFETCH(QString, plan);
    QFETCH(QString, expected);

    QCOMPARE(QString::fromStdString(test::verdict(graph.toStdString(), plan.toStdString())), expected);
}

void TestVerifierNested::aLoopInALoopInALoopEnds()
{
    std::string open;
    std::string close;
    std::string plan = "arena 64\n";
    std::string path;
    for (int depth = 0; depth < 24; ++depth) {
        const std::string n = std::to_string(depth);
        open += "l" + n + ": r" + n + " = Loop(m,k,in)\nbody body\ninput n" + n + " int64[]\ninput c" + n +
                " bool[]\ninput v" + n + " uint8[64]\n";
        close = "output c" + n + " v" + n + "\nend\n" + close;
    }
    const std::string text = "input m int64[]\ninput k bool[]\ninput in uint8[64]\n" + open + close + "output r0";
    const test::Case c = test::parseCase(text, plan);

    const std::vector<Finding> findings = c.judge();

    QVERIFY(!findings.empty());
    QVERIFY(std::all_of(findings.begin(), findings.end(), [](const Finding& f) {
        return f.rule == Rule::MissingAllocation || f.severity == Severity::Advice;
    }));
}

QTEST_APPLESS_MAIN(TestVerifierNested)
#include "tst_verifier_nested.moc"
