#include "core/facts/english/english.h"
#include "tests/core/verify/case.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// a and c are read by nodes of their own stream; nothing is between the two.
constexpr const char* TwoChains = "input x uint8[64]\n"
                                  "na: a = Relu(x)\n"
                                  "nb: b = Relu(a)\n"
                                  "nc: c = Exp(x)\n"
                                  "nd: d = Exp(c)\n"
                                  "ne: y = Add(b, d)\n"
                                  "output y\n";

constexpr const char* Diamond = "input x uint8[64]\n"
                                "np: p = Exp(x)\n"
                                "nl: l = Exp(p)\n"
                                "nr: r = Exp(p)\n"
                                "nj: y = Add(l, r)\n"
                                "output y\n";

constexpr const char* Named = "input x uint8[64]\n"
                              "na: a = Exp(x)\n"
                              "ni: b = Identity(a)\n"
                              "nc: c = Exp(b)\n"
                              "nd: y = Exp(c)\n"
                              "output y\n";

constexpr const char* OneBranch = "input k bool[]\n"
                                  "input x uint8[64]\n"
                                  "np: p = Exp(x)\n"
                                  "choose: z = If(k)\n"
                                  "body then_branch\n"
                                  "  t: u = Exp(p)\n"
                                  "  output u\n"
                                  "end\n"
                                  "body else_branch\n"
                                  "  e: v = Neg(p)\n"
                                  "  output v\n"
                                  "end\n"
                                  "nq: q = Neg(x)\n"
                                  "nj: y = Add(z, q)\n"
                                  "output y\n";

} // namespace

class tst_Races : public QObject
{
    Q_OBJECT

private slots:
    void waitsAreJudged_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("plan");
        QTest::addColumn<QByteArray>("findings");
        const auto row = [](const char* name, const char* graph, const char* plan, const char* findings) {
            QTest::newRow(name) << QByteArray(graph) << QByteArray(plan) << QByteArray(findings);
        };
        const QByteArray apart = "arena 320\na 0\nb 64\nc 128\nd 192\ny 256\nstream nc 1\nstream nd 1\n";
        const QByteArray reused = "arena 256\na 0\nb 64\nc 128\nd 0\ny 192\nstream nc 1\nstream nd 1\nevent nd ne\n";
        row("a place for everything, and the one event that is needed", TwoChains,
            QByteArray(apart + "event nd ne").constData(), "");
        row("the event is missing", TwoChains, apart.constData(), "uninitialised-read d / ne nd / [3, 5) / [192, 256)");
        row("on one stream the plan is legal", TwoChains, "arena 256\na 0\nb 64\nc 128\nd 0\ny 192\n", "");
        row("on two the reader of a may still be at it, and its writer", TwoChains, reused.constData(),
            "overlap a d / nb nd / [1, 4) / [0, 64)");
        row("waiting for the writer alone is too early", TwoChains, QByteArray(reused + "event na nd").constData(),
            "overlap a d / nb nd / [1, 4) / [0, 64)");
        row("waiting for the reader is enough", TwoChains, QByteArray(reused + "event nb nd").constData(), "");
        row("an earlier node of the stream may wait for it", TwoChains, QByteArray(reused + "event nb nc").constData(),
            "");
        row("an event of a third stream carries on", TwoChains,
            "arena 256\na 0\nb 64\nc 128\nd 0\ny 192\nstream nc 2\nstream nd 1\nevent nb nc\nevent nc nd\nevent nd ne",
            "");
        row("half of the bytes is enough", TwoChains,
            "arena 320\na 0\nb 64\nc 128\nd 32:64\ny 192\nstream nc 1\nstream nd 1\nevent nd ne",
            "overlap a d / nb nd / [1, 4) / [32, 64)\n"
            "overlap b d / nb nd / [1, 4) / [64, 96)\n"
            "clobbered-read b d / ne nd / [3, 5) / [64, 96)");
        row("in place over what another stream reads", Diamond,
            "arena 192\np 0\nl 64\nr 0\ny 128\nstream nr 1\nevent np nr\nevent nr nj",
            "overlap p r / nl nr / [1, 3) / [0, 64)");
        row("in place behind the other reader", Diamond,
            "arena 192\np 0\nl 64\nr 0\ny 128\nstream nr 1\nevent nl nr\nevent nr nj", "");
        row("a scratchpad that another stream may be using", Diamond,
            "arena 256\np 0\nl 64\nr 128\ny 192\nscratch nl 128:32\nstream nr 1\nevent np nr\nevent nr nj",
            "overlap r / nl nr / [1, 3) / [128, 160)");
        const QByteArray named = "arena 192\na 0\nb 0\nc 64\ny 128\nstream ni 1\n";
        row("a name for bytes waits for nothing", Named, named.constData(), "");
        row("its reader does", Named, QByteArray(named + "stream nc 1\nevent nc nd").constData(),
            "uninitialised-read b / nc na / [0, 3) / [0, 64)");
        row("and where that has waited it is enough", Named,
            QByteArray(named + "stream nc 1\nevent na nc\nevent nc nd").constData(), "");
        row("what is copied must be waited for", Named, "arena 256\na 0\nb 192\nc 64\ny 128\nstream ni 1\nevent ni nc",
            "uninitialised-read a / ni na / [0, 2) / [0, 64)");
        row("what has no place must be waited for, too", Diamond,
            "type p uint8[?]\narena 192\nl 64\nr 0\ny 128\nstream nr 1\nevent nr nj",
            "uninitialised-read p / nr np / [0, 3) / [0, 0)");
        row("a branch runs where its owner does", OneBranch,
            "arena 320\np 0\nchoose/then_branch/u 64\nchoose/else_branch/v 64\nz 64\nq 0\ny 128\nstream nq 1\nevent nq "
            "nj",
            "overlap p q / choose nq / [4, 8) / [0, 64)");
        row("waiting for the owner waits for its branches", OneBranch,
            "arena 320\np 0\nchoose/then_branch/u 64\nchoose/else_branch/v 64\nz 64\nq 0\ny 128\nstream nq 1\nevent "
            "choose nq\nevent nq nj",
            "");
    }
    void waitsAreJudged()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, plan);
        QFETCH(QByteArray, findings);
        QCOMPARE(QByteArray::fromStdString(test::verdict(graph.constData(), plan.constData())), findings);
    }

    void aFindingNamesBothStreamsAndTheEvent()
    {
        const test::Case c = test::parseCase(
            TwoChains, "arena 256\na 0\nb 64\nc 128\nd 0\ny 192\nstream nc 1\nstream nd 1\nevent na nd\nevent nd ne\n");
        const std::vector<Finding> findings = c.judge();
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(english(findings[0].message),
                 std::string("Two streams meet at bytes [0, 64): node 'nb' of stream 0 (step 1) "
                             "reads 'a' there, node 'nd' of stream 1 (step 3) writes 'd', and "
                             "neither waits for the other."));
        QCOMPARE(english(findings[0].fix),
                 std::string("Wait for 'nb' before 'nd': an event, or bytes of its own for 'd'."));
    }
};

QTEST_APPLESS_MAIN(tst_Races)
#include "tst_races.moc"
