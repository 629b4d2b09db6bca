#include "core/advice/bisect_json.h"
#include "core/advice/lay_apart.h"
#include "core/advice/run_findings.h"
#include "core/facts/about.h"
#include "tests/core/advice/damaged_diamond.h"

#include <QTest>

using namespace plimsoll;

namespace {

Report ranDiamond(const RunResult::Mismatch& mismatch, const Bisection* bisected = nullptr)
{
    Report report = test::planned(test::Diamond, test::diamondPlan(32));
    report.verdict.findings.resize(1); // the judge's own first
    report.run.emplace().mismatches = {mismatch};
    addRunFindings(report, bisected);
    return report;
}

Bisection guiltyPair(const Report& report)
{
    const Graph& graph = *report.program.graph;
    Culprit culprit {.earlier = Culprit::Side {{findValue(graph, "a")}, {}}, .later = {{findValue(graph, "c")}, {}}};
    culprit.nodes = {findNode(graph, "n0"), findNode(graph, "n2"), findNode(graph, "n3")};
    culprit.arena = ArenaId(0);
    culprit.steps = {2, 4};
    culprit.bytes = {32, 64};
    culprit.mismatch = test::spoiledDiamond();
    return {.culprits = {culprit}, .elsewhere = {}, .sharings = 2, .runs = 5};
}

/// "wrong-value a c | n3 n2 | steps [2, 4) bytes [32, 64): By the run: …"
QString lineOf(const Report& report, std::size_t index)
{
    const Finding& finding = report.verdict.findings[index];
    QStringList words = {QString::fromStdString(std::string(ruleId(finding.rule)))};
    for (const ValueId value : finding.values)
        words << QString::fromStdString((*report.program.graph)[value].name);
    words << QStringLiteral("|");
    for (const NodeId node : finding.nodes)
        words << QString::fromStdString((*report.program.graph)[node].name);
    return QStringLiteral("%1 | steps [%2, %3) bytes [%4, %5): %6")
        .arg(words.join(u' '))
        .arg(finding.steps.begin)
        .arg(finding.steps.end)
        .arg(finding.bytes.begin)
        .arg(finding.bytes.end)
        .arg(QString::fromStdString(english(finding.message)));
}

} // namespace

/// What runs have shown, as findings.
class RunFindingsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMismatchNamesWhoWroteOverIt();
    void aMismatchOfUnknownCauseHasNoBytes();
    void whatFollowsIsAWarningBehindTheErrors();
    void culpritsStandFirst();
    void theOneThatIsMovedStandsLast();
    void aWaitIsMendedByAnEvent();
    void theInspectorTellsWhoAndWhen();
};

void RunFindingsTest::aMismatchNamesWhoWroteOverIt()
{
    const Report report = ranDiamond(test::spoiledDiamond());
    QCOMPARE(report.verdict.findings.size(), std::size_t(2));
    QCOMPARE(lineOf(report, 0), QStringLiteral("wrong-value a c | n3 n2 | steps [2, 4) bytes [32, 64): By the run: 'a' "
                                               "is wrong at step 3 (node 'n3'): 8 of 16 elements differ"));
    QVERIFY(report.verdict.findings[1].rule != Rule::WrongValue);
}

void RunFindingsTest::aMismatchOfUnknownCauseHasNoBytes()
{
    RunResult::Mismatch mismatch = test::spoiledDiamond();
    mismatch.overwrittenBy.clear();
    QVERIFY(lineOf(ranDiamond(mismatch), 0)
                .startsWith(QStringLiteral("wrong-value a | n3 | steps [3, 4) bytes [0, 0): By the run: ")));
    mismatch.value.clear(); // a guard zone
    QVERIFY(lineOf(ranDiamond(mismatch), 0).startsWith(QStringLiteral("wrong-value | n3 | steps [3, 4) ")));
}

/// One value of the diamond is spoiled; what is computed from it is no error of its own.
void RunFindingsTest::whatFollowsIsAWarningBehindTheErrors()
{
    Report report = ranDiamond(test::spoiledDiamond());
    report.verdict.findings.resize(0);
    RunResult::Mismatch follower = report.run->mismatches.front();
    follower.follows = true;
    report.run->mismatches.insert(report.run->mismatches.begin(), follower);
    report.verdict.findings.push_back({.rule = Rule::Overlap, .severity = Severity::Error});
    addRunFindings(report, nullptr);
    const auto& findings = report.verdict.findings;
    QCOMPARE(findings.size(), std::size_t {3});
    QVERIFY(findings[0].severity == Severity::Error && findings[0].rule == Rule::WrongValue);
    QVERIFY(findings[1].severity == Severity::Error && findings[1].rule == Rule::Overlap);
    QVERIFY(findings[2].severity == Severity::Warning && findings[2].rule == Rule::WrongValue);
    QCOMPARE(countFindings(report, Severity::Error), std::size_t {2});
}

void RunFindingsTest::culpritsStandFirst()
{
    const Bisection found = guiltyPair(test::planned(test::Diamond, test::diamondPlan(32)));
    const Report report = ranDiamond(test::spoiledDiamond(), &found);
    QCOMPARE(report.verdict.findings.size(), std::size_t(3));
    QCOMPARE(
        lineOf(report, 0),
        QStringLiteral("wrong-value a c | n3 n0 n2 | steps [2, 4) bytes [32, 64): By bisecting: 'a' and 'c' meet in "
                       "[32, 64) of arena cpu: 'a' at node 'n3', step 3: 8 of 16 elements differ"));
    QCOMPARE(english(report.verdict.findings[0].fix), std::string("Give 'c' bytes of its own."));
    QCOMPARE(english(outcomeText(found)), std::string("1 culprit found by 5 runs over 2 sharings."));
}

void RunFindingsTest::theOneThatIsMovedStandsLast()
{
    Bisection found = guiltyPair(test::planned(test::Diamond, test::diamondPlan(32)));
    found.culprits.front().laterApart = false;
    QVERIFY(lineOf(ranDiamond(test::spoiledDiamond(), &found), 0).startsWith(QStringLiteral("wrong-value c a | ")));
}

/// Fresh bytes mend nothing there: none are offered.
void RunFindingsTest::aWaitIsMendedByAnEvent()
{
    Bisection found = guiltyPair(test::planned(test::Diamond, test::diamondPlan(32)));
    Culprit& culprit = found.culprits.front();
    culprit.wait = {culprit.nodes[1], culprit.nodes[2]};
    Report report = ranDiamond(test::spoiledDiamond(), &found);
    QCOMPARE(english(report.verdict.findings[0].fix),
             std::string("Wait for 'n2' before 'n3': an event, or bytes of its own for 'c'."));
    QVERIFY(english(report.verdict.findings[0].message)
                .ends_with("; node 'n3' of stream 0 (step 3) does not wait for node 'n2' of stream 0 (step 2)"));
    culprit.earlier.reset();
    report = ranDiamond(test::spoiledDiamond(), &found);
    QCOMPARE(english(report.verdict.findings[0].fix), std::string("Wait for 'n2' before 'n3': an event."));
    QVERIFY(lineOf(report, 0).startsWith(QStringLiteral("uninitialised-read c | n3 ")));
    QVERIFY(!movableSide(report, report.verdict.findings[0]));
}

void RunFindingsTest::theInspectorTellsWhoAndWhen()
{
    const Report report = ranDiamond(test::spoiledDiamond());
    const auto text = sectionsText("finding", sectionsAbout(report, Focus::onFinding(0)),
                                   [](const Cell& cell) { return fullText(cell); });
    const QString said = QString::fromStdString(text);
    QVERIFY2(said.contains(QStringLiteral("Who and when\n"
                                          "  Written: 'a', by node 'n0' at step 0, to [0, 64)\n"
                                          "  Written over: 'c', by node 'n2' at step 2, to [32, 96)\n"
                                          "  Then read: 'a', by node 'n3' at step 3\n")),
             qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("What the run found\n  Differs: 'a' at node 'n3', step 3: 8 of 16 ")),
             qPrintable(said));
}

QTEST_APPLESS_MAIN(RunFindingsTest)
#include "tst_run_findings.moc"
