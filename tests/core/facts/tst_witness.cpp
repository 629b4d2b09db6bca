#include "core/facts/english/english.h"
#include "core/facts/words/verdict.h"
#include "core/facts/words/witness.h"
#include "tests/support/planned.h"

#include <QTest>

using namespace plimsoll;

namespace {

/// Judged with \p rules broken at node b, and run: with \p differ values that differ, and without \p left.
Report judgedAndRun(const std::vector<Rule>& rules, std::size_t differ, std::vector<std::string> left = {})
{
    Report report = test::planned("graph g\ninput x float32[4]\na: y = Neg(x)\nb: z = Exp(y)\noutput z\n");
    report.verdict.findings.clear();
    for (const Rule rule : rules) {
        Finding finding;
        finding.rule = rule;
        finding.severity = ruleSeverity(rule);
        finding.nodes = {findNode(*report.program.graph, "b")};
        report.verdict.findings.push_back(finding);
    }
    RunResult& run = report.run.emplace();
    run.mismatches.resize(differ);
    run.notRun = std::move(left);
    run.witness = witnessOf(report);
    return report;
}

std::vector<std::string> why(const Report& report)
{
    return english(report.run->witness.runIsBlind);
}

} // namespace

/// What judge and run say of each other.
class WitnessTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bothAreSilent();
    void bothSpeak();
    void judgeIsBlind();
    void runIsBlindForAReason();
    void adviceIsNoError();
};

void WitnessTest::bothAreSilent()
{
    const Report report = judgedAndRun({}, 0);
    QVERIFY(!report.run->witness.judgeIsBlind);
    QVERIFY(why(report).empty());
    QVERIFY(english(legalityText(report)).starts_with("Legal"));
}

void WitnessTest::bothSpeak()
{
    const Report report = judgedAndRun({Rule::Overlap, Rule::Misaligned}, 2);
    QVERIFY(!report.run->witness.judgeIsBlind);
    QVERIFY(why(report).empty());
    QVERIFY(english(legalityText(report)).starts_with("Not legal: 2 errors"));
}

void WitnessTest::judgeIsBlind()
{
    const Report report = judgedAndRun({}, 2);
    QVERIFY(report.run->witness.judgeIsBlind);
    QVERIFY(why(report).empty());
    QCOMPARE(english(legalityText(report)), std::string("No rule is broken, and yet the run differs (2 values): what "
                                                        "the file says of an operator, or a kernel, is wrong."));
}

void WitnessTest::runIsBlindForAReason()
{
    using Texts = std::vector<std::string>;
    QVERIFY(!judgedAndRun({Rule::Overlap}, 0).run->witness.judgeIsBlind);
    QCOMPARE(why(judgedAndRun({Rule::Overlap, Rule::Overlap}, 0)),
             (Texts {"overlap: the run did not show it. Its bytes were equal for these inputs, or the judge is too "
                     "strict."}));
    QCOMPARE(why(judgedAndRun({Rule::Overlap}, 0, {"a"})), why(judgedAndRun({Rule::Overlap}, 0)));
    QCOMPARE(why(judgedAndRun({Rule::Overlap}, 0, {"a", "b"})),
             (Texts {"overlap: the run did not show it. Its nodes did not run."}));
    QCOMPARE(
        why(judgedAndRun({Rule::Misaligned, Rule::OutputAliasing}, 0)),
        (Texts {"output-aliasing: a run does not show it: only a write by the caller does; --write-probe makes it.",
                "misaligned: a run does not show it: kernels of this machine read from any address."}));
}

void WitnessTest::adviceIsNoError()
{
    QVERIFY(why(judgedAndRun({Rule::MissedSharing}, 0)).empty());
    QVERIFY(judgedAndRun({Rule::MissedSharing}, 1).run->witness.judgeIsBlind);
}

QTEST_APPLESS_MAIN(WitnessTest)
#include "tst_witness.moc"
