#include "core/advice/reordered_plan.h"

#include "core/pipeline/pipeline.h"
#include "tests/core/advice/damaged_diamond.h"

#include <QTest>

using namespace plimsoll;

namespace {

constexpr std::string_view Nested = R"(input x float32[4]
input k bool[]
n0: a = Neg(x)
n1: b = If(k)
body then_branch
  t0: u = Exp(x)
  output u
end
body else_branch
  t1: v = Tanh(a)
  output v
end
n2: c = Sin(x)
n3: d = Add(b, c)
output d
)";

/// "n1 n0 n2 n3", or what is wrong.
QString moved(const Report& report, const char* node, bool earlier)
{
    const auto plan = reordered(planOf(report), report, findNode(*report.program.graph, node), earlier);
    if (!plan.ok()) return QString::fromStdString(describe(plan.error()));
    QStringList steps;
    for (const std::string& step : *plan.value().steps)
        steps << QString::fromStdString(step);
    return steps.join(u' ');
}

} // namespace

/// A node of a plan one place earlier or later.
class ReorderedPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighboursChangePlaces();
    void whatNeedsTheOtherIsNamed();
    void theFirstAndTheLastStay();
    void aPlanWithoutAnOrderGetsOne();
    void whatIsNestedGoesAlong();
    void bytesThatChangeKeepTheirReaders();
    void whatWasAddedStaysBehindItsStep();
    void theJudgeTakesTheOrder();
    void aNodeGoesPastAllInBetween();
};

/// "n2" before "n0", past n1; each refusal names what stands in between.
void ReorderedPlanTest::aNodeGoesPastAllInBetween()
{
    const Report report = test::planned(R"(
input x float32[4]
n0: a = Neg(x)
n1: b = Sin(x)
n2: c = Cos(x)
n3: d = Add(b, c)
n4: e = Add(a, d)
output e
)");
    const auto before = [&](const char* node, const char* other) {
        const Graph& graph = *report.program.graph;
        const auto plan = movedBefore(planOf(report), report, findNode(graph, node), findNode(graph, other));
        if (!plan.ok()) return QString::fromStdString(describe(plan.error()));
        QStringList steps;
        for (const std::string& step : *plan.value().steps)
            steps << QString::fromStdString(step);
        return steps.join(u' ');
    };
    QCOMPARE(before("n2", "n0"), QStringLiteral("n2 n0 n1 n3 n4"));
    QCOMPARE(before("n0", "n4"), QStringLiteral("n1 n2 n3 n0 n4"));
    QCOMPARE(before("n3", "n0"), QStringLiteral("'n3' reads 'b', which 'n1' makes."));
    QCOMPARE(before("n1", "n4"), QStringLiteral("'n3' reads 'b', which 'n1' makes."));
    QCOMPARE(before("n0", "n1"), QStringLiteral("'n0' already runs just before 'n1'."));
}

void ReorderedPlanTest::neighboursChangePlaces()
{
    const Report report = test::planned(test::Diamond);
    QCOMPARE(moved(report, "n1", true), QStringLiteral("n1 n0 n2 n3"));
    QCOMPARE(moved(report, "n0", false), QStringLiteral("n1 n0 n2 n3"));
}

void ReorderedPlanTest::whatNeedsTheOtherIsNamed()
{
    const Report report = test::planned(test::Diamond);
    QCOMPARE(moved(report, "n2", true), QStringLiteral("'n2' reads 'b', which 'n1' makes."));
    QCOMPARE(moved(report, "n1", false), QStringLiteral("'n2' reads 'b', which 'n1' makes."));
}

void ReorderedPlanTest::theFirstAndTheLastStay()
{
    const Report report = test::planned(test::Diamond);
    QCOMPARE(moved(report, "n0", true), QStringLiteral("'n0' is the first that runs in its graph."));
    QCOMPARE(moved(report, "n3", false), QStringLiteral("'n3' is the last that runs in its graph."));
}

void ReorderedPlanTest::aPlanWithoutAnOrderGetsOne()
{
    const PlanRequest request = test::diamondPlan(128);
    const Report report = test::planned(test::Diamond, request);
    QVERIFY(!request.givenPlan->steps);
    const auto plan = reordered(*request.givenPlan, report, findNode(*report.program.graph, "n1"), true);
    QCOMPARE(plan.value().steps->front(), std::string("n1"));
}

void ReorderedPlanTest::whatIsNestedGoesAlong()
{
    const Report report = test::planned(Nested);
    QCOMPARE(moved(report, "n2", true), QStringLiteral("n0 n2 n1 n1/then_branch/t0 n1/else_branch/t1 n3"));
    QCOMPARE(moved(report, "n1", false), QStringLiteral("n0 n2 n1 n1/then_branch/t0 n1/else_branch/t1 n3"));
    QCOMPARE(moved(report, "n1", true), QStringLiteral("'n1' reads 'a', which 'n0' makes.")); // inside
    QCOMPARE(moved(report, "n1/else_branch/t1", true),
             QStringLiteral("'n1/else_branch/t1' is the first that runs in its graph."));
}

void ReorderedPlanTest::bytesThatChangeKeepTheirReaders()
{
    const Report report = test::planned("input x float32[4]\nn0: a = Neg(x)\nn1: b = Exp(a)\nn2: c = my::Add(a, x) "
                                        "alias=0:mutates:0\nvalue c float32[4]\n"
                                        "n3: d = Add(b, c)\noutput d\n");
    QCOMPARE(moved(report, "n2", true), QStringLiteral("'n1' and 'n2' use the bytes of 'a', and one changes them."));
}

void ReorderedPlanTest::whatWasAddedStaysBehindItsStep()
{
    PlanRequest request = test::diamondPlan(128);
    PlanFile more = *request.givenPlan;
    more.arenas.front().bytes = 512;
    more.entries.push_back({"extra", ArenaId(0), 256, 64, {}, 0});  // behind n0
    more.entries.push_back({"others", ArenaId(0), 320, 64, {}, 2}); // behind n2
    request.givenPlan = sharedPlan(std::move(more));
    const Report report = test::planned(test::Diamond, request);
    const auto plan = reordered(*request.givenPlan, report, findNode(*report.program.graph, "n1"), true).value();
    QCOMPARE(*plan.steps, (std::vector<std::string> {"n1", "n0", "n2", "n3"}));
    QCOMPARE(plan.entries[4].afterStep.value_or(-1), 1);
    QCOMPARE(plan.entries[5].afterStep.value_or(-1), 2);
}

void ReorderedPlanTest::theJudgeTakesTheOrder()
{
    PlanRequest request = test::diamondPlan(128);
    const Report report = test::planned(test::Diamond, request);
    request.givenPlan =
        sharedPlan(reordered(*request.givenPlan, report, findNode(*report.program.graph, "n1"), true).value());
    const Report after = test::planned(test::Diamond, request);
    QCOMPARE(after.program.schedule.stepOf(findNode(*after.program.graph, "n1")), 0);
    QCOMPARE(countFindings(after, Severity::Error), std::size_t(0));
}

QTEST_APPLESS_MAIN(ReorderedPlanTest)
#include "tst_reordered_plan.moc"
