#include "core/facts/english/english.h"
#include "core/verify/verifier.h"

#include "tests/core/verify/case.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

/// What has one cause is one finding, and its fix is something that can be done.
class tst_JoinedFindings : public QObject
{
    Q_OBJECT

private slots:
    void whatAnOperatorAlwaysMakesIsNoAdvice();
    void viewsOfInputsAreOneFinding();
    void outputsThatMeetAreOneFinding();
    void viewsAmongOutputsAreOneWarning();
    void aFixIsWhatCanBeDone();
    void writesOfTheGraphToAnInputAreOneWarning();
    void aLongScheduleIsJudgedAsAShortOne();
};

/// Only ONNX's operators may leave outputs out; a node of which nothing is read can go.
void tst_JoinedFindings::whatAnOperatorAlwaysMakesIsNoAdvice()
{
    test::Case c = test::parseCase("input in uint8[64]\na: x, y = my::Op(in)\nb: u, v = my::Op(in)\noutput x",
                                   "arena 256\nx 0\ny 64\nu 128\nv 192");
    for (Node& node : c.graph.nodes)
        node.from.edit().origin.dialect = "mxnet";

    QCOMPARE(QString::fromStdString(test::summary(c, c.judge())),
             QStringLiteral("dead-output advice u v / b / [0, 0) / [0, 0)"));
}

/// What a forward graph keeps for a backward graph elsewhere is not among them.
void tst_JoinedFindings::viewsOfInputsAreOneFinding()
{
    test::Case c = test::parseCase("input i uint8[64]\ninput j uint8[64]\na: x = my::Op(i) alias=0:view:0\n"
                                   "b: y = my::Op(j) alias=0:view:0\nc: z = my::Op(j) alias=0:view:0\noutput x y z",
                                   "arena 0");
    c.graph.boundary.saved = {c.value("y")};

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(findings.size(), std::size_t {1});
    QCOMPARE(QString::fromStdString(english(findings.front().message)),
             QStringLiteral("2 outputs are parts of inputs, as the graph declares: 'x' of 'i', 'z' of 'j'. Writing to "
                            "one changes the other."));
    QCOMPARE(findings.front().severity, Severity::Warning);
    QCOMPARE(findings.front().values, (std::vector {c.value("x"), c.value("i"), c.value("z"), c.value("j")}));
}

/// What meets in the same bytes has one cause.
void tst_JoinedFindings::outputsThatMeetAreOneFinding()
{
    const test::Case c = test::parseCase("input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\n"
                                         "c: z = my::Op(y) alias=0:identity:0\nd: u = my::Op(in)\n"
                                         "e: v = my::Op(u) alias=0:identity:0\noutput x y z u v",
                                         "arena 128\nx 0\ny 0\nz 0\nu 64\nv 64");

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(QString::fromStdString(test::summary(c, findings)),
             QStringLiteral("output-aliasing x y z / a b c / [1, 5) / [0, 64)\n"
                            "output-aliasing u v / d e / [4, 5) / [64, 128)"));
    QCOMPARE(QString::fromStdString(english(findings.front().message)),
             QStringLiteral("3 pairs of outputs share bytes [0, 64) during steps [1, 5): 'x' and 'y', 'x' and 'z', "
                            "'y' and 'z'; writing to one changes the other."));
    QCOMPARE(QString::fromStdString(english(findings.front().fix)),
             QStringLiteral("Give each of these outputs bytes of its own."));
}

/// s is handed to a backward graph elsewhere.
void tst_JoinedFindings::viewsAmongOutputsAreOneWarning()
{
    test::Case c = test::parseCase("input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\n"
                                   "c: u = my::Op(in)\nd: v = my::Op(u) alias=0:view:0\n"
                                   "e: s = my::Op(u) alias=0:view:0\noutput x y u v s",
                                   "arena 128\nx 0\ny 0\nu 64\nv 64\ns 64");
    c.graph.boundary.saved = {c.value("s")};

    const std::vector<Finding> findings = c.judge();

    QCOMPARE(QString::fromStdString(test::summary(c, findings)),
             QStringLiteral("output-aliasing warning x y u v / a b c d / [1, 5) / [0, 128)"));
    QCOMPARE(QString::fromStdString(english(findings.front().message)),
             QStringLiteral("2 pairs of outputs share bytes, as the graph declares, during steps [1, 5): 'x' and 'y', "
                            "'u' and 'v'; writing to one changes the other."));
}

/// A policy changes a plan of our own; a declaration stands in a graph file, a scratchpad is our backends' wish.
void tst_JoinedFindings::aFixIsWhatCanBeDone()
{
    const char* const two = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:identity:0\noutput x y";
    test::Case c = test::parseCase(two, "arena 64\nx 0\ny 0\npolicy outputs shared\npolicy replay graph");
    const auto fixes = [&](bool ownPlan) {
        std::string text;
        for (const Finding& finding : c.judge(ownPlan))
            text += english(finding.fix) + "\n";
        return text;
    };
    QVERIFY(fixes(true).find("The policy outputs=independent gives") != std::string::npos);
    QVERIFY(fixes(true).find("or plan with outputs=external") != std::string::npos);
    QVERIFY2(fixes(false).find("outputs=") == std::string::npos, fixes(false).c_str());

    c = test::parseCase(two, "arena 256\ntype y uint8[32]\nx 0\ny 64");
    QCOMPARE(fixes(false), std::string("Correct the type of 'y' or of 'x' in the file.\n"));
    c.graph.file.declaresTraits = true;
    QCOMPARE(fixes(false), std::string("Correct the declaration of node 'b'.\n"));

    const char* const view = "input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x) alias=0:view:0\noutput y";
    c = test::parseCase(view, "arena 256\nx 0\ny 64");
    QCOMPARE(fixes(false), std::string("Place 'y' on the bytes of 'x'.\n"));
    c.graph.file.declaresTraits = true;
    QCOMPARE(fixes(false), std::string("Place 'y' on the bytes of 'x', or drop the declaration.\n"));

    c = test::parseCase("input in uint8[64]\na: x = my::Op(in)\nb: y = my::Op(x)\nc: z = my::Op(y)\noutput z",
                        "arena 256\nx 0\ny 64\nz 128");
    c.implementations.at(NodeId {1}).scratchpadBytes = 8;
    c.policies.backend = BackendPolicy::Captured;
    QCOMPARE(fixes(false), std::string("Give its scratchpad 8 bytes in an arena.\n"));
    c.policies.backend = BackendPolicy::Auto;
    QVERIFY(fixes(false).find("or judge the plan on its own terms with backend=captured") != std::string::npos);
}

/// Two parts of it, and new versions of all of it, which read nothing.
void tst_JoinedFindings::writesOfTheGraphToAnInputAreOneWarning()
{
    const test::Case c = test::parseCase("input in uint8[64]\na: s = my::Op(in) alias=0:view:0\n"
                                         "b: t = my::Op(s) alias=0:mutates:0\n"
                                         "c: y = my::Op(in,t) alias=0:mutates:0 ignores=[0,1]\n"
                                         "d: u = my::Op(y) alias=0:view:0\ne: v = my::Op(u) alias=0:mutates:0\n"
                                         "f: z = my::Op(y,v) alias=0:mutates:0 ignores=[0,1]\noutput z",
                                         "arena 0\ntype s uint8[32]\ntype t uint8[32]\ntype u uint8[32]\n"
                                         "type v uint8[32]\nview d 32");
    const std::vector<Finding> findings = c.judge();
    QCOMPARE(std::ranges::count(findings, Rule::InputOverwritten, &Finding::rule), 1);
    const auto warning = std::ranges::find(findings, Rule::InputOverwritten, &Finding::rule);
    QCOMPARE(warning->severity, Severity::Warning);
    QCOMPARE(
        QString::fromStdString(english(warning->message)),
        QStringLiteral("Nodes 'b', 'c', 'e' and 1 more change 'in', which belongs to the caller, from step 1 on."));
    QVERIFY(std::ranges::none_of(findings, [](const Finding& one) { return one.severity == Severity::Error; }));
}

/// Of one that is long some checks run beside the walk.
void tst_JoinedFindings::aLongScheduleIsJudgedAsAShortOne()
{
    for (const int nodes : {4, 10'004}) {
        std::string graph = "input in uint8[64]\nn0: v0 = my::Op(in)\n";
        std::string plan = "arena 256\nv0 0\np 128\nq 192\n";
        for (int i = 1; i < nodes; ++i) {
            const std::string number = std::to_string(i);
            graph += "n" + number + ": v" + number + " = my::Op(v" + std::to_string(i - 1) + ")\n";
            plan += "v" + number + (i % 2 == 0 ? " 0\n" : " 64\n"); // v2 over v0
        }
        graph += "end: p, q = my::Op(v" + std::to_string(nodes - 1) + ")\noutput p v0";
        QStringList rules;
        for (const Finding& finding : test::parseCase(graph, plan).judge())
            rules += QString::fromLatin1(ruleId(finding.rule).data()) + u' ' + QString::number(finding.values.size());
        rules.removeDuplicates();
        QCOMPARE(rules.join(u", "), QStringLiteral("clobbered-read 2, dead-output 1"));
    }
}

QTEST_APPLESS_MAIN(tst_JoinedFindings)
#include "tst_joined_findings.moc"
