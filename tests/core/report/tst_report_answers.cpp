#include "core/pipeline.h"
#include "core/report/arena_peaks.h"
#include "core/report/completeness.h"
#include "core/report/report_tables.h"
#include "core/report/writers.h"
#include "core/what_if.h"
#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;

namespace {

Report planned(const std::string& text, const PlanRequest& request = {})
{
    Result<Report> report = analyse(test::graphFromText(text), request, {});
    if (!report.ok()) qFatal("%s", describe(report.error()).c_str());
    return std::move(report).value();
}

Storage storage(std::int32_t arena, std::int64_t bytes, Interval live)
{
    Storage made;
    made.arena = ArenaId(arena);
    made.bytes = bytes;
    made.live.add(live);
    return made;
}

/// big is 4,000 bytes that follow from w alone, and alive beside y.
const std::string Foldable = "input x float32[10,100]\nconst w float32[10,1] = 1 2 3 4 5 6 7 8 9 10\n"
                             "const wide int64[2] = 10 100\n"
                             "n0: big = Expand(w, wide)\nn1: y = Relu(x)\nn2: z = Add(y, big)\noutput z\n";

} // namespace

/// What a report answers in one line: where the peak is, what is left out, what another policy would save.
class ReportAnswers : public QObject
{
    Q_OBJECT

private slots:
    void eachArenaHasAPeakOfItsOwn()
    {
        Report report;
        report.map.arenas = {{"cpu", 4096, 64, {}}, {"cuda:0", 8192, 64, {}}, {"sram", 0, 64, {}}};
        report.storages = {storage(0, 2048, {0, 3}), storage(0, 2000, {2, 4}), storage(1, 8192, {3, 5})};

        QCOMPARE(arenaPeaks(report).at(0).step, std::int64_t {2});
        QCOMPARE(arenaPeaks(report).at(0).liveBytes, std::int64_t {4096});
        QCOMPARE(arenaPeaks(report).at(2).step, std::int64_t {-1});
        QCOMPARE(peakPlaces(report), std::string(" (8.00 KiB in cuda:0 at step 3 + 4.00 KiB in cpu at step 2)"));
        report.storages.pop_back();
        QCOMPARE(peakPlaces(report), std::string(" at step 2"));
        report.storages.clear();
        QCOMPARE(peakPlaces(report), std::string());
    }

    void valuesWithoutASizeMakeAPlanIncomplete()
    {
        const Report report = planned("input x float32[4]\na: y = my::Op(x)\nb: z = Relu(y)\noutput z\n");
        QCOMPARE(incompleteText(report),
                 std::string("2 of 3 values have no size (operator my::Op is not known and the file gives no type)"));
        QVERIFY(verdictSentence(report).find("It is incomplete: 2 of 3 values have no size") != std::string::npos);
        QCOMPARE(incompleteText(planned(Foldable)), std::string());
    }

    void findingsBeyondTheFirstThousandAreCounted()
    {
        std::string graph = "input in uint8[64]\n";
        for (int i = 0; i < 1200; ++i)
            graph += "v" + std::to_string(i) + " = Relu(in)\noutput v" + std::to_string(i) + "\n";
        PlanRequest request;
        request.givenPlan = PlanFile {};
        request.givenPlan->arenas = {{"cpu", 64, 64, {}}};
        const Report report = planned(graph, request);

        QCOMPARE(report.findings.size(), std::size_t {1000});
        QCOMPARE(countFindings(report, Severity::Error), std::size_t {1200});
        QCOMPARE(leftOutNote(report), std::string("The first 1,000 of 1,200 are listed and marked."));
        QCOMPARE(findingsTable(report, 100).total, std::size_t {1200});
        QCOMPARE(leftOutNote(planned(Foldable)), std::string());
    }

    void singleChangesArePlannedForReal()
    {
        PlanRequest request;
        Report report = planned(Foldable, request);
        QVERIFY(report.policyChanges.empty());
        QVERIFY(writeMarkdown(report).find("What one other policy would save") == std::string::npos);

        report.policyChanges = priceChanges(test::graphFromText(Foldable), request, {});

        const PolicyChange& best = report.policyChanges.front();
        QCOMPARE(best.policy + "=" + best.value, std::string("fold=all"));
        QCOMPARE(best.cost.peakBytes, report.peakBytes - 4032); // 4,000 bytes by an alignment of 64
        const DocumentTable table = whatIfTable(report);
        QCOMPARE(table.rows.front().at(0), std::string("fold=all"));
        QCOMPARE(table.rows.front().at(2), std::string("−3.94 KiB"));
        QVERIFY(writeMarkdown(report).find("| fold=all |") != std::string::npos);
        QVERIFY(writeHtml(report).find("<td>fold=all</td>") != std::string::npos);
    }

    void changesOfBackendsThatNobodyOffersAreLeftOut()
    {
        for (const PolicyChange& change : priceChanges(test::graphFromText(Foldable), {}, {}))
            QVERIFY2(change.policy != "backend" || change.value == "reference", change.value.c_str());
    }

    void aStopEndsThePricing()
    {
        std::stop_source stop;
        std::size_t begun = 0;
        const Context context {stop.get_token(), [&](std::string_view, double) {
                                   if (++begun == 3) stop.request_stop();
                               }};
        QCOMPARE(priceChanges(test::graphFromText(Foldable), {}, context).size(), std::size_t {2});
    }
};

QTEST_APPLESS_MAIN(ReportAnswers)
#include "tst_report_answers.moc"
