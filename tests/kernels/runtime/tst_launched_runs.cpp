#include "kernels/cuda/cuda.h"
#include "tests/kernels/runtime/device_support.h"
#include "tests/kernels/runtime/run_support.h"
#include "tests/support/graph_text.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

/// TopK is the host's.
const char* const Interrupted = "input x float32[64]\nconst k int64[1] = 8\na: p = Exp(x)\nb: q, i = TopK(p, k)\n"
                                "c: y = Tanh(q)\noutput y\n";
const char* const Chain =
    "input x float32[64]\nparam w float32[64]\na: p = Exp(x)\nb: q = Mul(p, w)\nc: r = Sigmoid(q)\n"
    "d: y = Add(r, p)\noutput y\n";
const char* const TwoChains = "input x float32[64]\nna: a = Exp(x)\nnb: b = Neg(a)\nnc: c = Sin(x)\nnd: d = Cos(c)\n"
                              "ne: y = Add(b, d)\noutput y\n";
const char* const Nested = "input x float32[8]\ninput go bool[]\na: p = Exp(x)\nb: y = If(go)\n"
                           "body then_branch\n  t: u = Neg(p)\n  output u\nend\n"
                           "body else_branch\n  e: v = Abs(p)\n  output v\nend\noutput y\n";

Report planned(const Graph& graph, Policies policies = {})
{
    policies.backend = BackendPolicy::Cuda;
    PlanRequest request;
    request.policies = policies;
    const auto inferred = graphToDispatch(graph, request, {});
    if (!inferred.ok()) qFatal("%s", describe(inferred.error()).c_str());
    return test::plannedForDevice(graph, kernels::describeForCuda(inferred.value(), true, {}), policies);
}

Report planned(const char* text, Policies policies = {})
{
    return planned(test::graphFromText(text), policies);
}

Policies onTwoStreams(ReplayPolicy replay = ReplayPolicy::Once)
{
    Policies policies;
    policies.streams = 2;
    policies.replay = replay;
    policies.inplace = InplacePolicy::Off;
    return policies;
}

Policies replayed()
{
    Policies policies;
    policies.replay = ReplayPolicy::Graph;
    return policies;
}

/// On the device that the host plays.
RunResult resultOf(const Report& report, std::int64_t repeat = 1)
{
    kernels::RunRequest request;
    request.mode = kernels::RunMode::Numeric;
    request.repeat = repeat;
    request.devices["cuda:0"] = {std::move(kernels::emulateCudaDevice()).value(), true};
    const auto outcome = test::executed(report, {}, std::move(request));
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return outcome.value().result;
}

QString mismatchesOf(const RunResult& result)
{
    QString text;
    for (const RunResult::Mismatch& mismatch : result.mismatches)
        text += QString::fromStdString("'" + mismatch.value + "': " + mismatch.note) + u'\n';
    return text;
}

} // namespace

/// Plans that are handed to a device as a whole.
class tst_LaunchedRuns : public QObject
{
    Q_OBJECT

private slots:
    void aRunTellsWhatItTook()
    {
        const Report report = planned(Interrupted);
        const RunResult result = resultOf(report);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.copies.size(), std::size_t(2));
        const RunResult::Copies& in = result.copies.front();
        QCOMPARE(in.from + " " + in.to, std::string("cpu cuda:0"));
        QCOMPARE(in.count, 2); // x, and what TopK has chosen
        QCOMPARE(in.bytes, (64 + 8) * 4);
        const RunResult::Copies& out = result.copies.back();
        QCOMPARE(out.bytes, (64 + 8) * 4);
        QVERIFY(in.ms > 0 && out.ms > 0);
        QVERIFY(std::ranges::all_of(result.stepMs, [](double ms) { return ms > 0; }));
    }

    void bytesInUseAreThoseOfThePlan()
    {
        const Report report = planned(Interrupted);
        const RunResult result = resultOf(report);
        QCOMPARE(result.bytesInUse.size(), std::size_t(2));
        QCOMPARE(report.peakBytes, report.lowerBoundBytes);
        for (const PlannedArena& arena : report.map.arenas) {
            const auto& steps = result.bytesInUse.at(arena.space);
            QCOMPARE(static_cast<std::int64_t>(steps.size()), report.schedule.length());
            QCOMPARE(*std::ranges::max_element(steps), arena.bytes);
        }
    }

    void theWholePlanIsLaunched()
    {
        const RunResult result = resultOf(planned(Chain), 3);
        QCOMPARE(mismatchesOf(result), QString());
        QVERIFY(result.launched.has_value());
        QCOMPARE(result.launched->times, 3);
        QVERIFY(result.launched->eagerMs > 0);
        QCOMPARE(result.launched->replays, 0);
        QCOMPARE(result.launched->why, std::string());
    }

    void whatTheHostComputesInBetweenIsWaitedFor()
    {
        const RunResult result = resultOf(planned(Interrupted));
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 1);
    }

    void everyStreamIsFirstOnce()
    {
        const Report report = planned(TwoChains, onTwoStreams());
        QVERIFY(report.streams.several());
        const RunResult result = resultOf(report);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 2);
    }

    /// The judge finds it, the compared run in one of its orders, and the launched one by what the device really did.
    void aMissingEventShowsOnTheDevice_data()
    {
        QTest::addColumn<int>("event");
        const Report report = planned(TwoChains, onTwoStreams());
        for (std::size_t i = 0; i < report.streams.events.size(); ++i) {
            const StreamEvent& event = report.streams.events[i];
            QTest::addRow("%s, %s", (*report.graph)[event.signal].name.c_str(),
                          (*report.graph)[event.waiter].name.c_str())
                << static_cast<int>(i);
        }
    }

    void aMissingEventShowsOnTheDevice()
    {
        QFETCH(const int, event);
        Report report = planned(TwoChains, onTwoStreams(ReplayPolicy::Graph));
        report.streams.events.erase(report.streams.events.begin() + event);
        const RunResult result = resultOf(report);
        QVERIFY2(mismatchesOf(result).contains(QStringLiteral("launched on its streams without a wait")),
                 qPrintable(mismatchesOf(result)));
    }

    /// Indices that are not there yet are poison, which is outside of any tensor.
    void dataThatAMissingEventSpoilsIsNotTakenForABrokenDevice()
    {
        Graph graph = test::graphFromText("input x float32[64]\ninput s float32[64]\nna: a = Exp(x)\n"
                                          "nb: i = Cast(s) to=7\nnc: y = Gather(a, i)\noutput y\n");
        for (const char* name : {"na", "nb", "nc"})
            graph[findNode(graph, name)].stream = name == std::string_view("nb") ? 1 : 0;
        Policies policies;
        policies.streams = CapturedStreams;
        Report report = planned(graph, policies);
        QVERIFY(report.streams.several());
        report.streams.events.clear();
        const QString found = mismatchesOf(resultOf(report));
        QVERIFY2(found.contains(QStringLiteral("It could not be launched as a whole: ")), qPrintable(found));
        QVERIFY2(found.contains(QStringLiteral("an index lies outside")), qPrintable(found));
    }

    void aPlanIsCapturedAndReplayed()
    {
        const RunResult result = resultOf(planned(TwoChains, onTwoStreams(ReplayPolicy::Graph)), 4);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->replays, 4);
        QVERIFY(result.launched->captureMs > 0 && result.launched->replayMs > 0);
        QVERIFY(result.replayed.has_value());
    }

    void aPlanWithWorkOfTheHostIsNotCaptured()
    {
        const RunResult result = resultOf(planned(Interrupted, replayed()));
        QCOMPARE(result.launched->times, 1);
        QCOMPARE(result.launched->replays, 0);
        QCOMPARE(result.launched->why, std::string("It was not captured as a graph: 'b' is computed by the host."));
    }

    void nestedGraphsStayWithTheHost()
    {
        const Report report = planned(Nested);
        for (std::size_t i = 0; i < report.graph->nodes.size(); ++i) {
            if (report.graph->nodes[i].body != TopBody || !report.graph->nodes[i].bodies.empty())
                QCOMPARE(report.implementations[i].device, std::string());
        }
        const RunResult result = resultOf(report);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->why,
                 std::string("It was not launched as a whole: the nested graphs of 'b' are run by the host."));
    }
};

QTEST_APPLESS_MAIN(tst_LaunchedRuns)
#include "tst_launched_runs.moc"
