#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::test;
using kernels::RunRequest;

namespace {

using Cover = RunRequest::Cover;

/// An If of which the first branch reads u, which the second lets go.
constexpr std::string_view OneIf = R"(
input c bool[]
input x float32[4]
n: u = Sin(x)
i: y = If(c)
body then_branch
  k: p = Cos(x)
  o: q = Add(p, u)
  output q
end
body else_branch
  m: r = Neg(u)
  output r
end
output y
)";

/// The second If reads what the first has made by the same decision; \p second decides about it.
std::string twoIfs(const std::string& second)
{
    return "input x float32[4]\ninput c bool[]\ninput d bool[]\nn: h = Sin(x)\n"
           "a: y = If(c)\nbody then_branch\n  t: p = Cos(x)\n  output p\nend\nbody else_branch\n  e: q = Exp(x)\n"
           "  output q\nend\n"
           "b: z = If(" +
           second +
           ")\nbody then_branch\n  s: v = Add(h, y)\n  output v\nend\nbody else_branch\n  f: w = Neg(y)\n  output w\n"
           "end\noutput z\n";
}

/// \p count and \p condition decide how often it goes round; \p next hands the condition on.
std::string loop(const std::string& inputs, const std::string& count, const std::string& condition,
                 const std::string& next)
{
    return "input x float32[4]\nconst zero int64[] = 0\n" + inputs + "l: y = Loop(" + count + ", " + condition +
           ", x)\nbody body\n  input i int64[]\n  input k bool[]\n  input s float32[4]\n  a: u = Neg(s)\n" + next +
           "  output k2 u\nend\noutput y\n";
}

RunResult ran(const Report& report, Cover cover = Cover::WhenCheap, const Numbers& inputs = {})
{
    RunRequest request;
    request.cover = cover;
    const auto outcome = executed(report, inputs, request);
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return outcome.value().result;
}

std::int64_t offsetOf(const Report& report, std::string_view value)
{
    return report.program.map.values[findValue(*report.program.graph, value).index()].offset;
}

class CoverageTest : public QObject
{
    Q_OBJECT

private slots:
    void everyBranchIsTaken()
    {
        const Report report = plannedForReference(OneIf);
        const RunResult plain = ran(report, Cover::Never);
        QVERIFY(plain.ranNodes < plain.nodes);
        QVERIFY(!plain.forced);
        const RunResult run = ran(report);
        QCOMPARE(run.ranNodes, run.nodes);
        QCOMPARE(run.forced->runs, 1);
        QCOMPARE(run.forced->open, 0);
        QVERIFY(run.mismatches.empty());
    }

    void damageInABranchThatTheInputsDoNotLeadToShows()
    {
        for (const std::string_view spoils : {"i/then_branch/p", "i/else_branch/r"}) {
            Report report = plannedForReference(OneIf);
            moveValue(report, spoils, offsetOf(report, "u") + 4);
            report.program.map.arenas.front().bytes += 4;
            const RunResult run = ran(report);
            QVERIFY(!run.mismatches.empty());
            QCOMPARE(run.mismatches.front().value, std::string("u"));
        }
    }

    /// Both ways of two decisions are two runs; of one decision, too, and never a mixture.
    void onlyWaysThatOneDecisionAllowsAreTaken()
    {
        for (const std::string second : {"c", "d"}) {
            Report report = plannedForReference(twoIfs(second));
            // Right where both take the same branch: what the first one's second branch writes lies over h.
            moveValue(report, "a/else_branch/q", offsetOf(report, "h"));
            const RunResult run = ran(report);
            QCOMPARE(run.forced->open, 0);
            QCOMPARE(run.ranNodes, run.nodes);
            QCOMPARE(run.mismatches.empty(), second == "c");
        }
    }

    void loopsGoRoundAsOftenAsDataMayLetThem_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<int>("runs");
        QTest::addColumn<int>("nodes"); // executed by forced runs

        const std::string keep = "  n: k2 = Identity(k)\n";
        const std::string data = "  n: k2 = Less(i, zero)\n";
        QTest::newRow("a constant number")
            << QByteArray::fromStdString(loop("const m int64[] = 3\n", "m", "_", keep)) << 0 << 0;
        QTest::newRow("any number, of which the data say one")
            << QByteArray::fromStdString(loop("input m int64[]\n", "m", "_", keep)) << 3 << 3 + 2 * (0 + 2 + 5);
        QTest::newRow("up to a constant number")
            << QByteArray::fromStdString(loop("const m int64[] = 4\n", "m", "_", data)) << 3 << 3 + 2 * (0 + 2 + 4);
        QTest::newRow("all or none") << QByteArray::fromStdString(
                                            loop("const m int64[] = 3\ninput c bool[]\n", "m", "c", keep))
                                     << 1 << -1;
        QTest::newRow("by a condition alone")
            << QByteArray::fromStdString(loop("", "_", "_", data)) << 3 << 3 + 2 * (0 + 2 + 5);
        QTest::newRow("an inner loop and an If")
            << QByteArray("input x float32[4]\ninput m int64[]\ninput c bool[]\nl: y = Loop(m, _, x)\nbody body\n"
                          "  input i int64[]\n  input k bool[]\n  input s float32[4]\n  j: t = Loop(m, _, s)\n"
                          "  body body\n    input ii int64[]\n    input kk bool[]\n    input ss float32[4]\n"
                          "    b: u = If(c)\n    body then_branch\n      d: v = Neg(ss)\n      output v\n    end\n"
                          "    body else_branch\n      e: w = Exp(ss)\n      output w\n    end\n"
                          "    output kk u\n  end\n  output k t\nend\noutput y\n")
            << 7 << -1; // three, and four combinations
    }
    void loopsGoRoundAsOftenAsDataMayLetThem()
    {
        QFETCH(QByteArray, graph);
        QFETCH(int, runs);
        QFETCH(int, nodes);
        Report report = plannedForReference(graph.toStdString());
        RunRequest request;
        if (const ValueId m = findValue(*report.program.graph, "m");
            m.valid() && report.program.graph->values[m.index()].role == ValueRole::Input) {
            kernels::HostTensor one(DType::Int64, {});
            *one.view().as<std::int64_t>() = 1;
            request.inputs[m] = kernels::tensorValue(std::move(one));
        }
        const auto outcome = executed(report, {}, request);
        QVERIFY(outcome.ok());
        const RunResult& run = outcome.value().result;
        QVERIFY(run.mismatches.empty());
        QCOMPARE(run.ranNodes, run.nodes);
        QCOMPARE(run.forced ? run.forced->runs : 0, runs);
        if (nodes >= 0) QCOMPARE(run.forced ? run.forced->nodes : 0, nodes);
        QCOMPARE(run.forced ? run.forced->open : 0, 0);
    }

    void aLargeGraphIsForcedOnDemand()
    {
        std::string text = "input x float32[1]\ninput c bool[]\ni: y = If(c)\nbody then_branch\n  t: p = Neg(x)\n"
                           "  output p\nend\nbody else_branch\n  e: q = Exp(x)\n  output q\nend\n";
        for (int i = 0; i < 10'000; ++i)
            text += "n" + std::to_string(i) + ": v" + std::to_string(i) + " = Neg(" +
                    (i == 0 ? "y" : "v" + std::to_string(i - 1)) + ")\n";
        const Report report = plannedForReference(text + "output v9999\n");
        const RunResult cheap = ran(report);
        QCOMPARE(cheap.forced->runs, 0);
        QCOMPARE(cheap.forced->open, 1);
        QCOMPARE(QString::fromStdString(english(cheap.forced->why)),
                 QStringLiteral("They would execute more than 10,000 nodes; --cover always forces them all."));
        const RunResult whole = ran(report, Cover::Always);
        QCOMPARE(whole.forced->open, 0);
        QCOMPARE(whole.ranNodes, whole.nodes);
    }

    void stepsOfForcedRunsAreTold()
    {
        struct Steps : kernels::RunObserver
        {
            std::vector<std::int64_t> forced = {0}; ///< Steps of each run, the first one's before them.
            void force(std::int64_t run) override
            {
                QCOMPARE(run, std::ssize(forced));
                forced.push_back(0);
            }
            void begin(const kernels::StepEvent& event) override
            {
                QCOMPARE(event.forced, forced.size() > 1);
                ++forced.back();
            }
        } steps;
        const Report report = plannedForReference(OneIf);
        const auto outcome = kernels::execute(report.program, {}, steps, {});
        QVERIFY(outcome.ok());
        QCOMPARE(std::ssize(steps.forced), outcome.value().result.forced->runs + 1);
        QVERIFY(std::ranges::all_of(steps.forced, [](std::int64_t count) { return count > 0; }));
    }
};

} // namespace

QTEST_GUILESS_MAIN(CoverageTest)
#include "tst_coverage.moc"
