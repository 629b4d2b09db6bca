#include "core/facts/english/english.h"
#include "core/formats/plimsoll/plan_json.h"
#include "core/formats/read_graph.h"
#include "core/picture/plan_picture.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"
#include "core/report/writers.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

Report planned(const Graph& graph, const char* streams, const char* placement = "best")
{
    PlanRequest request;
    test::choose(request.policies, {{"streams", streams}, {"placement", placement}});
    return analyse(graph, request, {}).value();
}

Result<Report> judged(const Graph& graph, PlanFile plan)
{
    PlanRequest request;
    request.givenPlan = sharedPlan(std::move(plan));
    return analyse(graph, request, {});
}

/// Two branches of three values each, all of one size.
const char* const Branches = "input x float32[64]\np: vp = Exp(x)\n"
                             "a: va = Sin(vp)\nb: vb = Cos(va)\nc: vc = Sin(vb)\n"
                             "d: vd = Sin(vp)\ne: ve = Cos(vd)\nf: vf = Sin(ve)\n"
                             "j: vj = Add(vc, vf)\noutput vj\n";

std::string errorsOf(const Report& report)
{
    std::string text;
    for (const Finding& finding : report.verdict.findings) {
        if (finding.severity == Severity::Error)
            text += std::string(ruleId(finding.rule)) + ": " + english(finding.message) + "\n";
    }
    return text;
}

QString decisionOn(const Report& report, const char* subject, const char* kind)
{
    for (const Decision& decision : report.decisions) {
        if (decision.subject == subject && decisionKindId(decision.kind) == kind)
            return QString::fromStdString(english(decision.reason));
    }
    return {};
}

} // namespace

class tst_PipelineStreams : public QObject
{
    Q_OBJECT

private slots:
    void streamsThatNobodyUsesChangeNothing_data()
    {
        QTest::addColumn<QString>("file");
        const QDir folder(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/examples"));
        for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
            if (name != QStringLiteral("index.json") && !name.startsWith(QStringLiteral("broken")))
                QTest::newRow(qPrintable(name)) << folder.filePath(name);
        }
    }
    /// All on one stream by the file's word, against the plan that knows of no streams: byte for byte.
    void streamsThatNobodyUsesChangeNothing()
    {
        QFETCH(QString, file);
        Graph graph = readGraph(file.toStdString(), {}).value();
        const std::string before = planJsonText(planOf(planned(graph, "1")));
        for (Node& node : graph.nodes)
            node.at.edit().stream = 0;
        const Report captured = planned(graph, "captured");
        QVERIFY(!captured.program.streams.several());
        QCOMPARE(planJsonText(planOf(captured)), before);
    }

    void branchesCostWhatTheyHoldBesideEachOther()
    {
        const Graph graph = test::graphFromText(Branches);
        const Report one = planned(graph, "1");
        const Report two = planned(graph, "2");
        QCOMPARE(two.program.streams.count(), 2);
        QCOMPARE(errorsOf(two), std::string());
        QVERIFY(two.memory.lowerBoundBytes > one.memory.lowerBoundBytes);
        QVERIFY(two.memory.peakBytes >= two.memory.lowerBoundBytes);
        QVERIFY2(two.memory.peakBytes < 6 * 256, "values of one stream still share with each other");
    }

    void streamsOfTheFileThatNobodyAskedForAreNoted()
    {
        Graph graph = test::graphFromText(Branches);
        QVERIFY(planned(graph, "1").notes.empty());
        graph.nodes[4].at.edit().stream = 1;
        graph.nodes[0].at.edit().stream = 0;
        const Report report = planned(graph, "1");
        QCOMPARE(report.notes.size(), std::size_t(1));
        QVERIFY(english(report.notes)[0].find("streams=captured") != std::string::npos);
        QVERIFY(planned(graph, "captured").notes.empty());
    }

    /// A plan that keeps bytes longer than needed claims no bound.
    void blocksOfMxnetAreKeptUntilAllStreamsHaveWaited()
    {
        const Graph graph = test::graphFromText(Branches);
        const Report report = planned(graph, "2", "storage-reuse");
        QCOMPARE(errorsOf(report), std::string());
        QVERIFY(report.memory.lowerBoundBytes <= planned(graph, "2").memory.lowerBoundBytes);
        QVERIFY(std::ranges::any_of(english(report.notes), [](const std::string& note) {
            return note.find("kept until all streams have waited") != std::string::npos;
        }));
    }

    /// Two chains of 2,000 values, each pair of which could meet: too many moments to tell them apart, so each stream
    /// has a pool of its own.
    void longStreamsHavePools()
    {
        std::string text = "input x float32[16]\n";
        for (int i = 0; i < 2000; ++i) {
            const std::string last = i == 0 ? "x" : "a" + std::to_string(i - 1);
            const std::string other = i == 0 ? "x" : "b" + std::to_string(i - 1);
            text += "a" + std::to_string(i) + " = Softmax(" + last + ")\nb" + std::to_string(i) + " = Softmax(" +
                    other + ")\n";
        }
        PlanRequest request;
        request.policies.streams = 2;
        request.recordDecisions = false;
        const Report report =
            analyse(test::graphFromText(text + "c = Add(a1999, b1999)\noutput c\n"), request, {}).value();
        QCOMPARE(errorsOf(report), std::string());
        QVERIFY(report.notes.size() == 1 &&
                english(report.notes)[0].find("a lower plan may exist") != std::string::npos);
        QVERIFY(report.planning.search->end != SearchEnd::Optimal);
        QCOMPARE(report.memory.lowerBoundBytes, 2 * 64);
        QCOMPARE(report.memory.peakBytes, 2 * 64);
    }

    void nothingIsWrittenOverWhatAnotherStreamReads()
    {
        const Graph graph = test::graphFromText("input x float32[64]\np: vp = Exp(x)\na: va = Sin(vp)\n"
                                                "b: vb = Relu(vp)\nj: vj = Add(va, vb)\noutput vj\n");
        QVERIFY(decisionOn(planned(graph, "1"), "vb", "in-place").contains(QStringLiteral("last to read")));
        QCOMPARE(decisionOn(planned(graph, "2"), "vb", "in-place"),
                 QStringLiteral("A node of another stream uses 'vp' in these bytes, and 'b' is in no order with it."));
    }

    void aPlanFileCarriesStreamsAndEvents()
    {
        const Graph graph = test::graphFromText(Branches);
        const Report report = planned(graph, "2");
        const std::string text = planJsonText(planOf(report));
        const PlanFile again = readPlanJson(text, {}).value();
        QVERIFY(again.streams.has_value());
        QCOMPARE(again.streams->places.size(), graph.nodes.size());
        const Report judgedReport = judged(graph, again).value();
        QVERIFY(judgedReport.program.streams.streamOf == report.program.streams.streamOf);
        QVERIFY(judgedReport.program.streams.events == report.program.streams.events);
        QCOMPARE(errorsOf(judgedReport), std::string());
        // A report is a plan, too.
        const PlanFile ofReport = readPlanJson(writeReportJson(report), {}).value();
        QVERIFY(judged(graph, ofReport).value().program.streams.events == report.program.streams.events);
    }

    void aPlanWithoutOneOfItsEventsIsFound()
    {
        const Graph graph = test::graphFromText(Branches);
        const PlanFile whole = planOf(planned(graph, "2"));
        for (std::size_t gone = 0; gone < whole.streams->events.size(); ++gone) {
            PlanFile damaged = whole;
            damaged.streams->events.erase(damaged.streams->events.begin() + static_cast<std::ptrdiff_t>(gone));
            const Report report = judged(graph, damaged).value();
            QVERIFY(errorsOf(report).find("uninitialised-read") != std::string::npos);
        }
    }

    /// What a plan says nothing of is as the policy has it.
    void aPlanOfOneStreamIsJudgedForTwo()
    {
        const Graph graph = test::graphFromText(Branches);
        PlanRequest request;
        request.givenPlan = sharedPlan(planOf(planned(graph, "1")));
        QCOMPARE(errorsOf(analyse(graph, request, {}).value()), std::string());
        request.policies.streams = 2;
        QVERIFY(errorsOf(analyse(graph, request, {}).value()).find("Two streams meet") != std::string::npos);
    }

    /// Bytes for which a stream still has to wait are not free.
    void noHoleIsWhereAStreamHasNotWaited()
    {
        const Report report = planned(test::graphFromText(Branches), "2", "no-reuse");
        const std::vector<WaitMark> waits = makePlanPicture(report, colourStorages(report.program)).waits;
        QVERIFY(!waits.empty());
        for (const WaitMark& wait : waits) {
            for (const Hole& hole : report.memory.holes)
                QVERIFY(!overlaps(hole.steps, wait.steps) || !overlaps(hole.bytes, wait.bytes));
        }
    }

    void writersTellOfStreams()
    {
        const Graph graph = test::graphFromText(Branches);
        const Report two = planned(graph, "2");
        QVERIFY(writeGraphDot(two).find("\\nstream 1\"") != std::string::npos);
        QVERIFY(writeGraphDot(two).find("tooltip=\"event\"") != std::string::npos);
        QVERIFY(writeGraphDot(planned(graph, "1")).find("stream") == std::string::npos);
    }

    void brokenStreamsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("streams");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const char* streams, const char* expected) {
            QTest::newRow(name) << QByteArray(streams) << QByteArray(expected);
        };
        row("no such node", R"("streams": {"zz": 1})",
            "plan.json: streams.zz: The graph has no node 'zz'. The plan belongs to another graph, or to other "
            "policies.");
        row("who waits is not there", R"("events": [{"after": "a", "before": "zz"}])",
            "events[0].before: The graph has no node 'zz'. The plan belongs");
        row("somebody is on no stream", R"("streams": {"a": 0})",
            "streams: It does not say on which stream 'p' runs, nor 6 others. The plan");
        row("no such stream", R"("streams": {"a": 64})", "There is no stream 64: they count from 0 to 63.");
        row("below zero", R"("streams": {"a": -1})", "There is no stream -1:");
        row("no number", R"("streams": {"a": "one"})", "streams.a");
        row("no object", R"("streams": [1])", "streams");
        row("a wait for what comes later", R"("events": [{"after": "j", "before": "a"}])", "'a' cannot wait for 'j'");
        row("a wait for itself", R"("events": [{"after": "a", "before": "a"}])", "'a' cannot wait for 'a'");
        row("events of no streams", R"("events": [{"after": "a", "before": "j"}])", "events: There are events, and");
        row("half an event", R"("events": [{"after": "a"}])", "before");
    }
    void brokenStreamsAreRefused()
    {
        QFETCH(QByteArray, streams);
        QFETCH(QByteArray, expected);
        const std::string text =
            R"({"schema": "plimsoll.plan/1", "arenas": [], "allocations": [], )" + streams.toStdString() + "}";
        const auto plan = readPlanJson(text, "plan.json");
        const auto report = plan.ok() ? judged(test::graphFromText(Branches), plan.value()) : plan.error();
        QVERIFY(!report.ok());
        const QByteArray said = QByteArray::fromStdString(describe(report.error()));
        QVERIFY2(said.contains(expected), said.constData());
    }

    /// Nested graphs run on the stream of their owner, and what is known before the run on none.
    void whoIsOnNoStreamIsNotSpokenOf_data()
    {
        QTest::addColumn<QByteArray>("graph");
        QTest::addColumn<QByteArray>("streams");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("inside") << QByteArray(test::samples::Branches.data(), test::samples::Branches.size())
                                << QByteArray(R"("streams": {"choose/then_branch/t1": 1})")
                                << QByteArray("'choose/then_branch/t1' stands in a nested graph");
        QTest::newRow("ahead") << QByteArray("input x float32[4]\ns: n = Shape(x)\na: y = Reshape(x, n)\noutput y\n")
                               << QByteArray(R"("streams": {"a": 0}, "events": [{"after": "s", "before": "a"}])")
                               << QByteArray("events[0]: 's' has no step of its own here");
    }

    void whoIsOnNoStreamIsNotSpokenOf()
    {
        QFETCH(QByteArray, graph);
        QFETCH(QByteArray, streams);
        QFETCH(QByteArray, expected);
        const auto plan = readPlanJson(
            R"({"schema": "plimsoll.plan/1", "arenas": [], "allocations": [], )" + streams.toStdString() + "}", {});
        const auto report = judged(test::graphFromText(graph.constData()), plan.value());
        QVERIFY(!report.ok());
        const QByteArray said = QByteArray::fromStdString(describe(report.error()));
        QVERIFY2(said.contains(expected), said.constData());
    }
};

QTEST_APPLESS_MAIN(tst_PipelineStreams)
#include "tst_pipeline_streams.moc"
