#include "core/pipeline/pipeline.h"

#include "core/formats/read_graph.h"
#include "tests/support/graph_text.h"
#include "tests/support/random_table.h"

#include <QTest>

#include <span>

using namespace plimsoll;

namespace {

Graph hardGraph(std::uint32_t seed = 1)
{
    const std::string text = test::randomTable(160, seed);
    return readGraph(std::as_bytes(std::span(text)), {}).value();
}

/// \p work units, and alignment 1, so that every byte counts.
PlanRequest searching(std::optional<std::int64_t> work)
{
    PlanRequest request;
    request.policies.alignment = 1;
    request.search.workLimit = work;
    return request;
}

std::vector<std::int64_t> offsetsOf(const Report& report)
{
    std::vector<std::int64_t> offsets;
    for (const Storage& storage : report.program.storages)
        offsets.push_back(storage.offset);
    return offsets;
}

} // namespace

class TestPipelineSearch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void workAndSeedDecideTheReport();
    void moreWorkIsNeverWorse();
    void betterPlansArriveWholeAndLegal();
    void enoughKeepsTheBestSoFar();
    void enoughBeforeTheFirstPlanStillMakesOne();
    void aStopEndsTheWholeJob();
    void algorithmsThatDoNotSearchSaySo();
    void aGivenPlanWasNotSearchedFor();
    void theChosenOfTwoLayoutsIsTheOneThatIsSearched();
};

void TestPipelineSearch::workAndSeedDecideTheReport()
{
    const Graph graph = hardGraph();

    const Report first = analyse(graph, searching(3'000'000), {}).value();
    const Report second = analyse(graph, searching(3'000'000), {}).value();

    QVERIFY(offsetsOf(first) == offsetsOf(second));
    QVERIFY(first.planning.search && second.planning.search);
    QCOMPARE(first.planning.search->work, second.planning.search->work);
    QCOMPARE(first.planning.search->history.size(), second.planning.search->history.size());
    for (std::size_t i = 0; i < first.planning.search->history.size(); ++i) {
        QCOMPARE(first.planning.search->history[i].work, second.planning.search->history[i].work);
        QCOMPARE(first.planning.search->history[i].peakBytes, second.planning.search->history[i].peakBytes);
    }
}

void TestPipelineSearch::moreWorkIsNeverWorse()
{
    const Graph graph = hardGraph();
    const Report least = analyse(graph, searching(0), {}).value();
    const Report more = analyse(graph, searching(30'000'000), {}).value();

    QVERIFY(least.memory.peakBytes > least.memory.lowerBoundBytes); // else the case shows nothing
    QCOMPARE(least.planning.search->end, SearchEnd::Limit);
    QVERIFY(more.memory.peakBytes < least.memory.peakBytes);
    QCOMPARE(more.planning.search->history.front().peakBytes, least.planning.search->history.front().peakBytes);
    QCOMPARE(more.planning.search->history.back().peakBytes, more.memory.peakBytes);
    QVERIFY(more.planning.search->boundBytes >= more.memory.lowerBoundBytes);
    QCOMPARE(more.planning.search->optimal(), more.memory.peakBytes == more.planning.search->boundBytes);
}

void TestPipelineSearch::betterPlansArriveWholeAndLegal()
{
    const Graph graph = hardGraph();
    PlanRequest request = searching(10'000'000);
    std::vector<Report> reports;
    std::vector<std::int64_t> peaks;
    request.search.improved = [&](const Incumbent& now, const std::function<Result<Report>()>& report) {
        peaks.push_back(now.peakBytes);
        reports.push_back(report().value());
    };

    const Report last = analyse(graph, request, {}).value();

    QVERIFY(reports.size() > 1);
    for (std::size_t i = 0; i < reports.size(); ++i) {
        QCOMPARE(reports[i].memory.peakBytes, peaks[i]);
        QCOMPARE(countFindings(reports[i], Severity::Error), std::size_t {0});
        QCOMPARE(reports[i].planning.search->history.size(), i + 1);
        QCOMPARE(reports[i].planning.search->end, SearchEnd::Running);
        QCOMPARE(reports[i].decisions.size(), last.decisions.size());
        QCOMPARE(reports[i].program.handles.size(), last.program.handles.size());
    }
    QVERIFY(offsetsOf(reports.back()) == offsetsOf(last));
    QVERIFY(offsetsOf(last) == offsetsOf(analyse(graph, searching(10'000'000), {}).value())); // being watched or not
}

void TestPipelineSearch::enoughKeepsTheBestSoFar()
{
    const Graph graph = hardGraph();
    PlanRequest request = searching({});
    request.search.secondsLimit = 600;
    std::stop_source enough;
    request.search.enough = enough.get_token();
    std::int64_t best = 0;
    int improvements = 0;
    request.search.improved = [&](const Incumbent& now, const auto&) {
        best = now.peakBytes;
        if (++improvements == 2) enough.request_stop();
    };

    const Report report = analyse(graph, request, {}).value();

    QCOMPARE(report.memory.peakBytes, best);
    QCOMPARE(report.planning.search->end, SearchEnd::Stopped);
    QVERIFY(report.memory.peakBytes < report.planning.search->history.front().peakBytes);
    QCOMPARE(countFindings(report, Severity::Error), std::size_t {0});
}

void TestPipelineSearch::enoughBeforeTheFirstPlanStillMakesOne()
{
    PlanRequest request = searching({});
    std::stop_source enough;
    enough.request_stop();
    request.search.enough = enough.get_token();

    const auto report = analyse(hardGraph(), request, {});

    QVERIFY(report.ok());
    QVERIFY(!report.value().planning.search->history.empty());
}

void TestPipelineSearch::aStopEndsTheWholeJob()
{
    PlanRequest request = searching({});
    request.search.secondsLimit = 600;
    std::stop_source stop;
    request.search.improved = [&](const Incumbent&, const auto&) { stop.request_stop(); };
    Context context;
    context.stop = stop.get_token();

    const auto report = analyse(hardGraph(), request, context);

    QVERIFY(!report.ok());
    QCOMPARE(report.error().code, ErrorCode::Stopped);
}

void TestPipelineSearch::algorithmsThatDoNotSearchSaySo()
{
    PlanRequest request = searching(1'000'000);
    request.policies.placement = "first-fit-by-size";

    const Report report = analyse(hardGraph(), request, {}).value();

    QCOMPARE(report.planning.search->end, SearchEnd::OnePlan);
    QCOMPARE(report.planning.search->algorithm, std::string("first-fit-by-size"));
    QCOMPARE(report.planning.search->history.size(), std::size_t {1});
}

void TestPipelineSearch::aGivenPlanWasNotSearchedFor()
{
    const Graph graph = hardGraph();
    PlanRequest request;
    request.givenPlan = sharedPlan(planOf(analyse(graph, {}, {}).value()));

    QVERIFY(!analyse(graph, request, {}).value().planning.search);
}

void TestPipelineSearch::theChosenOfTwoLayoutsIsTheOneThatIsSearched()
{
    // Two outputs that both repeat the input: lodging one of them in it keeps them from sharing a copy.
    const Graph graph = test::graphFromText("input x float32[64]\na = Identity(x)\nb = Identity(a)\nc = Neg(b)\n"
                                            "output a c\n");
    for (const char* inputs : {"protect", "share-identity", "donate"}) {
        PlanRequest request = searching(1'000'000);
        QVERIFY(setPolicy(request.policies, "inputs", inputs).ok());
        int told = 0;
        request.search.improved = [&](const Incumbent&, const auto& report) { told += report().ok() ? 1 : 1000; };

        const Report report = analyse(graph, request, {}).value();

        QVERIFY(told >= 1 && told < 1000);
        QCOMPARE(static_cast<std::size_t>(told), report.planning.search->history.size());
        QCOMPARE(countFindings(report, Severity::Error), std::size_t {0});
    }
}

QTEST_APPLESS_MAIN(TestPipelineSearch)
#include "tst_pipeline_search.moc"
