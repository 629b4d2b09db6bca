#include "core/graph/schedule.h"

#include "tests/support/graph_text.h"

#include <QtTest>

#include <array>

using namespace plimsoll;

namespace {

std::string describe(const Graph& graph, const Schedule& schedule)
{
    constexpr std::array Kinds = {"", "enter ", "leave ", "exit "};
    std::string text;
    for (const Step& step : schedule.steps) {
        const bool leave = step.kind == StepKind::Leave;
        text += (text.empty() ? "" : ", ") + std::string(Kinds[static_cast<std::size_t>(step.kind)]) +
                (leave ? graph[step.body].name : graph[step.node].name);
    }
    return text;
}

} // namespace

class ScheduleTest : public QObject
{
    Q_OBJECT

private slots:
    void branchesAreNumberedOneAfterTheOther()
    {
        // step  0    1      2   3   4      5   6      7     8
        //       pre  Enter  t1  t2  Leave  e1  Leave  Exit  post
        //            [--------- choose spans [1, 8) ------)
        const Graph graph = test::graphFromText(test::samples::Branches);

        const Schedule schedule = scheduleInCapturedOrder(graph);

        QCOMPARE(describe(graph, schedule),
                 std::string("pre, enter choose, choose/then_branch/t1, choose/then_branch/t2, leave then_branch, "
                             "choose/else_branch/e1, leave else_branch, exit choose, post"));
        const NodeId owner = findNode(graph, "choose");
        QVERIFY(schedule.nodes[owner.index()] == (Interval {1, 8}));
        QVERIFY(schedule.bodies[graph[owner].bodies[0].index()] == (Interval {2, 5}));
        QVERIFY(schedule.bodies[graph[owner].bodies[1].index()] == (Interval {5, 7}));
        QVERIFY(schedule.bodies[TopBody.index()] == (Interval {0, 9}));
        QCOMPARE(schedule.leaveStep(graph[owner].bodies[0]), std::int64_t(4));
        QCOMPARE(schedule.exitStep(owner), std::int64_t(7));
    }

    void aNodeComputedAheadTakesNoStep()
    {
        Graph graph = test::graphFromText(test::samples::Chain);
        const NodeId ahead = findNode(graph, "n1");
        graph.decided.at(ahead).ahead = true;

        const Schedule schedule = scheduleInCapturedOrder(graph);

        QCOMPARE(schedule.length(), std::int64_t(3));
        QVERIFY(schedule.nodes[ahead.index()].empty());
        QCOMPARE(schedule.stepOf(findNode(graph, "n2")), std::int64_t(1));
    }

    void anEmptyBranchStillLeaves()
    {
        const Graph graph =
            test::graphFromText("input c bool[]\ninput x float32[1]\nn: y = If(c)\nbody then_branch\noutput x\nend\n"
                                "body else_branch\noutput x\nend\noutput y");

        QCOMPARE(describe(graph, scheduleInCapturedOrder(graph)),
                 std::string("enter n, leave then_branch, leave else_branch, exit n"));
    }

    void nestedOwnersNestTheirSpans()
    {
        const Graph graph = test::graphFromText(R"(
            input c bool[]
            a: y = If(c)
            body then_branch
              b: z = If(c)
              body then_branch
                d: u = Not(c)
                output u
              end
              output z
            end
            output y
        )");

        const Schedule schedule = scheduleInCapturedOrder(graph);

        QVERIFY(schedule.nodes[findNode(graph, "a").index()] == (Interval {0, 7}));
        QVERIFY(schedule.nodes[findNode(graph, "a/then_branch/b").index()] == (Interval {1, 5}));
        QCOMPARE(schedule.stepOf(findNode(graph, "a/then_branch/b/then_branch/d")), std::int64_t(2));
    }
};

QTEST_APPLESS_MAIN(ScheduleTest)
#include "tst_schedule.moc"
