#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"

#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_graph.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

constexpr std::string_view Diamond = "input x float32[4,4]\n"
                                     "n1: a = Sin(x)\n"
                                     "n2: b = Cos(x)\n"
                                     "n3: y = Add(a, b)\n"
                                     "output y\n";

constexpr std::string_view Nested = "input k bool[]\n"
                                    "input x float32[16]\n"
                                    "i: y = If(k)\n"
                                    "body then_branch\n"
                                    "  a: t = Sin(x)\n"
                                    "  b: u = Cos(t)\n"
                                    "  output u\n"
                                    "end\n"
                                    "body else_branch\n"
                                    "  c: e = Neg(x)\n"
                                    "  output e\n"
                                    "end\n"
                                    "output y\n";

constexpr std::string_view Looped = "const n int64[] = 3\n"
                                    "const on bool[] = 1\n"
                                    "input x float32[16]\n"
                                    "l: y = Loop(n, on, x)\n"
                                    "body body\n"
                                    "  input i int64[]\n"
                                    "  input go bool[]\n"
                                    "  input s float32[16]\n"
                                    "  a: t = Sin(s)\n"
                                    "  b: u = Cos(t)\n"
                                    "  c: e = Neg(x)\n"
                                    "  d: more = Identity(go)\n"
                                    "  output more u\n"
                                    "end\n"
                                    "output y\n";

/// Every value of a plan of our own may be given bytes apart from all others.
Report withSteps(const Graph& graph, const std::vector<std::string>& steps, bool apart = true)
{
    PlanRequest request;
    request.policies.backend = BackendPolicy::Reference;
    auto own = analyse(graph, request, {});
    if (!own.ok()) qFatal("%s", describe(own.error()).c_str());
    PlanFile plan = planOf(own.value());
    std::int64_t top = 0;
    for (PlanFile::Entry& entry : plan.entries) {
        if (!apart) break;
        entry.offset = top;
        top += (entry.bytes + 63) / 64 * 64;
    }
    if (apart) plan.arenas.front().bytes = top;
    plan.steps = steps;
    request.givenPlan = sharedPlan(std::move(plan));
    auto report = analyse(graph, request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

QStringList mismatchesOf(const kernels::RunOutcome& outcome)
{
    QStringList values;
    for (const RunResult::Mismatch& mismatch : outcome.result.mismatches)
        values << QString::fromStdString(mismatch.value);
    return values;
}

} // namespace

class TestRunOrders : public QObject
{
    Q_OBJECT

private slots:
    void aPlanRunsInItsOwnOrder()
    {
        const Report report = withSteps(test::graphFromText(Diamond), {"n2", "n1", "n3"});
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok());
        QCOMPARE(mismatchesOf(outcome.value()), QStringList());
        const Schedule& schedule = report.program.schedule;
        QCOMPARE(schedule.stepOf(findNode(*report.program.graph, "n2")), 0);
        QVERIFY(outcome.value().result.stepMs.size() == 3);
    }

    /// What is read before it is made is what lies there.
    void anOrderThatReadsTooEarlyShows()
    {
        const auto outcome = test::executed(withSteps(test::graphFromText(Diamond), {"n1", "n3", "n2"}));
        QVERIFY(outcome.ok());
        QCOMPARE(mismatchesOf(outcome.value()), (QStringList {QStringLiteral("b"), QStringLiteral("y")}));
    }

    /// Old content of its bytes was there before, and is not written over it.
    void whatIsReadTooEarlyIsNotCalledOverwritten()
    {
        const Graph graph = test::graphFromText("input x float32[16]\n"
                                                "p: a = Sin(x)\n"
                                                "q: c = ReduceSum(a)\n"
                                                "r: b = Neg(x)\n"
                                                "s: y = Add(b, c)\n"
                                                "output y\n");
        const Report report = withSteps(graph, {"p", "q", "s", "r"}, false);
        const auto offset = [&](std::string_view name) {
            return report.program.values[findValue(graph, name).index()].offset;
        };
        QCOMPARE(offset("b"), offset("a"));
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok());
        const auto& mismatch = outcome.value().result.mismatches.front();
        QCOMPARE(mismatch.value, std::string("b"));
        QCOMPARE(mismatch.overwrittenBy, std::string());
        const std::string note = english(mismatch.note);
        QVERIFY2(note.find("elements differ") != std::string::npos && note.ends_with("; read before it is made"),
                 note.c_str());
    }

    void anOrderThatWritesTooEarlyShows()
    {
        const Graph graph = test::graphFromText("input x float32[16]\n"
                                                "p: v = Sin(x)\n"
                                                "r: before = Cos(v)\n"
                                                "m: w = plimsoll::Add_(v, x)\n"
                                                "s: after = Neg(w)\n"
                                                "output before after\n");
        QVERIFY(test::executed(withSteps(graph, {"p", "r", "m", "s"}, false)).value().result.mismatches.empty());
        const auto outcome = test::executed(withSteps(graph, {"p", "m", "r", "s"}, false));
        QVERIFY(outcome.ok());
        QVERIFY(mismatchesOf(outcome.value()).contains(QStringLiteral("v")));
    }

    /// Whichever branch the drawn condition takes: the others are forced.
    void insideABranchItShows()
    {
        const Graph graph = test::graphFromText(Nested);
        const auto fine =
            test::executed(withSteps(graph, {"i", "i/then_branch/a", "i/then_branch/b", "i/else_branch/c"}));
        QVERIFY(fine.ok());
        QCOMPARE(mismatchesOf(fine.value()), QStringList());
        const auto early =
            test::executed(withSteps(graph, {"i", "i/then_branch/b", "i/then_branch/a", "i/else_branch/c"}));
        QVERIFY2(early.ok(), early.ok() ? "" : describe(early.error()).c_str());
        QVERIFY(mismatchesOf(early.value()).contains(QStringLiteral("i/then_branch/t")));
        QVERIFY(mismatchesOf(early.value()).contains(QStringLiteral("y")));
    }

    /// At each iteration the oracle has what is made there.
    void insideALoopItShows()
    {
        const Graph graph = test::graphFromText(Looped);
        const auto fine = test::executed(withSteps(graph, {"l", "l/body/a", "l/body/b", "l/body/c", "l/body/d"}));
        QVERIFY2(fine.ok(), fine.ok() ? "" : describe(fine.error()).c_str());
        QCOMPARE(mismatchesOf(fine.value()), QStringList());
        const auto early = test::executed(withSteps(graph, {"l", "l/body/b", "l/body/a", "l/body/c", "l/body/d"}));
        QVERIFY2(early.ok(), early.ok() ? "" : describe(early.error()).c_str());
        const QStringList found = mismatchesOf(early.value());
        QVERIFY(found.contains(QStringLiteral("l/body/t")));
        QVERIFY(found.contains(QStringLiteral("y")));
        QVERIFY(!found.contains(QStringLiteral("l/body/e"))); // what it reads is there in time
    }

    /// The bytes may happen to be those that are made afterwards.
    void whatIsReadTooEarlyShowsThoughItIsEqual()
    {
        const Graph graph = test::graphFromText("input x float32[16]\n"
                                                "p: a = Identity(x)\n"
                                                "r: b = Identity(a)\n"
                                                "s: y = Sin(b)\n"
                                                "output y\n");
        Report report = withSteps(graph, {"r", "p", "s"});
        MemoryMap& map = report.program.map;
        map.values[findValue(graph, "a").index()] = {ArenaId(), 0, 64, findValue(graph, "x")};
        const auto outcome = test::executed(report);
        QVERIFY(outcome.ok());
        QVERIFY(!outcome.value().result.mismatches.empty());
        QCOMPARE(outcome.value().result.mismatches.front().value, std::string("a"));
        QCOMPARE(english(outcome.value().result.mismatches.front().note), std::string("read before it is made"));
    }
};

QTEST_APPLESS_MAIN(TestRunOrders)
#include "tst_run_orders.moc"
