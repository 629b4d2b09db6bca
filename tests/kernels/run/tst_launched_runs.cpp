#include "core/facts/english/english.h"
#include "core/facts/words/run_sentences.h"
#include "kernels/cuda/cuda.h"
#include "tests/kernels/run/device_support.h"
#include "tests/kernels/run/run_support.h"
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
const char* const Nested = "input x float32[8]\ninput go bool[]\na: p = Exp(x)\nz: q = Sin(x)\nb: y = If(go)\n"
                           "body then_branch\n  t: u = Neg(p)\n  output u\nend\n"
                           "body else_branch\n  e: v = Abs(p)\n  output v\nend\nc: o = Add(y, q)\noutput o\n";

/// \p onAnother: nodes that the device cuda:1 offers to compute in place of cuda:0.
Report planned(const Graph& graph, Policies policies = {}, const QStringList& onAnother = {})
{
    policies.backend = BackendPolicy::Cuda;
    PlanRequest request;
    request.policies = policies;
    const auto inferred = graphToDispatch(graph, request, {});
    if (!inferred.ok()) qFatal("%s", describe(inferred.error()).c_str());
    Catalogue catalogue = kernels::describeForCuda(inferred.value(), {.cublas = true}, {});
    for (const QString& node : onAnother) {
        for (Implementation& offer : catalogue.offers.at(node.toStdString()))
            offer.device = "cuda:1";
    }
    return test::plannedForDevice(graph, std::move(catalogue), policies);
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
RunResult resultOf(const Report& report, std::int64_t repeat = 1, kernels::RunMode mode = kernels::RunMode::Numeric)
{
    kernels::RunRequest request;
    request.mode = mode;
    request.repeat = repeat;
    for (const int number : {0, 1})
        request.devices["cuda:" + std::to_string(number)] = {std::move(kernels::emulateCudaDevice(number)).value(),
                                                             true};
    const auto outcome = test::executed(report, {}, std::move(request));
    if (!outcome.ok()) qFatal("%s", describe(outcome.error()).c_str());
    return outcome.value().result;
}

QString mismatchesOf(const RunResult& result)
{
    QString text;
    for (const RunResult::Mismatch& mismatch : result.mismatches)
        text += QString::fromStdString("'" + mismatch.value + "': " + english(mismatch.note)) + u'\n';
    return text;
}

/// Every value for itself: nothing that a run leaves is written over by another value.
void placeApart(Report& report)
{
    const ArenaId device(report.program.map.arenas.size() - 1);
    std::int64_t end = 0;
    for (ValuePlacement& where : report.program.map.values) {
        if (!where.placed() || where.arena != device) continue;
        where.offset = end;
        end += 512;
    }
    report.program.map.arenas[device.index()].bytes = end;
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
        QCOMPARE(report.memory.peakBytes, report.memory.lowerBoundBytes);
        for (const PlannedArena& arena : report.program.map.arenas) {
            const auto& steps = result.bytesInUse.at(arena.space);
            QCOMPARE(static_cast<std::int64_t>(steps.size()), report.program.schedule.length());
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
        QCOMPARE(english(result.launched->why), std::string());
    }

    void whatTheHostComputesInBetweenIsWaitedFor()
    {
        const RunResult result = resultOf(planned(Interrupted));
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 1);
        QCOMPARE(result.launched->stretches, 2);
    }

    void everyStreamIsFirstOnce()
    {
        const Report report = planned(TwoChains, onTwoStreams());
        QVERIFY(report.program.streams.several());
        const RunResult result = resultOf(report);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 2);
    }

    /// The judge finds it, the compared run in one of its orders, and the launched one by what the device really did.
    void aMissingEventShowsOnTheDevice_data()
    {
        QTest::addColumn<int>("event");
        const Report report = planned(TwoChains, onTwoStreams());
        for (std::size_t i = 0; i < report.program.streams.events.size(); ++i) {
            const StreamEvent& event = report.program.streams.events[i];
            QTest::addRow("%s, %s", (*report.program.graph)[event.signal].name.c_str(),
                          (*report.program.graph)[event.waiter].name.c_str())
                << static_cast<int>(i);
        }
    }

    void aMissingEventShowsOnTheDevice()
    {
        QFETCH(const int, event);
        Report report = planned(TwoChains, onTwoStreams(ReplayPolicy::Graph));
        report.program.streams.events.erase(report.program.streams.events.begin() + event);
        const RunResult result = resultOf(report);
        QVERIFY2(mismatchesOf(result).contains(QStringLiteral("launched on its streams without a wait")),
                 qPrintable(mismatchesOf(result)));
    }

    /// In the second launch the reader's stream comes first: what the first one made must not stand in for it.
    void whatAnEarlierLaunchLeftHidesNoMissingEvent()
    {
        Graph graph = test::graphFromText("input x float32[64]\nna: a = Exp(x)\nnb: y = Neg(a)\noutput y\n");
        graph[findNode(graph, "nb")].at.edit().stream = 1;
        for (const char* name : {"x", "y"})
            graph[findValue(graph, name)].at.edit().space = "cuda:0";
        Policies policies = onTwoStreams();
        policies.streams = CapturedStreams;
        Report report = planned(graph, policies);
        placeApart(report);
        QCOMPARE(mismatchesOf(resultOf(report)), QString());
        QCOMPARE(report.program.streams.events.size(), std::size_t(1));
        report.program.streams.events.clear();
        const QString found = mismatchesOf(resultOf(report));
        QVERIFY2(found.contains(QStringLiteral("launched on its streams without a wait")), qPrintable(found));
    }

    void aValueIsToldOnceHoweverOftenItIsWrong()
    {
        Report report = planned(TwoChains, onTwoStreams(ReplayPolicy::Graph));
        report.program.streams.events.clear();
        const QString found = mismatchesOf(resultOf(report, 3));
        QCOMPARE(found.count(QStringLiteral("launched on its streams")) +
                     found.count(QStringLiteral("in a replay of the graph")),
                 1);
    }

    /// The host computes in the second stream, and a graph is replayed in the first.
    void aReplayIsWaitedForWhicheverStreamTheHostIsIn()
    {
        Graph graph = test::graphFromText(Interrupted);
        graph[findNode(graph, "b")].at.edit().stream = 1;
        Policies policies = replayed();
        policies.streams = CapturedStreams;
        const Report report = planned(graph, policies);
        QVERIFY(report.program.streams.several());
        const RunResult result = resultOf(report, 2);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->replays, 2);
        QCOMPARE(english(result.launched->why), std::string());
    }

    /// He gave the input away, and the first launch has written over it.
    void inputsAreBroughtAnewForEveryLaunch()
    {
        Graph graph = test::graphFromText("input x float32[64]\na: p = Exp(x)\nb: y = Neg(p)\noutput y\n");
        graph[findValue(graph, "x")].visible = false;
        for (const char* name : {"x", "y"})
            graph[findValue(graph, name)].at.edit().space = "cuda:0";
        Policies policies = replayed();
        policies.inputs = InputsPolicy::Donate;
        const Report report = planned(graph, policies);
        QCOMPARE(report.program.map.values[findValue(*report.program.graph, "p").index()].host,
                 findValue(*report.program.graph, "x"));
        const RunResult result = resultOf(report, 3);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 3);
        QCOMPARE(result.launched->replays, 3);
    }

    /// Indices that are not there yet are poison, which is outside of any tensor.
    void dataThatAMissingEventSpoilsIsNotTakenForABrokenDevice()
    {
        Graph graph = test::graphFromText("input x float32[64]\ninput s float32[64]\nna: a = Exp(x)\n"
                                          "nb: i = Cast(s) to=7\nnc: y = Gather(a, i)\noutput y\n");
        for (const char* name : {"na", "nb", "nc"})
            graph[findNode(graph, name)].at.edit().stream = name == std::string_view("nb") ? 1 : 0;
        Policies policies;
        policies.streams = CapturedStreams;
        Report report = planned(graph, policies);
        QVERIFY(report.program.streams.several());
        report.program.streams.events.clear();
        const QString found = mismatchesOf(resultOf(report));
        QVERIFY2(found.contains(QStringLiteral("It could not be launched as a whole: ")), qPrintable(found));
        QVERIFY2(found.contains(QStringLiteral("An index lies outside")), qPrintable(found));
    }

    /// The compared run hashes what the kernel refuses; a launch has no hashes.
    void dataThatTheComparedRunRefusesIsNotTakenForABrokenDevice()
    {
        const Report report = planned("input x float32[8,64]\ninput i int64[2]\nna: a = Exp(x)\n"
                                      "nb: w = ConstantOfShape(i)\nnc: y = MatMul(a, w)\n"
                                      "value y float32[8,4]\noutput y\n");
        const RunResult result = resultOf(report, 1, kernels::RunMode::Auto);
        QCOMPARE(result.fingerprintedNodes, 1);
        QCOMPARE(mismatchesOf(result), QString());
        QVERIFY(english(result.launched->why).find("do not multiply") != std::string::npos);
    }

    void aPlanIsCapturedAndReplayed()
    {
        const RunResult result = resultOf(planned(TwoChains, onTwoStreams(ReplayPolicy::Graph)), 4);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->replays, 4);
        QVERIFY(result.launched->captureMs > 0 && result.launched->replayMs > 0);
        QVERIFY(result.replayed.has_value());
    }

    void aPlanWithWorkOfTheHostIsCapturedInStretches()
    {
        const RunResult result = resultOf(planned(Interrupted, replayed()), 3);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->stretches, 2);
        QCOMPARE(result.launched->replays, 3);
        QCOMPARE(english(result.launched->why), std::string());
        QVERIFY(english(deviceSentences(result).back()).starts_with("captured as 2 graphs in "));
    }

    /// What the host makes has another address each time.
    void whatIsNotPlannedIsNotCaptured()
    {
        Report report = planned(Interrupted, replayed());
        report.program.map.values[findValue(*report.program.graph, "q").index()] = {};
        const RunResult result = resultOf(report);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 1);
        QCOMPARE(result.launched->replays, 0);
        QCOMPARE(english(result.launched->why),
                 std::string("It was not captured as a graph: 'q' gets memory at run time."));
    }

    void memoryOfTheDeviceAtRunTimeIsNotLaunched()
    {
        Report report = planned(Chain);
        report.program.map.values[findValue(*report.program.graph, "q").index()] = {};
        const RunResult result = resultOf(report);
        QCOMPARE(result.launched->times, 0);
        QCOMPARE(english(result.launched->why),
                 std::string("It was not launched as a whole: 'b' gets memory at run time."));
    }

    void aScratchpadAtRunTimeIsNotLaunched()
    {
        Report report = planned(Chain);
        report.program.implementations.at(findNode(*report.program.graph, "c")).scratchpadBytes = 64;
        const RunResult result = resultOf(report);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 0);
        QCOMPARE(english(result.launched->why),
                 std::string("It was not launched as a whole: 'c' gets memory at run time."));
    }

    void nestedGraphsAreRunInBetween()
    {
        const Report report = planned(Nested, replayed());
        QCOMPARE(report.program.implementations[findNode(*report.program.graph, "b")].device, std::string());
        QCOMPARE(report.program.implementations[findNode(*report.program.graph, "b/then_branch/t")].device,
                 std::string("cuda:0"));
        const RunResult result = resultOf(report, 2);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->times, 2);
        QCOMPARE(result.launched->replays, 2);
        QCOMPARE(result.launched->stretches, 2); // p on its way to the branches, and what comes behind
        QCOMPARE(english(result.launched->why),
                 std::string("'b' ran its nested graphs step by step, beside the oracle, in between."));
    }

    void damageInsideANestedGraphShowsBesideItsOracle()
    {
        Report report = planned(Nested);
        const ValueId p = findValue(*report.program.graph, "p");
        const ValueId q = findValue(*report.program.graph, "q");
        report.program.map.values[q.index()] =
            report.program.map.values[p.index()]; // p dies before the branches read it
        const QString found = mismatchesOf(resultOf(report));
        QVERIFY2(found.startsWith(QStringLiteral("'p': ")), qPrintable(found));
    }

    /// One waits for the other where a value goes from device to device.
    void aPlanOfSeveralDevicesIsLaunchedInStretches_data()
    {
        QTest::addColumn<QStringList>("other");
        QTest::addColumn<int>("stretches");
        QTest::newRow("the middle") << QStringList {QStringLiteral("b")} << 3;
        QTest::newRow("every second") << QStringList {QStringLiteral("b"), QStringLiteral("d")} << 4;
        QTest::newRow("the end") << QStringList {QStringLiteral("c"), QStringLiteral("d")} << 3; // q, then p
    }

    void aPlanOfSeveralDevicesIsLaunchedInStretches()
    {
        QFETCH(QStringList, other);
        QFETCH(int, stretches);
        const Report report = planned(test::graphFromText(Chain), replayed(), other);
        const RunResult result = resultOf(report, 2);
        QCOMPARE(mismatchesOf(result), QString());
        QCOMPARE(result.launched->stretches, stretches);
        QCOMPARE(result.launched->times, 2);
        QCOMPARE(result.launched->replays, 2);
        QCOMPARE(english(result.launched->why), std::string());
    }
};

QTEST_APPLESS_MAIN(tst_LaunchedRuns)
#include "tst_launched_runs.moc"
