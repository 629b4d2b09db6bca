#include "core/facts/about/stop_steps.h"

#include "core/facts/english/english.h"
#include "core/facts/words/area_text.h"
#include "tests/support/planned.h"

#include <QTest>

using namespace plimsoll;

namespace {

using Steps = std::vector<std::int64_t>;

} // namespace

class StopStepsTest : public QObject
{
    Q_OBJECT

private slots:
    void aNodeStopsWhereItBegins() { QCOMPARE(stopSteps(m_report, Focus::on(node("n2"))), (Steps {2})); }

    void aValueStopsWhereItIsWrittenAndRead()
    {
        QCOMPARE(stopSteps(m_report, Focus::on(value("a"))), (Steps {0, 1, 3}));
    }

    /// By a plan that puts another value there too early.
    void aValueStopsWhereAnotherIsWrittenOverIt()
    {
        Report report = m_report;
        PlannedValue& over = report.program.values[value("c").index()];
        over.offset = report.program.values[value("a").index()].offset;
        QCOMPARE(stopSteps(report, Focus::on(value("a"))), (Steps {0, 1, 2, 3}));
        QCOMPARE(english(writtenOver(report, Focus::on(value("a")), 2)),
                 std::string("'c' is written into the bytes of 'a'."));
        QVERIFY(writtenOver(report, Focus::on(value("a")), 0).empty());
        QVERIFY(writtenOver(m_report, Focus::on(value("a")), 2).empty());
    }

    void bytesStopWhereTheyAreWritten()
    {
        const PlanArea area = areaOf(m_report, Focus::on(value("b")));
        QVERIFY(area.valid());
        const Steps steps = stopSteps(m_report, Focus::on(PlanArea {area.arena, area.bytes}));
        QVERIFY2(std::ranges::find(steps, 1) != steps.end(), "b is made at step 1");
        QCOMPARE(stopSteps(m_report, Focus::on(m_report.program.values[value("b").index()].storage)), (Steps {1}));
    }

    void aStepStopsAtItself()
    {
        QCOMPARE(stopSteps(m_report, Focus::atStep(3)), (Steps {3}));
        QVERIFY(stopSteps(m_report, Focus()).empty());
    }

    void aFindingStopsAtItsFirstStep()
    {
        Report report = m_report;
        Finding finding;
        finding.steps = {2, 4};
        report.verdict.findings.push_back(finding);
        const auto last = static_cast<std::int32_t>(report.verdict.findings.size()) - 1;
        QCOMPARE(stopSteps(report, Focus::onFinding(last)), (Steps {2}));
    }

private:
    [[nodiscard]] NodeId node(const char* name) const { return findNode(*m_report.program.graph, name); }
    [[nodiscard]] ValueId value(const char* name) const { return findValue(*m_report.program.graph, name); }

    Report m_report = test::planned("input x float32[4]\n"
                                    "n0: a = Neg(x)\n"
                                    "n1: b = Exp(a)\n"
                                    "n2: c = Abs(b)\n"
                                    "n3: d = Add(a, c)\n"
                                    "output d\n",
                                    "inplace=off backend=reference");
};

QTEST_APPLESS_MAIN(StopStepsTest)
#include "tst_stop_steps.moc"
